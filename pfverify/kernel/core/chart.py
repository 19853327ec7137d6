"""Charts of g, the density of the released difference of sums of normal laws: pieces of a line with
its sign, from a step's cells with that of h and points.

As in `smooth`; h is the density of mu without its atoms, g = K*mu.  A density or a one-sided sum is
known at a point only to an enclosure; ">= 0" and "<= 0" below are established by it.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any

from core.density import cell_sign, waves
from core.enclose import Interval, Undecided
from core.grammar import Malformed
from core.rules import Rejected, Step, arithmetic
from core.shapes import array, canonical_rational, integer
from core.smooth import Normals, Pair, Point, Split
from core.spans import End, Span, spans_of
from core.value import enclose_number, form_of
from core.work import spend
from core.zero import is_zero

MAX_LENGTH = 2048  # bits of a numerator or denominator of a step
MAX_ORDER = 64  # of a Taylor expansion
MAX_ENTRIES = 1 << 16  # of a list of a step

Signed = tuple[End, End, int]  # an interval and the sign of h, or of g, there


def entries_of(value: Any, what: str) -> list[Any]:
    """A list that is not too long."""
    if len(array(value, what)) > MAX_ENTRIES:
        raise Rejected(f"{what} of more than {MAX_ENTRIES} entries: so many are refused")
    return list(value)


def short_rational(value: Any, what: str) -> Fraction:
    """A rational that is not too long."""
    x = canonical_rational(value, what)
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > MAX_LENGTH:
        raise Rejected(f"{what} of more than {MAX_LENGTH} bits is refused")
    return x


class Chart:
    """The sign of h on cells, and with it that of g on the pieces of a line."""

    def __init__(self, goal: Normals, step: Step) -> None:
        entries = entries_of(step["density"], "density")
        spans = spans_of(entries, "a cell", short_rational, more=2, touching=True)
        orders = [integer(entry[2], "an order", 0, MAX_ORDER) for entry in entries]
        count = len(goal.P.components) + len(goal.Q.components) + 1
        references = [integer(entry[3], "a reference", 0, count) for entry in entries]
        points = [short_rational(x, "a point") for x in entries_of(step["points"], "points")]
        if any(a >= b for a, b in pairwise(points)):
            raise Malformed("points must increase")
        ar = arithmetic(step)
        self.ar = ar
        is_flat = goal.form == "pointwise" and not goal.delta_is_zero
        flat = enclose_number(goal.delta, ar) if is_flat else None
        self.split = Split(goal, form_of(goal.epsilon), ar, flat)
        curve = waves(self.split)
        if any(r >= len(curve) for r in references):
            raise Rejected("a reference is not a term of the density")
        signs = [
            cell_sign(curve, low, high, order, r, ar)
            for (low, high), order, r in zip(spans, orders, references, strict=True)
        ]
        self.cells = _merged(spans, signs)
        self.vanishes = not curve  # then h = 0 everywhere
        sided = self.split.sided
        if not sided and points:
            raise Rejected("points are for Laplace noise")
        if sided and not set(self.split.atoms) <= set(points):
            raise Rejected("an atom is missing among the points")
        if sided and not points:
            raise Rejected("a chart under Laplace noise needs a point")
        self.facts = ({"F5", "F6", "F7"} if sided else set()) | ({"CELL"} if spans else set())
        cells = [x for low, high, _ in self.cells for x in (low, high) if x is not None]
        cuts = points if sided else cells
        ends: list[End] = [None, *sorted(set(cuts)), None]
        self.pieces: list[Signed] = [(a, b, self._sign_of_g(a, b)) for a, b in pairwise(ends)]

    def density_signs(self, low: End, high: End) -> set[int]:
        """The s in {1, -1} with s h >= 0 established on the interval."""
        if self.vanishes:
            return {1, -1}
        spend(8 * len(self.cells))
        return {
            s
            for a, b, s in self.cells
            if (a is None or (low is not None and a <= low))
            and (b is None or (high is not None and high <= b))
        }

    def _sign_of_g(self, low: End, high: End) -> int:
        """1 or -1 with that sign times g >= 0 established on the interval, else 0; g <= 0 where
        both are."""
        if not self.split.sided:  # g is the density h itself
            return min(self.density_signs(low, high), default=0)
        if low is None and high is not None:
            return self._tail(self.split.point(high), -1)
        if high is None and low is not None:
            return self._tail(self.split.point(low), 1)
        return 0 if low is None or high is None else self._piece(low, high)

    def _piece(self, low: Fraction, high: Fraction) -> int:
        """
        h has one sign on [l, u]; R_mu(l), R_mu(u-) have one sign     (or L_mu(l), L_mu(u-))
        g(l), g(u) have one sign s
        ------------------------------------------------------------------------------- F5
        g has the sign s on [l, u]

        Without atoms inside, R_mu' = -e^(-rho y) h and L_mu' = e^(rho y) h, so that L_mu and R_mu
        are monotone, hence of one sign; (e^(rho y) g)' has the sign of R_mu, (e^(-rho y) g)' that
        of -L_mu.

        L+(u-) e^(-rho y) + R+(l) e^(rho y) <= L-(l) e^(-rho y) + R-(u-) e^(rho y)  at y = l and u
        ------------------------------------------------------------------------------------------
        g <= 0 on [l, u]                                     (with + and - exchanged: g >= 0 on it)

        L increases and R decreases, for mu+ and for mu-; the difference times e^(rho y) is linear
        in e^(2 rho y).
        """
        a, b = self.split.point(low), self.split.point(high)
        ar, start, end = self.ar, a.after, b.before
        alike = any(self._signs(x) & self._signs(y) for x, y in zip(start, end, strict=True))
        common = self._signs(a.value) & self._signs(b.value)
        if common and alike and self.density_signs(low, high):
            return min(common)
        for s, first, second in (
            (-1, (end.left.plus, start.left.minus), (start.right.plus, end.right.minus)),
            (1, (start.left.plus, end.left.minus), (end.right.plus, start.right.minus)),
        ):
            left, right = ar.sub(*first), ar.sub(*second)
            bounds = (ar.add(ar.mul(x.down, left), ar.mul(x.up, right)) for x in (a, b))
            if all(s in signs_of(bound) for bound in bounds):
                return s
        return 0

    def _tail(self, at: Point, way: int) -> int:
        """The tail [Y, infinity) (way = 1) beyond the last point, all atoms among the points.

        M+ - L-(Y) <= 0                          h <= 0 on it, g(Y) <= 0       h >= 0 on it, M <= 0
        ----------------                         ------------------------      --------------------
        g <= 0 on it                             g <= 0 on it                  g <= 0 on it

        with M = M+ - M- the integral of e^(rho x) dmu, whose equality with 0 is decided by the zero
        test; mirrored signs give g >= 0 (but for the first), and a mirrored line the left tail.
        e^(rho y) 2/rho g = L(y) + e^(2 rho y) R(y) is at most M+ of mu+, since e^(rho (2y - x)) <=
        e^(rho x) for x > y, and at least L-(Y) of mu-.  R has the sign of h on the tail; so
        e^(rho y) g is monotone there, increasing where h >= 0, and its limit has the sign of M
        (F7: normal tails).  A flat part makes h < 0 in the end and M = -infinity.
        """
        counted = at.after.left.minus if way == 1 else at.before.right.minus
        moment = self.split.moment(way)
        if self.ar.sub(moment.plus, counted)[1] <= 0:
            return -1
        h_signs = self.density_signs(*((at.y, None) if way == 1 else (None, at.y)))
        here = self._signs(at.value)
        limit: set[int] = set()
        if self.split.flat is None and h_signs:
            limit = self._signs(moment)
            with suppress(Undecided):
                if not limit and is_zero(self.split.exact_moment(way)):
                    limit = {1, -1}
                    self.facts.add("F3")
        for s in (-1, 1):  # g has the sign s: away from 0 if h has it too, towards its limit if not
            if (s in h_signs and s in here) or (-s in h_signs and s in limit):
                return s
        return 0

    def _signs(self, x: Pair) -> set[int]:
        """The s in {1, -1} with s times the difference >= 0 established."""
        return signs_of(self.ar.sub(*x))


def signs_of(x: Interval) -> set[int]:
    """The s in {1, -1} with s x >= 0 established."""
    return {s for s, holds in ((1, x[0] >= 0), (-1, x[1] <= 0)) if holds}


def _merged(spans: list[Span], signs: list[int]) -> list[Signed]:
    """Touching cells of one sign become one."""
    cells: list[Signed] = []
    for (low, high), s in zip(spans, signs, strict=True):
        if cells and cells[-1][1:] == (low, s) and low is not None:
            cells[-1] = (cells[-1][0], high, s)
        else:
            cells.append((low, high, s))
    return cells
