# ruff: noqa: N803 (P and Q are the priors of the figures)
"""Rules about couplings of the two priors of a pair on the line: plans, distances and their duals.

Notation: P, Q the priors of the secrets `from` and `to`, pi a table of masses over supp P x supp Q,
d = |x - x'|, E = e^epsilon, rho = 1/theta.  Each rule is one function whose docstring is its
inference figure; it returns what it proved in words, or raises Rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, canonical, shown
from core.judge import names_of, shaped, where
from core.kinds import GOAL, LAWS, Prior, module_of
from core.rules import Facts, Names, Rejected, Step
from core.shapes import array, canonical_rational, decimal, exact_sum, integer
from core.value import form_of, rate_form
from core.work import Check
from core.zero import Sum, accumulate, exp_form, sign_of_sum, times
from reader.reader import Problem

Plan = dict[tuple[Fraction, Fraction], Fraction]
MAX_STEPS = 16  # about couplings of one pair of one belief
ASSUMED = "assuming ideal real-valued noise and one release"


def _plan(P: Prior, Q: Prior, step: Step) -> Plan:
    """
    pi >= 0     sum over x' of pi(x, x') = P(x)     sum over x of pi(x, x') = Q(x')
    --------------------------------------------------------------------------------
    pi is a coupling of P and Q
    """
    plan: Plan = {}
    rows: dict[Fraction, list[Fraction]] = {x: [] for x in P}
    columns: dict[Fraction, list[Fraction]] = {z: [] for z in Q}
    for entry in array(step["edges"], "edges"):
        if len(array(entry, "an edge")) != 3:
            raise Malformed("an edge must have a row, a column and a mass")
        x, z, mass = (canonical_rational(part, "an edge's part") for part in entry)
        if mass <= 0 or x not in P or z not in Q:
            raise Rejected(f"{shown(entry)} is no edge between atoms with a mass above 0")
        if (x, z) in plan:
            raise Malformed("an edge stands twice")
        plan[x, z] = mass
        rows[x].append(mass)
        columns[z].append(mass)
    for lines, prior, what in ((rows, P, "row"), (columns, Q, "column")):
        for atom, mass in prior.items():
            if exact_sum(lines[atom], f"a {what}") != mass:
                raise Rejected(f"the {what} of {shown(canonical(atom))} does not sum to its mass")
    return plan


def coupling(problem: Problem, P: Prior, Q: Prior, step: Step) -> str:
    """
    pi is a coupling of P and Q     |x - x'| <= t wherever pi(x, x') > 0
    ---------------------------------------------------------------------
    W_infinity(P, Q) <= t
    """
    within = canonical_rational(step["within"], "within")
    for x, z in _plan(P, Q, step):
        if abs(x - z) > within:
            raise Rejected(f"the edge {canonical(x)} -> {canonical(z)} is longer than within")
    return f"W_infinity <= {canonical(within)} by a coupling"


def no_coupling(problem: Problem, P: Prior, Q: Prior, step: Step) -> str:
    """
    P(A) > Q(N)     N = {x' : |x - x'| < t for some x in A}
    -------------------------------------------------------- Hall, Strassen
    W_infinity(P, Q) >= t: the mass of A has to leave N
    """
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


def cost(problem: Problem, P: Prior, Q: Prior, step: Step) -> str:
    """
    pi is a coupling of P and Q     sum of pi |x - x'| = c
    |f(x) - f(x')| <= |x - x'|      sum of f (P - Q) = c
    ------------------------------------------------------- weak duality
    W_1(P, Q) = c
    """
    plan = _plan(P, Q, step)
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


def _oriented(P: Prior, Q: Prior, step: Step) -> tuple[Prior, Prior, bool]:
    """The priors so that the inequality is one for each point of the second."""
    side = step["side"]
    if side not in ("columns", "rows"):
        raise Malformed("the side must be columns or rows")
    return (P, Q, False) if side == "columns" else (Q, P, True)


class _Growth:
    """Enclosures of e^(d/theta) and of e^epsilon."""

    def __init__(self, problem: Problem, step: Step) -> None:
        bits = integer(step["bits"], "bits", 32, 200_000)
        scale = decimal(step["scale"], "scale")
        if scale <= 0:
            raise Rejected("the scale must be positive")
        self.ar = Arithmetic(bits)
        self.rate = rate_form(scale)
        self.limit = exp_form(form_of(problem.target.epsilon), self.ar)
        self.memo: dict[Fraction, Interval] = {}

    def at(self, distance: Fraction) -> Interval:
        """Enclosure of e^(distance/theta)."""
        if distance not in self.memo:
            self.memo[distance] = exp_form(times(self.rate, distance), self.ar)
        return self.memo[distance]


def lines_fit(problem: Problem, P: Prior, Q: Prior, step: Step) -> str:
    """
    pi is a coupling of P and Q
    sum over x of pi(x, x') e^(|x-x'| rho) <= E Q(x')  for every x'      (or the same for rows)
    --------------------------------------------------------------------------------------- F9
    p <= E q and q <= E p everywhere: both orders hold at the scale, pure

    A sum that the enclosures do not separate from E Q(x') is decided by the zero test.
    """
    plan = _plan(P, Q, step)
    _, target, flipped = _oriented(P, Q, step)
    growth = _Growth(problem, step)
    ar = growth.ar
    lines: dict[Fraction, list[tuple[Fraction, Fraction]]] = {}
    for (x, z), mass in plan.items():
        lines.setdefault(x if flipped else z, []).append((abs(x - z), mass))
    for point, line in lines.items():
        total = ar.of(Fraction(0))
        for distance, mass in line:
            total = ar.add(total, ar.mul(ar.of(mass), growth.at(distance)))
        if ar.sub(ar.mul(growth.limit, ar.of(target[point])), total)[0] >= 0:
            continue
        exact: Sum = {}
        for distance, mass in line:
            accumulate(exact, times(growth.rate, distance), mass)
        accumulate(exact, form_of(problem.target.epsilon), -target[point])
        if sign_of_sum(exact, ar) > 0:
            raise Rejected(f"the {step['side']} sum at {shown(canonical(point))} is not bounded")
    fit = f"{step['side']} of a coupling fit at scale {step['scale']}"
    return f"{fit}, so both orders hold there for epsilon, by F9, {ASSUMED}"


def lines_do_not_fit(problem: Problem, P: Prior, Q: Prior, step: Step) -> str:
    """
    u(x) + v(x') <= w(x') (e^(|x-x'| rho) - E)  for every x, x'     w >= 0
    sum of u P + sum of v Q > 0
    ------------------------------------------------------------------------ Farkas
    no coupling fits at the scale: it would have sum pi (u + v) > 0 and <= 0
    """
    source, target, _ = _oriented(P, Q, step)
    growth = _Growth(problem, step)
    ar = growth.ar
    u = _values(step["u"], source, "u")
    v, w = _values(step["v"], target, "v"), _values(step["w"], target, "w")
    if any(value < 0 for value in w.values()):
        raise Rejected("a multiplier w is negative")
    for z, weight in w.items():
        for x, first in u.items():
            room = ar.mul(ar.of(weight), ar.sub(growth.at(abs(x - z)), growth.limit))
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


Rule = Callable[[Problem, Prior, Prior, Step], str]
COUPLING: dict[str, tuple[Rule, set[str]]] = {
    "coupling": (coupling, GOAL | {"edges", "within"}),
    "no-coupling": (no_coupling, GOAL | {"below", "set"}),
    "cost": (cost, GOAL | {"edges", "cost", "potential"}),
    "lines-fit": (lines_fit, GOAL | {"edges", "side", "scale", "bits"}),
    "lines-do-not-fit": (lines_do_not_fit, GOAL | {"side", "scale", "bits", "u", "v", "w"}),
}

FACTS: dict[str, Facts] = {
    "coupling": set(),
    "no-coupling": {"F10"},
    "cost": {"F28"},
    "lines-fit": {"F9"},
    "lines-do-not-fit": {"F9LP"},
}
KEYS = {name: keys for name, (_, keys) in COUPLING.items()}


def couplings(problem: Problem, steps: list[Any], check: Check) -> list[str]:
    """What the steps prove of couplings of pairs of the problem, in words."""
    if not steps:
        raise Rejected("a certificate of couplings without a step")
    lines: list[str] = []
    pairs, counts = set(problem.pairs), Counter[Names]()
    for value in steps:
        step = shaped(value, COUPLING.keys(), KEYS)
        place = where(step)
        counts[names_of(step)] += 1
        try:
            if (step["from"], step["to"]) not in pairs:
                raise Rejected("the problem has no such pair")
            if step["belief"] not in problem.beliefs:
                raise Rejected("the problem has no such belief")
            if counts[names_of(step)] > MAX_STEPS:
                raise Rejected(f"more than {MAX_STEPS} steps about one pair")
            priors = problem.source.beliefs[step["belief"]]
            p, q = priors[step["from"]], priors[step["to"]]
            if problem.release.kind == "channel":
                raise Rejected("the rule is for numbers, not for the outputs of a channel")
            if LAWS.get(type(p).__name__) == "joint":
                raise Rejected("the rule is for numbers, not for joint priors")
            if problem.release.seen("coupling")[0] != "one release":
                raise Rejected("the rule is for one release")
            if not (isinstance(p, dict) and isinstance(q, dict)):
                raise Rejected("the rule is for priors of atoms that are not too long")
            noisy = problem.release.kind in ("laplace", "discrete-laplace")
            if "scale" in step and (not noisy or problem.target.notion.name != "distp"):
                raise Rejected("the rule is for (discrete) Laplace noise")
            module_of(problem.release.kind, p, q)
            proved = COUPLING[step["rule"]][0](problem, p, q, step)
            check.held(step["rule"], FACTS[step["rule"]])
        except (Rejected, Undecided) as reason:
            raise Rejected(f"{place}: {reason}") from None
        way = f"{shown(step['from'], 30)} -> {shown(step['to'], 30)}"
        lines.append(f"{way} of belief {shown(step['belief'], 30)}: {proved}")
    return lines
