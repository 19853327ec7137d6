"""The difference of two laws on a line, of which steps keep or merge parts.  As in `sweep`.

Where a density is kept it is positive, or not, at the ends of its pieces (F1, F4); of what is
merged to one output the mass counts.  All signs are decided, at rising precision and by the zero
test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, shown
from core.kinds import DIVERGE, DIVERGENCE, DIVERGENCES, EVENTS, Kind, Rule
from core.line import NOTHING, Lines, Noisy
from core.line_masses import between, event_spans, excess, joined, total, whole_of
from core.rules import Rejected, Step, arithmetic
from core.shapes import array, string
from core.spans import SUPPRESSED, Part, Span
from core.sweep import Swept, difference_at
from core.value import enclose_number, form_of
from core.zero import SIGN_BITS, Form, Sum, constant, exp_form, plus

if TYPE_CHECKING:
    from core.line_signs import Positive

BITS = (96, *SIGN_BITS[1:])


class InParts:
    """g = P - e^epsilon Q with noise, behind steps."""

    def __init__(self, goal: Lines, step: Step) -> None:
        self.goal, self.step, self.epsilon = goal, step, form_of(goal.epsilon)
        self.facts = set[str]()
        self.looks = [Arithmetic(bits) for bits in BITS[:2]]
        self.ar = arithmetic(step) if "bits" in step else self.looks[0]
        self.parts = goal.P.parts or (Part(None, None, None),)
        self.window = goal.P.noise.window
        if self.window is not None:
            self.facts.add("F81")
        self._views: dict[int, Swept] = {}

    def _view(self, ar: Arithmetic) -> Swept:
        """All pieces."""
        if ar.bits not in self._views:
            ends = [part.high for part in self.parts if part.high is not None]
            ends += self.window or ()
            self._views[ar.bits] = difference_at(self.goal, self.epsilon, ar, ends)
        return self._views[ar.bits]

    # ------------------------------------------------------------ all outputs

    def _kept(self) -> list[int]:
        """The pieces of the parts that keep their density."""
        parts, found = [*reversed(self.parts)], list[int]()
        if all(part.output is not None for part in parts):
            return found
        if self.goal.P.noise.step is not None:  # its points have masses
            raise Malformed("a density on a lattice")
        for k, low in enumerate([None, *self._view(self.looks[0]).places]):
            if low is not None and low == parts[-1].high:
                parts.pop()
            if parts[-1].output is None:
                found.append(k)
        if self.window is not None:  # the pieces that begin in it
            places, (first, last) = self._view(self.looks[0]).places, self.window
            return [k for k in found if k and first <= places[k - 1] < last]
        return found

    def _exceeding(self) -> list[int]:
        """The parts with one output where P > e^epsilon Q, decided."""
        ar, found, close = self.looks[0], list[int](), list[int]()
        outputs = [k for k, part in enumerate(self.parts) if part.output is not None]
        values = self._excesses(outputs, ar)
        for k, (low, high, _) in zip(outputs, values, strict=True):
            if low > 0:
                found.append(k)
            elif high > 0:
                close.append(k)
        if close:
            from core.signs import decided_sign

            found += (k for k in close if decided_sign(self._exact([k], self.epsilon)) > 0)
        return sorted(found)

    def _excesses(self, outputs: Sequence[int], ar: Arithmetic) -> list[Interval]:
        """P - e^epsilon Q of some of the outputs."""
        if not outputs:
            return []
        p, q = masses_of_parts(self.goal.P, ar), masses_of_parts(self.goal.Q, ar)
        factor = exp_form(self.epsilon, ar)
        return [ar.sub(p[k], ar.mul(factor, q[k])) for k in outputs]

    def _positive(self, kept: Sequence[int]) -> Iterator[Positive]:
        """Those of some pieces on which g is positive."""
        from core.line_signs import Ends, positive_pieces

        return positive_pieces(Ends(self.goal, self._view, self.looks), kept)

    def positive(self) -> str | None:
        """As in `Difference`."""
        if kept := self._kept():
            self.facts.add("F1")
            if next(self._positive(kept), None) is not None:
                return "the ratio of the densities is not bounded"
        for k in self._exceeding():
            return f"the ratio at {shown(self.parts[k].output)} is too large"
        return None

    def require_area(self) -> None:
        """As in `Difference`."""
        kept, outputs = self._kept(), self._exceeding()
        found = [*self._positive(kept)] if kept else []
        self.facts |= {"F4"} if kept else set()
        for bits in BITS:
            ar = Arithmetic(bits)
            try:
                value = total(self._excesses(outputs, ar), ar)
                if found:
                    from core.line_signs import enclosed_total

                    value = ar.add(value, enclosed_total(found, self._view(ar), ar))
                bound = ar.mul(enclose_number(self.goal.delta, ar), whole_of(self.goal.P, ar))
            except Undecided:
                continue
            low, high, _ = ar.sub(value, bound)
            if low > 0:
                raise Rejected("the divergence is above delta")
            if high <= 0:
                return
            if bits == BITS[1]:
                from core.line_ties import is_total

                more = self._exact(outputs, self.epsilon) if outputs else {}
                if is_total(self.goal, self._view(ar).places if found else (), found, more, ar):
                    return
        raise Rejected("the divergence is not bounded by delta")

    # ------------------------------------------------------------ some outputs

    def _spans(self, outputs: Sequence[int]) -> list[Span]:
        """Where outputs come from: neighbours together."""
        return joined([self.parts[k][:2] for k in outputs])

    def _hides(self, outputs: Iterable[int]) -> bool:
        return any(self.parts[k].output == SUPPRESSED for k in outputs)

    def _exact(self, outputs: Sequence[int], growth: Form) -> Sum:
        """P - e^growth Q of some of the outputs, in order."""
        from core.line_exact import exact_mass

        spans, hidden = self._spans(outputs), self._hides(outputs)
        return exact_mass(self.goal.P, self.goal.Q, spans, growth, hidden=hidden)

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """As in `Difference`."""
        ar, text = self.ar, string(self.step["output"], "an output")
        growth = plus(self.epsilon, constant(margin))
        found = [k for k, part in enumerate(self.parts) if part.output == text]
        if not found:
            raise Rejected(f"no output {shown(text)}")
        spans, hidden, p = self._spans(found), self._hides(found), self.goal.P
        alone = self.goal.about(p, p._replace(atoms={}, nothing=NOTHING))
        if ratio and excess(alone, spans, growth, ar, hidden=hidden)[0] > 0:
            if excess(self.goal, spans, growth, ar, hidden=hidden)[0] >= 0:
                return
            from core.signs import decided_sign

            if decided_sign(self._exact(found, growth)) >= 0:  # it may, with equality
                return
        raise Rejected("no such margin is proved at the output")

    def require_on(self, margin: Fraction) -> None:
        """As in `Difference`."""
        spans, hidden = self._event()
        low, high, _ = excess(
            self.goal, spans, self.epsilon, self.ar, (self.goal.delta, margin), hidden=hidden
        )
        if low < 0:
            from core.line_exact import exact_excess, exact_mass

            value = exact_mass(self.goal.P, self.goal.Q, spans, self.epsilon, hidden=hidden)
            if high < 0 or exact_excess(self.goal, value, margin) < 0:
                raise Rejected("no such margin is proved for the event")
        self.facts.add("F45" if self.goal.P.noise.step is None else "F45e")

    def _event(self) -> tuple[list[Span], bool]:
        """Spans that do not meet, of which every output is in the event or not, and whether no row
        is in it."""
        if "outputs" in self.step:
            places = {part.output: k for k, part in enumerate(self.parts)}
            event = [string(name, "an output") for name in array(self.step["outputs"], "outputs")]
            if not event or len(set(event)) < len(event):
                raise Malformed("outputs must be different, at least one")
            if not set(event) <= places.keys():
                raise Rejected("no such output")
            outputs = sorted(places[name] for name in event)
            return self._spans(outputs), self._hides(outputs)
        spans = event_spans(self.goal, self.step)
        ends = [x for span in spans for x in span if x is not None]
        if self.window is not None:
            low, high = self.window
            if any(x is None or not low <= x <= high for span in spans for x in span):
                raise Rejected("the event is not in the window")
        merged = [part for part in self.parts if part.output is not None]
        if any(
            (part.low is None or part.low < x) and (part.high is None or x < part.high)
            for part in merged for x in ends
        ):  # fmt: skip
            raise Rejected("the event cuts an output")
        hidden = [part for part in merged if part.output == SUPPRESSED]
        return spans, any(_covers(span, part) for part in hidden for span in spans)


def masses_of_parts(law: Noisy, ar: Arithmetic) -> list[Interval]:
    """The masses of all parts.  All summands are positive, so that intervals keep relative
    precision."""
    if ar.bits not in law.known:
        jumps = {x: ar.of(m) for x, m in law.atoms.items()}
        cuts = [part.high for part in law.parts if part.high is not None]
        found = between(law, jumps, cuts, ar)
        for k, part in enumerate(law.parts if law.nothing else ()):
            if part.output == SUPPRESSED:
                found[k] = ar.add(found[k], ar.mul(ar.of(law.nothing), whole_of(law, ar)))
        law.known[ar.bits] = found
    return law.known[ar.bits]


def _covers(span: Span, part: Part) -> bool:
    """Whether a span has all of a part in it."""
    (least, most), (low, high, _) = span, part
    return (least is None or (low is not None and least <= low)) and (
        most is None or (high is not None and high <= most)
    )


KEPT = Kind(
    {"kept": Rule("area", EVENTS), "renyi": DIVERGENCE},
    {"event-refuted": Rule("event", EVENTS), "renyi-refuted": DIVERGENCE},
    "the rule is not for densities that steps keep in part",
    difference=InParts,
    profile="core.profile_line",
    moment="core.renyi_kept",
)
WINDOW = KEPT._replace(profile=None)  # noise that is renormalised: not composed
CELLS = Kind(
    {"channel": Rule("area", EVENTS), **DIVERGENCES},
    {
        **DIVERGE,
        "output-refuted": Rule("place", EVENTS),
        "outputs-refuted": Rule("event", EVENTS),
    },
    "the rule is not for what these steps release",
    difference=InParts,
    profile="core.profile_line",
    moment="core.renyi_parts",
)
