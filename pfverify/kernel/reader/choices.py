"""The release of the name of one of several noisy numbers: of the largest or smallest, or of the
first on one side of a noisy threshold.

X is a point; what is published is a name, with a chance given every point (`core.chances`): a
channel from the points to the names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations
from math import comb, gcd, lcm, perm
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
from core.zero import NIL, Form, times
from reader.combined import lifted
from reader.noise import Noise
from reader.noise import release as noise_of
from reader.noises import require_known_rest, variance
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion
    from reader.several import Several

NOTHING, ONE = Fraction(0), Fraction(1)
WORKED_OUT = {  # noise of the numbers -> the fact by which chances are known
    "laplace": "F77", "discrete-laplace": "F77b", "exponential": "F77", "gumbel": "F83",
    "gaussian": "F82",
}  # fmt: skip
ALONE = ("laplace", "gaussian", "exponential")  # that a threshold may have beside no other
ONE_SIDED = ("exponential", "gumbel")  # not symmetric: known for what is large
TIES = ("first", "last", "random")
NONE = "none"
MOST, MOST_AT_RANDOM, MOST_RATES, MOST_OUTPUTS = 256, 16, 4096, 4096
MOST_ORDERED, ORDERED = 8, 2  # that are named in their order: with gumbel noise, with other noise
FEW = 4096  # the cube of the sum of all rates, times the points and, at random, the numbers: up
# to here chances are exact
GUARD = 64  # bits that cancel


class Choice(NamedTuple):
    """Which are named: the greatest of the numbers times `sign`, or the first of these that are at
    least the threshold times `sign`; of so many, and whether a threshold is drawn anew for each."""

    key: str
    sign: int
    ties: str = "first"
    at: Fraction = NOTHING
    scale: Number | None = None  # of the threshold's noise
    kind: str | None = None  # of it, where that is stated
    many: int = 1
    redraw: bool = True

    @property
    def written(self) -> dict[str, Any]:
        """Its table as it goes into a digest."""
        if self.key == "select":
            top = {} if self.many == 1 else {"top": self.many}
            return {"select": "argmax" if self.sign > 0 else "argmin", "ties": self.ties, **top}
        scale = {} if self.scale is None else {"scale": canonical(self.scale)}
        kind = {} if self.kind is None else {"kind": self.kind}
        more = {} if self.many == 1 else {"count": self.many, "redraw": self.redraw}
        return {self.key: {"threshold": canonical(self.at), **scale, **kind, **more}}

    def named(self, size: int) -> list[tuple[tuple[int, ...], bool]]:
        """Which of so many numbers may be named, and whether `NONE` is said after them."""
        if self.many > size:
            raise Malformed(f"{self.many} of {size} numbers cannot be named")
        if self.key == "select":
            if perm(size, self.many) > 16 * MOST_OUTPUTS:
                raise Malformed("a choice with too many outputs")
            return [(order, False) for order in permutations(range(size), self.many)]
        if sum(comb(size, k) for k in range(self.many + 1)) > MOST_OUTPUTS:
            raise Malformed("a choice with too many outputs")
        ends = [(k, True) for k in reversed(range(self.many))]
        return [
            (found, end) for k, end in [(self.many, False), *ends]
            for found in combinations(range(size), k)
        ]

    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of what may be said, which must differ."""
        if self.key != "select" and NONE in names:
            raise Malformed(f"no number may be named {shown(NONE)}")
        found = tuple(
            ", ".join([*(names[k] for k in one), *[NONE] * none])
            for one, none in self.named(len(names))
        )
        if len({*found}) < len(found):
            raise Malformed("two outputs of a choice have one name")
        return found

    def parts(self, size: int) -> int:
        """How many sums there are for each number."""
        if self.key == "select":
            return (size if self.ties == "random" else 1) * perm(size - 1, self.many - 1)
        return 1 if self.many == 1 else len(self.named(size))


def whole(value: Any, what: str) -> int:
    """A whole number from 1 on."""
    if type(value) is not int or value < 1:
        raise Malformed(f"{what} must be a whole number from 1 on")
    return value


def choice_of(post: Any) -> Choice:
    """The one step of a table `post`."""
    if len(array(post, "post")) != 1 or type(post[0]) is not dict:
        raise Malformed("a choice is the only step")
    entry: dict[str, Any] = post[0]
    if "select" in entry:
        table(entry, "a choice", {"select"}, {"ties", "top"})
        which, ties = entry["select"], entry.get("ties", "first")
        top = whole(entry.get("top", 1), "top")
        if top > MOST_ORDERED:
            raise Malformed(f"the order of more than {MOST_ORDERED} numbers is not known")
        if which not in ("argmax", "argmin") or ties not in TIES:
            raise Malformed("select must be argmax or argmin, and ties first, last or random")
        return Choice("select", 1 if which == "argmax" else -1, ties, many=top)
    key = "first-above" if "first-above" in entry else "first-below"
    table(entry, "a choice", {key})
    stated = table(entry[key], key, {"threshold"}, {"scale", "kind", "count", "redraw"})
    scale = number(stated["scale"], "scale") if "scale" in stated else None
    if scale is not None:
        require_range("scale", scale, decide=True)
        if scale == 0:
            raise Malformed("a threshold of scale 0 is stated without one")
    kind = stated.get("kind")
    if kind not in (None, *WORKED_OUT):
        raise Malformed("the noise of a threshold must be one of those of the numbers")
    sign = 1 if key == "first-above" else -1
    redraw = stated.get("redraw", True)
    if type(redraw) is not bool:
        raise Malformed("redraw must be true or false")
    return Choice(
        key, sign, at=rational(stated["threshold"], "threshold"), scale=scale, kind=kind,
        many=whole(stated.get("count", 1), "count"), redraw=redraw,
    )  # fmt: skip


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
    def drawn(self) -> str:
        """The noise of the numbers, or of the threshold alone."""
        return self.choice.kind or "none" if self.bare else self.before.kind

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
        outputs = self.choice.outputs(names)
        points = sorted({x for law in laws for x, _ in law.rows})
        origin = points[0][0] if self.choice.key == "select" else self.choice.at
        if step is not None and any((v - origin) % step for x in points for v in x):
            raise Malformed("what is compared does not lie on one lattice")
        normal = self.drawn == "gaussian"
        rate, rates, threshold = (self._variances if normal else self._rates)(len(names))
        parts = self.choice.parts(len(names))
        few = not normal and (sum(rates) + threshold) ** 3 * len(points) * parts <= FEW
        at: dict[int, Any] = {}  # what is kept at so many bits
        rows = {x: outputs_of(self._chances(x, rate, rates, threshold, few, at)) for x in points}
        self.by.add(WORKED_OUT[self.drawn])
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

    def _variances(self, size: int) -> tuple[Form, list[Any], Any]:
        """No rate, and the variances of the numbers and of the threshold; 0: no noise."""
        noise, scale, stated = self.before.parts[0][0], self.choice.scale, list[Any]()
        if not self.bare:
            stated = [*noise.each] or [noise.amount] * size
        if len(stated) not in (0, size) or not all(isinstance(v, Fraction) for v in stated):
            raise Malformed(f"{len(stated)} variances for {size} numbers")
        threshold = NOTHING if scale is None else variance({"kind": "gaussian"}, scale)
        return NIL, stated or [NOTHING] * size, threshold

    def _at(self, rate: Form, bits: int, size: int) -> tuple[Any, Callable[[Any], Interval]]:
        """What tells chances that are near so many places, and what makes an interval of one."""
        if self.drawn == "gaussian":
            from core.normal_chances import Normals  # an answer rests on no more than it needs

            return Normals(bits), lambda found: found
        bits += GUARD + 2 * size  # of coefficients that cancel
        return self._of(Nearly(rate, bits)), lambda found: interval_of(found, bits)

    def _of(self, numbers: Any) -> Any:
        if self.drawn == "gumbel":
            from core.proportions import Proportions

            return Proportions(numbers)
        if self.drawn not in ("laplace", "discrete-laplace", "exponential"):
            raise Malformed(f"a choice with {shown(self.drawn)} noise is not known")
        return Chances(numbers, self.lattice, late=self.drawn == "exponential")

    def _chances(
        self, x: Point, rate: Form, rates: Sequence[Any], threshold: Any, few: bool,
        shared: dict[int, Any],
    ) -> list[Mass]:  # fmt: skip
        """Those of all names given a point: exact where there are few, else enclosed."""
        if few:
            with suppress(Undecided):
                exact: list[Mass] = self._worked_out(self._of(Exactly(rate)), x, rates, threshold)
                return exact
        kept: dict[int, list[Interval]] = {}

        def enclosed(place: int) -> Callable[[Arithmetic], Interval]:
            def at(ar: Arithmetic) -> Interval:
                if ar.bits not in kept:
                    if ar.bits not in shared:
                        shared[ar.bits] = self._at(rate, ar.bits, len(x))
                    of, interval = shared[ar.bits]
                    kept[ar.bits] = [*map(interval, self._worked_out(of, x, rates, threshold))]
                return ar.fit(*kept[ar.bits][place])

            return at

        return [chance_of([(ONE, enclosed(k))]) for k in range(len(self.choice.named(len(x))))]

    def _worked_out(
        self, of: Any, x: Point, rates: Sequence[Any], threshold: Any
    ) -> list[Any]:
        """The chances, of numbers of a kind."""
        choice, size = self.choice, len(x)
        places = [choice.sign * v for v in x]
        if choice.key == "select":
            if self.lattice is None and choice.many == 1:  # no two are equal
                every: list[Any] = of.greatest(places, rates)
                return every
            return [self._ordered(of, places, rates, order) for order, _ in choice.named(size)]
        limit, runs = choice.sign * choice.at, dict[tuple[int, int, tuple[int, ...]], Any]()

        def run(begin: int, end: int, hits: tuple[int, ...]) -> Any:
            """That of these numbers those are at least the threshold, drawn once."""
            if (begin, end, hits) not in runs:
                others = [Beside(places[j], rates[j], j not in hits) for j in range(begin, end)]
                runs[begin, end, hits] = (
                    of.of_noisy(limit, threshold, others) if threshold
                    else of.of_fixed(limit, others)
                )
            return runs[begin, end, hits]

        every = []
        for found, none in choice.named(size):
            last = size if none else found[-1] + 1
            if choice.redraw:
                ends = [k + 1 for k in found]
                parts = [run(a, b, (b - 1,)) for a, b in zip([0, *ends], ends, strict=False)]
                if none and [0, *ends][-1] < size:
                    parts.append(run([0, *ends][-1], size, ()))
                every.append(reduce(of.numbers.times, parts))
            else:
                every.append(run(0, last, found))
        return every

    def _ordered(
        self, of: Any, places: Sequence[Fraction], rates: Sequence[Any], order: Sequence[int]
    ) -> Any:
        """The chance that those come first in this order: the last below the others of them, and
        above the rest.  At random a tie is the mean over z in [0, 1] of the chance that each equal
        one counts as below with weight z."""
        size, ties, (*above, chosen) = len(places), self.choice.ties, order

        def sharing(share: Fraction | None) -> Any:
            first = ties == "first"
            others = [
                Beside(places[j], rates[j], j not in above,
                       Fraction((j > chosen) == first) if share is None else share)
                for j in range(size) if j != chosen
            ]  # fmt: skip
            if len(above) > 1:
                return of.ordered([(places[j], rates[j]) for j in order], others)
            return of.of_noisy(places[chosen], rates[chosen], others)

        if ties != "random" or self.lattice is None:
            return sharing(None)
        most = MOST_AT_RANDOM if not above else MOST_AT_RANDOM // 2
        if size > most:
            raise Malformed(f"ties at random of more than {most} numbers")
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


def noise_before(value: Any) -> Noise | Several:
    """The noise before a choice."""
    noise = value["noise"]
    if type(noise) is not dict or noise.get("kind") not in ONE_SIDED:
        # without the form: of names single ones may be bounded
        rest = {key: x for key, x in value.items() if key not in ("post", "form")}
        found: Noise | Several = noise_of(rest)
        return found
    # read as laplace noise of that scale, and named: of its rate alone is made use
    kind = noise["kind"]
    read: Noise | Several = noise_of({"noise": {**noise, "kind": "laplace"}})
    if isinstance(read, Noise):
        return read._replace(kind=kind)
    return read._replace(kind=kind, parts=((read.parts[0][0]._replace(kind=kind), 1),))


def release(value: Any) -> Chosen:
    """The noise and the choice of a problem."""
    require_known_rest(value)
    choice = choice_of(value["post"])
    before = noise_before(value)
    if before.how:
        raise Malformed("a choice follows one release")
    if before.amount is not None:
        require_range("scale", before.amount, decide=True)
    elif noise_kind(before.kind).amount is not None:
        raise Malformed("the problem has no scale, so nothing is to be certified or refuted")
    found = Chosen(before, choice, set())
    if found.bare:
        if choice.scale is None or choice.kind not in ALONE:
            raise Malformed(f"without noise on the numbers a threshold needs {', '.join(ALONE)}")
    elif before.kind not in WORKED_OUT or choice.kind not in (None, before.kind):
        raise Malformed(f"a choice among numbers with {shown(before.kind)} noise is not known")
    if choice.key == "select" and choice.many > ORDERED and found.drawn != "gumbel":
        raise Malformed(f"the order of more than {ORDERED} numbers is not known with such noise")
    if found.drawn in ONE_SIDED and choice.sign < 0:
        raise Malformed(f"{found.drawn} noise is known for what is large")
    return found
