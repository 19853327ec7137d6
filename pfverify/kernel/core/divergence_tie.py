"""The hockey-stick divergence of atoms with (discrete) Laplace noise, exactly.  As in `rules`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from core.enclose import Arithmetic, Interval, Undecided
from core.laplace import Atoms, rows, support, values
from core.logarithms import collected, root_form
from core.rules import Facts, Rejected, Step, arithmetic
from core.ties import Sides, exact_unit
from core.value import form_of, sums_of
from core.zero import (
    NIL,
    Form,
    Sum,
    accumulate,
    add,
    enclose_form,
    exp_form,
    is_zero,
    multiply,
    plus,
    sign_of_sum,
    times,
)


def _exact_signs(goal: Atoms, ar: Arithmetic) -> list[tuple[int, int, int]]:
    """The signs of g(x_k), L_k and R_{k+1} for each atom: by enclosures, else by the zero test."""
    factor = exp_form(form_of(goal.epsilon), ar)
    sides = Sides(goal)

    def sign(p: Interval, q: Interval, exact: Callable[[], Sum]) -> int:
        low, high, _ = ar.sub(p, ar.mul(factor, q))
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if is_zero(exact()):
            return 0
        raise Undecided("a sign is not decided at this precision")

    signs = []
    for row in rows(goal, ar):
        x, (p, q) = row.atom, values(row, ar)
        sides.pass_by(x)
        here = sign(p, q, lambda x=x: add(sides.left_at(x), sides.right_at(x)))  # type: ignore[misc]
        left = sign(row.left_p, row.left_q, lambda: sides.left)
        right = sign(row.right_p, row.right_q, lambda: sides.right) if row.gap else 0
        signs.append((here, left, right))
    return signs


Product = tuple[Sum, Sum, Form]  # (a, b, f) for a b e^f with a and b positive


def exact_positive_part(goal: Atoms, ar: Arithmetic) -> tuple[Sum, list[Product]]:
    """(A, [S_1, ...]) with (1+t) times the hockey-stick divergence = A - sum of 2 sqrt(S_i), the
    S_i positive.  `ar` serves to decide signs only; an undecided sign raises Undecided.

    L_k and R_k are the one-sided sums of J = P - e^epsilon Q.  With tau_k L_k = L_{k+1} - J_{k+1}
    and tau_k R_{k+1} = R_k - J_k the pieces are
        atom, g > 0:               g(x_k) = L_k + R_k - J_k  times  1 - t, and t for each tail
        gap, g >= 0:               (a+b)(t-tau) = t (L_k + R_{k+1}) - L_{k+1} + J_{k+1} - R_k + J_k
        gap split, t = 1, a = L_k: a - tau b - 2 sqrt(-a b tau),  a - tau b = L_k - R_k + J_k
                          b = L_k: the same with  a - tau b = R_{k+1} - L_{k+1} + J_{k+1}
    so that a run of atoms and gaps with g >= 0 leaves the sums at its ends.
    """
    signs, atoms, t = _exact_signs(goal, ar), support(goal), exact_unit(goal)
    count = len(atoms)
    weights = {which: [[0, 0] for _ in atoms] for which in "LRJ"}  # [c, d] for c + d t
    split: list[int] = []

    def weigh(which: str, k: int, c: int, d: int = 0) -> None:
        weights[which][k][0] += c
        weights[which][k][1] += d

    for k, (here, left, right) in enumerate(signs):
        if here > 0:
            tails = (k == 0) + (k == count - 1)
            for which, way in (("L", 1), ("R", 1), ("J", -1)):
                weigh(which, k, way, way * (tails - 1))
        if k == count - 1 or max(left, right) <= 0:
            continue
        near, far = here, signs[k + 1][0]
        if left < 0:
            near, far = far, near
        if min(left, right) >= 0 or (near > 0 and far >= 0):
            weigh("L", k, 0, 1)
            weigh("R", k + 1, 0, 1)
            weigh("L", k + 1, -1)
            weigh("J", k + 1, 1)
            weigh("R", k, -1)
            weigh("J", k, 1)
        elif near > 0:
            split.append(k)
            if goal.release.step is None:
                j = k if left > 0 else k + 1
                way = 1 if left > 0 else -1
                weigh("L", j, way)
                weigh("R", j, -way)
                weigh("J", j, 1)
    total: Sum = {}
    products: list[Product] = []
    sides, splits = Sides(goal), set(split)

    def join(part: Sum) -> None:
        for f, c in part.items():
            accumulate(total, f, c)

    def weighed(which: str, k: int, part: Callable[[], Sum]) -> None:
        c, d = weights[which][k]
        factor = add({NIL: Fraction(c)} if c else {}, t, Fraction(d)) if d or c else {}
        if factor:
            join(multiply(part(), factor))

    for k, x in enumerate(atoms):
        # R_k counts the atom itself: it is the sum of its jump and of what lies to the right
        sides.pass_by(x)
        weighed("R", k, lambda x=x: add(sides.jump(x), sides.right_at(x)))  # type: ignore[misc]
        weighed("L", k, lambda x=x: sides.left_at(x))  # type: ignore[misc]
        weighed("J", k, lambda x=x: sides.jump(x))  # type: ignore[misc]
        if k in splits:
            y = atoms[k + 1]
            a, b = sides.left_at(x), sides.right_at(y)
            if signs[k][1] < 0:
                a, b = b, a
            if goal.release.step is None:
                products.append((a, add({}, b, Fraction(-1)), goal.release.decay(y - x)))
            else:
                from core.lattice import exact_lattice_split

                join(exact_lattice_split(goal, ar, a, b, y - x))
    return total, products


def delta_tie(goal: Atoms, step: Step) -> Facts:
    """
    (1+t) D = A - 2 sum sqrt(S_i)     A - 2 sum sqrt(S_i) = (1+t) delta  by the zero test
    ------------------------------------------------------------------------------ F3, F4, F12
    D = delta

    A radicand a b e^f with b = c e^h a is the square of a e^((f+h+log c)/2), one that collects to
    c e^f that of e^(f/2 + log(c)/2), c > 0.  Among the others one distinct radicand S is allowed,
    k times: X = 2 k sqrt(S) Z  with Z > 0 holds iff X >= 0 and X^2 = 4 k^2 S Z^2.
    """
    ar = arithmetic(step)
    total, products = exact_positive_part(goal, ar)
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
            if first is not radicand and not is_zero(add(radicand, first, Fraction(-1))):
                raise Rejected("more than one distinct radical in an exact equality of delta")
    numerator, z = sums_of(goal.delta)
    one_plus = add({NIL: Fraction(1)}, exact_unit(goal))
    x = add(multiply(total, z), multiply(one_plus, numerator), Fraction(-1))
    if first:
        if sign_of_sum(x, ar) * sign_of_sum(z, ar) < 0:
            raise Rejected("the divergence is not delta")
        square = multiply(multiply(z, z), first)
        x = add(multiply(x, x), square, Fraction(-4 * count**2))
    if not is_zero(x):
        raise Rejected("the divergence is not proved equal to delta")
    return {"F3", "F4" if goal.release.step is None else "F4L"}


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
