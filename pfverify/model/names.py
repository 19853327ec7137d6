"""Names of the inputs and outputs of channels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import product
from typing import Any

from pfverify.errors import InputError, listed, shorten


def ordered(value: object, where: str, what: str) -> list[Any]:
    """Return the entries of a list, or of anything else that has an order and no keys.

    Raises InputError that begins with `where`. Example: ``ordered({"a": 1}, "rows[0]", "a list")``
    raises.
    """
    if isinstance(value, Mapping | Set):
        raise InputError(f"{where}: expected {what}, got {shorten(value, 40)!r}")
    return listed(value, where, what)


def checked_names(value: object, where: str, least: int = 1) -> tuple[str, ...]:
    """Return distinct, nonempty, printable names; InputError that begins with `where`.

    Example: ``checked_names(["a", "b"], "inputs")`` is ``("a", "b")``.
    """
    names = ordered(value, where, "a list of names")
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{where}: {shorten(name)!r} is not text, expected names in quotes")
        if not name.strip() or not name.isprintable():
            raise InputError(f"{where}: {shorten(ascii(name))} is empty or not printable text")
    if len(names) < least:
        count = f"only {names[0]!r}" if names else "none"
        raise InputError(f"{where}: there is {count}, expected at least {least}")
    if len(set(names)) != len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise InputError(f"{where}: {shorten(twice)!r} is there twice, expected distinct names")
    return tuple(names)


def joined_names(parts: Sequence[Sequence[str]], where: str) -> tuple[str, ...]:
    """Return the name of every tuple of parts, joined by commas, the last part changing fastest.

    Raises InputError where two tuples would have the same name.
    Example: ``joined_names([["a", "b"], ["x"]], "parts")`` is ``("a,x", "b,x")``.
    """
    found: dict[str, tuple[str, ...]] = {}
    for combination in product(*parts):
        name = ",".join(combination)
        if name in found:
            one, other = shorten(found[name]), shorten(combination)
            raise InputError(
                f"{where}: {one} and {other} are both called {shorten(name)!r}; rename a part"
            )
        found[name] = combination
    return tuple(found)


def unknown_name(name: object, known: Iterable[str], what: str) -> str:
    """Return the message about a name that there is not, with the one that is near.

    Example: ``unknown_name("hom", ["home"], "input")`` is
    ``"'hom' is no input of the channel; did you mean 'home'?"``.
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 1) if isinstance(name, str) else []
    shown = shorten(", ".join(names), 60)
    hint = f"; did you mean {near[0]!r}?" if near else f", expected one of {shown}"
    return f"{shorten(name, 30)!r} is no {what} of the channel{hint}"
