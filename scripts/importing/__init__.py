"""Importers of the published measurement tables, one module per kind of measurement.

They read the shared folder and return rows of the project's own schema; only
``import_measurements.py`` writes files.
"""
