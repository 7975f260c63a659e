"""Pure models: evidence in, fitted parameters and predictions with intervals out.

No I/O, no third-party package.
"""

#: Changes whenever the same data and request would give another answer.
MODEL_VERSION = "2026.11-3"
