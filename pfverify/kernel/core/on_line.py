"""The difference of two laws on a line, for the rules of `calculus`.  As in `line`.

The ratio of two such laws is monotone on a piece, so it is bounded by its ends (F1; on a lattice
F12).  Between atoms g is convex where it is positive, since g'' = g rho^2 there, so that it is
largest at atoms (F4b).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided
from core.grammar import Malformed, canonical, shown
from core.line import NOTHING, Lines, Swept, claimed_ties, difference_at, unit
from core.rules import Rejected, Step, arithmetic, at_most
from core.shapes import array, canonical_rational, string
from core.spans import SUPPRESSED, Span, event_of
from core.value import enclose_number, form_of
from core.zero import SIGN_BITS, Form, Sum, add, constant, enclose_form, exp_form, plus

BITS = (96, *SIGN_BITS[1:])


class OnLine:
    """g = P - e^epsilon Q with noise: at the precision of the step, or `decided`, at rising ones
    and by the zero test."""

    def __init__(self, goal: Lines, step: Step, *, decided: bool = False) -> None:
        self.goal, self.step, self.decided = goal, step, decided
        self.facts = set[str]()
        self.law, self.epsilon = goal.P, form_of(goal.epsilon)
        self.stated = arithmetic(step) if "bits" in step else Arithmetic(BITS[0])
        self._views: dict[int, Swept] = {}

    def _view(self, bits: int) -> Swept:
        """All pieces."""
        if bits not in self._views:
            ends = [x for part in self.law.parts for x in part[:2] if x is not None]
            swept = difference_at(self.goal, self.epsilon, Arithmetic(bits), dict.fromkeys(ends))
            self._views[bits] = swept
        return self._views[bits]

    # ------------------------------------------------------------ all outputs

    def positive(self) -> str | None:
        """As in `Difference`; of atoms at those that are not named as ties."""
        if self.decided:
            return self._decided_positive()
        goal, at_density = self.goal, self.step["rule"] == "pointwise"
        points = {*goal.P.atoms, *goal.Q.atoms}
        ties = claimed_ties(self.step, points, "an atom") if "ties" in self.step else set()
        self.facts = {"F4b"} if at_density else {"F1"}
        if not at_density and self.law.noise.step is not None:
            self.facts.add("F12")
        if ties:
            from core.sides import require_ties

            require_ties(goal, ties, at_density=at_density)
            self.facts.add("F3")
        if not at_density:
            if goal.P == goal.Q:
                return None
            from core.first_look import first_look

            found = first_look(goal, self.stated)
            points = points if found is None else found
        return self._above(points - ties, at_density=at_density)

    def _above(self, points: Collection[Fraction], *, at_density: bool) -> str | None:
        if not points:
            return None
        ar = self.stated
        level = enclose_number(self.goal.delta, ar) if at_density else ZERO
        scale = self._density(ar) if at_density else ONE
        swept = self._view(ar.bits)
        for x, piece in zip(swept.places, swept.pieces[1:], strict=True):
            if x in points and not at_most(ar.mul(scale, piece.near(ar)), level, ar):
                what = "excess at" if at_density else "ratio at the atom"
                return f"the {what} {shown(canonical(x))} is not bounded"
        return None

    def _density(self, ar: Arithmetic) -> Interval:
        """The noise's constant."""
        if self.law.noise.step is None:
            return ar.mul(enclose_form(self.law.noise.rate, ar), ar.of(Fraction(1, 2)))
        t = unit(self.law.noise, ar)
        return ar.div(ar.sub(ONE, t), ar.add(ONE, t))

    def _kept(self) -> list[int]:
        """The pieces of the parts that keep their density."""
        parts, found = [*reversed(self.law.parts)], list[int]()
        if all(part.output is not None for part in parts):
            return found
        for k, low in enumerate([None, *self._view(BITS[0]).places]):
            while low is not None and (end := parts[-1].high) is not None and end <= low:
                parts.pop()
            if parts[-1].output is None:
                found.append(k)
        return found

    def _exceeding(self) -> list[int]:
        """The parts with one output where P > e^epsilon Q, decided."""
        ar, found, close = Arithmetic(BITS[0]), list[int](), list[int]()
        outputs = [k for k, part in enumerate(self.law.parts) if part.output is not None]
        if not outputs:
            return found
        factor, p, q = exp_form(self.epsilon, ar), self.law.masses(ar), self.goal.Q.masses(ar)
        for k in outputs:
            low, high, _ = ar.sub(p[k], ar.mul(factor, q[k]))
            if low > 0:
                found.append(k)
            elif high > 0:
                close.append(k)
        if close:
            from core.signs import decided_sign

            found += (k for k in close if decided_sign(self._exact([k], self.epsilon)) > 0)
        return sorted(found)

    def _decided_positive(self) -> str | None:
        kept = self._kept()
        if kept:
            from core.line_ties import Ends, positive_pieces

            self.facts = {"F1"}
            ends = Ends(self.goal, self._view, BITS[:2])
            if next(positive_pieces(ends, kept), None) is not None:
                return "the ratio of the densities is not bounded"
        found = self._exceeding()
        if found:
            return f"the ratio at {shown(self.law.parts[found[0]].output)} is too large"
        return None

    def require_area(self) -> None:
        """As in `Difference`; of atoms with upper ends of all pieces."""
        if self.decided:
            return self._require_decided_area()
        from core.line_area import positive_part_upper

        ar, noise = self.stated, self.law.noise
        delta = ar.mul(enclose_number(self.goal.delta, ar), ar.add(ONE, unit(noise, ar)))
        if not at_most(positive_part_upper(noise, self._view(ar.bits), ar), delta, ar):
            raise Rejected("the divergence is not bounded by delta at this precision")
        self.facts = {"F4" if noise.step is None else "F4L"}
        return None

    def _require_decided_area(self) -> None:
        from core.line_ties import Ends, enclosed_total, exact_total, is_equal, positive_pieces

        kept, outputs = self._kept(), self._exceeding()
        found = [*positive_pieces(Ends(self.goal, self._view, BITS[:2]), kept)] if kept else []
        self.facts = {"F4"} if kept else set()
        for bits in BITS:
            ar = Arithmetic(bits)
            try:
                total = enclosed_total(found, self._view(bits), ar) if found else ZERO
                p, q = (
                    _total((law.masses(ar)[k] for k in outputs), ar) if outputs else ZERO
                    for law in (self.goal.P, self.goal.Q)
                )
                total = ar.add(total, ar.sub(p, ar.mul(exp_form(self.epsilon, ar), q)))
                bound = ar.mul(enclose_number(self.goal.delta, ar), self.law.enclosed_whole(ar))
                low, high, _ = ar.sub(total, bound)
                if high <= 0:
                    return
                if low > 0:
                    raise Rejected("the divergence is above delta")
                if bits == BITS[1]:
                    places = self._view(bits).places if found else []
                    value, products = exact_total(self.goal, places, found, ar)
                    value = add(value, self._exact(outputs, self.epsilon)) if outputs else value
                    if is_equal(value, products, self.law.whole(), self.goal.delta, ar):
                        return
            except Undecided:
                continue
        raise Rejected("the divergence is not bounded by delta")

    def _exact(self, outputs: Sequence[int], growth: Form) -> Sum:
        """P - e^growth Q of some of the outputs, in order."""
        return self._exact_on(self._spans(outputs), growth, hidden=self._hides(outputs))

    def _exact_on(self, spans: Iterable[Span], growth: Form, *, hidden: bool) -> Sum:
        from core.sides import exact_mass

        return exact_mass(self.goal, spans, growth, hidden=hidden)

    def _spans(self, outputs: Sequence[int]) -> list[Span]:
        """Where outputs come from: neighbours together."""
        return _joined([self.law.parts[k][:2] for k in outputs])

    def _hides(self, outputs: Iterable[int]) -> bool:
        return any(self.law.parts[k].output == SUPPRESSED for k in outputs)

    # ------------------------------------------------------------ some outputs

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """As in `Difference`."""
        ar, growth = self.stated, plus(self.epsilon, constant(margin))
        if "output" in self.step:
            return self._require_output(growth)
        y = self._lattice_point(canonical_rational(self.step["y"], "y"), "the output")
        swept = difference_at(self.goal, growth if ratio else self.epsilon, ar, [y])
        excess = swept.pieces[swept.places.index(y) + 1].near(ar)
        bound = ZERO
        if not ratio:
            excess = ar.mul(self._density(ar), excess)
            bound = ar.add(enclose_number(self.goal.delta, ar), ar.of(margin))
        if not any(self.law.atoms.values()) or not at_most(bound, excess, ar):
            raise Rejected(f"no such margin is proved at {shown(canonical(y))}")
        return None

    def _require_output(self, growth: Form) -> None:
        ar, text = self.stated, string(self.step["output"], "an output")
        found = [k for k, part in enumerate(self.law.parts) if part.output == text]
        if not found:
            raise Rejected(f"no output {shown(text)}")
        p, q = self._measured(self._spans(found), ar, hidden=self._hides(found))
        if p[0] > 0:
            if at_most(ar.mul(exp_form(growth, ar), q), p, ar):
                return
            from core.signs import decided_sign

            if decided_sign(self._exact(found, growth)) >= 0:  # maybe with equality
                return
        raise Rejected("no such margin is proved at the output")

    def require_on(self, margin: Fraction) -> None:
        """As in `Difference`."""
        ar = self.stated
        spans, hidden = self._event()
        self.facts = {"F45" if self.law.noise.step is None else "F45e"}
        p, q = self._measured(spans, ar, hidden=hidden)
        needed = ar.add(enclose_number(self.goal.delta, ar), ar.of(margin))
        needed = ar.mul(needed, self.law.enclosed_whole(ar))
        low, high, _ = ar.sub(ar.sub(p, ar.mul(exp_form(self.epsilon, ar), q)), needed)
        if low >= 0:
            return
        if self.decided and high >= 0:
            from core.sides import exact_excess

            value = self._exact_on(spans, self.epsilon, hidden=hidden)
            if exact_excess(self.goal, value, margin) >= 0:
                return
        raise Rejected("no such margin is proved for the event")

    def _measured(
        self, spans: Sequence[Span], ar: Arithmetic, *, hidden: bool
    ) -> tuple[Interval, Interval]:
        """P and Q of separate spans, in the unit of masses."""
        cuts = [x for span in spans for x in span if x is not None]
        first = 0 if spans[0][0] is None else 1
        found = []
        for law in (self.goal.P, self.goal.Q):
            mass = _total(law.between(cuts, ar)[first::2], ar)
            no_row = ar.mul(ar.of(law.nothing if hidden else NOTHING), law.enclosed_whole(ar))
            found.append(ar.add(mass, no_row))
        return found[0], found[1]

    def _event(self) -> tuple[list[Span], bool]:
        """Separate spans, of which every output is in the event or not; whether no row is in it."""
        parts, lattice = self.law.parts, self.law.noise.step
        if "outputs" in self.step:
            places = {part.output: k for k, part in enumerate(parts)}
            event = [string(name, "an output") for name in array(self.step["outputs"], "outputs")]
            if not event or len(set(event)) < len(event):
                raise Malformed("outputs must be different, at least one")
            if not set(event) <= places.keys():
                raise Rejected("no such output")
            outputs = sorted(places[name] for name in event)
            return self._spans(outputs), self._hides(outputs)
        spans = event_of(self.step["event"], points=lattice is not None)
        for end in (end for span in spans for end in span if end is not None):
            self._lattice_point(end, "the end")
        if lattice is not None:  # from halves beside its points
            half = lattice / 2
            spans = _joined([
                (None if low is None else low - half, None if high is None else high + half)
                for low, high in spans
            ])  # fmt: skip
        taken = [k for k, part in enumerate(parts) if part.output is not None
                 and any(_meets(span, part[:2]) for span in spans)]  # fmt: skip
        if any(not any(_within(parts[k][:2], span) for span in spans) for k in taken):
            raise Rejected("the event cuts an output")
        return spans, self._hides(taken)

    def _lattice_point(self, y: Fraction, what: str) -> Fraction:
        """The output y, which noise on a lattice must be able to reach."""
        step = self.law.noise.step
        if step is not None and ((y - next(iter(self.law.atoms))) / step).denominator != 1:
            raise Rejected(f"{what} {shown(canonical(y))} is not a point of the lattice")
        return y


def _total(terms: Iterable[Interval], ar: Arithmetic) -> Interval:
    total = ZERO
    for x in terms:
        total = ar.add(total, x)
    return total


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Increasing spans, of which those that touch are one."""
    found = list[Span]()
    for low, high in spans:
        if found and low is not None and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found


def _meets(span: Span, other: Span) -> bool:
    """Whether two spans have more than an end in common."""
    pairs = ((span[0], other[1]), (other[0], span[1]))
    return all(low is None or high is None or low < high for low, high in pairs)


def _within(span: Span, other: Span) -> bool:
    """Whether a span is within another one."""
    (low, high), (least, most) = span, other
    return (least is None or (low is not None and least <= low)) and (
        most is None or (high is not None and high <= most)
    )
