"""Fits the model when the database is built, and stores it with what answers read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CURVES_DDL = (
    "CREATE TABLE compute_curves (instance_type VARCHAR, log_tps DOUBLE[], p95_ratio DOUBLE[], "
    "measured_to INTEGER, "
    "basis VARCHAR, silicon_sigma DOUBLE[], type_sigma DOUBLE[], relatives VARCHAR, "
    "is_validated BOOLEAN)"
)
PARAMETERS_DDL = (
    "CREATE TABLE model_parameters (name VARCHAR, value DOUBLE, unit VARCHAR, sigma DOUBLE, basis "
    "VARCHAR, "
    "row_count INTEGER, sources VARCHAR, note VARCHAR)"
)


def fit_and_store(connection: DuckDBPyConnection) -> None:
    """Fit the model on the loaded tables and store its curves and parameters."""
    from advisor.knowledge.documents import store_documents
    from advisor.knowledge.fit_rows import fit_input
    from advisor.knowledge.price_documents import store_price_documents
    from advisor.prediction.fitting import fit

    model = fit(fit_input(connection))
    connection.execute(CURVES_DDL)
    connection.executemany(
        "INSERT INTO compute_curves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            [
                curve.instance_type,
                list(curve.log_tps),
                list(curve.p95_ratio),
                curve.measured_to,
                str(curve.basis),
                list(curve.silicon_sigma),
                list(curve.type_sigma),
                curve.relatives,
                curve.is_validated,
            ]
            for curve in model.curves
        ],
    )
    connection.execute(PARAMETERS_DDL)
    connection.executemany(
        "INSERT INTO model_parameters VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            [
                parameter.name,
                parameter.value,
                parameter.unit,
                parameter.sigma,
                str(parameter.basis),
                parameter.rows,
                " ".join(parameter.sources),
                parameter.note,
            ]
            for parameter in model.parameters
        ],
    )
    store_documents(connection)
    store_price_documents(connection)
