"""Parameters of mechanisms, read exactly: a budget, a chance, powers of e."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partial

from pfverify.errors import InputError, shorten
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.number import Number, printable
from pfverify.model.channels.entries import Entry, as_number, folded, product, text_of
from pfverify.model.keys import NUMBERS, TEXT, Key
from pfverify.model.ranges import within_one


def names_key(name: str, least: int = 1) -> Key:
    """Return the key of names of inputs or outputs, at least so many.

    Example: ``names_key("inputs", 2).schema()["minItems"]`` is 2.
    """
    shape = {"type": "array", "minItems": least, "items": {"type": "string"}}
    return Key(name, shape=shape, needed=True, text=list)


def rows_key(name: str, description: str) -> Key:
    """Return the key of a row of numbers for each input, which are kept as they were written.

    Example: ``rows_key("rows", "a row for each input").needed`` is ``True``.
    """
    shape = {"type": "array", "minItems": 1, "items": NUMBERS}
    return Key(name, description, shape, needed=True, kept="_written", text=_texts_of_rows)


def budget_key(description: str, *, needed: bool = False) -> Key:
    """Return the key of a budget. Example: ``budget_key(">= 0").name`` is ``"epsilon"``."""
    return Key("epsilon", description, needed=needed, read=checked_budget, text=TEXT)


def chance_key(name: str, description: str, *, needed: bool = False, ends: bool = True) -> Key:
    """Return the key of a number in [0, 1]; `ends`: these may be it.

    Example: ``chance_key("truth", "in [0, 1]").read("3/4").text`` is ``"3/4"``.
    """
    read = partial(within_one, name=name, ends=ends)
    return Key(name, description, needed=needed, read=read, text=TEXT)


def count_key(name: str, description: str, *, least: int, needed: bool = True) -> Key:
    """Return the key of a whole number that is at least `least`.

    Example: ``count_key("size", ">= 2", least=2).text(3)`` is 3.
    """
    read = partial(checked_count, where=name, least=least)
    shape = {"type": "integer", "minimum": least}
    return Key(name, description, shape, needed=needed, read=read, text=int)


def texts_of(row: Iterable[Entry]) -> list[str]:
    """Return numbers as they are written. Example: ``texts_of([Fraction(1)])`` is ``["1"]``."""
    return list(map(text_of, row))


def _texts_of_rows(rows: Iterable[Iterable[Entry]]) -> list[list[str]]:
    return list(map(texts_of, rows))


def checked_count(value: object, where: str, least: int) -> int:
    """Return a whole number that is at least `least`; InputError that begins with `where`.

    Example: ``checked_count(3, "size", 2)`` is 3.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{where}: {shorten(value)} is no whole number >= {least}")
    return value


def checked_budget(value: object) -> Number:
    """Return an exact epsilon >= 0; InputError that begins with "epsilon".

    Example: ``checked_budget("log(3)").text`` is ``"log(3)"``.
    """
    epsilon = printable(value, "epsilon")
    sign = epsilon.sign()
    if sign is None:
        raise InputError(f"epsilon: cannot decide whether {shorten(epsilon.text)} is >= 0")
    if sign < 0:
        raise InputError(f"epsilon: {shorten(epsilon.text)} is negative, expected a number >= 0")
    return epsilon


_ONE = ExpSum.constant(1)
_PLAIN = 10**6  # rational exponents below it need no test of their size


def power_of_e(epsilon: Number, factor: Entry) -> Entry:
    """Return e**(epsilon * factor), folded; InputError where it is too large to work with.

    Example: ``power_of_e(Number.parse("log(3)"), Fraction(-2))`` is ``1/9``.
    """
    value = product(folded(epsilon), factor)
    if isinstance(value, Fraction) and abs(value) < _PLAIN:  # at once: it is rational at 0 alone
        return _plain_power(value)
    try:
        return folded(as_number(value).exp())
    except InputError as error:
        raise InputError(f"epsilon: {error}") from None


def _plain_power(value: Fraction) -> Entry:
    if not value:
        return Fraction(1)
    exponent = Exponent.rational(value)
    inside = Number(("rational", value), exponent)
    power = ExpSum.power(exponent)
    return Number(("exp", inside.tree), ratio=(power, _ONE), operands=(inside,))
