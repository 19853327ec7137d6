"""The exceptions of pfverify, named for what went wrong, and what raises them at its doors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class PfverifyError(Exception):
    """Base class of every error that pfverify raises on purpose."""


class InputError(PfverifyError, ValueError):
    """Input that cannot be used: the one-line message says what, where, and what was expected."""


class UndecidedError(PfverifyError):
    """A search met a point that could not be decided; the message says why."""


def shorten(value: object, limit: int = 60) -> str:
    """Return `value` as text of at most `limit` characters, safe for one-line messages.

    Example: ``shorten("a" * 100, 9)`` is ``"aaaa...aa"``.
    """
    text = value if isinstance(value, str) else _text(value)
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    tail = max(0, (limit - 3) // 3)
    return f"{text[: limit - 3 - tail]}...{text[len(text) - tail :]}"


def _text(value: object) -> str:
    try:
        return str(value)
    except ValueError:  # Python refuses to print integers beyond its digit limit
        return f"a number of {type(value).__name__} type with thousands of digits"
    except Exception:  # whatever a caller's own class does when it is printed
        return f"an object of type {type(value).__name__}"


@contextmanager
def told_at(place: str) -> Iterator[None]:
    """Return a context in which the message of an InputError begins with its place.

    Example: ``told_at("law 3: ").__enter__()`` is None; what it raises begins with "law 3: ".
    """
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}{error}") from None


def require(value: object, kinds: type | tuple[type, ...], name: str) -> None:
    """Raise InputError unless `value` is of one of the types.

    Example: ``require(3, str, "form")`` raises "form: expected str, got int".
    """
    if not isinstance(value, kinds):
        names = [kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
        raise InputError(f"{name}: expected {' or '.join(names)}, got {type(value).__name__}")


def listed(value: object, name: str, what: str) -> list[Any]:
    """Return the entries of anything that can be iterated but text, or raise InputError.

    Example: ``listed("ab", "pairs", "a list of pairs")`` raises.
    """
    if not isinstance(value, str | bytes) and isinstance(value, Iterable):
        try:
            return list(value)
        except Exception:  # such as an array without dimensions
            pass
    raise InputError(f"{name}: expected {what}, got {shorten(value)!r}")
