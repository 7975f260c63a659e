"""The bundled DuckDB: schema, build, verify, read. Opened read-only; never written by the tool."""
