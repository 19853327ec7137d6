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

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed, shown
from core.kinds import EVENTS, Kind, Prior, Rule
from core.masses import NOTHING, excess_sign
from core.quotients import quotient
from core.rules import Facts, Goal, Rejected, Step, arithmetic, at_most, margin_of
from core.shapes import array, string
from core.signs import decided_sign
from core.value import enclose_number, form_of
from core.work import product, spend
from core.zero import NIL, SIGN_BITS, Form, Sum, accumulate, add, constant, exp_form, plus, times

KIND = Kind(
    {"channel": Rule("core.cells", EVENTS)},
    {"output-refuted": Rule("core.cells", EVENTS), "outputs-refuted": Rule("core.cells", EVENTS)},
    "the rule is not for what these steps release",
)
FIRST_BITS = 96
RECENT = 3  # further decays that are kept


class Cells(NamedTuple):
    """A law of X, and what becomes of its noisy number."""

    atoms: Prior  # in order
    nothing: Fraction  # the mass of no row, whose output is that of the first cell
    noise: Any
    cuts: tuple[Fraction, ...]  # between neighbouring cells
    names: tuple[str, ...]
    known: dict[int, list[Interval]]  # kappa times the masses of all cells, by precision

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


def _places(law: Cells, cuts: Sequence[Fraction]) -> Iterator[tuple[Fraction, Fraction | None]]:
    """The atoms with their masses, which are in order, and cuts, from left to right."""
    rest = iter(law.atoms.items())
    atom = next(rest, None)
    for cut in cuts:
        while atom is not None and atom[0] < cut:
            yield atom
            atom = next(rest, None)
        yield cut, None
    while atom is not None:
        yield atom
        atom = next(rest, None)


def _masses(law: Cells, cuts: Sequence[Fraction], ar: Arithmetic) -> list[Interval]:
    """kappa times the masses of the cells between some of the cuts."""
    if cuts is law.cuts and ar.bits in law.known:
        return law.known[ar.bits]
    places = list(_places(law, cuts))
    spend(sum(24 + product(x.numerator.bit_length() + x.denominator.bit_length())
              for x, _ in places))  # fmt: skip
    taus, recent = list[Interval](), list[tuple[Fraction, Interval]]()
    for (a, _), (b, _) in pairwise(places):
        gap = b - a
        tau = next((known for other, known in recent if other == gap), None)
        if tau is None:
            tau = exp_form(law.noise.decay(gap), ar)
            recent = [(gap, tau), *recent[:RECENT]]
        taus.append(tau)
    weights = [ZERO if m is None else ar.of(m) for _, m in places]
    rights = weights[-1:]
    for weight, tau in zip(weights[-2::-1], reversed(taus), strict=True):
        rights.append(ar.add(weight, ar.mul(tau, rights[-1])))
    steady = law.kappa_less_2(ar)
    found = [ZERO] * (len(cuts) + 1)
    found[0] = ar.mul(ar.add(steady, ar.of(Fraction(2))), ar.of(law.nothing))
    found[0] = ar.add(found[0], rights[-1] if rights else ZERO)
    k, left, last = 0, ZERO, len(places) - 1
    for i, (_, m) in enumerate(places):
        if m is None:
            k += 1
        else:
            left = ar.add(left, weights[i])
            found[k] = ar.add(found[k], ar.mul(steady, weights[i]))
        if i == last:
            found[k] = ar.add(found[k], left)
        else:
            beside = ar.add(left, rights[last - 1 - i])
            found[k] = ar.add(found[k], ar.mul(beside, ar.sub(ONE, taus[i])))
            left = ar.mul(left, taus[i])
    if cuts is law.cuts:
        law.known[ar.bits] = found
    return found


def _enclosed(goal: Goals, cuts: Sequence[Fraction], ar: Arithmetic) -> list[list[Interval]]:
    """The same for P and Q."""
    return [_masses(law, cuts, ar) for law in (goal.P, goal.Q)]


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
