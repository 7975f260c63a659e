"""Text, CSV and JSON of values; imports no third-party package and computes nothing."""
