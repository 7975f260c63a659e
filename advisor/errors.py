"""Every error a user can meet, and the exit code of the process that meets it.

    AdvisorError                1  internal fault
    ├── UsageError              2  a flag, a CONFIG, a file or an environment value is wrong
    ├── KnowledgeError          3  the bundled database is missing, foreign or damaged
    ├── PricingError            4  no usable prices where the command cannot go on without
    └── NoCandidateError        6  nothing in the space meets the constraints

130 is an interrupted run. Classes carry facts as fields; front ends format them.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the process; an interface that changes only with a major version."""

    DONE = 0
    INTERNAL = 1
    USAGE = 2
    KNOWLEDGE = 3
    PRICING = 4
    NO_CANDIDATE = 6
    INTERRUPTED = 130


class AdvisorError(Exception):
    """The root: ``message`` says what is wrong, ``hint`` names the next step."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(AdvisorError):
    """The request cannot be understood or contradicts itself."""

    exit_code = ExitCode.USAGE


class KnowledgeError(AdvisorError):
    """The knowledge base cannot be opened or is not ours."""

    exit_code = ExitCode.KNOWLEDGE


class PricingError(AdvisorError):
    """There is no usable price where one is required."""

    exit_code = ExitCode.PRICING


class NoCandidateError(AdvisorError):
    """Nothing fits.

    ``nearest`` describes the nearest miss in one line, ``relax`` says what to change.
    """

    exit_code = ExitCode.NO_CANDIDATE

    def __init__(
        self,
        message: str,
        *,
        nearest: str | None = None,
        relax: tuple[str, ...] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.nearest = nearest
        self.relax = relax
