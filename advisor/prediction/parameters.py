"""The fitted parameters of the model: each with its uncertainty, rows and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.domain.vocabulary import Basis, StorageType


class Parameter(NamedTuple):
    """One number of the model."""

    name: str
    value: float
    unit: str
    sigma: float
    """Log standard deviation of the value; 0: a definition."""
    basis: Basis
    rows: int
    """Observations it was fitted on; 0: set by judgement, as the note says."""
    sources: tuple[str, ...]
    note: str


class VolumeParameters(NamedTuple):
    """One storage type as measured."""

    read_ms: float
    """Mean latency of a 16 KiB random read with one thread, ms."""
    write_ms: float
    """Mean latency of a 16 KiB write that is on stable storage, one thread, ms."""
    read_p95_ratio: float
    """p95 ÷ mean of a single read below the IOPS limit."""
    limit_p95_ratio: float
    """p95 ÷ mean of the response time where the IOPS limit binds."""
    write_p95_ratio: float
    variation_cv: float
    """CV of per-second read throughput with few threads."""
    sigma: float
    basis: Basis


class ModelParameters(NamedTuple):
    """Everything fitted, by name."""

    by_name: dict[str, Parameter]

    @classmethod
    def of(cls, parameters: Iterable[Parameter]) -> ModelParameters:
        """Index parameters by name."""
        return cls(by_name={parameter.name: parameter for parameter in parameters})

    def value(self, name: str) -> float:
        """Return the value of a parameter; KeyError when there is none of that name."""
        return self.by_name[name].value

    def sigma(self, name: str) -> float:
        """Return the log standard deviation of a parameter."""
        return self.by_name[name].sigma

    def volume(self, storage: StorageType) -> VolumeParameters:
        """Return the parameters of a storage type."""
        prefix = f"volume.{'aurora' if storage.is_aurora else storage.value}."
        return VolumeParameters(
            read_ms=self.value(prefix + "read_ms"),
            write_ms=self.value(prefix + "write_ms"),
            read_p95_ratio=self.value(prefix + "read_p95_ratio"),
            limit_p95_ratio=self.value(prefix + "limit_p95_ratio"),
            write_p95_ratio=self.value(prefix + "write_p95_ratio"),
            variation_cv=self.value(prefix + "variation_cv"),
            sigma=self.sigma(prefix + "read_ms"),
            basis=self.by_name[prefix + "read_ms"].basis,
        )
