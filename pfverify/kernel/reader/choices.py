"""The release of the name of one of several noisy numbers: of the largest or smallest, or of the
first on one side of a noisy threshold.

X is a point; what is published is a name, with a chance given every point (`core.chances`): a
channel from the points to the names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from core.chances import Beside, Chances, Exactly, Nearly, chance_of, interval_of
from core.coordinates import Joint, Point
from core.enclose import Arithmetic, Interval, Undecided
from core.grammar import Malformed, Number, canonical, shown
from core.kinds import Beliefs, Mass, Pairs
from core.masses import outputs_of
from core.shapes import array, number, rational, table
from core.value import rate_form, require_range
from core.work import spend
from core.zero import Form, times
from reader.combined import lifted
from reader.noise import Noise
from reader.noise import release as noise_of
from reader.noises import require_known_rest
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion
    from reader.several import Several

NOTHING, ONE = Fraction(0), Fraction(1)
WORKED_OUT = ("laplace", "discrete-laplace")
TIES = ("first", "last", "random")
NONE = "none"
MOST, MOST_AT_RANDOM, MOST_RATES = 256, 16, 4096
FEW = 4096  # the cube of the sum of all rates, times the points and, at random, the numbers: up
# to here chances are exact
GUARD = 64  # bits that cancel


class Choice(NamedTuple):
    """Which is named: of the greatest of the numbers times `sign`, or of the first of these that is
    at least the threshold times `sign`."""

    key: str
    sign: int
    ties: str = "first"
    at: Fraction = NOTHING
    scale: Number | None = None  # of the threshold's noise
    kind: str | None = None  # of it, where that is stated

    @property
    def written(self) -> dict[str, Any]:
        """Its table as it goes into a digest."""
        if self.key == "select":
            return {"select": "argmax" if self.sign > 0 else "argmin", "ties": self.ties}
        scale = {} if self.scale is None else {"scale": canonical(self.scale)}
        kind = {} if self.kind is None else {"kind": self.kind}
        return {self.key: {"threshold": canonical(self.at), **scale, **kind}}


def choice_of(post: Any) -> Choice:
    """The one step of a table `post`."""
    if len(array(post, "post")) != 1 or type(post[0]) is not dict:
        raise Malformed("a choice is the only step")
    entry: dict[str, Any] = post[0]
    if "select" in entry:
        table(entry, "a choice", {"select"}, {"ties"})
        which, ties = entry["select"], entry.get("ties", "first")
        if which not in ("argmax", "argmin") or ties not in TIES:
            raise Malformed("select must be argmax or argmin, and ties first, last or random")
        return Choice("select", 1 if which == "argmax" else -1, ties)
    key = "first-above" if "first-above" in entry else "first-below"
    table(entry, "a choice", {key})
    stated = table(entry[key], key, {"threshold"}, {"scale", "kind"})
    scale = number(stated["scale"], "scale") if "scale" in stated else None
    if scale is not None:
        require_range("scale", scale, decide=True)
        if scale == 0:
            raise Malformed("a threshold of scale 0 is stated without one")
    kind = stated.get("kind")
    if kind not in (None, *WORKED_OUT):
        raise Malformed("the noise of a threshold must be laplace or discrete-laplace")
    sign = 1 if key == "first-above" else -1
    return Choice(key, sign, at=rational(stated["threshold"], "threshold"), scale=scale, kind=kind)


class Chosen(NamedTuple):
    """Noise on several numbers, and the choice of a name."""

    before: Noise | Several
    choice: Choice
    by: set[str]  # the facts by which the chances are known, once they are
    kind: str = "channel"
    amount: None = None
    step: None = None
    also: str = "ideal noise, the choice as stated and "
    own: frozenset[str] = frozenset()

    @property
    def bare(self) -> bool:
        """Whether the numbers have no noise."""
        return self.before.kind == "none" or self.before.amount == 0

    @property
    def lattice(self) -> Fraction | None:
        """The step of noisy numbers; without noise on them that of the threshold is on the line."""
        return None if self.bare else self.before.step

    def at(self, amount: Number | None) -> Chosen:
        """The same: its scale is fixed."""
        if amount is not None:
            raise Malformed("a choice after noise has no amount")
        return self

    def law(self, value: Any, what: str) -> Any:
        """The law of X that a table states."""
        return self.before.law(value, what)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of the names."""
        laws = [law for of in beliefs.values() for law in of.values()]
        if any(not isinstance(law, Joint) or len(law.names) < 2 for law in laws):
            raise Malformed("a choice is among several numbers")
        names, step = laws[0].names, self.lattice
        if any(law.names != names for law in laws) or len(names) > MOST:
            raise Malformed(f"a choice is among the same numbers, at most {MOST}")
        outputs = names if self.choice.key == "select" else (*names, NONE)
        if len({*outputs}) < len(outputs):
            raise Malformed(f"no number may be named {shown(NONE)}")
        points = sorted({x for law in laws for x, _ in law.rows})
        origin = points[0][0] if self.choice.key == "select" else self.choice.at
        if step is not None and any((v - origin) % step for x in points for v in x):
            raise Malformed("what is compared does not lie on one lattice")
        rate, rates, threshold = self._rates(len(names))
        parts = len(names) if self.choice.ties == "random" else 1
        few = (sum(rates) + threshold) ** 3 * len(points) * parts <= FEW
        rows = {x: outputs_of(self._chances(x, rate, rates, threshold, few)) for x in points}
        self.by.add("F77" if step is None else "F77b")
        return {
            name: lifted(rows, outputs, {s: dict(law.rows) for s, law in of.items()})
            for name, of in beliefs.items()
        }

    def _rates(self, size: int) -> tuple[Form, list[int], int]:
        """A rate, and how many of it those of the numbers and of the threshold are; 0: no noise."""
        noise, scale, bare = self.before.parts[0][0], self.choice.scale, self.bare
        forms = [] if bare else [*noise.rates(size)]
        if len(forms) not in (0, size):
            raise Malformed(f"{len(forms)} scales for {size} numbers")
        if scale is not None:
            forms.append(rate_form(scale))
        unit = forms[0]
        ratios = [_ratio(form, unit) for form in forms]
        whole = lcm(*(ratio.denominator for ratio in ratios))
        common = Fraction(gcd(*(int(ratio * whole) for ratio in ratios)), whole)
        counts = [int(ratio / common) for ratio in ratios]
        if sum(counts) > MOST_RATES:
            raise Malformed("scales whose ratios are numbers that are too large")
        threshold = 0 if scale is None else counts[-1]
        return times(unit, common), [0] * size if bare else counts[:size], threshold

    def _chances(
        self, x: Point, rate: Form, rates: Sequence[int], threshold: int, few: bool
    ) -> list[Mass]:
        """Those of all names given a point: exact where there are few, else enclosed."""
        step = self.lattice
        if few:
            with suppress(Undecided):
                exact: list[Mass] = self._worked_out(
                    Chances(Exactly(rate), step), x, rates, threshold
                )
                return exact
        kept: dict[int, list[Interval]] = {}

        def enclosed(place: int) -> Callable[[Arithmetic], Interval]:
            def at(ar: Arithmetic) -> Interval:
                bits = ar.bits + GUARD + 2 * len(x)  # of coefficients that cancel
                if ar.bits not in kept:
                    near = Chances(Nearly(rate, bits), step)
                    found = self._worked_out(near, x, rates, threshold)
                    kept[ar.bits] = [interval_of(one, bits) for one in found]
                return ar.fit(*kept[ar.bits][place])

            return at

        count = len(x) + (self.choice.key != "select")
        return [chance_of([(ONE, enclosed(k))]) for k in range(count)]

    def _worked_out(
        self, of: Chances, x: Point, rates: Sequence[int], threshold: int
    ) -> list[Any]:
        """The chances, of numbers of a kind."""
        choice, size = self.choice, len(x)
        places = [choice.sign * v for v in x]
        if choice.key != "select":
            limit, found = choice.sign * choice.at, []
            for k in range(size + 1):
                others = [
                    Beside(places[j], rates[j], below=j < k) for j in range(min(k + 1, size))
                ]
                found.append(
                    of.of_noisy(limit, threshold, others) if threshold
                    else of.of_fixed(limit, others)
                )
            return found
        if self.lattice is None:  # no two are equal
            return of.greatest(places, rates)
        return [self._greatest(of, places, rates, k) for k in range(size)]

    def _greatest(
        self, of: Chances, places: Sequence[Fraction], rates: Sequence[int], chosen: int
    ) -> Any:
        """The chance that one is the greatest: a tie of so many, at random, is the mean over z in
        [0, 1] of the chance that each equal one counts as below with weight z."""
        size, ties = len(places), self.choice.ties

        def sharing(share: Fraction | None) -> Any:
            first = ties == "first"
            others = [
                Beside(places[j], rates[j], True,
                       Fraction((j > chosen) == first) if share is None else share)
                for j in range(size) if j != chosen
            ]  # fmt: skip
            return of.of_noisy(places[chosen], rates[chosen], others)

        if ties != "random":
            return sharing(None)
        if size > MOST_AT_RANDOM:
            raise Malformed(f"ties at random of more than {MOST_AT_RANDOM} numbers")
        return of.numbers.total([
            (of.numbers.of(weight), sharing(place)) for place, weight in _mean(size)
        ])  # fmt: skip

    def seen(self, result: str) -> tuple[str, set[str]]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        return "one release", self.by

    def words(self, notion: Notion) -> str:
        """The noise, its scale and the choice, in a message."""
        amount = self.before.amount
        scale = "" if amount is None else f" scale={canonical(amount)}"
        return f"{self.before.words(notion)}{shown(scale, 60)[1:-1]} post={self.choice.key}"

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise and the choice as they go into a digest."""
        return {**self.before.canonical(notion), "post": [self.choice.written]}


def _ratio(form: Form, unit: Form) -> Fraction:
    """What a rate is of another one, which is not 0."""
    mine, theirs = dict(form), dict(unit)
    spend(64 * len(theirs))
    ratio = next((mine[g] / c for g, c in theirs.items() if g in mine), NOTHING)
    if ratio <= 0 or times(unit, ratio) != form:
        raise Malformed("scales that are no rational multiples of each other")
    return ratio


def _mean(size: int) -> list[tuple[Fraction, Fraction]]:
    """Places and weights of a sum that is the mean over [0, 1] of polynomials of degree < size."""
    places = [Fraction(k, max(1, size - 1)) for k in range(size)]
    found = []
    for place in places:
        powers = [ONE]
        for other in places:
            if other != place:  # times (z - other)/(place - other)
                apart = place - other
                powers = [
                    ((powers[k - 1] if k else NOTHING)
                     - (other * powers[k] if k < len(powers) else NOTHING)) / apart
                    for k in range(len(powers) + 1)
                ]  # fmt: skip
        found.append((place, sum((c / (k + 1) for k, c in enumerate(powers)), NOTHING)))
    return found


def release(value: Any) -> Chosen:
    """The noise and the choice of a problem."""
    require_known_rest(value)
    choice = choice_of(value["post"])
    before: Noise | Several = noise_of({key: x for key, x in value.items() if key != "post"})
    if before.how:
        raise Malformed("a choice follows one release")
    if before.amount is not None:
        require_range("scale", before.amount, decide=True)
    elif noise_kind(before.kind).amount is not None:
        raise Malformed("the problem has no scale, so nothing is to be certified or refuted")
    found = Chosen(before, choice, set())
    if found.bare:
        if choice.scale is None or choice.kind != "laplace":
            raise Malformed("without noise on the numbers the threshold needs laplace noise")
    elif before.kind not in WORKED_OUT or choice.kind not in (None, before.kind):
        raise Malformed(f"a choice among numbers with {shown(before.kind)} noise is not known")
    return found
