"""The entries of a prior's table, in whatever shape it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number
from pfverify.model.keys import Key
from pfverify.model.sums import exact_sum, sum_text

_KEY = TypeVar("_KEY", covariant=True)
_AMOUNT = TypeVar("_AMOUNT", covariant=True)


class Items(Protocol[_KEY, _AMOUNT]):
    """A mapping, or whatever else has items (such as a Series of pandas)."""

    def items(self) -> Iterable[tuple[_KEY, _AMOUNT]]:
        """Return the pairs (key, amount)."""


class ArrayColumn(Protocol):
    """A one-dimensional array of numpy."""

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""

    def tolist(self) -> Any:
        """Return its numbers as those of Python."""


AtomTable = (
    Items[Number, Number] | Iterable[tuple[Number, Number]] | tuple[ArrayColumn, ArrayColumn]
)
"""atom -> amount, pairs of them, or a column of each."""
NameTable = Items[str, Number] | Iterable[tuple[str, Number]]
"""input -> amount, or pairs of them."""


def entries(table: object, kind: str, key: str) -> list[tuple[Any, Any]]:
    """Return the pairs (key, amount) of a mapping, of pairs, or of a tuple of two numpy columns.

    `kind` and `key` are words for messages. Raises InputError for anything else.
    Example: ``entries([(0, 376), (1, 204)], "discrete", "atom")`` is ``[(0, 376), (1, 204)]``.
    """
    expected = f"a table {key} -> mass"
    if callable(getattr(table, "items", None)):
        try:
            return list(table.items())  # type: ignore[attr-defined]
        except Exception:  # whatever a caller's own class does
            raise InputError(
                f"a {kind} prior takes {expected}, got {type(table).__name__}"
            ) from None
    if isinstance(table, str | bytes) or not isinstance(table, Iterable):
        raise InputError(f"a {kind} prior takes {expected}, got {type(table).__name__}")
    found = listed(table, kind, expected)
    if isinstance(table, tuple) and len(found) == 2 and all(map(_is_array, found)):
        return _columns(found[0].tolist(), found[1].tolist(), key)
    return [_pair(entry, place, key) for place, entry in enumerate(found, 1)]


def paired(keys: object, amounts: object, key: str) -> tuple[Any, Any] | list[tuple[Any, Any]]:
    """Return a column of keys and a column of amounts as a table: of two arrays, or of pairs.

    Raises InputError for what is no column, and for columns of different lengths.
    Example: ``paired([0, 1], [376, 204], "atom")`` is ``[(0, 376), (1, 204)]``.
    """
    if _is_array(keys) and _is_array(amounts):
        return keys, amounts
    return _columns(_listed(keys, f"{key}s"), _listed(amounts, "amounts"), key)


def texts_of(table: Mapping[Any, Fraction]) -> dict[str, str]:
    """Return a table of exact numbers as it is written.

    Example: ``texts_of({"a": Fraction(1, 2)})`` is ``{"a": "1/2"}``.
    """
    return {str(key): str(amount) for key, amount in table.items()}


def counted_keys(shape: dict[str, Any], key: str) -> tuple[Key, Key]:
    """Return the keys of a prior that is a table of masses or one of counts, by `key`.

    Example: ``[key.name for key in counted_keys({}, "atom")]`` is ``["counts", "mass"]``.
    """
    return (
        Key("counts", f"{key} -> number of records", shape, written=False),
        Key("mass", f"{key} -> probability, summing to exactly 1", shape, text=texts_of),
    )


def checked_amount(amount: Fraction, where: str, *, counted: bool) -> Fraction:
    """Return a mass, or a count, which is an integer; InputError that begins with `where`.

    Example: ``checked_amount(Fraction(-1), "mass of atom 0", counted=False)`` raises.
    """
    if amount < 0:
        raise InputError(f"{where} is {shorten(amount)}, expected a number >= 0")
    if counted and amount.denominator != 1:
        raise InputError(f"{where} is {shorten(amount)}, expected an integer")
    return amount


def checked_total(amounts: list[Fraction], *, counted: bool) -> Fraction:
    """Return the sum of counts, which is not 0, or of masses, which is exactly 1.

    Raises InputError with the sum. Example: ``checked_total([Fraction(3)], counted=True)`` is 3.
    """
    total = exact_sum(amounts)
    if not counted and total != 1:
        raise InputError(f"the masses sum to {sum_text(total)}, expected exactly 1")
    if total == 0:
        raise InputError("the counts are all 0: a prior needs at least one record")
    return total


def _is_array(column: object) -> bool:
    return getattr(column, "ndim", None) == 1 and callable(getattr(column, "tolist", None))


def _listed(column: object, name: str) -> list[Any]:
    """The numbers of one column."""
    if isinstance(column, Mapping | Set) or getattr(column, "ndim", 1) != 1:
        raise InputError(f"{name}: expected one column, got {type(column).__name__}")
    return listed(column, name, "a column of numbers")


def _columns(keys: list[Any], amounts: list[Any], key: str) -> list[tuple[Any, Any]]:
    """The pairs of two columns, as ``numpy.unique(values, return_counts=True)`` returns them."""
    if len(keys) != len(amounts):
        raise InputError(f"{len(keys)} {key}s and {len(amounts)} amounts, expected as many")
    return list(zip(keys, amounts, strict=True))


def _pair(entry: object, place: int, key: str) -> tuple[Any, Any]:
    words = f"entry {place}"
    parts = listed(entry, words, f"a pair ({key}, amount)")
    if len(parts) != 2:
        raise InputError(f"{words}: expected a pair ({key}, amount), got {shorten(entry, 40)}")
    return parts[0], parts[1]
