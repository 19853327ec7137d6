"""The inference rules for outputs that are cells of the line, under (discrete) Laplace noise: those
of `channel`, without a matrix of masses.  As in `rules`.

Cut the line at all atoms and between all cells.  On a piece from a to b without an atom inside,
twice the mass under Laplace noise is (L + R)(1 - e^(-(b-a) rho)): L sums the atoms up to a with
their decay to a, R those from b on with theirs to b.  Beyond the first and the last place it is R,
or L.  On a lattice a cut lies halfway between two points.  With kappa = 2 cosh(step rho / 2) in
place of 2, the points of a cell have kappa times their mass (1-s)/(1+s) s^|j| of these sums, and
kappa - 2 times the mass of the atoms inside: a point x has s^(1/2) (1/s - 1) = 2 sinh(step rho / 2)
of the halves beside it.  All summands are positive, so that intervals keep relative precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from files import array, string
from grammar import Malformed, shown
from kinds import EVENTS, Kind, Prior, Rule
from laplace import Atoms, rows, values
from masses import NOTHING, excess_sign
from quotients import quotient
from rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from signs import decided_sign
from value import enclose_number, form_of
from work import product, spend
from zero import NIL, SIGN_BITS, Form, Sum, accumulate, add, constant, exp_form, plus, times

KIND = Kind(
    {"channel": Rule("cells", EVENTS)},
    {"output-refuted": Rule("cells", EVENTS), "outputs-refuted": Rule("cells", EVENTS)},
    "the rule is not for what these steps release",
)
FIRST_BITS = 96


class Cells(NamedTuple):
    """A law of X, and what becomes of its noisy number."""

    atoms: Prior
    nothing: Fraction  # the mass of no row, whose output is that of the first cell
    noise: Any
    cuts: tuple[Fraction, ...]  # between neighbouring cells
    names: tuple[str, ...]

    def kappa(self) -> Sum:
        """kappa."""
        if self.noise.step is None:
            return {NIL: Fraction(2)}
        half = self.noise.decay(self.noise.step / 2)
        return {half: Fraction(1), times(half, Fraction(-1)): Fraction(1)}

    def kappa_less_2(self, ar: Arithmetic) -> Interval:
        """kappa - 2 = (1 - r)^2 / r with r = e^(-step rho / 2)."""
        if self.noise.step is None:
            return ZERO
        r = exp_form(self.noise.decay(self.noise.step / 2), ar)
        rest = ar.sub(ONE, r)
        return ar.div(ar.mul(rest, rest), r)


Goals = Goal[Cells, Any]
Run = tuple[int, int]  # the first and the last of neighbouring cells


def _enclosed(goal: Goals, cuts: Sequence[Fraction], ar: Arithmetic) -> list[list[Interval]]:
    """kappa P and kappa Q of the cells between some of the cuts."""
    laws = goal.P, goal.Q
    atoms: Atoms = Goal(
        goal.names, goal.P.atoms, goal.Q.atoms, goal.epsilon, goal.delta, goal.form, goal.P.noise,
        goal.kind, goal.enclosed,
    )  # fmt: skip
    steady = goal.P.kappa_less_2(ar)
    kappa = ar.add(steady, ar.of(Fraction(2)))
    found = [[ZERO] * (len(cuts) + 1) for _ in laws]
    for mine, law in zip(found, laws, strict=True):
        mine[0] = ar.mul(kappa, ar.of(law.nothing))
    k, at_first = 0, True
    for row in rows(atoms, ar, cuts):
        if at_first:
            for mine, value in zip(found, values(row, ar), strict=True):
                mine[0] = ar.add(mine[0], value)
            at_first = False
        if k < len(cuts) and row.atom == cuts[k]:
            k += 1
        own = ((row.left_p, row.right_p), (row.left_q, row.right_q))
        decayed = ar.sub(ONE, row.tau)
        for mine, law, (left, right) in zip(found, laws, own, strict=True):
            mine[k] = ar.add(mine[k], ar.mul(ar.add(left, right), decayed))
            if steady[1] and row.atom in law.atoms:
                mine[k] = ar.add(mine[k], ar.mul(steady, ar.of(law.atoms[row.atom])))
    return found


def _exact(goal: Goals, run: Run, growth: Form) -> Sum:
    """kappa (P - e^growth Q) of the cells of a run."""
    first, last = run
    cuts, total = goal.P.cuts, dict[Form, Fraction]()
    low = cuts[first - 1] if first else None
    high = cuts[last] if last < len(cuts) else None
    inside = [NOTHING, NOTHING]
    for k, (law, grown) in enumerate(((goal.P, NIL), (goal.Q, growth))):
        sign = Fraction(1 - 2 * k)
        for x, m in law.atoms.items():
            spend(64 + 2 * product(x.denominator.bit_length() + m.denominator.bit_length()))
            below, above = low is not None and x < low, high is not None and x >= high
            if not (below or above):
                inside[k] += m
            if low is not None:
                decay = plus(law.noise.decay(abs(x - low)), grown)
                accumulate(total, decay, sign * m if below else -sign * m)
            if high is not None:
                decay = plus(law.noise.decay(abs(x - high)), grown)
                accumulate(total, decay, sign * m if above else -sign * m)
        whole = inside[k] + (NOTHING if first else law.nothing)
        for f, c in law.kappa().items():
            accumulate(total, plus(f, grown), sign * c * whole)
    return total


def _exceeding(goal: Goals) -> list[int]:
    """The cells with P > e^epsilon Q, decided."""
    ar, found, close = Arithmetic(FIRST_BITS), list[int](), list[int]()
    epsilon = form_of(goal.epsilon)
    factor = exp_form(epsilon, ar)
    for k, (p, q) in enumerate(zip(*_enclosed(goal, goal.P.cuts, ar), strict=True)):
        low, high, _ = ar.sub(p, ar.mul(factor, q))
        if low > 0:
            found.append(k)
        elif high > 0:
            close.append(k)
    more = [k for k in close if decided_sign(_exact(goal, (k, k), epsilon)) > 0]
    return sorted(found + more)


def _runs(cells: Sequence[int]) -> list[Run]:
    """Neighbours of increasing cells together."""
    ends = [k for k, (a, b) in enumerate(pairwise(cells)) if b - a > 1]
    return list(zip([cells[0], *(cells[k + 1] for k in ends)],
                    [*(cells[k] for k in ends), cells[-1]], strict=True))  # fmt: skip


def _excess(goal: Goals, runs: Sequence[Run], level: Fraction) -> int:
    """The sign of P(B) - e^epsilon Q(B) - delta - level, decided."""
    cuts = goal.P.cuts
    ends = [cuts[k] for a, b in runs for k in (a - 1, b) if 0 <= k < len(cuts)]
    inside = [runs[0][0] == 0]  # whether the cells between the ends are in B
    inside += [not inside[0] if k % 2 == 0 else inside[0] for k in range(len(ends))]
    epsilon = form_of(goal.epsilon)
    for bits in SIGN_BITS:
        ar = Arithmetic(bits)
        try:
            p, q = (
                _total((x for x, is_in in zip(xs, inside, strict=True) if is_in), ar)
                for xs in _enclosed(goal, ends, ar)
            )
            bound = ar.add(enclose_number(goal.delta, ar), ar.of(level))
            bound = ar.mul(bound, ar.add(goal.P.kappa_less_2(ar), ar.of(Fraction(2))))
            low, high, _ = ar.sub(ar.sub(p, ar.mul(exp_form(epsilon, ar), q)), bound)
        except Undecided:
            continue
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if bits > SIGN_BITS[0]:
            break
    total: Sum = {}
    for run in runs:
        total = add(total, _exact(goal, run, epsilon))
    kappa = goal.P.kappa()
    total = add(total, kappa, -level)
    return excess_sign(quotient(total, kappa) if total else NOTHING, NOTHING, epsilon, goal.delta)


def _total(terms: Iterator[Interval], ar: Arithmetic) -> Interval:
    total = ZERO
    for x in terms:
        total = ar.add(total, x)
    return total


def _place(goal: Goals, name: object) -> int:
    text = string(name, "an output")
    if text not in goal.P.names:
        raise Rejected(f"no output {shown(text)}")
    return goal.P.names.index(text)


def channel(goal: Goals, step: Step) -> Facts:
    """
    sum over outputs y of [P(y) - e^epsilon Q(y)]_+ <= delta
    --------------------------------------------------------
    the goal holds
    """
    if goal.delta == 1:
        return set()
    found = _exceeding(goal)
    if found and goal.delta_is_zero:
        raise Rejected(f"the ratio at {shown(goal.P.names[found[0]])} is too large")
    if found and _excess(goal, _runs(found), NOTHING) > 0:
        raise Rejected("the masses exceed delta")
    return set()


def output_refuted(goal: Goals, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    --------------------------------------------------------------------------
    the goal fails at the output y
    """
    if not goal.delta_is_zero:
        raise Rejected("an output refutes a pure bound only")
    ar, k = arithmetic(step), _place(goal, step["output"])
    growth = plus(form_of(goal.epsilon), constant(margin_of(step)))
    ends = [goal.P.cuts[j] for j in (k - 1, k) if 0 <= j < len(goal.P.cuts)]
    p, q = (xs[min(k, 1)] for xs in _enclosed(goal, ends, ar))
    holds = at_most(ar.mul(exp_form(growth, ar), q), p, ar)  # else it may, with equality
    if p[0] <= 0 or not (holds or decided_sign(_exact(goal, (k, k), growth)) >= 0):
        raise Rejected("no such margin is proved at the output")
    return set()


def outputs_refuted(goal: Goals, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a set of outputs
    ------------------------------------------------------------------
    the goal fails at B
    """
    arithmetic(step)
    places = {name: k for k, name in enumerate(goal.P.names)}
    event = [string(name, "an output") for name in array(step["outputs"], "outputs")]
    if not event or len(set(event)) < len(event):
        raise Malformed("outputs must be different, at least one")
    if not set(event) <= places.keys():
        raise Rejected("no such output")
    if _excess(goal, _runs(sorted(places[name] for name in event)), margin_of(step)) < 0:
        raise Rejected("no such margin is proved")
    return set()
