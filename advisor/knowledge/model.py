"""Fits the model when the database is built, stores it, and reads it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.domain.vocabulary import Basis
from advisor.knowledge.space import CURVE_COLUMNS, INSTANCE_COLUMNS
from advisor.prediction.parameters import ModelParameters, Parameter

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CURVES_DDL = (
    "CREATE TABLE compute_curves (instance_type VARCHAR, log_tps DOUBLE[], p95_ratio DOUBLE[], "
    "measured_to INTEGER, "
    "basis VARCHAR, silicon_sigma DOUBLE, type_sigma DOUBLE, relatives VARCHAR)"
)
PARAMETERS_DDL = (
    "CREATE TABLE model_parameters (name VARCHAR, value DOUBLE, unit VARCHAR, sigma DOUBLE, basis "
    "VARCHAR, "
    "row_count INTEGER, sources VARCHAR, note VARCHAR)"
)


#: What a recommendation reads, joined beforehand: every type with its curve, and why it is left out
#: by default; rows in the order in which they are read.
SPACE_DDL = (
    f"CREATE TABLE space AS SELECT {INSTANCE_COLUMNS}, "  # noqa: S608 (column names of our own schema)
    "coalesce(exclusion, CASE WHEN log_tps IS NULL THEN 'no-evidence' END) AS exclusion, "
    f"{CURVE_COLUMNS} FROM instance_types LEFT JOIN compute_curves USING (instance_type) "
    "ORDER BY instance_type"
)


def fit_and_store(connection: DuckDBPyConnection) -> None:
    """Fit the model on the loaded tables and store its curves and parameters."""
    from advisor.knowledge.fit_rows import fit_input
    from advisor.prediction.fitting import fit

    model = fit(fit_input(connection))
    connection.execute(CURVES_DDL)
    connection.executemany(
        "INSERT INTO compute_curves VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            [
                curve.instance_type,
                list(curve.log_tps),
                list(curve.p95_ratio),
                curve.measured_to,
                str(curve.basis),
                curve.silicon_sigma,
                curve.type_sigma,
                curve.relatives,
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
    connection.execute(SPACE_DDL)


def read_parameters(connection: DuckDBPyConnection) -> ModelParameters:
    """Return the stored parameters."""
    rows = connection.execute(
        "SELECT name, value, unit, sigma, basis, row_count, sources, note FROM model_parameters "
        "ORDER BY name"
    ).fetchall()
    return ModelParameters.of(
        Parameter(
            name=name,
            value=value,
            unit=unit,
            sigma=sigma,
            basis=Basis(basis),
            rows=count,
            sources=tuple(sources.split()),
            note=note,
        )
        for name, value, unit, sigma, basis, count, sources, note in rows
    )
