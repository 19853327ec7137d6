"""Steps, each by itself and one after the other: see `stepped`.

A cut of the line is (x, 0), before x, or (x, 1), behind it; None is an end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple

from core.grammar import Malformed, bounded, canonical
from core.shapes import array, rational, string, table
from core.spans import SUPPRESSED, Part
from core.work import price, spend

Cut = tuple[Fraction, int]
End = Cut | None
Image = Fraction | str | None  # None: numbers stay what they are
ONE, HALF = Fraction(1), Fraction(1, 2)
NO_ROW = "nothing"  # the atom of a prior where no row is


class Stage(NamedTuple):
    """One step: what the numbers just behind a cut become; where what becomes less than a cut ends
    (False: nowhere, None: everywhere); where what is suppressed ends."""

    key: str
    written: Any
    image: Callable[[Cut], Image]
    before: Callable[[Cut], End | bool]
    hides: End = None
    edges: tuple[Fraction, ...] = ()

    def of(self, x: Fraction) -> Fraction | str:
        """What one number becomes."""
        if self.key == "modulo":
            return x % self.edges[0]
        image = self.image((x, 0))
        return x if image is None else image


def _clamp(value: Any) -> Stage:
    ends = array(value, "clamp")
    if len(ends) != 2:
        raise Malformed("clamp must have two ends")
    low, high = (rational(x, "clamp") for x in ends)
    if low > high:
        raise Malformed("clamp: the lower end is above the upper one")
    return Stage(
        "clamp", [canonical(low), canonical(high)],
        lambda at: high if at >= (high, 0) else low if at <= (low, 0) else None,
        lambda cut: False if cut <= (low, 0) else None if cut > (high, 0) else cut,
        edges=(low, high),
    )  # fmt: skip


def _to(value: Any, what: str, more: Set[str] = frozenset()) -> Fraction:
    table(value, what, {"to"}, set(more))
    to = rational(value["to"], f"{what}: to")
    if to <= 0:
        raise Malformed(f"{what}: multiples of a number that is not positive")
    return to


def _multiples(key: str, written: Any, to: Fraction, begin: Callable[[int], Cut]) -> Stage:
    """A step to the multiples of `to`; what becomes k times it begins at the cut `begin`(k)."""

    def image(at: Cut) -> Fraction:
        k = floor(at[0] / to) - 1
        while begin(k + 1) <= at:
            spend(16)
            k += 1
        return bounded(k * to)

    def before(cut: Cut) -> End:
        k = ceil(cut[0] / to)
        return begin(k if (k * to, 0) >= cut else k + 1)

    return Stage(key, written, image, before, edges=(to,))


def _round(value: Any) -> Stage:
    to = _to(value, "round", {"ties"})
    ties = string(value.get("ties", "up"), "round: ties")
    if ties not in ("up", "down", "even"):
        raise Malformed("round: ties must be up, down or even")

    def begin(k: int) -> Cut:
        above = ties == "up" or (ties == "even" and k % 2 == 0)
        return (k - HALF) * to, 0 if above else 1

    return _multiples("round", {"to": canonical(to), "ties": ties}, to, begin)


def _floor(value: Any) -> Stage:
    to = _to(value, "floor")
    return _multiples("floor", {"to": canonical(to)}, to, lambda k: (k * to, 0))


def _ceil(value: Any) -> Stage:
    to = _to(value, "ceil")
    return _multiples("ceil", {"to": canonical(to)}, to, lambda k: ((k - 1) * to, 1))


def _threshold(value: Any) -> Stage:
    table(value, "threshold", {"at"}, {"keep"})
    keep = string(value.get("keep", "at-least"), "threshold: keep")
    if keep not in ("at-least", "above"):
        raise Malformed("threshold: keep must be at-least or above")
    at = rational(value["at"], "threshold: at")
    hides = (at, 1 if keep == "above" else 0)
    return Stage(
        "threshold", {"at": canonical(at), "keep": keep},
        lambda cut: SUPPRESSED if cut < hides else None, lambda cut: max(cut, hides), hides, (at,),
    )  # fmt: skip


def around(edges: tuple[Fraction, ...], x: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """The edges of the bin that a number lies in; None: it has no end there."""
    k = bisect_right(edges, x)
    return edges[k - 1] if k else None, edges[k] if k < len(edges) else None


def edges_of(value: Any, least: int) -> tuple[Fraction, ...]:
    """The edges of bins, at least so many."""
    edges = tuple(rational(x, "bins: an edge") for x in array(value, "bins: edges"))
    if len(edges) < least or any(a >= b for a, b in pairwise(edges)):
        raise Malformed(f"bins: edges must increase, at least {'one' if least == 1 else 'two'}")
    return edges


def _bins(value: Any) -> Stage:
    table(value, "bins", {"edges"})
    edges = edges_of(value["edges"], 1)

    def image(at: Cut) -> str:
        spend(64)
        a, b = around(edges, at[0])
        low = "(-inf" if a is None else f"[{canonical(a)}"
        return f"{low}, {'inf' if b is None else canonical(b)})"

    written = {"edges": [canonical(x) for x in edges]}
    return Stage("bins", written, image, refused("nothing follows bins"), edges=edges)


def refused(why: str) -> Callable[[Cut], Any]:
    """What is said where a cut goes through a step that has no answer."""

    def refuse(cut: Cut) -> Any:
        raise Malformed(why)

    return refuse


def _modulo(value: Any) -> Stage:
    modulus = rational(value, "modulo")
    if modulus <= 0:
        raise Malformed("modulo: a modulus that is not positive")
    no = refused("modulo is a step that decreases")
    return Stage("modulo", canonical(modulus), no, no, edges=(modulus,))


AFTER: dict[str, Callable[[Any], Stage]] = {
    "clamp": _clamp,
    "round": _round,
    "floor": _floor,
    "ceil": _ceil,
    "threshold": _threshold,
    "bins": _bins,
    "modulo": _modulo,
}


def listed(value: Any, what: str, kinds: Mapping[str, Callable[[Any], Stage]]) -> list[Stage]:
    """The steps of a list, in their order."""
    steps = []
    for entry in array(value, what):
        if type(entry) is not dict or len(entry) != 1 or not entry.keys() <= kinds.keys():
            raise Malformed(f"a step of {what} must be one of {', '.join(kinds)}")
        ((key, stated),) = entry.items()
        steps.append(kinds[key](stated))
    if not steps:
        raise Malformed(f"{what} must have a step")
    return steps


def steps_of(value: Any) -> list[Stage]:
    """The steps of a table `post`."""
    steps = listed(value, "post", AFTER)
    if any(step.key == "bins" for step in steps[:-1]):
        raise Malformed("nothing follows bins")
    return steps


# ---------------------------------------------------------------- all steps together


def image_of(steps: Sequence[Stage], x: Fraction) -> str:
    """The output that a number becomes."""
    image: Fraction | str = x
    for step in steps:
        spend(32)
        if isinstance(image, Fraction):
            image = step.of(image)
    return image if isinstance(image, str) else canonical(image)


def image_behind(steps: Sequence[Stage], at: Cut) -> Image:
    """What the numbers just behind a cut become; None: they stay what they are."""
    image: Image = None
    for step in steps:
        spend(64 + price(at[0].denominator.bit_length() + at[0].numerator.bit_length()))
        if image is None:
            image = step.image(at)
        elif isinstance(image, Fraction):
            image = step.of(image)
    return image


def parts_of(steps: Sequence[Stage]) -> tuple[Part, ...]:
    """The parts of the line where some of it stays what it is; () where nothing does.  On a line
    single numbers have no mass."""
    if any(step.key not in ("clamp", "threshold") for step in steps):
        return ()
    ends = sorted({x for step in steps for x in step.edges})
    limits: list[Fraction | None] = [None, *ends, None]
    found: list[Part] = []
    for low, high in pairwise(limits):
        image = image_behind(steps, (ends[0] - 1, 0) if low is None else (low, 1))
        output = canonical(image) if isinstance(image, Fraction) else image
        if found and found[-1].output == output:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(Part(low, high, output))
    return tuple(found) if any(part.output is None for part in found) else ()
