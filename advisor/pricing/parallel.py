"""Tasks run side by side until a deadline; what is late is left behind, not waited for.

Threads are daemons: a name look-up or a read that hangs holds neither the answer nor the exit.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from advisor.pricing.provider import Deadline

T = TypeVar("T")

THREAD_NAME = "advisor-fetch"


def run_until(
    deadline: Deadline,
    tasks: Sequence[Callable[[], T]],
    most: int,
    heard: Callable[[int], None],
    last: Callable[[], None],
) -> list[T | None]:
    """Return the result of each task in its order; None: it was not there in time.

    Up to ``most`` run at once. ``heard`` is told in this thread how many are done; ``last`` is
    called once, in any thread, when no task runs any more. What a task raises is raised here. After
    the deadline, an error or an interrupt no further task is started.
    """
    crew = _Crew(tasks, last)
    results: list[T | None] = [None] * len(tasks)
    try:
        crew.start(min(most, len(tasks)))
        for count in range(1, len(tasks) + 1):
            which, result = crew.done.get(timeout=max(deadline.left_s, 0.001))
            if isinstance(result, Exception):
                raise result
            results[which] = result
            heard(count)
    except queue.Empty:
        pass
    finally:
        crew.stop.set()
    return results


class _Crew(Generic[T]):
    """The threads of one run."""

    def __init__(self, tasks: Sequence[Callable[[], T]], last: Callable[[], None]) -> None:
        self.stop = threading.Event()
        self.done: queue.SimpleQueue[tuple[int, T | Exception]] = queue.SimpleQueue()
        self._waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for which in range(len(tasks)):
            self._waiting.put(which)
        self._tasks = tasks
        self._last = last
        self._running = 0
        self._lock = threading.Lock()

    def start(self, count: int) -> None:
        """Start ``count`` threads."""
        self._running = count
        for _ in range(count):
            threading.Thread(target=self._work, name=THREAD_NAME, daemon=True).start()

    def _work(self) -> None:
        while not self.stop.is_set():
            try:
                which = self._waiting.get_nowait()
            except queue.Empty:
                break
            try:
                self.done.put((which, self._tasks[which]()))
            except Exception as error:  # noqa: BLE001 (raised again in the caller's thread)
                self.done.put((which, error))
        with self._lock:
            self._running -= 1
            is_last = not self._running
        if is_last:
            self._last()
