"""How far a long step is: one line on stderr, rewritten, erased at the end.

Said on a terminal only, and only when the work takes longer than a reader would wait unasked.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from advisor.cli.output import erase_status, has_terminal, show_status

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

#: Seconds before anything is said, and between two lines.
PATIENCE_S = 1.0
_PAUSE_S = 0.1


class Progress:
    """Shows steps while its block runs; call it with (step, done, total)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the clock."""
        self._clock = clock
        self._next_s = clock() + PATIENCE_S
        self._is_shown = has_terminal()
        self._width = 0

    def __call__(self, step: str, done: int, total: int | None) -> None:
        """Show the step, where it is time to; ``total`` None: nobody knows it."""
        now = self._clock()
        if not self._is_shown or now < self._next_s:
            return
        self._next_s = now + _PAUSE_S
        much = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        self._width = show_status(f"{step}: {much}", self._width)

    def __enter__(self) -> Progress:
        """Return this."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Erase the line, also where the work failed or was interrupted."""
        if self._width:
            erase_status(self._width)
            self._width = 0
