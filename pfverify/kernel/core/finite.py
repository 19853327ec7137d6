"""Bounds of laws of outputs that have masses: of a channel, or atoms that nothing is added to.

As in `rules`; P, Q are the laws of the output under the goal's two secrets.
"""

from __future__ import annotations

from core.enclose import Arithmetic, Undecided
from core.grammar import Number, shown
from core.kinds import FORMS
from core.masses import NOTHING, Finite, enclose_mass, excess_sign, mass_of_event, masses_of
from core.rules import Rejected
from core.value import enclose_number, form_of
from core.work import product, spend
from core.zero import Form, exp_form

BITS = 128  # of the first look at the outputs
FAR = 4096  # binary places beyond which numbers are not compared as integers


def exceeding(goal: Finite, limit: Number) -> list[int]:
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
    goal: Finite, epsilon: Form, limit: Number, ar: Arithmetic
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
        spend(len(goal.P.counts) * (4 + 4 * product(whole.bit_length() + BITS)))
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


def require_bounded(goal: Finite, each: Number) -> None:
    """Rejected unless P exceeds e^epsilon Q by at most delta in total (events), or at every output
    by at most `each` (pointwise)."""
    if goal.form not in FORMS:
        raise Rejected(f"no rule for the form {shown(goal.form)}")
    events = goal.form == "events"
    if events and goal.delta == 1:
        return  # no probability exceeds 1
    found = exceeding(goal, NOTHING if events else each)
    if found and (goal.delta_is_zero or not events):
        raise Rejected(f"the ratio at {shown(str(goal.P.names[found[0]]))} is too large")
    p, q = mass_of_event(goal.P, found), mass_of_event(goal.Q, found)
    if found and excess_sign(p, q, form_of(goal.epsilon), goal.delta) > 0:
        raise Rejected("the masses exceed delta")
