"""What is composed: independent parts, or releases of one X by way of a coupling.

Source: design facts F70 to F74.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log
from typing import Any

from pfverify.decide.comparison import Orders
from pfverify.decide.composed.cells import weighed
from pfverify.decide.composed.measures import (
    LabelMasses,
    LossGrid,
    LossMasses,
    expanded,
    labelled,
    mixed_above,
    mixed_below,
    power,
)
from pfverify.decide.composed.parts import ComparedPart, OutputCells, label_of, masses_of
from pfverify.decide.composed.proposed import Losses, Outlook, Proposal
from pfverify.exact.ball import dyadic, fraction_of, precision
from pfverify.exact.corner import corner
from pfverify.exact.number import Number
from pfverify.exact.polynomials import Polynomial
from pfverify.laws.kinds import form_of
from pfverify.laws.law import Law
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise

Atom = Fraction | str | tuple[Fraction, ...]
"""What a law of X gives mass to: a number, the input that it is of a channel, or a point."""
Edge = tuple[Atom, Atom, Fraction]
"""Two atoms, and the mass that is coupled."""
AtomLaw = Discrete | Finite | Joint
Decide = Callable[[Question], Orders]
"""What compares the two laws of a question, in both orders."""
_MOST_EDGES = 256
_NEARER, _FEW_PLACES, _FEW_LEVELS = 32, 1 << 14, 400  # of bounds that are nearer than asked
_FINE_LABELS, _SPREADS = 32, 10  # labels in the spread of their sums, and spreads that matter
_LABELS = 6  # of one part, on either side of 0
_MOST_LEVELS, _MOST_LABELS = 256, 1 << 15  # of one part, and of all


@dataclass(frozen=True)
class Labels:
    """A function of the outputs: the cuts of its cells, and what its labels are like.

    `apart`: the two values of X that labels tell apart; None: the two laws.
    """

    below: LabelMasses
    cuts: Sequence[Sequence[Fraction]]
    apart: tuple[Atom, Atom] | None = None

    def least(self, epsilon: Number) -> Fraction:
        """Return at most the divergence."""
        with precision(self.below.grid.bits):
            found = self.below.ball(epsilon.ball().raw)
            return max(Fraction(0), fraction_of(dyadic(found.lower())))


@dataclass(frozen=True)
class Curve:
    """The divergence of all parts at every epsilon, from above, and from below by some labels."""

    proposal: Proposal
    above: LossMasses
    labels: Sequence[Labels]

    def most(self, epsilon: Number) -> Fraction:
        """Return at least the divergence."""
        with precision(self.above.grid.bits):
            found = self.above.ball(epsilon.ball().raw)
            return min(Fraction(1), max(Fraction(0), fraction_of(dyadic(found.upper()))))

    def least(self, epsilon: Number) -> Fraction:
        """Return at most the divergence."""
        return max(one.least(epsilon) for one in self.labels)

    def best(self, epsilon: Number) -> Labels:
        """Return the labels that tell most."""
        return max(self.labels, key=lambda one: one.least(epsilon))


class ComposedParts:
    """Independent parts, of which both orders are composed: what one works out both have."""

    def __init__(self, parts: Sequence[ComparedPart]) -> None:
        self.parts = parts
        self._curves: dict[tuple[object, ...], Curve] = {}

    @property
    def equal(self) -> bool:
        """Whether all parts have equal laws."""
        return all(part.orders[0].equal for part in self.parts)

    @property
    def plan(self) -> Sequence[Edge] | None:
        """The coupling, where there is one."""
        return None

    @cached_property
    def outlooks(self) -> tuple[Outlook | None, Outlook | None]:
        """The losses of either order, None where some are not known."""
        return self._outlook(self.parts, 0), self._outlook(self.parts, 1)

    @staticmethod
    def _outlook(parts: Sequence[ComparedPart], side: int) -> Outlook | None:
        losses = [part.losses(side) for part in parts]
        known = [one for one in losses if isinstance(one, Losses)]
        return Outlook(known) if len(known) == len(losses) else None

    def curve(self, side: int, epsilon: float, gap: float, least: float) -> Curve | None:
        """Return bounds that are near each other at about this epsilon.

        What is below `least`, a number > 0, need not be known so well.
        """
        proposal = self._proposal(side, epsilon, gap, log(least))
        if proposal is None:
            return None
        key = side, proposal.grid, tuple(map(tuple, proposal.spans))
        if key not in self._curves:
            above, labels = self._above(side, proposal), self._labels(side, proposal)
            self._curves[key] = Curve(proposal, above, labels)
        return self._curves[key]

    def known(self, side: int) -> list[Curve]:
        """Return the bounds of one order that were worked out."""
        return [curve for (of, *_), curve in self._curves.items() if of == side]

    def cheap(self, side: int, epsilon: float, gap: float, least: float) -> float:
        """Return a smaller gap where bounds that near cost little more, else the same."""
        nearer = gap / _NEARER
        proposal = self._proposal(side, epsilon, nearer, log(least))
        if proposal is None:
            return gap
        levels = sum(len(expanded(spans)) for spans in proposal.spans)
        few = proposal.grid.high - proposal.grid.low <= _FEW_PLACES and levels <= _FEW_LEVELS
        return nearer if few else gap

    def _proposal(
        self, side: int, epsilon: float, gap: float, floor: float
    ) -> Proposal | None:
        outlook = self.outlooks[side]
        return None if outlook is None else outlook.proposal(epsilon, gap, floor)

    def _above(self, side: int, proposal: Proposal) -> LossMasses:
        return _all_above(self.parts, side, proposal)

    def _labels(self, side: int, proposal: Proposal) -> list[Labels]:
        grid, found, cuts = proposal.grid, list[LabelMasses](), list[Sequence[Fraction]]()
        for part, spans in zip(self.parts, proposal.spans, strict=True):
            cells = part.cells(side, expanded(spans), proposal.grid.step)
            found.append(power(part.below(side, grid, cells), part.times))
            cuts.append(cells.cuts)
        return [Labels(_product(found), cuts)]


def _product(measures: Sequence[LabelMasses]) -> LabelMasses:
    found = measures[0]
    for one in measures[1:]:
        found = found.times(one)
    return found


def _all_above(parts: Sequence[ComparedPart], side: int, proposal: Proposal) -> LossMasses:
    found = None
    for part, spans in zip(parts, proposal.spans, strict=True):
        one = power(part.above(side, proposal.grid, expanded(spans)), part.times)
        found = one if found is None else found.times(one)
    if found is None:
        raise ValueError("nothing to compose")
    return found


class Coupled(ComposedParts):
    """Releases of one X that is no point, by a coupling of its two laws (F74).

    `parts` are those of the mixtures; of two atoms that are coupled `decide` works them out.
    """

    def __init__(self, parts: Sequence[ComparedPart], decide: Decide) -> None:
        super().__init__(parts)
        self._decide = decide
        self._pairs: dict[object, Sequence[ComparedPart]] = {}

    @property
    def laws(self) -> tuple[AtomLaw, AtomLaw]:
        """Both laws of X; TypeError for laws that have no atoms."""
        first, second = self.parts[0].item.priors
        if not (isinstance(first, AtomLaw) and isinstance(second, AtomLaw)):
            raise TypeError("a coupling is of atoms")
        return first, second

    @cached_property
    def plan(self) -> Sequence[Edge]:
        """The monotone coupling, the atoms of the first law in front."""
        first, second = (
            [(x, mass) for x, mass in law.mass.items() if mass] for law in self.laws
        )
        edges = corner([mass for _, mass in first], [mass for _, mass in second])
        return [(first[i][0], second[k][0], mass) for i, k, mass in edges]

    @cached_property
    def _atoms(self) -> list[Atom]:
        """All atoms, the least first; inputs of a channel are numbers by their names."""
        return sorted({x for law in self.laws for x in law.mass}, key=_number)

    @cached_property
    def _ends(self) -> list[ComparedPart]:
        """The parts of the last atom and the first."""
        first, last = self._atoms[0], self._atoms[-1]
        return [
            self._pair(part, self._of_part(k, last), self._of_part(k, first))
            for k, part in enumerate(self.parts)
        ]

    def _of(self, x: Atom, other: Atom) -> Sequence[ComparedPart]:
        """The parts of two atoms: of bare noise that is the same for all X those of their
        distance."""
        key: object = x, other
        releases = [part.item.release for part in self.parts]
        if all(isinstance(release, Noise) and release.independent for release in releases):
            if isinstance(x, Fraction) and isinstance(other, Fraction):
                key = other - x
            elif isinstance(x, tuple) and isinstance(other, tuple):
                key = tuple(b - a for a, b in zip(x, other, strict=True))
        if key not in self._pairs:
            self._pairs[key] = [
                self._pair(part, self._of_part(k, x), self._of_part(k, other))
                for k, part in enumerate(self.parts)
            ]
        return self._pairs[key]

    def _of_part(self, place: int, x: Atom) -> Atom:
        """What of an atom a part is about."""
        del place
        return x

    def _pair(self, part: ComparedPart, x: Atom, other: Atom) -> ComparedPart:
        """One part, of two atoms."""
        item = part.item
        first, second = (_point(law, y) for law, y in zip(item.priors, (x, other), strict=True))
        one = Question(
            item.belief, item.first, item.second, first, second, item.release, item.requirement
        )
        return ComparedPart(one, self._decide(one), part.times, part.named)

    def _edges(self) -> list[tuple[Fraction, Sequence[ComparedPart]]]:
        found: dict[int, tuple[Fraction, Sequence[ComparedPart]]] = {}
        for x, other, mass in self.plan:
            if x != other:
                parts = self._of(x, other)
                known = found.get(id(parts), (Fraction(0), parts))[0]
                found[id(parts)] = known + mass, parts
        return list(found.values())

    def _proposal(
        self, side: int, epsilon: float, gap: float, floor: float
    ) -> Proposal | None:
        if not all(isinstance(law, AtomLaw) for law in self.parts[0].item.priors):
            return None
        edges = self._edges()
        if not 0 < len(edges) <= _MOST_EDGES:
            return None
        if any(part.losses(side) is None for part in self.parts):
            return None
        found, plain = list[Proposal](), float("inf")
        widest: list[tuple[float, Losses] | None] = [None] * len(self.parts)
        for _, parts in edges:
            outlook = self._outlook(parts, side)
            if outlook is None:
                return None
            found.append(outlook.proposal(epsilon, gap, floor))
            plain = min(plain, outlook.plain_step(found[-1].slope, gap))
            for k, losses in enumerate(outlook.parts):
                size = float(losses.losses.max() - losses.losses.min())
                known = widest[k]
                if known is None or size > known[0]:
                    widest[k] = size, losses
        step = min(one.grid.step for one in found)
        digits = max(one.grid.digits for one in found)
        low = min(one.grid.low * one.grid.step for one in found)
        high = max(one.grid.high * one.grid.step for one in found)
        little = min(one.grid.little * 10 ** (digits - one.grid.digits) for one in found)
        ends = (low / step).__floor__(), (high / step).__ceil__()
        grid = LossGrid(step, digits, *ends, little)
        slope = max(one.slope for one in found)
        spans = [Outlook.spans(one[1], grid, slope, plain) for one in widest if one is not None]
        return Proposal(grid, spans, slope)

    def _above(self, side: int, proposal: Proposal) -> LossMasses:
        grid = proposal.grid
        kept = sum((mass for x, other, mass in self.plan if x == other), Fraction(0))
        found = [
            (weight, _all_above(parts, side, proposal)) for weight, parts in self._edges()
        ]
        if kept:
            found.append((kept, LossMasses(grid, 0, Polynomial([grid.unit]), 0)))
        return mixed_above(found)

    def _labels(self, side: int, proposal: Proposal) -> list[Labels]:
        """Labels that tell the two laws apart, and labels that tell where X is."""
        laws, atoms = list[Sequence[OutputCells]](), self._atoms
        laws.append([
            part.cells(side, expanded(spans), proposal.grid.step)
            for part, spans in zip(self.parts, proposal.spans, strict=True)
        ])  # fmt: skip
        ends, apart = (atoms[-1], atoms[0]), self._ends
        grid = _place_grid(apart, proposal.grid)
        laws.append([part.cells(0, _levels_of(part, grid), grid.step) for part in apart])
        sided = [part.sided(side) for part in self.parts]
        return [
            self._labelled(side, proposal.grid, laws[0], sided, None),
            self._labelled(side, grid, laws[1], [part.sided(0) for part in apart], ends),
        ]

    def _labelled(
        self, side: int, grid: LossGrid, cells: Sequence[OutputCells],
        told: Sequence[tuple[Law[Any], Law[Any]]], apart: tuple[Atom, Atom] | None,
    ) -> Labels:  # fmt: skip
        """The labels of cells by the loss of two laws of each part, of all values of X."""
        both = self.laws if side == 0 else self.laws[::-1]
        without = None if apart is None else grid.low
        products: list[LabelMasses] | None = None
        for k, (part, own, laws) in enumerate(zip(self.parts, cells, told, strict=True)):
            first, second = weighed(laws, own.cells, grid.bits)
            counted = [masses_of(p, q, grid) for p, q in zip(first, second, strict=True)]
            labels = [label_of(*masses, grid) if masses[0] else without for masses in counted]
            points = [_law(part.item, self._of_part(k, x)) for x in self._atoms]
            found = []
            for row in weighed(points, own.cells, grid.bits):
                entries = [
                    (label, *masses_of(mass, mass, grid))
                    for label, mass in zip(labels, row, strict=True) if label is not None
                ]
                found.append(power(labelled(grid, entries), part.times))
            products = found if products is None else [
                a.times(b) for a, b in zip(products, found, strict=True)
            ]  # fmt: skip
        if products is None:
            raise ValueError("nothing to compose")
        p, q = ([_mass(law, x) for x in self._atoms] for law in both)
        return Labels(mixed_below(p, q, products), [own.cuts for own in cells], apart)


def _number(x: Atom) -> Fraction | tuple[Fraction, ...]:
    return Fraction(x) if isinstance(x, str) else x


def _place_grid(parts: Sequence[ComparedPart], grid: LossGrid) -> LossGrid:
    """A grid for labels that tell two atoms apart, as fine as the spread of their sums needs."""
    spread, largest, ends = 0.0, 0.0, [0.0, 0.0]
    for side in (0, 1):
        square = 0.0
        for part in parts:
            losses = part.losses(side)
            if losses is None:
                raise ValueError("labels are of losses that are known")
            mean = float((losses.losses * losses.masses).sum())
            square += part.times * (float((losses.losses**2 * losses.masses).sum()) - mean * mean)
            ends[side] += part.times * mean
            largest = max(largest, float(abs(losses.losses).max()))
        spread = max(spread, square**0.5)
    more = _SPREADS * spread
    fine = min(spread / _FINE_LABELS, largest / _LABELS)
    fine = max(fine, (ends[0] + ends[1] + 2 * more) / _MOST_LABELS, 1e-9)
    step = Fraction(fine).limit_denominator(1 << 40)
    low, high = (end / float(step) for end in (-ends[1] - more, ends[0] + more))
    return LossGrid(step, grid.digits, int(low) - 1, int(high) + 1, grid.little)


def _levels_of(part: ComparedPart, grid: LossGrid) -> list[int]:
    """Levels over the losses of a part, on such a grid."""
    ends = []
    for side, way in ((1, -1), (0, 1)):
        losses = part.losses(side)
        top = 0.0 if losses is None else float(losses.losses.max())
        ends.append(way * top / float(grid.step))
    low, high = max(int(ends[0]) - 1, grid.low), min(int(ends[1]) + 1, grid.high)
    return list(range(low, high + 1, max(1, (high - low) // _MOST_LEVELS)))


class CoupledCoordinates(Coupled):
    """Releases of one X that is several numbers: its coordinates, of each release in order."""

    def __init__(
        self, parts: Sequence[ComparedPart], decide: Decide, laws: tuple[Joint, Joint]
    ) -> None:
        super().__init__(parts, decide)
        self._laws = laws

    @property
    def equal(self) -> bool:
        """Whether both laws of X are the same, of which all coordinates alone say too little."""
        return self._laws[0] == self._laws[1]

    @property
    def laws(self) -> tuple[AtomLaw, AtomLaw]:
        """Both laws of X."""
        return self._laws

    def _of_part(self, place: int, x: Atom) -> Atom:
        """The coordinate of a point."""
        if not isinstance(x, tuple):
            raise TypeError("expected a point")
        return x[place % len(x)]


def _mass(law: AtomLaw, x: Atom) -> Fraction:
    return next((mass for y, mass in law.mass.items() if y == x), Fraction(0))


def _point(law: Prior, x: Atom) -> Prior:
    """The law of one atom alone, of the kind of another."""
    if isinstance(law, Discrete) and isinstance(x, Fraction):
        return Discrete({x: 1})
    if isinstance(law, Finite) and isinstance(x, str):
        return Finite({x: 1})
    if isinstance(law, Joint) and isinstance(x, tuple):
        return Joint.of(law.names, {x: Fraction(1)})
    raise TypeError(f"{law!r} has no such atom")


def _law(item: Question, x: Atom) -> Law[object]:
    found = form_of(_point(item.first_prior, x), item.release).outcomes
    if found is None:
        raise ValueError("a point has a law where a mixture has one")
    return found
