"""Laws of finitely many outputs that have masses: names of a channel's outputs, atoms of X or of a
noise table, or points; the three differ in how a step names an output.

As in `rules`; P, Q are the laws of the output under the goal's two secrets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, shown
from core.kinds import DIVERGE, DIVERGENCES, FORMS, POINTWISE, Kind, Mass, Prior, Rule
from core.masses import (
    NOTHING,
    Outputs,
    enclose_mass,
    excess_sign,
    mass_of_event,
    masses_of,
    minus,
)
from core.rules import Goal, Rejected, Step, arithmetic
from core.shapes import array, canonical_rational, in_order, string
from core.value import enclose_number, form_of
from core.work import product, spend
from core.zero import NIL, Form, constant, enclose_sum, exp_form, plus

BITS = 128  # of the first look at the outputs
OF_Y = {"table": "TABLE", "truncated-discrete-laplace": "F80"}  # noise whose laws are those of Y
# -> the fact by which these are the masses; other laws are those of X itself
FAR = 4096  # binary places beyond which numbers are not compared as integers
Finite = Goal[Outputs, Any]

# ---------------------------------------------------------------- outputs, and how steps name them


def _of_atoms(p: Prior, q: Prior, release: Any) -> tuple[Outputs, Outputs]:
    """Two priors, or laws that a noise table makes of them, as laws of the atoms of both."""
    names, by = tuple(in_order([*p, *q])), frozenset({OF_Y.get(release.kind, "X")})
    first, second = (tuple(prior.get(x, NOTHING) for x in names) for prior in (p, q))
    return Outputs(0, (), first, names, by), Outputs(0, (), second, names, by)


def _of_points(p: Any, q: Any, release: Any) -> tuple[Outputs, Outputs]:
    """Two joint laws, or what a noise table makes of them, as laws of the points of both."""
    from core.coordinates import in_order

    if p.names != q.names:
        raise Malformed("joint priors must have the same names in the same order")
    names = tuple(dict.fromkeys(x for x, _ in in_order([*p.rows, *q.rows])))
    found, by = [], frozenset({OF_Y.get(release.kind, "X")})
    for law in (p, q):
        left = [*reversed(law.rows)]
        masses = [left.pop()[1] if left and left[-1][0] == x else NOTHING for x in names]
        found.append(Outputs(0, (), tuple(masses), names, by))
    return found[0], found[1]


def _text(output: Any) -> str:
    """An output in a message, and in a step that names several."""
    if isinstance(output, tuple):
        from core.coordinates import texts

        return texts(output)
    return str(output)


def _stated(value: Any, like: Any) -> Any:
    """The output that a step names, which is like this one."""
    if isinstance(like, str):
        return string(value, "an output")
    if isinstance(like, Fraction):
        return canonical_rational(value, "y")
    point = tuple(canonical_rational(x, "a point") for x in array(value, "a point"))
    if len(point) != len(like):
        raise Malformed("a point of another number of coordinates")
    return point


def _event(names: tuple[Any, ...], step: Step) -> list[int]:
    """The places of the outputs that a refuting step is about."""
    if "event" in step:  # intervals, of atoms
        from core.spans import event_of, walk

        at = walk(event_of(step["event"]))
        spend(sum(8 + product(x.denominator.bit_length()) for x in names))
        return [k for k, x in enumerate(names) if at(x)[2]]
    if "outputs" in step:
        known = {_text(x): k for k, x in enumerate(names)}
        event = [string(name, "an output") for name in array(step["outputs"], "outputs")]
        if not event or len(set(event)) < len(event):
            raise Malformed("outputs must be different, at least one")
        if other := [name for name in event if name not in known]:
            raise Rejected(f"no output {shown(other[0])}")
        return [known[name] for name in event]
    output = _stated(step["output"] if "output" in step else step["y"], names[0])
    if output not in names:
        raise Rejected(f"no output {shown(_text(output))}")
    return [names.index(output)]


# ---------------------------------------------------------------- p - e^epsilon q


class OutputsDifference:
    """p - e^epsilon q of a goal, at outputs, as a `kinds.Difference`."""

    def __init__(self, goal: Finite, step: Step) -> None:
        if goal.form not in FORMS:
            raise Rejected(f"no rule for the form {shown(goal.form)}")
        self.goal, self.epsilon, self.facts = goal, form_of(goal.epsilon), {*goal.P.by}
        if "bits" in step:
            arithmetic(step)
            self.masses = self._of(_event(goal.P.names, step))

    def _of(self, event: list[int]) -> tuple[Mass, Mass]:
        return mass_of_event(self.goal.P, event), mass_of_event(self.goal.Q, event)

    def positive(self) -> str | None:
        """The first output at which P is too large."""
        goal = self.goal
        k = _steepest(goal.P, goal.Q) if goal.delta_is_zero else None
        if k is not None:
            self.facts.add("F87")
            return self._too_large(k) if self._exceeds(k) else None
        limit = NOTHING if goal.form == "events" else goal.delta
        for k in exceeding(goal.P, goal.Q, self.epsilon, limit):
            return self._too_large(k)
        return None

    def _too_large(self, k: int) -> str:
        return f"the ratio at {shown(_text(self.goal.P.names[k]))} is too large"

    def _exceeds(self, k: int) -> bool:
        """Whether P(y) > e^epsilon Q(y) at one output, decided."""
        p, q = self._of([k])
        if self.goal.P.steep is not None and self.goal.P.whole == self.goal.Q.whole == 0:
            ar = self.goal.P.steep.ar
            factor = enclose_sum({self.epsilon: Fraction(1)}, ar)
            (look,) = _looks_of([(p, q)], factor, enclose_number(NOTHING, ar), ar)
            if look is not None:
                return look
        return excess_sign(p, q, self.epsilon, NOTHING) > 0

    def require_area(self) -> None:
        """Rejected unless all the outputs with an excess together are within delta."""
        found = exceeding(self.goal.P, self.goal.Q, self.epsilon, NOTHING)
        if found and excess_sign(*self._of(found), self.epsilon, self.goal.delta) > 0:
            raise Rejected("the masses exceed delta")

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """Rejected unless the step's output has the margin (an equality by the zero test)."""
        if not ratio:
            self.require_on(margin)
            return
        (p, q), grown = self.masses, plus(self.epsilon, constant(margin))
        if excess_sign(p, NOTHING, NIL, NOTHING) <= 0 or excess_sign(p, q, grown, NOTHING) < 0:
            raise Rejected("no such margin is proved at the output")

    def require_on(self, margin: Fraction) -> None:
        """Rejected unless the step's outputs have it together."""
        p, q = self.masses
        if excess_sign(minus(p, margin), q, self.epsilon, self.goal.delta) < 0:
            raise Rejected("no such margin is proved")


def _steepest(p: Outputs, q: Outputs) -> int | None:
    """The output at which P/Q is the largest (F87); None where that is not known."""
    one, other = p.steep, q.steep
    if one is None or other is None or one.ar is not other.ar:
        return None
    if not one.heights:
        return one.own
    spend(2 * len(one.heights))
    gaps = [x - y for x, y in zip(one.heights, other.heights, strict=True)]
    return gaps.index(max(gaps))


def exceeding(p: Outputs, q: Outputs, epsilon: Form, limit: Number) -> list[int]:
    """The places of the outputs with P(y) - e^epsilon Q(y) > limit, decided."""
    found = list[int]()
    known: dict[object, bool] = {}  # outputs are often alike
    for k, look in enumerate(_looks(p, q, epsilon, limit)):
        if look is None:
            a, b = mass_of_event(p, [k]), mass_of_event(q, [k])
            key = tuple(x if isinstance(x, Fraction) else id(x) for x in (a, b))
            if key not in known:
                known[key] = excess_sign(a, b, epsilon, limit) > 0
            look = known[key]
        if look:
            found.append(k)
    return found


def _looks(p: Outputs, q: Outputs, epsilon: Form, limit: Number) -> Iterator[bool | None]:
    """Whether each output exceeds the limit; None: an enclosure leaves it open."""
    ar = Arithmetic(BITS)
    factor, level = exp_form(epsilon, ar), enclose_number(limit, ar)
    (low, high, e), (least, most, f) = factor, level
    whole = p.whole * q.whole
    if whole and max(abs(e), abs(f)) < FAR:
        # over the common denominator: n Q - e^epsilon m P - limit P Q of the counts n and m
        spend(len(p.counts) * (4 + 4 * product(whole.bit_length() + BITS)))
        shift = max(0, -e, -f)
        ours, theirs = q.whole << shift, p.whole << shift + e
        least, most = (whole * end << shift + f for end in (least, most))
        low, high = low * theirs, high * theirs
        for n, m in zip(p.counts, q.counts, strict=True):
            x = n * ours
            yield True if x > m * high + most else None if x > m * low + least else False
        return
    both = [*zip(masses_of(p), masses_of(q), strict=True)]
    spend(2 * len(both))
    unlike = {(id(a), id(b)): (a, b) for a, b in both}  # outputs are often the same two masses
    looks = dict(zip(unlike, _looks_of(unlike.values(), factor, level, ar), strict=True))
    for a, b in both:
        yield looks[id(a), id(b)]


def _looks_of(
    pairs: Iterable[tuple[Mass, Mass]], factor: Interval, level: Interval, ar: Arithmetic
) -> Iterator[bool | None]:
    """The same of masses that are not all rational."""
    for a, b in pairs:
        try:
            excess = ar.sub(enclose_mass(a, ar), ar.mul(factor, enclose_mass(b, ar)))
            below, above, _ = ar.sub(excess, level)
        except Undecided:
            below, above = -1, 1
        yield True if below > 0 else None if above > 0 else False


# ---------------------------------------------------------------- how they are judged

BOUNDED = Rule("area")
PLACE, EVENT = Rule("place"), Rule("event")
CHANNEL = Kind(
    {"channel": BOUNDED, **DIVERGENCES},
    {
        **DIVERGE,
        "output-refuted": PLACE,
        "outputs-refuted": EVENT,
        "mass-refuted": PLACE._replace(forms=POINTWISE),
    },
    "the rule is not for what this channel releases",
    difference=OutputsDifference,
    masses=True,
    profile="core.profile_outputs",
    moment="core.renyi",
)
ATOMS = CHANNEL._replace(
    certified={"no-noise": BOUNDED, **DIVERGENCES},
    refuted={**DIVERGE, "pure-refuted": PLACE, "event-refuted": EVENT,
             "pointwise-refuted": PLACE},
    other="the rule is for priors with densities, or gaussian noise",
    laws=_of_atoms,
)
LISTED = ATOMS._replace(  # with noise of finitely many perturbations, of so much
    certified={"channel": BOUNDED, **DIVERGENCES},
    other="the rule is not for noise that has masses on finitely many points",
)
POINTS = CHANNEL._replace(
    certified={"no-noise": BOUNDED, **DIVERGENCES},
    refuted={**DIVERGE, "pure-refuted": PLACE, "outputs-refuted": EVENT},
    other="the rule is not for joint priors without noise",
    laws=_of_points,
)
