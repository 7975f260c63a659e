"""Composition root: opens the sources, calls ``recommend``, returns its value."""
