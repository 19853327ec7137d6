"""Noise with steps after it, and noise of newer kinds: the intervals of Y behind what is published.

An output is what becomes of an interval of Y = X + N, or a number that keeps its density. What is
written out is the worst one, or all of the worst event: each atom's share of it, from the noise
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from pfverify.decide.breach import Place
from pfverify.decide.cells.compared import line_of
from pfverify.decide.charts.compared import ChartComparison
from pfverify.decide.gaussian_lattice.compared import GaussianLattice
from pfverify.edge.words import brief
from pfverify.edge.written import outputs
from pfverify.edge.written.asked import (
    INTERVALS,
    SENTENCES,
    SHOWN,
    Worst,
    event_lines,
    rounded,
    rounding_line,
    sum_lines,
)
from pfverify.edge.written.normal import densities, law_line, tail_lines
from pfverify.edge.written.tails import OneCell, Share, short, tails_of
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
from pfverify.model.steps.cells import every_cell
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.interval_masses import MASSES
from pfverify.model.steps.places import Cut, End
from pfverify.model.steps.step import SUPPRESSED

_NEAR = 96  # bits of noise: outputs that are further out are not written out one by one
_WHOLE = Fraction(10**6 - 1, 10**6)  # of the divergence that an event shall have
_MOST = 1000  # outputs among which a name is looked up
_LONG = 40  # characters of an output
_SHORT, _DIGITS = 15, 9  # characters of an end of an event that is taken as it is; else digits
_ORIGIN = Fraction(0)


def lines(worst: Worst) -> list[str]:
    """Return the masses of the worst output, atom by atom; for events those of B."""
    release = worst.item.release
    counted = isinstance(release, MergedOutputs | Choices) or (
        isinstance(release, Cells) and type(release.stepped.noise) not in MASSES
    )
    if counted or worst.problem.release.noise.adds_nothing:
        return [_steps_line(release), *outputs.lines(worst)]
    return _Written(worst).lines()


def _steps_line(release: Release) -> str:
    if isinstance(release, Choices):
        return f"An output y is a name: of the noisy numbers {release.chosen.choice.words}."
    after = release.stepped.steps if isinstance(release, Cells) else ()
    steps = "; ".join(
        step.words for step in (release.steps if isinstance(release, MergedOutputs) else after)
    )
    return f"An output y is what all numbers become that these steps take to it: {steps}."


class _Written:
    """One order of a pair whose Y is a number with noise."""

    def __init__(self, worst: Worst) -> None:
        self.worst, self.release = worst, worst.item.release
        self.noise = worst.problem.release.noise
        self.tails = tails_of(self.noise)
        table = worst.problem.beliefs[worst.directed.belief]
        self.laws = [_RowOrNone(table[name]) for name in (worst.directed.from_, worst.directed.to)]
        release = worst.problem.release
        self.steps = release.steps if isinstance(release, Stepped) else ()

    def lines(self) -> list[str]:
        """Return what is written out, by what the target bounds."""
        compared = self.worst.compared
        bound = compared.target.bound
        one = isinstance(compared, ChartComparison) and compared.order.outputs.single
        if compared.equal or one:
            sides = {
                Bound.RATIO: ("p(y)", "e^epsilon q(y)"),
                Bound.EXCESS: ("p(y)", "e^epsilon q(y) + delta"),
                Bound.DIVERGENCE: ("0", f"delta = {self.worst.result.delta}"),
            }[bound]
            same = f"What is released has the same law under both ({self.worst.pair})."
            return [same, self.worst.verdict_line(*sides)]
        if bound is Bound.DIVERGENCE:
            return event_lines(
                self.worst, self._event(), ", other numbers are rounded down.", shown=False
            )
        if bound is Bound.RATIO and self.worst.limit is not None:
            return [*self._limit(self.worst.limit), *self._why(), rounding_line("limits")]
        return [*self._output(), *self._why(), rounding_line("intervals")]

    # ---------------------------------------------------------------- one output

    def _output(self) -> list[str]:
        worst = self.worst
        place: Place = str(worst.directed.worst_y)
        if worst.compared.target.bound is Bound.EXCESS:
            place = outputs.largest_excess(worst)
        elif isinstance(worst.directed.worst_y, Fraction):
            place = worst.directed.worst_y
        density = isinstance(place, Fraction) and not self.noise.step
        shown = short(place) if isinstance(place, Fraction) else repr(shorten(place, _LONG))
        told = [f"The worst output is y = {shown}, {worst.pair}."]
        if density and isinstance(place, Fraction):
            return [*told, *self._density(place)]
        parts = [OneCell(Cut(place), Cut(place, after=True))] if isinstance(
            place, Fraction
        ) else self._behind([place])  # fmt: skip
        hidden = place == SUPPRESSED
        if self.steps:
            told.append(f"It is what becomes of {self._words(parts, hidden=hidden)}.")
        told.append(self.tails.said(normal=self._normal))
        values = []
        for name, law in zip(worst.names, self.laws, strict=True):
            terms = [self.tails.of(part, parts) for part in law.parts]
            values.append(_sum(told, f"p(y | {name})", [*terms, *law.no_row(hidden=hidden)]))
        return [*told, *worst.compared_lines(values)]

    def _density(self, y: Fraction) -> list[str]:
        """Both densities at a place that keeps them, from the side where the ratio is larger."""
        compared = self.worst.compared
        if isinstance(compared, ChartComparison):
            order, told, values = compared.order, [law_line(compared.order)], []
            for name, side in zip(self.worst.names, (order.p, order.q), strict=True):
                shown, value = densities(order, name, side, y)
                values.append(value)
                told += shown
            return [*told, *self.worst.compared_lines(values)]
        told, found = [self.tails.density_said()], {}
        jumps = self.tails.jumps([*self.laws[0].parts, *self.laws[1].parts], y)
        for way in (1, -1) if jumps else (1,):
            rows = [[self.tails.density(part, y, way) for part in law.parts]
                    for law in self.laws]  # fmt: skip
            p, q = (sum((size for size, _ in terms), raw(0)) for terms in rows)
            found[way] = (q == 0, p / q if q > 0 else p), rows
        way = 1
        if jumps:
            way = 1 if _above(found[1][0], found[-1][0]) else -1
            beside = "above" if way == 1 else "below"
            told.append(f"The densities jump there; these are their limits from just {beside} y.")
        values = [
            _sum(told, f"p(y | {name})", terms)
            for name, terms in zip(self.worst.names, found[way][1], strict=True)
        ]
        return [*told, *self.worst.compared_lines(values)]

    def _limit(self, tail: str) -> list[str]:
        """The limit of the ratio along outputs far out."""
        compared = self.worst.compared
        if isinstance(compared, ChartComparison):
            along = "Far out outputs are short intervals of Y, whose ratio tends to that of p(y)."
            return [along, *tail_lines(self.worst, compared.order, tail)]
        ends = [law.end(1 if tail == "inf" else -1) for law in self.laws]
        told = [
            f"The ratio is largest in the limit y -> {tail}, {self.worst.pair}.",
            "Far out the atom that is nearest decides, and noise around it cancels in the ratio:",
        ]
        at = (max if tail == "inf" else min)(x for x, _ in ends)
        masses = [mass if x == at else Fraction(0) for x, mass in ends]
        for name, mass in zip(self.worst.names, masses, strict=True):
            told.append(f"{name}: {brief(str(mass))} at the atom {brief(str(at))}")
        ratio = "inf" if not masses[1] else brief(str(masses[0] / masses[1]))
        return [*told, *self.worst.limit_lines(ratio)]

    def _why(self) -> list[str]:
        if why := self.worst.not_certified():
            return why
        if isinstance(self.worst.compared, ChartComparison):
            return [SENTENCES["why"]["cover"]]
        if isinstance(self.release, Cells):
            return [SENTENCES["why"]["masses"]]
        cells = isinstance(self.worst.compared, GaussianLattice) or isinstance(
            self.release, ManyCells
        )
        return [SENTENCES["why"]["cells" if cells else "kept"]]

    @cached_property
    def _normal(self) -> bool:
        return any(part.variance for law in self.laws for part in law.parts)

    # ---------------------------------------------------------------- events

    def _event(self) -> list[str]:
        """The intervals of Y whose outputs are B, their masses, and what they come to."""
        worst = self.worst
        found = worst.directed.delta
        if found is None:
            return []
        if found.upper == 0:
            return ["No output has p(y) > e^epsilon q(y): B is empty."]
        parts, names, hidden = self._worst_event(Fraction(str(found.lower)))
        told = []
        if names and self.steps:
            quoted = ", ".join(repr(shorten(name, _LONG)) for name in names[:INTERVALS])
            more = len(names) - INTERVALS
            told.append(f"Single outputs in B: {quoted}" + (f" and {more} more" * (more > 0)))
        what = "B is" if not self.steps else "B is what becomes of"
        told += [f"{what} {self._words(parts, hidden=hidden)}.",
                 self.tails.said(normal=self._normal)]  # fmt: skip
        values = []
        for name, law in zip(worst.names, self.laws, strict=True):
            terms = [self.tails.of(part, parts) for part in law.parts]
            values.append(_sum(told, f"P(B | {name})", [*terms, *law.no_row(hidden=hidden)]))
        (one, two), (p, q) = worst.names, values
        left = rounded(p - worst.compared.target.exp_epsilon() * q)
        return [*told, worst.grown_line(q), f"P(B | {one}) - e^epsilon P(B | {two}) = {left}"]

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
            return _joined(self._behind(names), self), names, hidden
        if not names and self.steps and not hidden:
            hidden = StepChain(self.steps).suppressed is not None and spans[0][0] == "-inf"
        ends = [[self._short(end) for end in span] for span in spans]
        return [OneCell(_cut(a), _cut(b, after=True)) for a, b in ends], names, hidden

    def _short(self, end: Place) -> Place:
        """An end of an event: a decimal next to a long one, that no output ends with."""
        if isinstance(end, str) or len(str(end)) <= _SHORT or end in self._ends:
            return end
        return Fraction(decimal_nearest(end, _DIGITS))

    @cached_property
    def _ends(self) -> set[Fraction]:
        parts = self.release.kept if isinstance(self.release, Stepped) else None
        return {x for part in parts or [] for x in (part.low, part.high) if x is not None}

    # ---------------------------------------------------------------- what becomes what

    def _behind(self, names: Iterable[str]) -> list[OneCell]:
        """The intervals of Y that become one of some outputs; InputError for an unknown one."""
        table = self._table
        found = []
        for name in names:
            found += table[name] if name in table else self._pulled(name)
        return found

    @cached_property
    def _table(self) -> dict[str, list[OneCell]]:
        """Output -> the intervals of Y that become it, where outputs can be listed."""
        release, compared = self.release, self.worst.compared
        found: dict[str, list[OneCell]] = {}
        if isinstance(release, Cells):
            cells, period = release.line
            for one in cells:
                found.setdefault(one.output, []).append(OneCell(one.low, one.high, period))
        elif isinstance(release, ManyCells):
            line = line_of(release)
            cuts = [None, *(Cut(Fraction(int(x), line.unit)) for x in line.cuts), None]
            for k, (low, high) in enumerate(pairwise(cuts)):
                found[line.name(k)] = [OneCell(low, high)]
        elif isinstance(compared, GaussianLattice):
            pair = compared.pair
            for run, _, _ in pair.near(_NEAR).of:
                a, b = (None if k is None else pair.number(k) for k in run[:2])
                reached = a is None or b is None or a <= b
                found[run.output] = [OneCell(_cut(a), _cut(b, after=True))] * reached
        else:
            for part in (release.kept if isinstance(release, Stepped) else None) or []:
                if part.output is not None:
                    found.setdefault(part.output, []).append(
                        OneCell(_cut(part.low), _cut(part.high, after=True))
                    )
        return found

    def _pulled(self, name: str) -> list[OneCell]:
        """The interval of Y that becomes one output, where the outputs are not listed."""
        steps, hidden = self.steps, StepChain(self.steps).suppressed
        if name == SUPPRESSED:
            cells = [] if hidden is None else [hidden]
        elif steps and steps[-1].naming:
            cells = every_cell(steps, _ORIGIN, _ORIGIN, None, _MOST)
        else:
            chain = StepChain(steps, [Fraction(name)])
            cells = [chain.cell(chain.place(Cut(Fraction(name))))]
        return [OneCell(one.low, one.high) for one in cells if one.output == name]

    def _words(self, parts: Sequence[OneCell], *, hidden: bool) -> str:
        """Intervals of Y in words."""
        told = [self._interval(part) for part in parts[:INTERVALS]]
        if (more := len(parts) - INTERVALS) > 0:
            told.append(f"{more} more intervals")
        if hidden and any(law.nothing for law in self.laws):
            told.append("no row")
        return " or ".join(told)

    def _interval(self, part: OneCell) -> str:
        mean = next((one.mean for law in self.laws for one in law.parts), _ORIGIN)
        low, high = self.tails.points(part, mean)
        lattice = bool(self.tails.step)
        less = "<=" if lattice or part.high is None or part.high.after else "<"
        more = "<=" if lattice or part.low is None or not part.low.after else "<"
        first, last = (None if x is None else short(x) for x in (low, high))
        if low is None and high is None:
            text = "any Y"
        elif low is not None and low == high:
            text = f"Y = {first}"
        elif low is None:
            text = f"Y {less} {last}"
        elif high is None:
            text = f"Y {'>' if more == '<' else '>='} {first}"
        else:
            text = f"{first} {more} Y {less} {last}"
        if part.period is not None:
            text += f" up to multiples of {short(part.period)}"
        return text


class _RowOrNone:
    """A prior: its components, whose weights are those in all, and how likely no row is."""

    def __init__(self, prior: Prior) -> None:
        if isinstance(prior, Nothing):
            self.nothing = 1 - prior.chance
            self.parts = tuple(Component(m, x, Fraction(0)) for x, m in prior.atoms())
        else:
            self.nothing, self.parts = Fraction(0), tuple(prior.components)

    def no_row(self, *, hidden: bool) -> list[Share]:
        """Return what no row adds to an output, which is suppressed."""
        if not self.nothing or not hidden:
            return []
        text = f"no row, which is suppressed: {brief(str(self.nothing))}"
        return [(raw(self.nothing), lambda: text)]

    def end(self, side: int) -> tuple[Fraction, Fraction]:
        """Return the atom that is furthest to the right (1) or to the left, with its mass."""
        last = max(self.parts, key=lambda part: side * part.mean)
        return last.mean, last.weight


def _sum(told: list[str], name: str, terms: Sequence[Share]) -> Raw:
    """Say that a number is a sum of shares, the largest first, and return it."""
    ordered = sorted(terms, key=lambda term: -float(term[0].mid()))
    total = sum((size for size, _ in terms), raw(0))
    if not terms:
        told.append(f"{name} = 0: there is no row")
        return total
    told += sum_lines(name, [text() for _, text in ordered[:SHOWN]], ordered, total)
    return total


def _above(first: tuple[bool, Raw], second: tuple[bool, Raw]) -> bool:
    """Whether one ratio p/q is not proved to be below another: (q is 0, then p, else p/q)."""
    if first[0] == second[0]:
        return not first[1] < second[1]
    return bool(first[1] > 0) if first[0] else not second[1] > 0


def _cut(place: Place | None, *, after: bool = False) -> End:
    return None if place is None or isinstance(place, str) else Cut(place, after)


def _joined(parts: Sequence[OneCell], written: _Written) -> list[OneCell]:
    """Touching intervals as one, from left to right; those that come again stay as they are."""
    if any(part.period is not None for part in parts):
        return list(parts)
    step = written.tails.step
    mean = next((one.mean for law in written.laws for one in law.parts), _ORIGIN)
    found: list[OneCell] = []
    for part in sorted(parts, key=lambda one: (one.low is not None, one.low or Cut(_ORIGIN))):
        touches = False
        if found and part.low is not None:
            last, first = written.tails.points(found[-1], mean)[1], part.low.at
            if step:
                first = (written.tails.points(part, mean)[0] or first) - step
            touches = last is not None and last == first
        if touches:
            found[-1] = found[-1]._replace(high=part.high)
        else:
            found.append(part)
    return found
