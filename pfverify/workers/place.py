"""The function that is checked: where it is, as it was written, and what it is called with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pfverify.errors import InputError, require, shorten

_EXPECTED = "expected MODULE:FUNCTION (such as mine:scale) or FILE.py:FUNCTION"


@dataclass(frozen=True)
class Place:
    """Where a function is: a module that Python finds, or a file, and the name in it."""

    text: str
    module: str | None
    file: str | None
    function: str


def place(text: str) -> Place:
    """Return where a function is, from MODULE:FUNCTION or FILE.py:FUNCTION.

    Nothing is imported. Raises InputError for another form and for a file that is not there.
    Example: ``place("mine:scale").module`` is ``"mine"``.
    """
    require(text, str, "a function")
    module, colon, function = text.rpartition(":")
    shown = shorten(text)
    if not colon or not module or not all(part.isidentifier() for part in function.split(".")):
        raise InputError(f"{shown}: {_EXPECTED}")
    if module.endswith(".py") or "/" in module or "\\" in module:
        try:
            there = Path(module).is_file()
        except (OSError, ValueError):  # a name that no file can have
            there = False
        if not there:
            raise InputError(f"{shown}: there is no file {shorten(module)}; {_EXPECTED}")
        return Place(text, None, str(Path(module).absolute()), function)
    if not all(part.isidentifier() for part in module.split(".")):
        raise InputError(f"{shown}: {shorten(module)!r} is no name of a module; {_EXPECTED}")
    return Place(text, module, None, function)


def place_of(function: object, otherwise: str = "") -> Place:
    """Return where a function is that another process shall import.

    `otherwise` is what the caller offers where there is none.

    Raises InputError for one without a name at the top of a module, such as a lambda.
    Example: ``place_of(len).text`` is ``"builtins:len"``.
    """
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    if not callable(function):
        raise InputError(f"a function: expected one, got {type(function).__name__}")
    if not isinstance(module, str) or "<" in name or not name:
        raise InputError(
            f"{shorten(name or repr(function))}: another process cannot import it; expected a "
            f"function at the top level of a module{otherwise}"
        )
    if module == "__main__":
        file = getattr(function, "__globals__", {}).get("__file__")
        if not isinstance(file, str):
            raise InputError(
                f"{shorten(name)}: it was typed here, so another process cannot import it; "
                f"expected a function of a file{otherwise}"
            )
        return place(f"{file}:{name}")
    return place(f"{module}:{name}")
