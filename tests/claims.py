"""What the tests of published claims share: the compared cells and the prices of 2021."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = (1, 2, 4, 8, 16, 32, 64, 128)
SIZES = {
    2: "large",
    4: "xlarge",
    8: "2xlarge",
    16: "4xlarge",
    32: "8xlarge",
    48: "12xlarge",
    64: "16xlarge",
}
C_VCPU = (2, 4, 8, 16, 48)
M_VCPU = (2, 4, 8, 16, 32, 48, 64)
#: On-demand us-east-1, October 2021, USD per vCPU-hour: c5.large 0.085, c6g.large 0.068, c5a.large
#: 0.077, all sizes in proportion (prices printed with the runs of percona_arm_c5_2021).
USD_2021 = {"c5": 0.0425, "c6g": 0.034, "c5a": 0.0385}


def gains_of(
    rate: Callable[[str, int, int], float], one: str, other: str, sizes: tuple[int, ...]
) -> dict[tuple[int, int], float]:
    """Return (vCPU, threads) → throughput of ``one`` over ``other``, less one."""
    return {
        (vcpu, threads): rate(one, vcpu, threads) / rate(other, vcpu, threads) - 1.0
        for vcpu in sizes
        for threads in THREADS
    }
