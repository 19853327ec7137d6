"""The normal form of a gaussian on a lattice: atoms with discrete Gaussian noise, bare or with
steps after it.  As in `calculus`.

In steps of the lattice let the atoms be a_i, c_i = P(a_i) - e^epsilon Q(a_i), v the variance and
h(d) = e^(-d^2/(2v)).  The mass of g = p - e^epsilon q at k is G(k) = sum of c_i h(k - a_i), over
Z = sum of h over the integers.  For a_j > a_i the quotient h(k - a_i) / h(k - a_j) =
e^(-(a_j - a_i)(2k - a_i - a_j)/(2v)) falls in k: where the last atom with c_j != 0 outweighs all
others once, it does at every k beyond, and G has the sign of c_j; mirrored on the left.  For
d >= 0 the sum of h beyond d is at most h(d) r/(1 - r), r = e^(-(2d+1)/(2v)).

An output is a run of the lattice: one point, or what steps make of several.  G of a run is the sum
over its points, and where it has one sign at all of them it has that.  What is suppressed has c_0 Z
besides, c_0 that of no row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, isqrt
from typing import Any, NamedTuple, Protocol

from core.enclose import ONE, ZERO, Arithmetic, Interval, Undecided, upper_end
from core.grammar import Malformed, canonical, shown
from core.kinds import DIVERGENCE, EVENTS, LAWS, Kind, Prior, Rule
from core.masses import excess_sign
from core.rules import Goal, Rejected, Step, arithmetic, at_most
from core.shapes import array, canonical_rational, string
from core.signs import decided_sign
from core.spans import event_of
from core.value import enclose_number, form_of
from core.work import product, spend
from core.zero import NIL, SIGN_BITS, Form, Sum, accumulate, constant, exp_form, plus

MOST = 4_000_000  # atoms times points of the lattice
EXACT = 4096  # points of a run times atoms, which are summed exactly
NOTHING = Fraction(0)
TOO_WIDE = "a window of the lattice that is too wide"


class Run(NamedTuple):
    """An output: its points from `low` to `high` (None: no end)."""

    low: int | None
    high: int | None
    output: str


class Post(Protocol):
    """What steps make of the points origin + k times the step of a lattice."""

    def runs(self, origin: Fraction, low: int, high: int) -> list[Run]:
        """The outputs of the points from k = low to k = high, each with all its points."""

    def hidden(self, origin: Fraction) -> Run:
        """What is suppressed (from 0 to -1: no point is)."""

    def named(self, origin: Fraction, name: str) -> Run | None:
        """The output of this name, if that is a number and there is one."""


class Celled(NamedTuple):
    """A law of X with noise of a variance, on a lattice, and what becomes of it."""

    atoms: Prior
    nothing: Fraction  # the mass of no row, which is suppressed
    variance: Fraction
    step: Fraction
    post: Post | None  # None: each point is an output


LAWS[Celled] = "celled"


def celled(
    atoms: Prior, noise: Any, nothing: Fraction = NOTHING, post: Post | None = None
) -> Celled:
    """The law of atoms under discrete gaussian noise."""
    step, variance = noise.step, noise.amount
    if step is None or not isinstance(variance, Fraction) or variance <= 0:
        raise Malformed("discrete gaussian noise needs a step and a positive variance")
    return Celled(atoms, nothing, variance, step, post)


class Lattice:
    """g of a goal in steps of the lattice, with what a step says of it."""

    def __init__(self, goal: Goal[Celled, Any], said: Step) -> None:
        p, q = goal.P, goal.Q
        self.goal, self.said, self.law, self.facts = goal, said, p, set[str]()
        self.found = found = sorted({*p.atoms, *q.atoms})
        spend(sum(24 + product(x.denominator.bit_length()) for x in found))
        self.origin = found[0] if found else NOTHING
        self.variance = p.variance / p.step**2
        self.atoms = [self._index(x) for x in found]
        self.masses = [(p.atoms.get(x, NOTHING), q.atoms.get(x, NOTHING)) for x in found]
        self.nothing = p.nothing, q.nothing
        self.hidden = p.post.hidden(self.origin) if p.post and any(self.nothing) else None
        self.precisions = (
            [arithmetic(said)] if "bits" in said else [Arithmetic(b) for b in SIGN_BITS[:4]]
        )

    def _index(self, y: Fraction) -> int:
        k = (y - self.origin) / self.law.step
        if k.denominator != 1:
            raise Rejected(f"{shown(canonical(y))} is not a point of the lattice")
        return int(k)

    def runs(self, low: int, high: int) -> list[Run]:
        """The outputs of some points, from left to right."""
        if (high - low) * len(self.atoms) > MOST:
            raise Rejected(TOO_WIDE)
        if self.law.post:
            return self.law.post.runs(self.origin, low, high)
        return [Run(k, k, "") for k in range(low, high + 1)]

    # ------------------------------------------------------------ sums

    def form(self, distance: int) -> Form:
        """The exponent of h."""
        return constant(-Fraction(distance * distance) / (2 * self.variance))

    def bell(self, distance: int, ar: Arithmetic) -> Interval:
        """h, each distance once."""
        key = "bell", abs(distance)
        if key not in ar.memo:
            ar.memo[key] = exp_form(self.form(distance), ar)
        return ar.memo[key]

    def beyond(self, distance: int, ar: Arithmetic) -> Interval:
        """From 0 to at least the sum of h beyond a distance >= 0."""
        ratio = exp_form(constant(-Fraction(2 * distance + 1) / (2 * self.variance)), ar)
        most = ar.div(ar.mul(self.bell(distance, ar), ratio), ar.sub(ONE, ratio))
        return 0, most[1], most[2]

    def reach(self, bits: int) -> int:
        """Beyond it h is below about 2^-bits."""
        found = isqrt(ceil(2 * bits * self.variance)) + 2
        if found * len(self.atoms) > MOST:
            raise Rejected(TOO_WIDE)
        return found

    def window(self, bits: int) -> tuple[int, int]:
        """All atoms with their reach."""
        return self.atoms[0] - self.reach(bits), self.atoms[-1] + self.reach(bits)

    def whole(self, ar: Arithmetic) -> Interval:
        """Z."""
        reach, total = self.reach(ar.bits), ONE
        for k in range(1, reach + 1):
            spend(32)
            h = self.bell(k, ar)
            total = ar.add(total, ar.add(h, h))
        rest = self.beyond(reach, ar)
        return ar.add(total, ar.add(rest, rest))

    def jumps(self, ar: Arithmetic, margin: Fraction = NOTHING) -> list[Interval]:
        """The c_i, and last c_0, of epsilon and a margin."""
        factor = exp_form(plus(form_of(self.goal.epsilon), constant(margin)), ar)
        pairs = [*self.masses, self.nothing]
        return [ar.sub(ar.of(p), ar.mul(factor, ar.of(q))) for p, q in pairs]

    def value(self, run: Run, jumps: list[Interval], ar: Arithmetic) -> Interval:
        """G of a run, of which points that are far from all atoms are bounded together."""
        total = ar.mul(jumps[-1], self.whole(ar)) if run == self.hidden else ZERO
        if not self.atoms:
            return total
        reach, (low, high, _) = self.reach(ar.bits), run
        first, last = self.atoms[0], self.atoms[-1]
        near = min(first, first if high is None else high) - reach
        far = max(last, last if low is None else low) + reach
        start = near if low is None else max(near, low)
        end = far if high is None else min(far, high)
        if (end - start) * len(self.atoms) > MOST:
            raise Rejected("an output of too many points")
        spend(32 * len(self.atoms) * max(end + 1 - start, 1))
        for a, c in zip(self.atoms, jumps, strict=False):
            sum_of = ZERO
            for k in range(start, end + 1):
                sum_of = ar.add(sum_of, self.bell(k - a, ar))
            total = ar.add(total, ar.mul(c, sum_of))
            for cut, distance in ((start != low, a - start), (end != high, end - a)):
                if cut:
                    total = ar.add(total, ar.mul(c, self.beyond(distance, ar)))
        return total

    def exactly(self, run: Run) -> Sum | None:
        """G of a run of few points as an exponential sum; where nothing else is suppressed, of no
        row, without Z."""
        epsilon, total, (low, high, _) = form_of(self.goal.epsilon), dict[Form, Fraction](), run
        if low is None or high is None or (high + 1 - low) * len(self.atoms) > EXACT:
            return None
        pairs = [(NIL, *self.nothing)] if run == self.hidden else []
        if pairs and low <= high:
            return None
        for a, masses in zip(self.atoms, self.masses, strict=True):
            pairs += [(self.form(k - a), *masses) for k in range(low, high + 1)]
        for h, p, q in pairs:
            if p:
                accumulate(total, h, p)
            if q:
                accumulate(total, plus(h, epsilon), -q)
        return total

    # ------------------------------------------------------------ certified

    def positive(self) -> str | None:
        """
        G <= 0 in every run of a window, and in what is suppressed
        beyond it, where there are runs, the first or the last c_i != 0 dominates, and is negative
        ------------------------------------------------------------------------------------ F48h
        g <= 0 everywhere     (each run by F48i, or as an exact sum)
        """
        if self.said.get("ties", []) != []:
            raise Malformed("discrete gaussian noise has no list of ties")
        self.facts.add("F48h")
        signs = [self._sign(*masses) for masses in self.masses]
        leads = [k for k, sign in enumerate(signs) if sign]
        if not leads:
            shown_more = self._sign(*self.nothing) > 0
            return "the ratio is not bounded where there is no row" if shown_more else None
        found = self.runs(self._edge(leads[0], -1), self._edge(leads[-1], 1))
        if found[0][:2] == (None, None) and self.hidden in (None, found[0]):
            return None  # all that is ever published
        for end, way, lead in ((found[0].low, -1, leads[0]), (found[-1].high, 1, leads[-1])):
            if end is None or signs[lead] < 0:
                continue
            if self.runs(end + way, end + way) != [self.hidden]:
                return "the ratio is not bounded far out"
        self.facts.add("F48i")
        known = [(self.jumps(ar), ar) for ar in self.precisions]
        hidden = [] if self.hidden is None else [self.hidden]
        bounded = all(self._is_bounded(run, known) for run in [*found, *hidden])
        return None if bounded else "the ratio is not bounded at an output"

    def _sign(self, p: Fraction, q: Fraction) -> int:
        return excess_sign(p, q, form_of(self.goal.epsilon), NOTHING)

    def _edge(self, lead: int, way: int) -> int:
        """Where the atom `lead` outweighs all those behind it, and so beyond (way 1: right)."""
        for bits in SIGN_BITS[1:4]:
            ar = Arithmetic(bits)
            jumps, mine = self.jumps(ar), self.atoms[lead]
            size = jumps[lead] if jumps[lead][0] > 0 else ar.neg(jumps[lead])
            if size[0] > 0:  # it is not 0, but may be tiny
                break
        behind = range(lead) if way > 0 else range(lead + 1, len(self.atoms))
        distance = 1
        while distance * len(self.atoms) <= MOST:
            k, rest = mine + way * distance, ZERO
            spend(256 * len(behind) + 64)
            for i in behind:
                power = (k - self.atoms[i]) ** 2 - (k - mine) ** 2
                a, b, f = jumps[i]
                largest = max(abs(a), abs(b))
                decay = exp_form(constant(-Fraction(power) / (2 * self.variance)), ar)
                rest = ar.add(rest, ar.mul((largest, largest, f), decay))
            if ar.sub(size, rest)[0] > 0:
                return k
            distance *= 2
        raise Rejected(TOO_WIDE)

    def _is_bounded(self, run: Run, tried: Sequence[tuple[list[Interval], Arithmetic]]) -> bool:
        """Whether one of the precisions, or an exact sum, proves that G of a run is at most 0."""
        for k, (jumps, ar) in enumerate(tried):
            low, above, _ = self.value(run, jumps, ar)
            if above <= 0:
                return True
            exact = None if k else self.exactly(run)
            if exact is not None and decided_sign(exact) <= 0:
                return True
            if low > 0 or exact is not None:
                break
        return False

    def require_area(self) -> None:
        """
        sum over the runs of a window of [G]_+  +  bounds of the tails  <=  delta Z
        --------------------------------------------------------------------------- F48i
        the sum over all outputs of [g]_+ is at most delta     (also where g <= 0 everywhere)
        """
        if "bits" in self.said:
            return self._require_sum(*self.precisions)
        for ar in self.precisions:
            with suppress(Rejected, Undecided):
                return self._require_sum(ar)
        where = self.positive()
        if where is not None:
            raise Rejected(where)
        return None

    def _require_sum(self, ar: Arithmetic) -> None:
        if not self.atoms:
            raise Rejected("without atoms the ratio is bounded, or nothing")
        jumps, total, (low, high) = self.jumps(ar), ZERO, self.window(ar.bits)
        found = self.runs(low, high)
        if self.hidden is not None and self.hidden not in found:
            found.append(self.hidden)
        parts = [self.value(run, jumps, ar) for run in found]
        for a, c in zip(self.atoms, jumps, strict=False):
            tails = ar.add(self.beyond(a - low, ar), self.beyond(high - a, ar))
            parts.append(ar.mul(c, tails))
        for above in map(upper_end, parts):
            if above[1] > 0:
                total = ar.add(total, above)
        if not at_most(total, ar.mul(enclose_number(self.goal.delta, ar), self.whole(ar)), ar):
            raise Rejected("the divergence is not bounded by delta at this precision")
        self.facts.add("F48i")

    # ------------------------------------------------------------ refuted

    def _said(self, ar: Arithmetic) -> Iterator[Run]:
        """The outputs that the step says, one or some: points, intervals of points, or names."""
        if self.law.post:
            one = [self.said["output"]] if "output" in self.said else self.said["outputs"]
            names = [string(name, "an output") for name in array(one, "outputs")]
            if not names or len(set(names)) < len(names):
                raise Malformed("outputs must be different, at least one")
            yield from self._named(names, self.law.post, ar)
            return
        y, count = self.said.get("y"), 0
        single = "event" not in self.said
        spans = [(canonical_rational(y, "y"),) * 2] if single else event_of(self.said["event"])
        for low, high in spans:
            if low is None or high is None:
                raise Rejected("an event of finitely many outputs is expected")
            first, last = self._index(low), self._index(high)
            count += last - first + 1
            if count * len(self.atoms) > MOST:
                raise Rejected("an event of too many outputs")
            yield from self.runs(first, last)

    def _named(self, names: Sequence[str], post: Post, ar: Arithmetic) -> Iterator[Run]:
        """Outputs by their names: of those near the atoms, or of numbers."""
        near = {run.output: run for run in self.runs(*self.window(ar.bits))} if self.atoms else {}
        if self.hidden is not None:
            near[self.hidden.output] = self.hidden
        for name in names:
            found = near.get(name) or post.named(self.origin, name)
            if found is None:
                raise Rejected("no such output")
            yield found

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """
        p(y) > e^(epsilon + margin) q(y) at an output y
        -----------------------------------------------
        the pure goal fails at y
        """
        (ar,) = self.precisions
        jumps = self.jumps(ar, margin)
        (run,) = self._said(ar)
        if not (ratio and self.value(run, jumps, ar)[0] > 0):
            raise Rejected("no such margin is proved at the output")
        self.facts |= {"F48i"} if self.law.post else set()

    def require_on(self, margin: Fraction) -> None:
        """
        sum over finitely many outputs of G >= (delta + margin) Z
        --------------------------------------------------------- F48i
        P(B) - e^epsilon Q(B) - delta >= margin of these outputs B
        """
        (ar,) = self.precisions
        jumps, total = self.jumps(ar), ZERO
        for run in self._said(ar):
            total = ar.add(total, self.value(run, jumps, ar))
        bound = ar.add(enclose_number(self.goal.delta, ar), ar.of(margin))
        if not at_most(ar.mul(bound, self.whole(ar)), total, ar):
            raise Rejected("no such margin is proved for the event")
        self.facts.add("F48i")


def _laws(p: Prior, q: Prior, noise: object) -> tuple[Celled, Celled]:
    return celled(p, noise), celled(q, noise)


KIND = Kind(
    {"pure": Rule("signs"), "delta-upper": Rule("area", EVENTS), "renyi": DIVERGENCE},
    {
        "pure-refuted": Rule("place"),
        "event-refuted": Rule("event", EVENTS),
        "renyi-refuted": DIVERGENCE,
    },
    "the rule is not for discrete gaussian noise",
    laws=_laws,
    difference=Lattice,
    profile="core.profile_lattice",
    moment="core.renyi_lattice",
)
STEPPED = Kind(
    {"kept": Rule("area", EVENTS), "renyi": DIVERGENCE},
    {
        "output-refuted": Rule("place", EVENTS),
        "outputs-refuted": Rule("event", EVENTS),
        "renyi-refuted": DIVERGENCE,
    },
    "the rule is not for steps after discrete gaussian noise",
    difference=Lattice,
    profile="core.profile_lattice",
    moment="core.renyi_lattice",
)
