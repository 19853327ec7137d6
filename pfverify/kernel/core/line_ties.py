"""The positive part of the difference of two laws on a line, exactly.  As in `sweep`.

As in `line_exact`; at the zero of g, e^(-2 (y-a) rho) = -R'/L, of a piece whose low end is positive
these ends count -2 sqrt(-L R'); mirrored likewise.  On a lattice the last point with g >= 0 is
found, and the next cut is the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from core.enclose import Arithmetic, Undecided
from core.grammar import Number
from core.line import NOTHING, Lines, all_mass
from core.line_exact import mass_between
from core.line_signs import Ends, Positive, ends_of, positive_pieces
from core.logarithms import collected, root_form
from core.rules import Facts, Rejected, Step, arithmetic
from core.sides import LESS, Sides, shifted
from core.sweep import difference_at
from core.value import form_of, sums_of
from core.zero import (
    Form,
    Sum,
    accumulate,
    add,
    enclose_form,
    is_zero,
    multiply,
    plus,
    sign_of_sum,
    times,
)

Product = tuple[Sum, Sum, Form]  # (a, b, f) for a b e^f with a and b positive


def exact_total(
    goal: Lines, places: Sequence[Fraction], found: Sequence[Positive], ar: Arithmetic
) -> tuple[Sum, list[Product]]:
    """(A, [S_1, ...]): the positive part is A less the sum of 2 sqrt(S_i), the S_i positive.  `ar`
    serves to decide signs only; an undecided sign raises Undecided."""
    at, sides = (Sides(goal.P, goal.Q, form_of(goal.epsilon)) for _ in range(2))
    step, total, products = goal.P.noise.step, dict[Form, Fraction](), list[Product]()

    def split(k: int, *, falls: bool) -> Fraction:
        """How far from its positive end a piece is not negative, on a lattice; else its root."""
        low, high = places[k - 1 : k + 1]
        at.pass_by(low)
        a, b = at.left_at(low), at.right_at(high)
        a, b = (a, b) if falls else (b, a)
        if step is None:
            products.append((a, add({}, b, LESS), goal.P.noise.decay(high - low)))
            return NOTHING
        return _last_index(goal, a, b, ((high - low) / step).numerator, ar) * step

    for first, last in _runs(found):
        low, high = ends_of(places, first.piece)[0], ends_of(places, last.piece)[1]
        begin = NOTHING if first.near else split(first.piece, falls=False)
        end = NOTHING if last.far else split(last.piece, falls=True)
        if step is not None:  # with cuts between its points
            far = step / 2
            if low is not None:
                low = low - far if first.near else places[first.piece] - begin - far
            if high is not None:
                high = high + far if last.far else places[last.piece - 1] + end + far
        ends = {} if step is not None else {"begins": first.near, "ends": last.far}
        for f, c in mass_between(sides, low, high, **ends).items():
            accumulate(total, f, c)
    return total, products


def _runs(found: Sequence[Positive]) -> list[tuple[Positive, Positive]]:
    """The first and the last of pieces that meet where g is not negative."""
    runs = list[tuple[Positive, Positive]]()
    for one in found:
        if runs and one.near and (last := runs[-1][1]).far and last.piece == one.piece - 1:
            runs[-1] = runs[-1][0], one
        else:
            runs.append((one, one))
    return runs


def _last_index(goal: Lines, a: Sum, b: Sum, steps: int, ar: Arithmetic) -> int:
    """The last j with a s^j + b s^(m-j) >= 0: found by bisection, since a > 0 > b makes these
    decrease."""
    noise = goal.P.noise
    step, low, high = noise.step or Fraction(1), 0, steps
    while high - low > 1:
        j = (low + high) // 2
        value = add(shifted(a, noise.decay(j * step)), shifted(b, noise.decay((steps - j) * step)))
        low, high = (j, high) if sign_of_sum(value, ar) >= 0 else (low, j)
    return low


def delta_tie(goal: Lines, step: Step) -> Facts:
    """
    kappa D = A - 2 sum sqrt(S_i)     A - 2 sum sqrt(S_i) = kappa delta  by the zero test
    ------------------------------------------------------------------------------ F3, F4, F12
    D = delta
    """
    ar = arithmetic(step)
    swept = difference_at(goal, form_of(goal.epsilon), ar)
    ends = Ends(goal, lambda ar: swept, [ar])
    found = [*positive_pieces(ends, range(len(swept.pieces)))]
    total, products = exact_total(goal, swept.places, found, ar)
    require_equal(total, products, all_mass(goal.P, goal.Q), goal.delta, ar)
    return {"F3", "F4" if goal.P.noise.step is None else "F4L"}


def require_equal(
    total: Sum, products: Sequence[Product], unit: Sum, delta: Number, ar: Arithmetic
) -> None:
    """Rejected, or Undecided, unless A - 2 sum sqrt(S_i) = delta in such a unit, by the zero test.

    A radicand a b e^f with b = c e^h a is the square of a e^((f+h+log c)/2), one that collects to
    c e^f that of e^(f/2 + log(c)/2), c > 0.  Among the others one distinct radicand S is allowed,
    k times: X = 2 k sqrt(S) Z  with Z > 0 holds iff X >= 0 and X^2 = 4 k^2 S Z^2.
    """
    first: Sum | None = None
    count = 0
    for a, b, f in products:
        root = _root_of_square(a, b, f, ar)
        radicand = {} if root else collected(multiply(multiply(a, b), {f: Fraction(1)}))
        if len(radicand) == 1:
            ((h, c),) = radicand.items()
            root = {root_form(h, c): Fraction(1)}
        if root:
            total = add(total, root, Fraction(-2))
        else:
            first = first or radicand
            count += 1
            if first is not radicand and not is_zero(add(radicand, first, LESS)):
                raise Rejected("more than one distinct radical in an exact equality of delta")
    numerator, z = sums_of(delta)
    x = add(multiply(total, z), multiply(unit, numerator), LESS)
    if first:
        if sign_of_sum(x, ar) * sign_of_sum(z, ar) < 0:
            raise Rejected("the divergence is not delta")
        square = multiply(multiply(z, z), first)
        x = add(multiply(x, x), square, Fraction(-4 * count**2))
    if not is_zero(x):
        raise Rejected("the divergence is not proved equal to delta")


def is_total(
    goal: Lines, places: Sequence[Fraction], found: Sequence[Positive], more: Sum, ar: Arithmetic
) -> bool:
    """Whether the positive part, and more, is proved to be delta."""
    try:
        total, products = exact_total(goal, places, found, ar)
        unit = all_mass(goal.P, goal.Q)
        require_equal(add(total, more), products, unit, goal.delta, ar)
    except (Rejected, Undecided):
        return False
    return True


def _root_of_square(a: Sum, b: Sum, f: Form, ar: Arithmetic) -> Sum | None:
    """The root of a b e^f where b = c e^h a is proved, for the c and h that take the greatest term
    of a to the greatest of b (a guess, of no weight)."""

    def greatest(s: Sum) -> tuple[Form, Fraction]:
        found, (first, *others) = next(iter(s)), s
        value = enclose_form(first, ar)
        for g in others:
            other = enclose_form(g, ar)
            if ar.sub(other, value)[0] > 0:
                found, value = g, other
        return found, s[found]

    a, b = collected(a), collected(b)
    if len(a) != len(b):
        return None
    (g, c), (h, d) = greatest(a), greatest(b)
    ratio, shift = d / c, plus(h, times(g, Fraction(-1)))
    if ratio <= 0 or not is_zero(add(multiply(a, {shift: ratio}), b, Fraction(-1))):
        return None
    return multiply(a, {root_form(plus(f, shift), ratio): Fraction(1)})
