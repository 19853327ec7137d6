"""Two laws of atoms with discrete Gaussian noise, and the masses of what is published of them.

An output is a run of points of the lattice, of one point where no steps follow the noise. Masses
are sums of e**(-d**2 / (2 variance)) over its points, without the factor that all of them share.
What depends on the laws alone is worked out once at each precision, for all targets.
Source: design facts F45 and F48.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, isqrt
from typing import NamedTuple

from pfverify.decide.gaussian_lattice.ranked import Ranked
from pfverify.errors import UndecidedError
from pfverify.exact.ball import Raw, current_precision, raw
from pfverify.laws.bells import Bells
from pfverify.model.steps.cells import single_cells, steps_to
from pfverify.model.steps.chain import StepChain
from pfverify.model.steps.places import Cut
from pfverify.model.steps.step import SUPPRESSED, PostStep

MOST = 4_000_000  # atoms times points of a window
WIDE = "the window of outputs that matter is too wide for exact sums"


class PointRun(NamedTuple):
    """The points of the lattice that are published as one output; None: no end.

    In steps from an origin, both ends included. Without a point it is what no row is published as.
    """

    low: int | None
    high: int | None
    output: str


class NearMasses(NamedTuple):
    """Single outputs with their masses under both laws, and what lies beyond them."""

    of: list[tuple[PointRun, Raw, Raw]]
    beyond: tuple[Raw, Raw]


@dataclass(frozen=True)
class LatticePair:
    """Two laws over whole numbers of steps from an origin, and the variance in square steps.

    `steps` follow the noise; `nothing` are the chances that there is no row at all.
    """

    p: dict[int, Fraction]
    q: dict[int, Fraction]
    variance: Fraction
    origin: Fraction
    step: Fraction
    steps: tuple[PostStep, ...] = ()
    nothing: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    _bells: dict[int, Bells] = field(default_factory=dict)
    _columns: dict[int, list[tuple[int, Raw, Raw]]] = field(default_factory=dict)
    _known: dict[tuple[int, int], NearMasses] = field(default_factory=dict)
    _ranked: dict[tuple[int, int], Ranked] = field(default_factory=dict)
    _twin: LatticePair | None = None

    def turned(self) -> LatticePair:
        """Return the same pair, the laws changed over."""
        return replace(
            self, p=self.q, q=self.p, nothing=self.nothing[::-1],
            _columns={}, _known={}, _ranked={}, _twin=self,
        )  # fmt: skip

    def number(self, k: int) -> Fraction:
        """Return the number that a point is."""
        return self.origin + k * self.step

    @cached_property
    def atoms(self) -> list[int]:
        """All atoms, sorted."""
        return sorted({*self.p, *self.q})

    @cached_property
    def _chain(self) -> StepChain:
        return StepChain(self.steps)

    # ---------------------------------------------------------------- outputs

    def outputs(self, low: int, high: int) -> list[PointRun]:
        """Return the outputs of some points, from left to right, each with all its points."""
        if (high - low) * max(len(self.atoms), 1) > MOST:
            raise UndecidedError(WIDE)
        if not self.steps:
            return [PointRun(k, k, str(self.number(k))) for k in range(low, high + 1)]
        ends = self.number(low), self.number(high)
        return [
            PointRun(self._point(cell.low, 0), self._point(cell.high, -1), cell.output)
            for cell in single_cells(self.steps, *ends, self.step, MOST)
        ]

    def _point(self, cut: Cut | None, more: int) -> int | None:
        return None if cut is None else steps_to(cut, self.origin, self.step) + more

    def ends(self, way: int) -> bool:
        """Whether all points from some one on are one output (way 1: to the right)."""
        return self._chain.ends(way)

    @cached_property
    def suppressed(self) -> PointRun | None:
        """What no row is published as, where there may be none."""
        if not any(self.nothing):
            return None
        hidden = self._chain.suppressed
        if hidden is None:
            return PointRun(0, -1, SUPPRESSED)
        return PointRun(None, self._point(hidden.high, -1), SUPPRESSED)

    @cached_property
    def equal(self) -> bool:
        """Whether the two laws are the same, or all that is published is."""
        if self.p == self.q and self.nothing[0] == self.nothing[1]:
            return True
        (first,) = self.outputs(self.atoms[0], self.atoms[0])
        return first[:2] == (None, None) and self.suppressed in (None, first)

    # ---------------------------------------------------------------- masses

    def reach(self, bits: int) -> int:
        """Return how far noise reaches with more than about 2**-bits of its mass."""
        return isqrt(ceil(2 * bits * self.variance)) + 2

    @property
    def bells(self) -> Bells:
        """The sums of the noise at the current precision."""
        bits = current_precision()
        if bits not in self._bells:
            self._bells[bits] = Bells(self.variance)
        return self._bells[bits]

    def tails(self) -> Bells:
        """Return the same, of which tails are summed; UndecidedError for too many points."""
        if self.bells.reach * len(self.atoms) > MOST:
            raise UndecidedError(WIDE)
        return self.bells

    @property
    def columns(self) -> list[tuple[int, Raw, Raw]]:
        """All atoms with their masses under both laws, at the current precision."""
        bits, none = current_precision(), Fraction(0)
        if bits not in self._columns:
            self._columns[bits] = [
                (a, raw(self.p.get(a, none)), raw(self.q.get(a, none))) for a in self.atoms
            ]
        return self._columns[bits]

    def at(self, k: int) -> tuple[Raw, Raw]:
        """Enclose the masses of a point under both laws, at the current precision."""
        bells, p, q = self.bells, raw(0), raw(0)
        for a, one, other in self.columns:
            weight = bells.weight(k - a)
            p, q = p + one * weight, q + other * weight
        return p, q

    def between(self, low: int | None, high: int | None) -> tuple[Raw, Raw]:
        """Enclose the masses of a run of points under both laws; None: no end."""
        bells, p, q = self.tails(), raw(0), raw(0)
        for a, one, other in self.columns:
            found = bells.between(*(None if end is None else end - a for end in (low, high)))
            p, q = p + one * found, q + other * found
        return p, q

    def masses(self, output: PointRun) -> tuple[Raw, Raw]:
        """Enclose the masses of an output under both laws, at the current precision."""
        low, high, _ = output
        p, q = self.at(low) if low is not None and low == high else self.between(low, high)
        if output == self.suppressed:
            whole = self.bells.whole
            p, q = (x + raw(none) * whole for x, none in zip((p, q), self.nothing, strict=True))
        return p, q

    def near(self, bits: int) -> NearMasses:
        """Return all outputs that noise reaches with so many bits, and the masses of the rest."""
        key = current_precision(), bits
        if self._twin is not None:
            of, rest = self._twin.near(bits)
            return NearMasses([(one, p, q) for one, q, p in of], rest[::-1])
        if key not in self._known:
            reach = self.reach(bits)
            low, high = self.atoms[0] - reach, self.atoms[-1] + reach
            points = self.outputs(low, high)
            beyond = zip(self.between(None, low - 1), self.between(high + 1, None), strict=True)
            p, q = ((left + right).union(raw(0)) for left, right in beyond)
            if self.suppressed is not None and self.suppressed not in points:
                points.append(self.suppressed)
            self._known[key] = NearMasses([(one, *self.masses(one)) for one in points], (p, q))
        return self._known[key]

    def ranked(self, bits: int) -> Ranked:
        """Return the same outputs by falling ratio."""
        key = current_precision(), bits
        if key not in self._ranked:
            self._ranked[key] = Ranked((p, q) for _, p, q in self.near(bits).of)
        return self._ranked[key]

    def has_mass(self, output: PointRun, which: int) -> bool:
        """Whether the first law (0) or the second (1) gives an output any mass."""
        reached = output.low is None or output.high is None or output.low <= output.high
        law = (self.p, self.q)[which]
        return bool(law and reached) or bool(self.nothing[which] and output == self.suppressed)
