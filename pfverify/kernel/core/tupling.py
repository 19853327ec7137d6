"""The tupling mechanism: k dummies and the output of a channel, in an order that is uniform.

a, a' are the laws of the channel's output under the goal's two secrets, nu that of a dummy; the
tuple y of n = k + 1 places has

    P(y) = 1/n sum over i of a(y_i) times the product of nu(y_j) over j != i,

and Q(y) the same of a'.  For g > 0 the event that exceeds most is B_g = {P(y) > g Q(y)}, and
delta(g) = P(B_g) - g Q(B_g) = sum over y of [P(y) - g Q(y)]_+.  Tuples are told apart by the number
of their places with nu = 0:

    none:  P(y) - g Q(y) = 1/n prod nu(y_j) times sum of w(y_i),  w = (a - g a')/nu,  so that these
           tuples give E[sum of w(y_i)]_+ / n for n dummies y_1, ..., y_n
    one:   that place holds the true output z, and P(y) - g Q(y) = 1/n (a(z) - g a'(z)) times the
           product over the others; summed over these and over the n places, [a(z) - g a'(z)]_+
    more:  P(y) = Q(y) = 0

As a' >= 0, delta(g) falls as g grows.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import comb
from typing import Any, NamedTuple

from core.enclose import Arithmetic
from core.finite import BITS, FAR, exceeding
from core.grammar import Malformed
from core.kinds import EVENTS, Kind, Rule
from core.masses import NOTHING, Outputs, Tuples, enclose_mass, excess_sign, masses_of
from core.powers import power
from core.rules import Goal, Rejected, Step, arithmetic
from core.shapes import MAX_COMMON_BITS, canonical_rational, common_denominator
from core.value import form_of
from core.work import product, spend
from core.zero import NIL, Form, exp_form

MAX_TYPES = 400_000  # of a half of the tuples
LEVELS = [BITS << k for k in range(6)]  # of bounds; the package gives up before the last


Pair = Goal[Tuples, Any]

# ---------------------------------------------------------------- events of tuples


class Ratio(NamedTuple):
    """What one output gives to the sums over a tuple: a/nu and a'/nu, whole; and nu."""

    a: int
    b: int
    weight: int


class Ratios(NamedTuple):
    """Fractions a, a' and nu of the outputs with nu > 0, as integers over `unit` and `whole`, those
    with the same a/nu and a'/nu as one; the (a, a') of the outputs with nu = 0."""

    size: int  # places of a tuple
    places: list[Ratio]
    unit: int  # a/nu = place.a / unit
    whole: int  # nu = place.weight / whole
    alone: list[tuple[Fraction, Fraction]]


def _ratios(goal: Pair, p: list[Fraction], q: list[Fraction]) -> Ratios:
    nu = goal.P.dummy
    alone = [(a, b) for a, b, m in zip(p, q, nu, strict=True) if not m]
    alike: dict[tuple[Fraction, Fraction], Fraction] = {}
    for a, b, m in zip(p, q, nu, strict=True):
        if m:
            spend(64)
            key = a / m, b / m
            alike[key] = alike.get(key, NOTHING) + m
    unit = common_denominator((x for key in alike for x in key), "masses")
    whole = common_denominator(alike.values(), "dummies")
    places = [Ratio(int(a * unit), int(b * unit), int(m * whole)) for (a, b), m in alike.items()]
    return Ratios(goal.P.dummies + 1, places, unit, whole, alone)


Totals = dict[int, tuple[int, int]]  # sum of scores -> weight of its tuples, and times the sum of a
Scored = list[tuple[Ratio, int]]  # with the score of each


def _filled(scored: Scored, size: int) -> list[Totals]:
    """For each number of places up to `size`, the sums of the tuples of these outputs, by types:
    how often each output occurs.  A type of c_1, c_2, ... has (c_1 + c_2 + ...)!/(c_1! c_2! ...)
    orders."""
    bits = size * sum(place.weight for place, _ in scored).bit_length()
    charge = 4 + product(bits)
    found: list[Totals] = [{0: (1, 0)}, *({} for _ in range(size))]
    for place, score in scored:
        after: list[Totals] = [{} for _ in range(size + 1)]
        for filled, sums in enumerate(found):
            for count in range(size - filled + 1) if sums else ():
                spend(charge * (16 + len(sums)))
                ways = comb(filled + count, count) * place.weight**count
                into = after[filled + count]
                for s, (weight, total) in sums.items():
                    key, more = s + count * score, count * place.a
                    old = into.get(key, (0, 0))
                    into[key] = old[0] + ways * weight, old[1] + ways * (total + weight * more)
        found = after
        if sum(len(sums) for sums in found) > MAX_TYPES:
            raise Rejected("too many types of tuples")
    return found


def _halves(scored: Scored, size: int) -> list[tuple[int, Totals, Totals]]:
    """(ways, sums, sums) such that every tuple is one part of each, in so many orders: the outputs
    in two halves, with all numbers of places, or the places in two halves, whatever is less."""
    count, half = len(scored), size // 2
    if comb(size + -(-count // 2), size) <= comb(size - half + count, count):
        one, other = (_filled(part, size) for part in (scored[::2], scored[1::2]))
        return [(comb(size, c), one[c], other[size - c]) for c in range(size + 1)]
    every = _filled(scored, size - half)
    return [(1, every[half], every[size - half])]


def _joined(one: Totals, other: Totals) -> tuple[int, int]:
    """Of the tuples whose sums of scores s + s' are positive: the weights times the sums of a, and
    times s + s'.  For each s the s' > -s are those behind a place that moves down as s grows."""
    first, second = sorted(one.items()), sorted(other.items(), reverse=True)
    spend(12 * (len(first) + len(second)))
    weights = [0, *accumulate(weight for _, (weight, _) in second)]
    totals = [0, *accumulate(total for _, (_, total) in second)]
    sums = [0, *accumulate(weight * s for s, (weight, _) in second)]
    ours = excess = at = 0
    for s, (weight, total) in first:
        while at < len(second) and second[at][0] > -s:
            at += 1
        ours += weight * totals[at] + total * weights[at]
        excess += weight * (sums[at] + s * weights[at])
    return ours, excess


def event_above(law: Ratios, g: Fraction) -> tuple[Fraction, Fraction]:
    """(P(B), Q(B)) of the event B that the sum of (a - g a')/nu is positive."""
    scored = [(one, one.a * g.denominator - one.b * g.numerator) for one in law.places]
    ours = excess = 0
    for ways, one, other in _halves(scored, law.size):
        mass, over = _joined(one, other)
        ours, excess = ours + ways * mass, excess + ways * over
    below = law.whole**law.size * law.unit * law.size
    p, over_g = Fraction(ours, below), Fraction(excess, below * g.denominator)
    alone = [(a, b) for a, b in law.alone if a > g * b]
    return (
        p + sum((a for a, _ in alone), NOTHING),
        (p - over_g) / g + sum((b for _, b in alone), NOTHING),
    )


def event_without(law: Ratios) -> Fraction:
    """The mass under P of the tuples that Q never gives: a true output z with nu = a' = 0, or all
    places outputs with a' = 0."""
    never = [place for place in law.places if not place.b]
    chance = Fraction(sum(place.weight for place in never), law.whole)
    mass = Fraction(sum(place.a * place.weight for place in never), law.unit * law.whole)
    if chance.denominator.bit_length() * law.size > MAX_COMMON_BITS:
        raise Rejected("a chance that is too long")
    true = sum((a for a, b in law.alone if not b), NOTHING)
    return mass * chance ** (law.size - 1) + true


# ---------------------------------------------------------------- numbers as fractions


def _ends(law: Outputs, ar: Arithmetic) -> list[tuple[Fraction, Fraction]]:
    """Bounds of the masses of a law, equal where they are fractions."""
    found = []
    for x in masses_of(law):
        if isinstance(x, Fraction):
            found.append((x, x))
        else:
            low, high, e = enclose_mass(x, ar)
            if e < -FAR:
                raise Rejected("a mass is too small")
            unit = Fraction(2) ** e
            found.append((max(low, 0) * unit, high * unit))
    return found


def _growth(epsilon: Form, ar: Arithmetic) -> tuple[Fraction, Fraction | None]:
    """Bounds of e^epsilon, equal where it is seen to be a fraction; where it is huge, no upper one
    (its events are not those of the lower)."""
    form, factor = power(epsilon)
    if not form:
        return factor, factor
    low, high, e = exp_form(epsilon, ar)
    if low > 0 and e > FAR:
        return Fraction(2) ** FAR, None
    if abs(e) > FAR:
        raise Rejected("epsilon is not known well enough")
    return low * Fraction(2) ** e, high * Fraction(2) ** e


# ---------------------------------------------------------------- P - e^epsilon Q


class TuplesDifference:
    """P - e^epsilon Q of tuples, as a `kinds.Difference`.

    a(y) <= e^epsilon a'(y)  for every output y of the channel
    ----------------------------------------------------------
    P(y) <= e^epsilon Q(y)  for every tuple y

    g <= e^epsilon     delta(g) <= delta
    ------------------------------------
    the sum of [P - e^epsilon Q]_+ is at most delta

    g <= e^epsilon <= h     P(B_g) = P(B_h)     P(B_g) - e^epsilon Q(B_g) <= delta
    ------------------------------------------------------------------------------
    the sum of [P - e^epsilon Q]_+ is at most delta

    The first is sharp: where a(y) > e^epsilon a'(y), the tuple (y, ..., y), or with nu(y) = 0 any
    with y once, breaks the bound, so that it decides delta = 0.  For the last, B_h is part of B_g,
    and P is positive on what is left of it, so the two are one, and so is the one between them.
    Where a, a' are no fractions, upper bounds of a and lower bounds of a' are taken (P and Q as
    positive measures), and the last figure is not used; of an event that refutes, the others.
    """

    def __init__(self, goal: Pair, step: Step) -> None:
        self.goal, self.step, self.epsilon = goal, step, form_of(goal.epsilon)
        self.facts = set[str]()

    def positive(self) -> str | None:
        """Whether some tuple has too large a ratio."""
        found = exceeding(self.goal.P.base, self.goal.Q.base, self.epsilon, NOTHING)
        return "the ratio at a tuple is too large" if found else None

    def require_area(self) -> None:
        """Rejected unless bounds of more and more bits show it."""
        goal, epsilon = self.goal, self.epsilon
        if self.positive() is None:
            return
        for bits in LEVELS:
            ar = Arithmetic(bits)
            ours, theirs = _ends(goal.P.base, ar), _ends(goal.Q.base, ar)
            law = _ratios(goal, [high for _, high in ours], [low for low, _ in theirs])
            g, h = _growth(epsilon, ar)
            mass, other = event_above(law, g)
            if excess_sign(mass - g * other, NOTHING, NIL, goal.delta) <= 0:
                return
            exact = all(low == high for low, high in (*ours, *theirs))
            if exact and h is not None and (g == h or event_above(law, h)[0] == mass):
                if excess_sign(mass, other, epsilon, goal.delta) <= 0:
                    return
                break  # it is this, and no bounds of more bits change that
        raise Rejected("the masses of tuples are not bounded by delta")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """No step names a tuple."""
        raise Rejected("a tuple is refuted by an event")

    def require_on(self, margin: Fraction) -> None:
        """Rejected unless B_g, or where Q vanishes and P does not, has the margin."""
        goal, ar, stated = self.goal, arithmetic(self.step), self.step["growth"]
        p, q = _ends(goal.P.base, ar), _ends(goal.Q.base, ar)
        law = _ratios(goal, [low for low, _ in p], [high for _, high in q])
        if stated == "inf":
            ours, theirs = event_without(law), NOTHING
        else:
            growth = canonical_rational(stated, "growth")
            if growth <= 0:
                raise Malformed("growth must be positive")
            ours, theirs = event_above(law, growth)
        if excess_sign(ours - margin, theirs, self.epsilon, goal.delta) < 0:
            raise Rejected("no such margin is proved")


KIND = Kind(
    {"tupling": Rule("area", EVENTS)},
    {"tupling-refuted": Rule("event", EVENTS)},
    "the rule is not for what this channel releases",
    difference=TuplesDifference,
)
