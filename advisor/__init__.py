"""advisor: which instance, storage and engine for a database workload on AWS."""

__version__ = "0.1.0"
