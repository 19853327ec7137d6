"""The inference rules: one function each, its docstring the inference figure.

A rule takes a goal (derived from the problem) and a step (from the certificate, a hint) and returns
the names of the facts it used, or raises Rejected.  Notation: P, Q the priors of the goal's two
secrets, p = K*P and q = K*Q their releases under the noise K of scale theta, rho = 1/theta,
c = rho/2 or (1-t)/(1+t) with t = e^(-step rho) the noise's constant, D the hockey-stick divergence
sup over events B of P(Y in B) - e^epsilon P'(Y in B).  Enclosures are outward; "<=" in a premise is
established by comparing the upper end on the left with the lower end on the right.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from enclose import ONE, Arithmetic, Interval, Undecided
from grammar import Malformed, Number, canonical, shown
from laplace import (
    Goal,
    event_excess,
    exact_positive_part,
    exact_unit,
    exact_values,
    positive_part_upper,
    rows,
    unit,
    values,
)
from reader import Prior, array, canonical_rational, integer, margin
from zero import (
    NIL,
    SIGN_BITS,
    Form,
    Sum,
    add,
    collected,
    constant,
    enclose_form,
    enclose_number,
    exp_form,
    form_of,
    is_zero,
    multiply,
    plus,
    rational_value,
    sign,
    sign_of_sum,
    sum_of,
    times,
)

HALF = Fraction(1, 2)
Facts = set[str]
Spans = list[tuple[Fraction | None, Fraction | None]]
FACTS = {
    "F1": "the ratio of releases is extremal at atoms (F1)",
    "F12": "discrete Laplace has the ratios of Laplace at lattice points (F12)",
    "F3": "exact zero test of exponential sums (F3)",
    "F4": "closed form of the hockey-stick divergence (F4)",
    "F4L": "lattice sums of the hockey-stick divergence (F12)",
    "F4b": "the excess is convex between atoms where it is positive (F4b)",
    "F2": "monotonicity in the scale (F2: Laplace(theta') = Laplace(theta) + independent noise)",
    "DPI": "adding independent noise does not increase the divergence (data processing)",
    "INJ": "convolution with Laplace noise is injective",
}


class Rejected(Exception):  # noqa: N818
    """The step does not prove its goal."""


def _arithmetic(step: dict[str, Any]) -> Arithmetic:
    """An arithmetic of the step's precision."""
    return Arithmetic(integer(step["bits"], "bits", 32, 200_000))


def _ties(goal: Goal, step: dict[str, Any]) -> set[Fraction]:
    """The atoms claimed to be ties: atoms of the supports, in increasing order."""
    ties = [canonical_rational(a, "a tie") for a in array(step["ties"], "ties")]
    if any(a >= b for a, b in pairwise(ties)):
        raise Malformed("ties must increase")
    for a in ties:
        if a not in goal.P and a not in goal.Q:
            raise Rejected(f"the tie {shown(canonical(a))} is not an atom")
    return set(ties)


def _at_most(x: Interval, y: Interval, ar: Arithmetic) -> bool:
    """Established x <= y."""
    return ar.sub(y, x)[0] >= 0


def _lattice_point(goal: Goal, y: Fraction, what: str) -> Fraction:
    if goal.step is not None and ((y - next(iter(goal.P))) / goal.step).denominator != 1:
        raise Rejected(f"{what} {shown(canonical(y))} is not a point of the lattice")
    return y


def _delta_sums(goal: Goal) -> tuple[Sum, Sum]:
    """delta = N/D as exponential sums."""
    return _sums(goal.delta)


def _sums(x: Number) -> tuple[Sum, Sum]:
    """x = N/D as exponential sums; logarithms in x may cancel to a rational."""
    value = rational_value(form_of(x))
    return sum_of(x if value is None else value)


def _density_sums(goal: Goal) -> tuple[Sum, Sum]:
    """The noise's constant c = N/D as exponential sums (rho must be rational for Laplace)."""
    t = exact_unit(goal)
    if goal.step is not None:
        return add({NIL: Fraction(1)}, t, Fraction(-1)), add({NIL: Fraction(1)}, t)
    rate = rational_value(goal.rate)
    if rate is None:
        raise Undecided("a tie of densities with an irrational scale")
    return {NIL: rate}, {NIL: Fraction(2)}


def _density_constant(goal: Goal, ar: Arithmetic) -> Interval:
    if goal.step is None:
        return ar.mul(enclose_form(goal.rate, ar), ar.of(HALF))
    t = unit(goal, ar)
    return ar.div(ar.sub(ONE, t), ar.add(ONE, t))


# ---------------------------------------------------------------- certified


def pure(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    p(a) <= e^epsilon q(a)  for every a in supp P u supp Q     (a tie: p(a) = e^epsilon q(a))
    ---------------------------------------------------------------------------------- F1, F3
    p <= e^epsilon q everywhere; hence D <= 0 and p - e^epsilon q <= 0 <= delta everywhere

    Where P = Q the premise is epsilon >= 0.  On the lattice the ratios at lattice points are
    those of Laplace noise (F12).
    """
    ties, ar = _ties(goal, step), _arithmetic(step)
    facts = {"F1"} if goal.step is None else {"F1", "F12"}
    for a, excess in exact_values(goal, ties) if ties else ():
        if not is_zero(excess):
            raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")
        facts.add("F3")
    if goal.P == goal.Q:
        return facts
    factor = exp_form(form_of(goal.epsilon), ar)
    for row in rows(goal, ar):
        if not ties or row.atom not in ties:
            p, q = values(row, ar)
            if not _at_most(p, ar.mul(factor, q), ar):
                raise Rejected(f"the ratio at the atom {shown(canonical(row.atom))} is not bounded")
    return facts


def delta_upper(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    tails + atoms + gaps of [p - e^epsilon q]_+  <=  delta        (each piece bounded above)
    ------------------------------------------------------------------------------ F4, F12
    D <= delta

    delta = 1 needs no premise: D is at most the mass of P.
    """
    ar = _arithmetic(step)
    if goal.delta == 1:
        return set()
    delta = ar.mul(enclose_number(goal.delta, ar), ar.add(ONE, unit(goal, ar)))
    if not _at_most(positive_part_upper(goal, ar), delta, ar):
        raise Rejected("the divergence is not bounded by delta at this precision")
    return {"F4" if goal.step is None else "F4L"}


def delta_tie(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    (1+t) D = A - 2 sum sqrt(S_i)     A - 2 sum sqrt(S_i) = (1+t) delta  by the zero test
    ------------------------------------------------------------------------------ F3, F4, F12
    D = delta

    A radicand a b e^f with b = c e^h a is the square of a e^((f+h+log c)/2), one that collects to
    c e^f that of e^(f/2 + log(c)/2), c > 0.  Among the others one distinct radicand S is allowed,
    k times: X = 2 k sqrt(S) Z  with Z > 0 holds iff X >= 0 and X^2 = 4 k^2 S Z^2.
    """
    ar = _arithmetic(step)
    total, products = exact_positive_part(goal, ar)
    first: Sum | None = None
    count = 0
    for a, b, f in products:
        root = _root_of_square(a, b, f, ar)
        radicand = {} if root else collected(multiply(multiply(a, b), {f: Fraction(1)}))
        if len(radicand) == 1:
            ((h, c),) = radicand.items()
            root = {_root_form(h, c): Fraction(1)}
        if root:
            total = add(total, root, Fraction(-2))
        else:
            first = first or radicand
            count += 1
            if first is not radicand and not is_zero(add(radicand, first, Fraction(-1))):
                raise Rejected("more than one distinct radical in an exact equality of delta")
    numerator, z = _delta_sums(goal)
    one_plus = add({NIL: Fraction(1)}, exact_unit(goal))
    x = add(multiply(total, z), multiply(one_plus, numerator), Fraction(-1))
    if first:
        if sign_of_sum(x, ar) * sign_of_sum(z, ar) < 0:
            raise Rejected("the divergence is not delta")
        square = multiply(multiply(z, z), first)
        x = add(multiply(x, x), square, Fraction(-4 * count**2))
    if not is_zero(x):
        raise Rejected("the divergence is not proved equal to delta")
    return {"F3", "F4" if goal.step is None else "F4L"}


def _root_form(f: Form, c: Fraction) -> Form:
    """f/2 + log(c)/2, the logarithm of the root of c e^f."""
    root = times(f, HALF)
    return root if c == 1 else plus(root, frozenset({(("log", c), HALF)}))


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
    return multiply(a, {_root_form(plus(f, shift), ratio): Fraction(1)})


def pointwise(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    c (p(a) - e^epsilon q(a)) <= delta  for every a in supp P u supp Q      (a tie: equality)
    ---------------------------------------------------------------------------- F4b, F3
    p(y) <= e^epsilon q(y) + delta  for every y
    """
    ties, ar = _ties(goal, step), _arithmetic(step)
    facts = {"F4b"}
    for a, value in exact_values(goal, ties) if ties else ():
        (n, d), (c, e) = _delta_sums(goal), _density_sums(goal)
        excess = multiply(multiply(value, c), d)
        if not is_zero(add(excess, multiply(n, e), Fraction(-1))):
            raise Rejected(f"no tie is proved at the atom {shown(canonical(a))}")
        facts.add("F3")
    factor, density = exp_form(form_of(goal.epsilon), ar), _density_constant(goal, ar)
    delta = enclose_number(goal.delta, ar)
    for row in rows(goal, ar):
        if not ties or row.atom not in ties:
            p, q = values(row, ar)
            excess_here = ar.mul(density, ar.sub(p, ar.mul(factor, q)))
            if not _at_most(excess_here, delta, ar):
                raise Rejected(f"the excess at {shown(canonical(row.atom))} is not bounded")
    return facts


def no_noise(goal: Goal) -> Facts:
    """
    events:     sum over x of [P(x) - e^epsilon Q(x)]_+ <= delta
    pointwise:  P(x) <= e^epsilon Q(x) for every x     (+ delta on the lattice, where the
                                                        released masses are averages of these)
    ---------------------------------------------------------------------------- data processing
    the goal holds for every scale theta > 0, and for the priors themselves
    """
    lattice = goal.form == "pointwise" and goal.step is not None
    require_bounded(goal, goal.delta if lattice else Fraction(0))
    return {"DPI"}


def require_bounded(goal: Goal | Bare, each: Number) -> None:
    """Rejected unless P exceeds e^epsilon Q by at most delta in total (events), or at every atom by
    at most `each` (pointwise)."""
    if goal.form not in ("events", "pointwise"):
        raise Rejected(f"no rule for the form {shown(goal.form)}")
    epsilon, ar = form_of(goal.epsilon), Arithmetic(SIGN_BITS[0])
    factor = exp_form(epsilon, ar)
    bound: Number = Fraction(0) if goal.form == "events" else each
    limit = enclose_number(bound, ar)
    if goal.form == "events" and goal.delta == 1:
        return  # no probability exceeds 1
    positive_p = positive_q = Fraction(0)
    for x in sorted({*goal.P, *goal.Q}):
        p, q = goal.P.get(x, Fraction(0)), goal.Q.get(x, Fraction(0))
        low, high, _ = ar.sub(ar.sub(ar.of(p), ar.mul(factor, ar.of(q))), limit)
        if high < 0 or (low <= 0 and _sign_of_excess(p, q, epsilon, bound) <= 0):
            continue
        if goal.form == "pointwise":
            raise Rejected(f"the priors' ratio at {shown(canonical(x))} is too large")
        positive_p, positive_q = positive_p + p, positive_q + q
    if goal.form == "events" and _sign_of_excess(positive_p, positive_q, epsilon, goal.delta) > 0:
        raise Rejected("the priors themselves exceed delta")


class Bare(NamedTuple):
    """One inequality to prove: P against Q, atoms that no noise is added to (rules in `bare`)."""

    belief: str
    source: str  # P = prior of `source`
    target: str  # Q = prior of `target`
    P: Prior
    Q: Prior
    epsilon: Number
    delta: Number
    delta_is_zero: bool
    form: str


def _sign_of_excess(p: Fraction, q: Fraction, epsilon: Form, delta: Number) -> int:
    """The sign of p - e^epsilon q - delta, decided at rising precision and by the zero test."""
    for bits in SIGN_BITS:
        ar = Arithmetic(bits)
        factor = exp_form(epsilon, ar)
        value = ar.sub(ar.of(p), ar.mul(factor, ar.of(q)))
        low, high, _ = ar.sub(value, enclose_number(delta, ar))
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits == SIGN_BITS[0]:
            with suppress(Undecided):
                n, d = _sums(delta)
                difference = add({NIL: p}, {epsilon: q}, Fraction(-1))
                if is_zero(add(multiply(difference, d), n, Fraction(-1))):
                    return 0
    raise Undecided("the priors' excess is not decided")


# ---------------------------------------------------------------- refuted


def _margin(step: dict[str, Any]) -> Fraction:
    value = margin(step["margin"])
    if value <= 0:
        raise Rejected("a margin must be positive")
    return value


def pure_refuted(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    delta = 0     p(y) >= e^(epsilon + margin) q(y)     margin > 0
    --------------------------------------------------------------
    the goal fails at y (with densities, in a neighbourhood of y)
    """
    if not goal.delta_is_zero:
        raise Rejected("a point refutes a pure bound only")
    ar, least = _arithmetic(step), _margin(step)
    y = _lattice_point(goal, canonical_rational(step["y"], "y"), "the output")
    factor = exp_form(plus(form_of(goal.epsilon), constant(least)), ar)
    p, q = next(values(row, ar) for row in rows(goal, ar, [y]) if row.atom == y)
    if not _at_most(ar.mul(factor, q), p, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
    return set()


def event_refuted(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    P(Y in B) - e^epsilon P'(Y in B) - delta >= margin > 0      B a union of disjoint intervals
    --------------------------------------------------------------------------------------------
    the goal fails at B
    """
    if goal.form != "events":
        raise Rejected("an event does not refute the pointwise form")
    ar, least = _arithmetic(step), _margin(step)
    event = _event(goal, step["event"])
    excess = event_excess(goal, ar, event)
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not _at_most(ar.mul(bound, ar.add(ONE, unit(goal, ar))), excess, ar):
        raise Rejected("no such margin is proved for the event")
    return set()


def _event(goal: Goal, value: Any) -> Spans:
    """Intervals of positive length, or of lattice points on the lattice."""
    event = _spans(value)
    for low, high in event:
        if low is not None and low == high and not goal.step:
            raise Malformed("an interval must not be empty")
        for end in (low, high):
            if end is not None:
                _lattice_point(goal, end, "the end")
    return event


def _spans(value: Any) -> Spans:
    """Disjoint closed intervals in increasing order; [a, a] is the one output a."""
    spans: Spans = []
    for entry in array(value, "event"):
        ends = array(entry, "an interval")
        if len(ends) != 2:
            raise Malformed("an interval must have two ends")
        low = None if ends[0] == "-inf" else canonical_rational(ends[0], "an end")
        high = None if ends[1] == "inf" else canonical_rational(ends[1], "an end")
        if low is not None and high is not None and low > high:
            raise Malformed("an interval must not be empty")
        if spans:
            last = spans[-1][1]
            if last is None or low is None or last >= low:
                raise Malformed("intervals must be disjoint and increasing")
        spans.append((low, high))
    if not spans:
        raise Malformed("an event must not be empty")
    return spans


def pointwise_refuted(goal: Goal, step: dict[str, Any]) -> Facts:
    """
    p(y) - e^epsilon q(y) - delta >= margin > 0     (densities, or masses on the lattice)
    -------------------------------------------------------------------------------------
    the pointwise goal fails at y
    """
    if goal.form != "pointwise":
        raise Rejected("a density at a point does not refute the events form")
    ar, least = _arithmetic(step), _margin(step)
    y = _lattice_point(goal, canonical_rational(step["y"], "y"), "the output")
    factor = exp_form(form_of(goal.epsilon), ar)
    p, q = next(values(row, ar) for row in rows(goal, ar, [y]) if row.atom == y)
    excess = ar.mul(_density_constant(goal, ar), ar.sub(p, ar.mul(factor, q)))
    bound = ar.add(enclose_number(goal.delta, ar), ar.of(least))
    if not _at_most(bound, excess, ar):
        raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
    return set()


# ---------------------------------------------------------------- no scale at all


def no_scale(goals: list[Goal]) -> Facts:
    """
    epsilon = delta = 0     P != Q for some goal
    ------------------------------------------------------------------- injectivity
    no scale satisfies the goals: p <= q with equal integrals forces p = q, hence P = Q
    """
    first = goals[0]
    if not first.delta_is_zero or sign(first.epsilon) != 0:
        raise Rejected("epsilon and delta are not both 0")
    if all(goal.P == goal.Q for goal in goals):
        raise Rejected("all the priors agree")
    return {"INJ"}


Rule = Callable[[Goal, dict[str, Any]], Facts]
GOAL_KEYS = {"rule", "belief", "from", "to", "bits"}
CERTIFIED: dict[str, tuple[Rule, set[str]]] = {
    "pure": (pure, GOAL_KEYS | {"ties"}),
    "delta-upper": (delta_upper, GOAL_KEYS),
    "delta-tie": (delta_tie, GOAL_KEYS),
    "pointwise": (pointwise, GOAL_KEYS | {"ties"}),
}
REFUTED: dict[str, tuple[Rule, set[str]]] = {
    "pure-refuted": (pure_refuted, GOAL_KEYS | {"y", "margin"}),
    "event-refuted": (event_refuted, GOAL_KEYS | {"event", "margin"}),
    "pointwise-refuted": (pointwise_refuted, GOAL_KEYS | {"y", "margin"}),
}
FORMS = {"delta-upper": "events", "delta-tie": "events", "pointwise": "pointwise"}
