"""Results that are neither true nor false: `bool()` of one raises."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn


class NoTruth:
    """Base of every result: ``assert result`` and ``if result:`` raise TypeError.

    An object is true by default, so a refuted result would pass an ``assert``. `ask` says in one
    line what to read instead; subclasses inherit it.

    Example: ``bool(type("Outcome", (NoTruth,), {}, ask="use .certified")())`` raises
    "Outcome has no truth value: use .certified".
    """

    _ask: ClassVar[str] = "read its attributes, or compare with `is None`"

    def __init_subclass__(cls, *, ask: str | None = None, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if ask is not None:
            cls._ask = ask

    def __bool__(self) -> NoReturn:  # NoReturn: with warn_unreachable mypy refuses `if result:`
        raise TypeError(f"{type(self).__name__} has no truth value: {self._ask}")
