"""Laws of a number with (discrete, or truncated) Laplace noise: exponential pieces on a line.

Write rho = 1/scale and J for a difference of two measures of X.  Cut the line at all atoms, at the
ends of what noise with a bound reaches from them, and at more places.  On a piece from a to b twice
the scale times the density of g, which is J with noise, is

    L e^(-(y-a) rho) + R e^(-(b-y) rho)

where L sums what comes from the left, with its decay to a, and R what comes from the right, with
its decay to b.  With tau = e^(-(b-a) rho), L' = tau L and R' = tau R one sweep from either side
gives all of them: L at a place is L' of the piece before it and J there (and less e^(-bound rho) J
of the atom whose noise ends there).  So g has one zero at most on a piece, and between its ends it
has the sign of one of them.  Twice its integral is (L - L') + (R - R').

On a lattice a cut lies halfway between two points.  With kappa = 2 cosh(step rho / 2) in place of
2, the points between two cuts have kappa times their mass (1-s)/(1+s) s^|j|, s = e^(-step rho), of
these sums, and kappa - 2 times the mass of the atoms inside: a point x has s^(1/2) (1/s - 1) =
2 sinh(step rho / 2) of the halves beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.grammar import Number
from core.line import Lines
from core.rules import at_most
from core.shapes import in_order
from core.value import enclose_number
from core.work import table_of
from core.zero import Form, enclose_form, enclose_sum, exp_form

if TYPE_CHECKING:
    from core.interfaces import Noise


class Piece(NamedTuple):
    """L, L', R', R of a piece, enclosed, and tau, 0 of a piece without end."""

    left: Interval
    left_far: Interval
    right_far: Interval
    right: Interval
    tau: Interval

    def near(self, ar: Arithmetic) -> Interval:
        """g at the low end."""
        return ar.add(self.left, self.right_far)

    def far(self, ar: Arithmetic) -> Interval:
        """g at the high end."""
        return ar.add(self.left_far, self.right)

    def mass(self, ar: Arithmetic) -> Interval:
        """Twice the integral of g."""
        gained = ar.add(self.left, self.right)
        return ar.sub(gained, ar.add(self.left_far, self.right_far))


class Swept(NamedTuple):
    """Places in order, and the pieces before, between and behind them."""

    places: Sequence[Fraction]
    pieces: list[Piece]


Gained = tuple[Interval, int]  # at a place, and of how many atoms more the noise reaches beyond it


def turns(
    noise: Noise, atoms: Collection[Fraction], extra: Iterable[Fraction] = ()
) -> list[Fraction]:
    """The atoms, the ends of the noise around them, and more places, in order."""
    bound = noise.bound
    ends = () if bound is None else (y for x in atoms for y in (x - bound, x + bound))
    return in_order([*atoms, *ends], extra)  # a table of ends is as that of atoms


def sweep(
    noise: Noise, places: Sequence[Fraction], jumps: dict[Fraction, Interval], ar: Arithmetic
) -> Swept:
    """The pieces of J with noise: its atoms, and the ends of the noise, are among the places."""
    here: list[Gained] = [(jumps[x], 1) if x in jumps else (ZERO, 0) for x in places]
    ways = here, [*here]
    if noise.bound is not None:
        index, last = {x: k for k, x in enumerate(places)}, exp_form(noise.decay(noise.bound), ar)
        for x, mass in jumps.items():
            for way, end in zip(ways, (x + noise.bound, x - noise.bound), strict=True):
                gained, count = way[index[end]]
                way[index[end]] = ar.sub(gained, ar.mul(mass, last)), count - 1
    return swept(noise, places, *ways, ar)


def swept(
    noise: Noise, places: Sequence[Fraction], lefts: list[Gained], rights: list[Gained],
    ar: Arithmetic,
) -> Swept:  # fmt: skip
    """The pieces, of what is gained at each place for the right and for the left of it."""
    gaps = [b - a for a, b in pairwise(places)]
    table_of(gaps)
    decays = {gap: exp_form(noise.decay(gap), ar) for gap in set(gaps)}
    taus = [decays[gap] for gap in gaps]
    left = _one_way(lefts, taus, ar)
    right = _one_way(rights[::-1], taus[::-1], ar)[::-1]
    ends = zip(left, right, [ZERO, *taus, ZERO], strict=False)  # one piece, if there are no places
    return Swept(places, [Piece(*come, *gone[::-1], tau) for come, gone, tau in ends])


def _one_way(
    gained: Sequence[Gained], taus: Sequence[Interval], ar: Arithmetic
) -> list[tuple[Interval, Interval]]:
    """What comes over each piece, where it begins and where it ends: 0 where no noise does."""
    found, now, reach = [(ZERO, ZERO)], ZERO, 0
    for (mass, more), tau in zip(gained, [*taus, ZERO], strict=False):
        now, reach = ar.add(now, mass), reach + more
        if not reach:
            now = ZERO
        found.append((now, ar.mul(now, tau)))
        now = found[-1][1]
    return found


def difference_at(
    goal: Lines, growth: Form, ar: Arithmetic, extra: Iterable[Fraction] = ()
) -> Swept:
    """The pieces of P - e^growth Q, cut at all that matters and at extra places."""
    noise, jumps = goal.P.noise, jumps_of(goal, growth, ar)
    return sweep(noise, turns(noise, jumps, extra), jumps, ar)


def jumps_of(goal: Lines, growth: Form, ar: Arithmetic) -> dict[Fraction, Interval]:
    """P - e^growth Q of each atom."""
    factor, jumps = exp_form(growth, ar), {x: ar.of(m) for x, m in goal.P.atoms.items()}
    for x, m in goal.Q.atoms.items():
        jumps[x] = ar.sub(jumps.get(x, ZERO), ar.mul(factor, ar.of(m)))
    noise = goal.P.noise
    if noise.window is not None:  # the masses of F81
        from core.window import within

        return {x: ar.div(jump, enclose_sum(within(noise, x), ar)) for x, jump in jumps.items()}
    return jumps


def unit(noise: Noise, ar: Arithmetic) -> Interval:
    """t = e^(-step rho), which is 1 on a line."""
    return ONE if noise.step is None else exp_form(noise.decay(noise.step), ar)


def above(
    goal: Lines, growth: Form, points: Collection[Fraction], level: Number | None, ar: Arithmetic
) -> Fraction | None:
    """The first of some atoms at which g <= 0 is not established; with a level, that the density
    is at most that."""
    scale, bound = density(goal.P.noise, level, ar) if level is not None else (ONE, ZERO)
    found = difference_at(goal, growth, ar)
    for x, piece in zip(found.places, found.pieces[1:], strict=True):
        if x in points and not at_most(ar.mul(scale, piece.near(ar)), bound, ar):
            return x
    return None


def density(noise: Noise, delta: Number, ar: Arithmetic) -> tuple[Interval, Interval]:
    """The noise's constant, and delta, as the pointwise form compares them."""
    t, level = unit(noise, ar), enclose_number(delta, ar)
    if noise.step is not None:
        return ar.div(ar.sub(ONE, t), ar.add(ONE, t)), level
    return ar.mul(enclose_form(noise.rate, ar), ar.of(Fraction(1, 2))), level
