"""Steps, and the cells of the line that they make of it: see `stepped`.

A cut of the line is (x, 0), before x, or (x, 1), behind it; None is an end.  No step but `modulo`
ever decreases, with `suppressed` below all numbers, so that every output is made of the numbers
between two cuts.  Outputs to the right of all atoms, and those to the left, of which there may be
infinitely many, are one; what is suppressed is never among them.
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


def _bins(value: Any) -> Stage:
    table(value, "bins", {"edges"})
    edges = tuple(rational(x, "bins: an edge") for x in array(value["edges"], "bins: edges"))
    if not edges or any(a >= b for a, b in pairwise(edges)):
        raise Malformed("bins: edges must increase, at least one")

    def image(at: Cut) -> str:
        spend(64)
        a, b = around(edges, at[0])
        low = "(-inf" if a is None else f"[{canonical(a)}"
        return f"{low}, {'inf' if b is None else canonical(b)})"

    written = {"edges": [canonical(x) for x in edges]}
    return Stage("bins", written, image, _refused("nothing follows bins"), edges=edges)


def _refused(why: str) -> Callable[[Cut], Any]:
    def refuse(cut: Cut) -> Any:
        raise Malformed(why)

    return refuse


def _modulo(value: Any) -> Stage:
    modulus = rational(value, "modulo")
    if modulus <= 0:
        raise Malformed("modulo: a modulus that is not positive")
    no = _refused("modulo is a step that decreases")
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


def _behind(steps: Sequence[Stage], at: Cut) -> Image:
    """What the numbers just behind a cut become; None: they stay what they are."""
    image: Image = None
    for step in steps:
        spend(64 + price(at[0].denominator.bit_length() + at[0].numerator.bit_length()))
        if image is None:
            image = step.image(at)
        elif isinstance(image, Fraction):
            image = step.of(image)
    return image


def before(steps: Sequence[Stage], cut: Cut) -> End | bool:
    """Where the numbers end that become less than a cut."""
    found: End | bool = cut
    for step in reversed(steps):
        if found is None or isinstance(found, bool):
            break
        found = step.before(found)
    return found


def parts_of(steps: Sequence[Stage]) -> tuple[Part, ...]:
    """The parts of the line where some of it stays what it is; () where nothing does.  On a line
    single numbers have no mass."""
    if any(step.key not in ("clamp", "threshold") for step in steps):
        return ()
    ends = sorted({x for step in steps for x in step.edges})
    limits: list[Fraction | None] = [None, *ends, None]
    found: list[Part] = []
    for low, high in pairwise(limits):
        image = _behind(steps, (ends[0] - 1, 0) if low is None else (low, 1))
        output = canonical(image) if isinstance(image, Fraction) else image
        if found and found[-1].output == output:
            found[-1] = found[-1]._replace(high=high)
        else:
            found.append(Part(low, high, output))
    return tuple(found) if any(part.output is None for part in found) else ()


def own(steps: Sequence[Stage], x: Fraction, lattice: Fraction | None) -> bool:
    """Whether what a number becomes is made of it alone; on a line, of the numbers on one side of
    it each by itself.

    Where no step decreases, a lattice point shares its output with a neighbour or with none, and an
    interval that stays what it is is all that becomes of it.
    """
    if any(step.key == "modulo" for step in steps):
        return False
    if lattice is None:
        return not steps or any(
            part.output is None
            and (part.low is None or part.low <= x)
            and (part.high is None or x <= part.high)
            for part in parts_of(steps)
        )
    return image_of(steps, x) not in (image_of(steps, x - lattice), image_of(steps, x + lattice))


class Stretch(NamedTuple):
    """The numbers between two cuts, with their output."""

    low: End
    high: End
    output: str


class CutLine:
    """The line by outputs, for atoms between two numbers."""

    def __init__(
        self, steps: Sequence[Stage], first: Fraction, last: Fraction, lattice: Fraction | None
    ) -> None:
        self.steps, self.first, self.last, self.lattice = steps, first, last, lattice
        hidden = self._hidden()
        self.hides_all = hidden is None
        self.hidden = None if isinstance(hidden, bool) else hidden

    def cells(self, most: int) -> list[Stretch]:
        """The stretches from left to right, those beyond the atoms as one."""
        if self.hides_all:
            return [Stretch(None, None, SUPPRESSED)]
        found, more, left = self.single(most), list[Stretch](), self.hidden
        low, end, output = found[0].low, found[-1].high, found[0].output
        if output != SUPPRESSED:
            if left is not None:
                more.append(Stretch(None, left, SUPPRESSED))
            if low != left:
                more.append(Stretch(left, low, f"less than {output}"))
        if end is not None:
            one = self._begun(end)
            found.append(one if one.high is None else Stretch(end, None, f"{one.output} and more"))
        return [one for one in (*more, *found) if self.reached(one)]

    def every(self, most: int) -> list[Stretch]:
        """All stretches, of which the outermost have no end: none stands for several outputs."""
        far = sum((max(map(abs, step.edges), default=ONE) for step in self.steps), ONE)
        low, high = min(self.first, -far), max(self.last, far)
        if self.lattice is not None:
            low = self.first - ceil((self.first - low) / self.lattice) * self.lattice
        whole = CutLine(self.steps, bounded(low), high, self.lattice)
        found = whole.single(most)
        if found[0].low is not None or found[-1].high is not None:
            raise Malformed("outputs without end are judged by events")
        return [one for one in found if whole.reached(one)]

    def single(self, most: int) -> list[Stretch]:
        """Those that hold numbers from the first to the last, each as far as it goes."""
        found = [self._whole((self.first, 0))]
        while (end := found[-1].high) is not None:
            spend(64)
            if len(found) > most:
                raise Malformed("steps with too many outputs")
            if end > (self.last, 0):
                break
            found.append(self._begun(end)._replace(low=end))
        return found

    def behind(self) -> Stretch:
        """The whole output of the numbers just above the first atom, on a line."""
        return self._whole((self.first, 1))

    def _hidden(self) -> End | bool:
        """Where what is suppressed ends; False: nothing is, None: everything."""
        last: End | bool = False
        for k, step in enumerate(self.steps):
            found = False if step.hides is None else before(self.steps[:k], step.hides)
            if found is None:
                return None
            if not isinstance(found, bool):
                last = found if isinstance(last, bool) or last is None else max(last, found)
        return last

    def _side(self, at: Cut, image: Fraction | str, side: int) -> End:
        """Where the numbers begin (0) or end (1) that become what those behind a cut do."""
        *others, last = self.steps
        found: End | bool = None
        if image == SUPPRESSED:
            return self.hidden if side else None
        if isinstance(image, Fraction):
            found = before(self.steps, (image, side))
        elif last.key == "bins":
            x = _behind(others, at)
            edge = around(last.edges, x if isinstance(x, Fraction) else at[0])[side]
            found = None if edge is None else before(others, (edge, 0))
        if found is None or isinstance(found, bool):
            return None if side else self.hidden
        return found

    def _whole(self, at: Cut) -> Stretch:
        """The stretch that holds the numbers behind a cut, from where it begins."""
        one, image = self._begun(at), _behind(self.steps, at)
        return one._replace(low=at if image is None else self._side(at, image, 0))

    def _begun(self, at: Cut) -> Stretch:
        """The stretch from a cut on, on a lattice from the first point behind it."""
        if self.lattice is not None:
            at = self._point(at), 0
        image = _behind(self.steps, at)
        if image is None:
            if self.lattice is None:
                raise Malformed("steps that leave numbers of a line as they are")
            return Stretch(at, (at[0], 1), canonical(at[0]))
        name = image if isinstance(image, str) else canonical(image)
        return Stretch(at, self._side(at, image, 1), name)

    def _point(self, at: Cut) -> Fraction:
        step = self.lattice or ONE
        return self.first + step * count(at, self.first, step)

    def reached(self, one: Stretch) -> bool:
        """Whether a point of the lattice lies in a stretch."""
        if self.lattice is None or one.low is None or one.high is None:
            return True
        return (self._point(one.low), 0) < one.high


def count(cut: Cut, origin: Fraction, step: Fraction) -> int:
    """The least j with origin + j step behind the cut."""
    j = ceil((cut[0] - origin) / step)
    return j + 1 if origin + j * step == cut[0] and cut[1] else j
