"""Noise with steps after it, and noise of newer kinds: the intervals of Y behind what is published.

An output is what becomes of an interval of Y = X + N, or a number that keeps its density. What is
written out is the worst one, or all of the worst event: each atom's share of it, from the noise
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from pfverify.decide.breach import Place
from pfverify.decide.cells.compared import MOST
from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.gaussian_lattice.compared import GaussianLattice
from pfverify.edge.document import counted
from pfverify.edge.words import brief
from pfverify.edge.written import masses
from pfverify.edge.written.asked import (
    INTERVALS,
    SENTENCES,
    Term,
    Worst,
    event_lines,
    rounded,
    rounding_line,
)
from pfverify.edge.written.densities import tail_lines
from pfverify.edge.written.tails import OneCell, short, tails_of
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_nearest
from pfverify.exact.number import Number
from pfverify.model.notion import Bound
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.releases.merged import MergedOutputs
from pfverify.model.releases.release import Release
from pfverify.model.releases.selected import Choices
from pfverify.model.releases.stepped import Cells, ManyCells, Stepped
from pfverify.model.steps.cells import cells, every_cell
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.interval_masses import MASSES
from pfverify.model.steps.places import Cut, End
from pfverify.model.steps.step import SUPPRESSED

_WHOLE = Fraction(10**6 - 1, 10**6)  # of the divergence that an event shall have
_MOST = 1000  # outputs among which a name is looked up
_LONG = 40  # characters of an output
_SHORT, _DIGITS = 15, 9  # characters of an end of an event that is taken as it is; else digits
_ORIGIN = Fraction(0)
_SAID, _TAIL, _WHY = SENTENCES["intervals"], SENTENCES["tail"], SENTENCES["why"]


def lines(worst: Worst) -> list[str]:
    """Return the masses of the worst output, atom by atom; for events those of B."""
    release = worst.item.release
    counted = isinstance(release, MergedOutputs | Choices) or (
        isinstance(release, Cells) and type(release.stepped.noise) not in MASSES
    )
    if counted or worst.problem.release.noise.adds_nothing:
        return [_steps_line(release), *masses.lines(worst)]
    return _Written(worst).lines()


def _steps_line(release: Release) -> str:
    if isinstance(release, Choices):
        return _SAID["chosen"].format(release.chosen.choice.words)
    after = release.stepped.steps if isinstance(release, Cells) else ()
    steps = release.steps if isinstance(release, MergedOutputs) else after
    return _SAID["counted"].format("; ".join(step.words for step in steps))


class _Written:
    """One order of a pair whose Y is a number with noise."""

    def __init__(self, worst: Worst) -> None:
        self.worst, self.release = worst, worst.item.release
        release = worst.problem.release
        self.noise, self.tails = release.noise, tails_of(release.noise)
        table = worst.problem.beliefs[worst.directed.belief]
        self.laws = [_RowOrNone(table[name]) for name in (worst.directed.from_, worst.directed.to)]
        self.steps = release.steps if isinstance(release, Stepped) else ()
        parts = [part for law in self.laws for part in law.parts]
        self.normal = any(part.variance for part in parts)
        self.origin = next((part.mean for part in parts), _ORIGIN)

    def lines(self) -> list[str]:
        """Return what is written out, by what the target bounds."""
        worst, compared = self.worst, self.worst.compared
        bound = compared.target.bound
        one = isinstance(compared, ChartComparison) and compared.order.outputs.single
        if compared.equal or one:
            return worst.same_lines(_WHY["alike"])
        if bound is Bound.DIVERGENCE:
            ends = ", other numbers are rounded down."
            return event_lines(worst, self._event(), ends, shown=False)
        if bound is Bound.RATIO and worst.limit is not None:
            told, ends = self._limit(worst.limit), "limits"
        else:
            told, ends = self._output(), "intervals"
        return [*told, *worst.why(self._why), rounding_line(ends)]

    @property
    def _why(self) -> str:
        if isinstance(self.worst.compared, ChartComparison):
            return "cover"
        if isinstance(self.release, Cells):
            return "masses"
        monotone = isinstance(self.worst.compared, GaussianLattice)
        return "cells" if monotone or isinstance(self.release, ManyCells) else "kept"

    # ---------------------------------------------------------------- one output

    def _output(self) -> list[str]:
        worst = self.worst
        found = worst.directed.worst_y
        place: Place = found if isinstance(found, Fraction) else str(found)
        if worst.compared.target.bound is Bound.EXCESS:
            place = masses.largest_excess(worst)
        if isinstance(place, Fraction):
            head = _SAID["worst"].format(y=short(place), pair=worst.pair)
            if not self.noise.step:
                return [head, *self._density(place)]
            parts = [OneCell(Cut(place), Cut(place, after=True))]
        else:
            head = _SAID["worst"].format(y=repr(shorten(place, _LONG)), pair=worst.pair)
            parts = self._behind([place])
        hidden = place == SUPPRESSED
        behind = [_SAID["output"].format(self._words(parts, hidden=hidden))] * bool(self.steps)
        told, values = self._masses("p(y", parts, hidden=hidden)
        return [head, *behind, *told, *worst.compared_lines(values)]

    def _masses(
        self, of: str, parts: list[OneCell], *, hidden: bool
    ) -> tuple[list[str], list[Raw]]:
        """What the noise is, and the mass of intervals under either secret as a sum over atoms."""
        shares = (
            [*(self.tails.of(part, parts) for part in law.parts), *law.no_row(hidden=hidden)]
            for law in self.laws
        )
        told, values = self.worst.sums(of, shares)
        return [self.tails.said("chance", normal=self.normal), *told], values

    def _density(self, y: Fraction) -> list[str]:
        """Both densities at a place that keeps them, from the side where the ratio is larger."""
        told = [self.tails.said("density", normal=self.normal)]
        jumps = self.tails.jumps((part for law in self.laws for part in law.parts), y)
        found = [
            self.worst.sums("p(y", ([self.tails.density(part, y, way) for part in law.parts]
                                    for law in self.laws))
            for way in ((1, -1) if jumps else (1,))
        ]  # fmt: skip
        below = jumps and not _above(*(values for _, values in found))
        if jumps:
            told.append(_SAID["jump"].format("below" if below else "above"))
        shown, values = found[below]
        return [*told, *shown, *self.worst.compared_lines(values)]

    def _limit(self, tail: str) -> list[str]:
        """The limit of the ratio along outputs far out."""
        worst, compared = self.worst, self.worst.compared
        if isinstance(compared, ChartComparison):
            return [_TAIL["outputs"], *tail_lines(worst, compared.order, tail)]
        furthest = max if tail == "inf" else min
        ends = [furthest(law.parts, key=lambda part: part.mean) for law in self.laws]
        at = furthest(part.mean for part in ends)
        first, second = (part.weight if part.mean == at else _ORIGIN for part in ends)
        told = [
            f"{name}: {brief(str(mass))} at the atom {brief(str(at))}"
            for name, mass in zip(worst.names, (first, second), strict=True)
        ]
        ratio = "inf" if not second else brief(str(first / second))
        head = _TAIL["limit"].format(tail=tail, pair=worst.pair)
        return [head, _TAIL["atoms"], *told, *worst.limit_lines(ratio)]

    # ---------------------------------------------------------------- events

    def _event(self) -> list[str]:
        """The intervals of Y whose outputs are B, their masses, and what they come to."""
        worst = self.worst
        found = worst.directed.delta
        if found is None:
            return []
        if found.upper == 0:
            return [_WHY["empty"]]
        parts, names, hidden = self._worst_event(Fraction(str(found.lower)))
        told = []
        if names and self.steps:
            quoted = ", ".join(repr(shorten(name, _LONG)) for name in names[:INTERVALS])
            more = len(names) - INTERVALS
            told.append(f"Single outputs in B: {quoted}" + (f" and {more} more" * (more > 0)))
        what = "B is what becomes of" if self.steps else "B is"
        told.append(f"{what} {self._words(parts, hidden=hidden)}.")
        shown, (p, q) = self._masses("P(B", parts, hidden=hidden)
        left = rounded(p - worst.compared.target.exp_epsilon() * q)
        one, two = worst.names
        together = f"P(B | {one}) - e^epsilon P(B | {two}) = {left}"
        return [*told, *shown, worst.grown_line(q), together]

    def _worst_event(self, divergence: Fraction) -> tuple[list[OneCell], list[str], bool]:
        """The intervals of Y, the single outputs, and whether what is suppressed is in it.

        It is the event with which a delta just below the divergence would be refuted.
        """
        target = self.worst.compared.target
        less = replace(target, delta=Number.of_rational(divergence * _WHOLE))
        breach = self.worst.compared.against(less).decided().breach if divergence else None
        if breach is None:
            raise InputError("--explain: the worst event cannot be told from nothing")
        names = list(breach.outputs or [])
        hidden = SUPPRESSED in names
        spans = breach.noisy or (None if names else breach.event)
        if spans is None:
            return self._joined(self._behind(names)), names, hidden
        if not names and self.steps and not hidden:
            hidden = StepChain(self.steps).suppressed is not None and spans[0][0] == "-inf"
        ends = [[self._short(end) for end in span] for span in spans]
        return [OneCell(_cut(a), _cut(b, after=True)) for a, b in ends], names, hidden

    def _short(self, end: Place) -> Place:
        """An end of an event: a decimal next to a long one, that no output ends with."""
        kept = self.release.kept if isinstance(self.release, Stepped) else None
        ends = (x for part in kept or [] for x in part[:2])
        if isinstance(end, str) or len(str(end)) <= _SHORT or end in ends:
            return end
        return Fraction(decimal_nearest(end, _DIGITS))

    def _joined(self, parts: Sequence[OneCell]) -> list[OneCell]:
        """Touching intervals as one, from left to right; those that come again stay as they are."""
        if any(part.period is not None for part in parts):
            return list(parts)
        found: list[OneCell] = []
        for part in sorted(parts, key=lambda one: (one.low is not None, one.low or Cut(_ORIGIN))):
            first = self.tails.points(part, self.origin)[0]
            last = self.tails.points(found[-1], self.origin)[1] if found else None
            if first is not None and last is not None and last + self.tails.step == first:
                found[-1] = found[-1]._replace(high=part.high)
            else:
                found.append(part)
        return found

    # ---------------------------------------------------------------- what becomes what

    def _behind(self, names: Iterable[str]) -> list[OneCell]:
        """The intervals of Y that become one of some outputs; InputError for an unknown one."""
        listed = self._listed
        return [cell for name in names for cell in listed.get(name) or self._pulled(name)]

    @cached_property
    def _listed(self) -> dict[str, list[OneCell]]:
        """Output -> the intervals of Y that become it, where outputs far out are taken as one."""
        release, period, found = self.release, None, dict[str, list[OneCell]]()
        match release:
            case Cells():
                line, period = release.line
            case ManyCells(first=first, last=last):
                line = cells(release.steps, first, last, self.noise.step, MOST)
            case _:
                line = []
        for one in line:
            found.setdefault(one.output, []).append(OneCell(one.low, one.high, period))
        return found

    def _pulled(self, name: str) -> Iterator[OneCell]:
        """The interval of Y that becomes one output, where the outputs are not listed."""
        steps, hidden = self.steps, StepChain(self.steps).suppressed
        if name == SUPPRESSED:
            found = [] if hidden is None else [hidden]
        elif steps and steps[-1].naming:
            found = every_cell(steps, _ORIGIN, _ORIGIN, None, _MOST)
        else:
            chain = StepChain(steps, [Fraction(name)])
            found = [chain.cell(chain.place(Cut(Fraction(name))))]
        yield from (OneCell(one.low, one.high) for one in found if one.output == name)

    def _words(self, parts: Sequence[OneCell], *, hidden: bool) -> str:
        """Intervals of Y in words."""
        told = [self._interval(part) for part in parts[:INTERVALS]]
        if (more := len(parts) - INTERVALS) > 0:
            told.append(counted(more, "more interval"))
        if hidden and any(law.nothing for law in self.laws):
            told.append("no row")
        return " or ".join(told)

    def _interval(self, part: OneCell) -> str:
        low, high = self.tails.points(part, self.origin)
        lattice = bool(self.tails.step)
        first, last = ("" if x is None else short(x) for x in (low, high))
        below = "<=" if lattice or part.high is None or part.high.after else "<"
        above = "<" if part.low is not None and part.low.after and not lattice else "<="
        if low == high:
            text = f"Y = {first}" if first else "any Y"
        elif not last:
            text = f"Y {above.replace('<', '>')} {first}"
        else:
            text = f"{first} {above} Y {below} {last}" if first else f"Y {below} {last}"
        return text if part.period is None else f"{text} up to multiples of {short(part.period)}"


class _RowOrNone:
    """A prior: its components, whose weights are those in all, and how likely no row is."""

    def __init__(self, prior: Prior) -> None:
        if isinstance(prior, Nothing):
            self.nothing = 1 - prior.chance
            self.parts = tuple(Component(m, x, Fraction(0)) for x, m in prior.atoms())
        else:
            self.nothing, self.parts = Fraction(0), tuple(prior.components)

    def no_row(self, *, hidden: bool) -> list[Term]:
        """Return what no row adds to an output, which is suppressed."""
        if not self.nothing or not hidden:
            return []
        return [(raw(self.nothing), lambda: _SAID["no-row"].format(brief(str(self.nothing))))]


def _above(first: Sequence[Raw], second: Sequence[Raw]) -> bool:
    """Whether the ratio of two densities is not proved to be below that of two others."""
    (p, q), (r, s) = first, second
    if (q == 0) == (s == 0):
        return not (p < r if q == 0 else p / q < r / s)
    return bool(p > 0 if q == 0 else not r > 0)


def _cut(place: Place | None, *, after: bool = False) -> End:
    return None if place is None or isinstance(place, str) else Cut(place, after)
