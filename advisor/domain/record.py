"""Records: frozen, slotted, keyword-only value classes that are cheap to define.

``@record`` stands where ``@dataclass(frozen=True, slots=True, kw_only=True)`` would. A standard
dataclass compiles seven methods of its own (0.5 to 0.9 ms a class, 30 ms for those behind ``advisor
recommend``: a third of what the whole command may add to starting Python and DuckDB); these share
theirs (0.03 ms a class). Type checkers read them as dataclasses, and ``dataclasses.fields`` and
``dataclasses.replace`` work on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast, dataclass_transform

if TYPE_CHECKING:
    from dataclasses import Field

T = TypeVar("T")
_set = object.__setattr__


class _Fields:
    """Makes the field table of the standard library when a tool first asks for it."""

    def __get__(self, instance: object, owner: type[_Record]) -> dict[str, Field[object]]:
        """Return what ``dataclasses`` keeps of an equal dataclass."""
        from dataclasses import field, make_dataclass

        shadow = make_dataclass(
            owner.__name__,
            [
                (name, object, field(default=owner._defaults[name]))
                if name in owner._defaults
                else (name, object)
                for name in owner._names
            ],
            kw_only=True,
        )
        return cast("dict[str, Field[object]]", vars(shadow)["__dataclass_fields__"])


class _Record:
    """What all records share."""

    __slots__ = ()
    _names: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, object]] = {}
    __dataclass_fields__ = _Fields()

    def __init__(self, **given: object) -> None:
        for name in self._names:
            if name in given:
                _set(self, name, given.pop(name))
            elif name in self._defaults:
                _set(self, name, self._defaults[name])
            else:
                raise TypeError(f"{type(self).__name__} needs {name}")
        if given:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(given))}")

    def __setattr__(self, name: str, assigned: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be {assigned!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} stays")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._names)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self._names))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names)
        return f"{type(self).__name__}({fields})"


def replaced(value: T, **fields: object) -> T:
    """Return a record with other fields; ``dataclasses.replace`` without its field table.

    That table takes 1.5 ms to make, once per class: for records on the start-up path.
    """
    names: tuple[str, ...] = getattr(value, "_names")  # noqa: B009 (a record, which T cannot say)
    return type(value)(**{name: getattr(value, name) for name in names} | fields)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """Return ``cls`` as a record; its annotated names are its fields, in their order."""
    members = {
        name: member
        for name, member in vars(cls).items()
        if name not in ("__dict__", "__weakref__")
    }
    names = tuple(members.get("__annotations__", {}))
    members["_defaults"] = {name: members.pop(name) for name in names if name in members}
    members["_names"] = members["__slots__"] = names
    return cast("type[T]", type(cls.__name__, (_Record,), members))
