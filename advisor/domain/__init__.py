"""Values and vocabulary. Standard library only, no I/O; every other package speaks in these."""
