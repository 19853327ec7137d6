# ruff: noqa: N806 (P and Q are the priors of the figures)
"""Rules about couplings of the two priors of a pair on the line: plans, distances and their duals.

Notation: P, Q the priors of the secrets `from` and `to`, pi a table of masses over supp P x supp Q,
d = |x - x'|, E = e^epsilon, rho = 1/theta.  Each rule is one function whose docstring is its
inference figure; it returns what it proved in words, or raises Rejected.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, canonical, shown
from core.judge import names_of, shaped, where
from core.kinds import GOAL, Prior
from core.rules import Facts, Names, Rejected, Step, arithmetic
from core.shapes import array, canonical_rational, decimal, exact_sum
from core.value import form_of, rate_form
from core.work import Check
from core.zero import Form, Sum, accumulate, exp_form, sign_of_sum, times

Plan = dict[tuple[Fraction, Fraction], Fraction]
MAX_STEPS = 16  # about couplings of one pair of one belief
ASSUMED = "assuming ideal real-valued noise and one release"


class Pair(NamedTuple):
    """What the steps about two secrets of a belief are held to."""

    P: Prior
    Q: Prior
    epsilon: Number


def _plan(pair: Pair, step: Step) -> Plan:
    """
    pi >= 0     sum over x' of pi(x, x') = P(x)     sum over x of pi(x, x') = Q(x')
    --------------------------------------------------------------------------------
    pi is a coupling of P and Q
    """
    plan: Plan = {}
    rows, columns = defaultdict[Fraction, list[Fraction]](list), defaultdict[Any, Any](list)
    for entry in array(step["edges"], "edges"):
        if len(array(entry, "an edge")) != 3:
            raise Malformed("an edge must have a row, a column and a mass")
        x, z, mass = (canonical_rational(part, "an edge's part") for part in entry)
        if mass <= 0 or x not in pair.P or z not in pair.Q:
            raise Rejected(f"{shown(entry)} is no edge between atoms with a mass above 0")
        if (x, z) in plan:
            raise Malformed("an edge stands twice")
        plan[x, z] = mass
        rows[x].append(mass)
        columns[z].append(mass)
    for lines, prior, what in ((rows, pair.P, "row"), (columns, pair.Q, "column")):
        for atom, mass in prior.items():
            if exact_sum(lines[atom], f"a {what}") != mass:
                raise Rejected(f"the {what} of {shown(canonical(atom))} does not sum to its mass")
    return plan


def coupling(pair: Pair, step: Step) -> str:
    """
    pi is a coupling of P and Q     |x - x'| <= t wherever pi(x, x') > 0
    ---------------------------------------------------------------------
    W_infinity(P, Q) <= t
    """
    within = canonical_rational(step["within"], "within")
    for x, z in _plan(pair, step):
        if abs(x - z) > within:
            raise Rejected(f"the edge {canonical(x)} -> {canonical(z)} is longer than within")
    return f"W_infinity <= {canonical(within)} by a coupling"


def no_coupling(pair: Pair, step: Step) -> str:
    """
    P(A) > Q(N)     N = {x' : |x - x'| < t for some x in A}
    -------------------------------------------------------- Hall, Strassen
    W_infinity(P, Q) >= t: the mass of A has to leave N
    """
    P, Q, _ = pair
    below = canonical_rational(step["below"], "below")
    members = [canonical_rational(a, "a member") for a in array(step["set"], "set")]
    if any(a >= b for a, b in pairwise(members)):
        raise Malformed("the members of a set must increase")
    if any(a not in P for a in members):
        raise Rejected("a member of the set is no atom")
    near, k = [], 0
    for z in sorted(Q):  # both increase: the nearest member is one of two neighbours
        while k + 1 < len(members) and abs(members[k + 1] - z) <= abs(members[k] - z):
            k += 1
        if members and abs(members[k] - z) < below:
            near.append(Q[z])
    if exact_sum([P[a] for a in members], "the set") <= exact_sum(near, "its neighbours"):
        raise Rejected("the set's mass fits into its neighbours")
    return f"W_infinity >= {canonical(below)} by Hall's condition"


def cost(pair: Pair, step: Step) -> str:
    """
    pi is a coupling of P and Q     sum of pi |x - x'| = c
    |f(x) - f(x')| <= |x - x'|      sum of f (P - Q) = c
    ------------------------------------------------------- weak duality
    W_1(P, Q) = c
    """
    (P, Q, _), plan = pair, _plan(pair, step)
    claimed = canonical_rational(step["cost"], "cost")
    points = sorted({*P, *Q})
    values = [canonical_rational(v, "a potential") for v in array(step["potential"], "potential")]
    if len(values) != len(points):
        raise Malformed("the potential must have one value for each atom, in increasing order")
    potential = list(zip(points, values, strict=True))
    for (x, f), (y, g) in pairwise(potential):  # neighbours suffice on the line
        if abs(g - f) > y - x:
            raise Rejected(f"the potential is too steep at {shown(canonical(x))}")
    zero = Fraction(0)
    if exact_sum([abs(x - z) * mass for (x, z), mass in plan.items()], "the cost") != claimed:
        raise Rejected("the plan has another cost")
    reached = [f * (P.get(x, zero) - Q.get(x, zero)) for x, f in potential]
    if exact_sum(reached, "the potential") != claimed:
        raise Rejected("the potential does not reach the cost")
    return f"W_1 = {canonical(claimed)} by weak duality"


# ---------------------------------------------------------------- plans that make a scale private


def _by_lines(pair: Pair, step: Step) -> Pair:
    """The priors so that the inequality is one for each point of the second."""
    side = step["side"]
    if side not in ("columns", "rows"):
        raise Malformed("the side must be columns or rows")
    return pair if side == "columns" else Pair(pair.Q, pair.P, pair.epsilon)


def _scale(step: Step) -> tuple[Arithmetic, Form]:
    """The arithmetic, and rho."""
    ar, scale = arithmetic(step), decimal(step["scale"], "scale")
    if scale <= 0:
        raise Rejected("the scale must be positive")
    return ar, rate_form(scale)


def lines_fit(pair: Pair, step: Step) -> str:
    """
    pi is a coupling of P and Q
    sum over x of pi(x, x') e^(|x-x'| rho) <= E Q(x')  for every x'      (or the same for rows)
    --------------------------------------------------------------------------------------- F9
    p <= E q and q <= E p everywhere: both orders hold at the scale, pure

    A sum that the enclosures do not separate from E Q(x') is decided by the zero test.
    """
    plan, target = _plan(pair, step), _by_lines(pair, step).Q
    (ar, rate), bound = _scale(step), form_of(pair.epsilon)
    lines: dict[Fraction, Sum] = {z: {bound: -mass} for z, mass in target.items()}
    for (x, z), mass in plan.items():
        accumulate(lines[x if step["side"] == "rows" else z], times(rate, abs(x - z)), mass)
    for point, line in lines.items():
        if sign_of_sum(line, ar) > 0:
            raise Rejected(f"the {step['side']} sum at {shown(canonical(point))} is not bounded")
    fit = f"{step['side']} of a coupling fit at scale {step['scale']}"
    return f"{fit}, so both orders hold there for epsilon, by F9, {ASSUMED}"


def lines_do_not_fit(pair: Pair, step: Step) -> str:
    """
    u(x) + v(x') <= w(x') (e^(|x-x'| rho) - E)  for every x, x'     w >= 0
    sum of u P + sum of v Q > 0
    ------------------------------------------------------------------------ Farkas
    no coupling fits at the scale: it would have sum pi (u + v) > 0 and <= 0
    """
    source, target, _ = _by_lines(pair, step)
    ar, rate = _scale(step)
    limit = exp_form(form_of(pair.epsilon), ar)

    @cache
    def growth(distance: Fraction) -> Interval:
        return exp_form(times(rate, distance), ar)

    u = _values(step["u"], source, "u")
    v, w = _values(step["v"], target, "v"), _values(step["w"], target, "w")
    if any(value < 0 for value in w.values()):
        raise Rejected("a multiplier w is negative")
    for z, weight in w.items():
        for x, first in u.items():
            room = ar.mul(ar.of(weight), ar.sub(growth(abs(x - z)), limit))
            if ar.sub(room, ar.of(first + v[z]))[0] < 0:
                raise Rejected(f"the multipliers fail at {canonical(x)} and {canonical(z)}")
    weighed = [u[x] * source[x] for x in u] + [v[z] * target[z] for z in v]
    if exact_sum(weighed, "the multipliers") <= 0:
        raise Rejected("the multipliers do not sum to more than 0")
    return f"no coupling's {step['side']} fit at scale {step['scale']}, by Farkas multipliers"


def _values(value: Any, prior: Prior, what: str) -> dict[Fraction, Fraction]:
    values = [canonical_rational(v, what) for v in array(value, what)]
    if len(values) != len(prior):
        raise Malformed(f"{what} must have one value for each atom, in increasing order")
    return dict(zip(sorted(prior), values, strict=True))


class Asked(NamedTuple):
    """What a step about couplings asks for."""

    rule: str  # of `kinds.RULES`
    function: Callable[[Pair, Step], str]
    keys: set[str]
    facts: Facts


COUPLING = {
    "coupling": Asked("plan", coupling, GOAL | {"edges", "within"}, set()),
    "no-coupling": Asked("Hall", no_coupling, GOAL | {"below", "set"}, {"F10"}),
    "cost": Asked("dual", cost, GOAL | {"edges", "cost", "potential"}, {"F28"}),
    "lines-fit": Asked("plan", lines_fit, GOAL | {"edges", "side", "scale", "bits"}, {"F9"}),
    "lines-do-not-fit": Asked(
        "dual", lines_do_not_fit, GOAL | {"side", "scale", "bits", "u", "v", "w"}, {"F9LP"}
    ),
}
KEYS = {name: asked.keys for name, asked in COUPLING.items()}


def couplings(pair_of: Callable[[Names, bool], Pair], steps: list[Any], check: Check) -> list[str]:
    """What the steps prove of couplings of pairs of a problem, in words; `pair_of` finds a pair by
    its names (True: for a step about noise of a scale), or raises Rejected."""
    if not steps:
        raise Rejected("a certificate of couplings without a step")
    lines, counts = list[str](), Counter[Names]()
    for value in steps:
        step = shaped(value, COUPLING.keys(), KEYS)
        asked, names = COUPLING[step["rule"]], names_of(step)
        counts[names] += 1
        try:
            pair = pair_of(names, "scale" in step)
            if counts[names] > MAX_STEPS:
                raise Rejected(f"more than {MAX_STEPS} steps about one pair")
            proved = asked.function(pair, step)
            check.held(step["rule"], asked.facts)
        except (Rejected, Undecided) as reason:
            raise Rejected(f"{where(step)}: {reason}") from None
        belief, a, b = (shown(name, 30) for name in names)
        lines.append(f"{a} -> {b} of belief {belief}: {proved}")
    return lines
