"""Steps that cut the line: clamp, threshold, and bins, by their names or by numbers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import rational
from pfverify.model.priors.prior import NUMBER
from pfverify.model.steps.arrays import HIDDEN, LARGEST, InArrays
from pfverify.model.steps.step import SUPPRESSED, AnyStep, Before, Cut, Stretch
from pfverify.model.words import check_keys

if TYPE_CHECKING:
    from pfverify.model.steps.arrays import Integers

_KEEP = ("at-least", "above")
_STANDS = ("lower", "middle", "upper")
_EDGES = {"description": "increasing numbers"}


class Clamp(InArrays):
    """Numbers below `low` become it, and those above `high` become that.

    Raises InputError unless low <= high, both rational.
    Example: ``Clamp("0", "100").apply(Fraction(-3))`` is ``0``.
    """

    key = "clamp"
    low: Fraction
    high: Fraction

    def __init__(self, low: Number, high: Number) -> None:
        self._keep(low=rational(low, "low"), high=rational(high, "high"))
        if self.low > self.high:
            raise InputError(
                f"low: {shorten(self.low)} is above high, which is {shorten(self.high)}"
            )

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a list of two numbers."""
        return {"type": "array", "minItems": 2, "maxItems": 2, "items": NUMBER}

    @classmethod
    def from_value(cls, value: Sequence[Any]) -> Clamp:
        """Return the step of [low, high]."""
        if len(value) != 2:
            raise InputError(f"expected two numbers, low and high, got {len(value)}")
        return cls(*value)

    def canonical(self) -> Any:
        """Return [low, high]."""
        return [str(self.low), str(self.high)]

    @property
    def words(self) -> str:
        """The step and its ends."""
        return f"clamp to [{shorten(self.low, 24)}, {shorten(self.high, 24)}]"

    @property
    def reach(self) -> Fraction:
        """The farther end."""
        return max(abs(self.low), abs(self.high))

    def piece(self, start: Cut) -> Stretch:
        """Return the numbers up to `low`, those between, or those from `high` on."""
        if start >= Cut(self.high):
            return Stretch(None, self.high)
        low = Cut(self.low, after=True)
        return Stretch(low, self.low) if start < low else Stretch(Cut(self.high), None)

    def apply(self, number: Fraction) -> Fraction:
        """Return the number, or the end that it is beyond."""
        return min(max(number, self.low), self.high)

    def pulled(self, cut: Cut) -> Before:
        """Return the cut itself, if it lies between."""
        if cut <= Cut(self.low):
            return False
        return None if cut > Cut(self.high) else cut

    @property
    def numbers(self) -> Sequence[Fraction]:
        """Both ends."""
        return self.low, self.high

    def most(self, width: Fraction) -> None:
        """Return None: numbers stay between the ends."""
        del width

    def images(self, cuts: Integers, unit: int) -> Integers:
        """Return the cuts, not beyond the ends."""
        found: Integers = cuts.clip(int(2 * self.low * unit), int(2 * self.high * unit))
        return found

    def before(self, cuts: Integers, unit: int) -> Integers:
        """Return the cuts that lie between the ends."""
        low, high = int(2 * self.low * unit), int(2 * self.high * unit)
        found: Integers = cuts - 2 * LARGEST * (cuts <= low) + 2 * LARGEST * (cuts > high)
        return found

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return the ends."""
        import numpy as np

        return np.array([int(2 * self.low * unit) + 1, int(2 * self.high * unit)])


class Threshold(InArrays):
    """Numbers that are at least `at` (or, with `keep` = above, above it) stay: the rest is hidden.

    What is hidden is published as the symbol `suppressed`.
    Raises InputError unless `at` is rational and `keep` is at-least or above.
    Example: ``Threshold(5).apply(Fraction(4))`` is ``"suppressed"``.
    """

    key = "threshold"
    at: Fraction
    keep: str

    def __init__(self, at: Number, keep: str = "at-least") -> None:
        if keep not in _KEEP:
            raise InputError(f"keep: {shorten(keep)!r} is unknown, expected {' or '.join(_KEEP)}")
        self._keep(at=rational(at, "at"), keep=keep)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a table with `at` and `keep`."""
        keep = {"enum": list(_KEEP), "description": "which numbers stay; default at-least"}
        return {
            "type": "object", "required": ["at"], "additionalProperties": False,
            "properties": {"at": NUMBER | {"description": "the threshold"}, "keep": keep},
        }  # fmt: skip

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> Threshold:
        """Return the step of a table."""
        check_keys(value, ("at", "keep"))
        return cls(value["at"], value.get("keep", "at-least"))

    def canonical(self) -> Any:
        """Return the table."""
        return {"at": str(self.at), "keep": self.keep}

    @property
    def words(self) -> str:
        """What stays."""
        kept = self.keep.replace("-", " ")
        at = shorten(decimal_text(self.at), 24)
        return f"threshold: what is {kept} {at} stays, the rest is {SUPPRESSED}"

    @property
    def hides(self) -> Cut:
        """The threshold."""
        return Cut(self.at, after=self.keep == "above")

    @property
    def reach(self) -> Fraction:
        """The threshold."""
        return abs(self.at)

    def piece(self, start: Cut) -> Stretch:
        """Return what is hidden, or what stays."""
        return Stretch(self.hides, SUPPRESSED) if start < self.hides else Stretch(None, None)

    def pulled(self, cut: Cut) -> Cut:
        """Return the cut, or the threshold: what is hidden lies below all numbers."""
        return max(cut, self.hides)

    @property
    def numbers(self) -> Sequence[Fraction]:
        """The threshold."""
        return (self.at,)

    def most(self, width: Fraction) -> None:
        """Return None: numbers stay above the threshold."""
        del width

    def _hides(self, unit: int) -> int:
        return int(2 * self.at * unit) + self.hides.after

    def images(self, cuts: Integers, unit: int) -> Integers:
        """Return the cuts, or that what is there is hidden."""
        stays = cuts >= self._hides(unit)
        return cuts * stays + HIDDEN * ~stays

    def before(self, cuts: Integers, unit: int) -> Integers:
        """Return the cuts, or the threshold."""
        found: Integers = cuts.clip(self._hides(unit))
        return found

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return the threshold."""
        import numpy as np

        return np.array([self._hides(unit)])


class ToBins(InArrays):
    """Numbers are published as the interval that they lie in: [a, b) between neighbouring edges.

    The first and the last interval have no end. Raises InputError unless the edges increase.
    Example: ``ToBins(["0", "10"]).apply(Fraction(10))`` is ``"[10, inf)"``.
    """

    key = "bins"
    naming = True
    edges: tuple[Fraction, ...]

    def __init__(self, edges: Sequence[Number]) -> None:
        self._keep(edges=_increasing(edges, 1))

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a table with `edges`."""
        edges = {"type": "array", "minItems": 1, "items": NUMBER}
        return {
            "type": "object", "required": ["edges"], "additionalProperties": False,
            "properties": {"edges": edges | _EDGES},
        }  # fmt: skip

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> ToBins:
        """Return the step of a table."""
        check_keys(value, ("edges",))
        return cls(value["edges"])

    def canonical(self) -> Any:
        """Return the table."""
        return {"edges": [str(x) for x in self.edges]}

    @property
    def words(self) -> str:
        """How many bins."""
        return f"one of {len(self.edges) + 1} bins"

    def around(self, number: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Return where the bin of a number begins and ends; None: it has no end there."""
        k = bisect_right(self.edges, number)
        return self.edges[k - 1] if k else None, self.edges[k] if k < len(self.edges) else None

    @property
    def reach(self) -> Fraction:
        """The farthest edge."""
        return max(map(abs, self.edges))

    def piece(self, start: Cut) -> Stretch:
        """Return the bin behind a cut, and its name."""
        low, high = self.around(start.at)
        name = f"{'(-inf' if low is None else f'[{low}'}, {'inf' if high is None else high})"
        return Stretch(None if high is None else Cut(high), name)

    def pulled(self, cut: Cut) -> Before:
        """Refuse: raises InputError, since names have no order."""
        raise InputError(f"{cut}: nothing follows bins")

    @property
    def numbers(self) -> Sequence[Fraction]:
        """The edges."""
        return self.edges

    def most(self, width: Fraction) -> int:
        """Return the number of bins."""
        del width
        return len(self.edges) + 1

    def images(self, cuts: Integers, unit: int) -> Integers:
        """Return twice the place of the bin, which stands for its name."""
        return 2 * self.breaks(0, 0, unit).searchsorted(cuts, "right")

    def before(self, cuts: Integers, unit: int) -> Integers:
        """Refuse: raises InputError, since names have no order."""
        raise InputError("bins: nothing follows them")

    def breaks(self, first: int, last: int, unit: int) -> Integers:
        """Return the edges."""
        import numpy as np

        return np.array([int(2 * x * unit) for x in self.edges])

class ToBinNumbers(AnyStep):
    """Numbers become one that stands for their bin, [a, b) between neighbouring edges.

    That is its lower end, its upper end, or the middle. A number below the first edge, or not below
    the last one, is in no bin and refused: a clamp may come first.
    Raises InputError unless at least two edges increase and `at` is one of the three.
    Example: ``ToBinNumbers(["0", "10"], "middle").apply(Fraction(3))`` is ``5``.
    """

    key = "bins"
    edges: tuple[Fraction, ...]
    at: str

    def __init__(self, edges: Sequence[Number], at: str) -> None:
        if at not in _STANDS:
            raise InputError(f"at: {shorten(at)!r} is unknown, expected lower, middle or upper")
        self._keep(edges=_increasing(edges, 2), at=at)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return a table with `edges` and `at`."""
        edges = {"type": "array", "minItems": 2, "items": NUMBER}
        at = {"enum": list(_STANDS), "description": "which number stands for a bin"}
        return {
            "type": "object", "required": ["edges", "at"], "additionalProperties": False,
            "properties": {"edges": edges | _EDGES, "at": at},
        }  # fmt: skip

    @classmethod
    def from_value(cls, value: Mapping[str, Any]) -> ToBinNumbers:
        """Return the step of a table."""
        check_keys(value, ("edges", "at"))
        return cls(value["edges"], value["at"])

    def canonical(self) -> Any:
        """Return the table."""
        return {"edges": [str(x) for x in self.edges], "at": self.at}

    @property
    def words(self) -> str:
        """How many bins, and what stands for each."""
        count = len(self.edges) - 1
        bins = "1 bin" if count == 1 else f"{count} bins"
        end = self.at if self.at == "middle" else f"{self.at} end"
        return f"the {end} of one of {bins}"

    def apply(self, number: Fraction) -> Fraction:
        """Return what stands for the bin of a number; InputError where it is in none."""
        k = bisect_right(self.edges, number)
        if not 0 < k < len(self.edges):
            first, last = (shorten(edge, 24) for edge in (self.edges[0], self.edges[-1]))
            raise InputError(
                f"bins: {shorten(number, 24)} is in none, expected numbers from {first} on and "
                f"below {last} (a clamp may come first)"
            )
        low, high = self.edges[k - 1 : k + 1]
        return {"lower": low, "middle": (low + high) / 2, "upper": high}[self.at]


def _increasing(edges: Sequence[Number], least: int) -> tuple[Fraction, ...]:
    """The edges of bins; InputError unless there are so many, and they increase."""
    listing = listed(edges, "edges", "a list of numbers")
    found = tuple(rational(x, f"edges[{k}]") for k, x in enumerate(listing))
    if len(found) < least:
        raise InputError(f"edges: {len(found)} of them, expected at least {least}")
    for k, (a, b) in enumerate(pairwise(found)):
        if a >= b:
            raise InputError(
                f"edges[{k + 1}]: {shorten(b)} is not above {shorten(a)}, expected increasing "
                "numbers"
            )
    return found
