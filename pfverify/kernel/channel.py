"""The inference rules for channels: the released laws are masses over named outputs.

As in `rules`; P, Q are the laws of the output under the goal's two secrets, and epsilon is that of
the pair.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from enclose import Arithmetic, Undecided
from files import array, string
from grammar import Malformed, Number, shown
from kinds import Mass, Outputs
from masses import NOTHING, enclose_mass, excess_sign, mass_of_event, masses_of, minus
from reader import Problem
from rules import Bounds, Facts, Names, Rejected, Step, arithmetic, margin_of
from value import enclose_number, form_of
from work import product, spend
from zero import Form, constant, exp_form, plus

BITS = 128  # of the first look at the outputs
FAR = 4096  # binary places beyond which numbers are not compared as integers


class Compared(NamedTuple):
    """One inequality to prove: P against Q, laws of the outputs that are named."""

    belief: str
    source: str  # P = law of the output under `source`
    target: str  # Q = law under `target`
    names: tuple[str, ...]  # of the outputs
    P: Outputs
    Q: Outputs
    epsilon: Number
    delta: Number
    delta_is_zero: bool
    form: str


def goals(problem: Problem, amount: Number | None) -> Callable[..., Compared]:
    """What makes the goals of a problem about a channel."""
    if amount is not None or problem.released is None:
        raise Malformed("laws of outputs come from a channel, without noise")
    outputs = problem.released.channel.outputs

    def goal(secrets: Names, p: Outputs, q: Outputs, bounds: Bounds) -> Compared:
        belief, source, target = secrets
        return Compared(belief, source, target, outputs, p, q, *bounds)

    return goal


def exceeding(goal: Compared, limit: Number) -> list[int]:
    """The places of the outputs with P(y) - e^epsilon Q(y) > limit, decided."""
    epsilon, ar = form_of(goal.epsilon), Arithmetic(BITS)
    found, close = _first_look(goal, epsilon, limit, ar)
    if close:
        p, q = masses_of(goal.P), masses_of(goal.Q)
        ratios: dict[tuple[object, object], bool] = {}  # outputs are often alike
        for k in close:
            key = (p[k], q[k]) if goal.P.whole and goal.Q.whole else (k, None)
            if key not in ratios:
                ratios[key] = excess_sign(p[k], q[k], epsilon, limit) > 0
            if ratios[key]:
                found.append(k)
    return found


def _first_look(
    goal: Compared, epsilon: Form, limit: Number, ar: Arithmetic
) -> tuple[list[int], list[int]]:
    """The places of outputs that exceed the limit, and of those that an enclosure leaves open."""
    factor, level = exp_form(epsilon, ar), enclose_number(limit, ar)
    low, high, e = factor
    least, most, f = level
    whole = goal.P.whole * goal.Q.whole
    found: list[int] = []
    close: list[int] = []
    if whole and max(abs(e), abs(f)) < FAR:
        # over the common denominator: n Q - e^epsilon m P - limit P Q of the counts n and m
        spend(len(goal.names) * (4 + 4 * product(whole.bit_length() + BITS)))
        shift = max(0, -e, -f)
        ours, theirs = goal.Q.whole << shift, goal.P.whole << shift + e
        least, most = (whole * end << shift + f for end in (least, most))
        low, high = low * theirs, high * theirs
        for k, (n, m) in enumerate(zip(goal.P.counts, goal.Q.counts, strict=True)):
            x = n * ours
            if x > m * high + most:
                found.append(k)
            elif x > m * low + least:
                close.append(k)
        return found, close
    pairs = zip(masses_of(goal.P), masses_of(goal.Q), strict=True)
    for k, (p, q) in enumerate(pairs):
        try:
            excess = ar.sub(enclose_mass(p, ar), ar.mul(factor, enclose_mass(q, ar)))
            below, above, _ = ar.sub(excess, level)
        except Undecided:
            below, above = -1, 1
        if below > 0:
            found.append(k)
        elif above > 0:
            close.append(k)
    return found, close


def channel(goal: Compared, step: Step) -> Facts:
    """
    events:     sum over outputs y of [P(y) - e^epsilon Q(y)]_+ <= delta
    pointwise:  P(y) - e^epsilon Q(y) <= delta  for every output y
    ---------------------------------------------------------------------
    the goal holds
    """
    if goal.form not in ("events", "pointwise"):
        raise Rejected(f"no rule for the form {shown(goal.form)}")
    if goal.delta == 1:
        return set()  # no probability exceeds 1
    found = exceeding(goal, goal.delta if goal.form == "pointwise" else NOTHING)
    if found and (goal.form == "pointwise" or goal.delta_is_zero):
        raise Rejected(f"the ratio at {shown(goal.names[found[0]])} is too large")
    p, q = mass_of_event(goal.P, found), mass_of_event(goal.Q, found)
    if found and excess_sign(p, q, form_of(goal.epsilon), goal.delta) > 0:
        raise Rejected("the masses exceed delta")
    return set()


def _place(goal: Compared, name: object) -> int:
    text = string(name, "an output")
    if text not in goal.names:
        raise Rejected(f"no output {shown(text)}")
    return goal.names.index(text)


def _masses(goal: Compared, event: list[int]) -> tuple[Mass, Mass]:
    return mass_of_event(goal.P, event), mass_of_event(goal.Q, event)


def require_excess(goal: Compared, step: Step, p: Mass, q: Mass) -> None:
    """Rejected unless p - e^epsilon q - delta >= margin > 0 (an equality by the zero test)."""
    arithmetic(step)
    rest = minus(p, margin_of(step))
    if excess_sign(rest, q, form_of(goal.epsilon), goal.delta) < 0:
        raise Rejected("no such margin is proved")


def output_refuted(goal: Compared, step: Step) -> Facts:
    """
    delta = 0     P(y) > 0     P(y) >= e^(epsilon + margin) Q(y)     margin > 0
    --------------------------------------------------------------------------
    the goal fails at the output y
    """
    if not goal.delta_is_zero:
        raise Rejected("an output refutes a pure bound only")
    arithmetic(step)
    p, q = _masses(goal, [_place(goal, step["output"])])
    epsilon = plus(form_of(goal.epsilon), constant(margin_of(step)))
    if excess_sign(p, NOTHING, epsilon, NOTHING) <= 0 or excess_sign(p, q, epsilon, NOTHING) < 0:
        raise Rejected("no such margin is proved at the output")
    return set()


def mass_refuted(goal: Compared, step: Step) -> Facts:
    """
    P(y) - e^epsilon Q(y) - delta >= margin > 0
    -------------------------------------------
    the pointwise goal fails at the output y
    """
    if goal.form != "pointwise":
        raise Rejected("a mass does not refute the events form: give outputs")
    require_excess(goal, step, *_masses(goal, [_place(goal, step["output"])]))
    return set()


def outputs_refuted(goal: Compared, step: Step) -> Facts:
    """
    P(B) - e^epsilon Q(B) - delta >= margin > 0     B a set of outputs
    ------------------------------------------------------------------------
    the goal fails at B; the pointwise goal too where delta = 0, at one of B
    """
    if goal.form != "events" and not goal.delta_is_zero:
        raise Rejected("a set of outputs does not refute the pointwise form")
    places = {name: k for k, name in enumerate(goal.names)}
    event = [string(name, "an output") for name in array(step["outputs"], "outputs")]
    if not event or len(set(event)) < len(event):
        raise Malformed("outputs must be different, at least one")
    if not set(event) <= places.keys():
        raise Rejected("no such output")
    require_excess(goal, step, *_masses(goal, [places[name] for name in event]))
    return set()
