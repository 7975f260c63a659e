"""A quicker sync never costs throughput."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tests.ground import PROPERTY, entries, perform, scaled_parameters, volumes, workloads

if TYPE_CHECKING:
    from advisor.domain.storage import StorageSpec
    from advisor.domain.workload import Workload
    from advisor.prediction.curve import SpaceEntry


@PROPERTY
@given(
    entry=entries(),
    load=workloads(),
    storage=volumes(),
    share=st.floats(min_value=0.05, max_value=0.999),
)
def test_a_quicker_sync_is_never_slower(
    entry: SpaceEntry, load: Workload, storage: StorageSpec, share: float
) -> None:
    parameters = scaled_parameters(f"volume.{storage.type}.write_ms", share)
    quick, slow = (perform(entry, load, storage, parameters=p) for p in (parameters, None))
    assert quick.rate >= slow.rate * (1.0 - 1e-6) or quick.is_past_peak
