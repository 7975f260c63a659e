"""Prices of a region under a term, from the bundled snapshot; a missing price stays missing."""
