"""Noise on several numbers, and many releases of one X: what a table `noise` says of them.

Where one release has the same verdict, it stands for them: `at` returns it.
    Gaussian noise: the precisions add up, by a sufficient statistic (F41).
    Laplace noise, on its lattice too: (Y_1, .., Y_k) is a post-processing of one release at theta
    with 1/theta = sum 1/theta_i, also where theta_i depends on earlier outputs; at (a, .., a) the
    likelihoods are equal, so that for delta = 0 nothing is lost (F40).  A `total` is that sum, and
    one release of that much is a way to spend it.
Else `releases` says what follows from one release; so it does of noise of other kinds, of which no
one release stands for several.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from core.defined import number_of
from core.grammar import Malformed, Number, canonical, combine, shown
from core.kinds import FORMS, Beliefs, Pairs, law_kind
from core.rules import Facts, Rejected
from core.shapes import array, number, rational
from core.value import decided_sign, form_of, require_range, sign
from core.work import price, spend
from core.zero import times
from reader import noise as noises
from reader.noise import SEVERAL as KEYS
from reader.noise import Noise
from reader.plain import require_plain
from reader.tables import noise_kind

if TYPE_CHECKING:
    from reader.protocols import Notion

COLLAPSING = ("laplace", "discrete-laplace", "gaussian")  # of which one may stand for several
APART = ("discrete-gaussian", "truncated-laplace", "truncated-discrete-laplace", "table")
BY_COORDINATE = ("laplace", "discrete-laplace", "gaussian", "discrete-gaussian")
SIZED = {"scale", "variance"}
MOST = 1_000_000  # releases
Parts = tuple[tuple[Noise, int], ...]  # different releases, and how many there are of each


def _amounts(noise: Noise) -> list[Number]:
    """Those of the coordinates, or the one of all."""
    return [x for x in noise.each or (noise.amount,) if x is not None]


def _of(noise: Noise, amounts: list[Number]) -> Noise:
    """A release with others."""
    return noise._replace(amount=amounts[0], each=tuple(amounts if noise.each else ()))


class Several(NamedTuple):
    """What the table states; at an amount those of one X (releases), of a draw each (fresh), or
    without noise (drawn) that are judged together."""

    kind: str  # stated: that of the noise
    amount: Number | None  # of the first, whose step is that of all
    step: Fraction | None
    parts: Parts
    listed: tuple[int, ...]  # where all are stated: which part each release is
    how: str  # draws: same or fresh, or total; nothing where it is one release
    total: Number
    delta: Number  # of the target
    form: str  # of the target
    also: str = ""
    own: frozenset[str] = frozenset()

    @property
    def first(self) -> Noise:
        """The first release."""
        return self.parts[0][0]

    @property
    def one(self) -> Noise:
        """The one release that those of one X are made of."""
        columns = zip(*(_amounts(noise) for noise, _ in self.parts), strict=True)
        counts = [n for _, n in self.parts]
        return _of(self.first, [_inverse_sum([*zip(x, counts, strict=True)]) for x in columns])

    @property
    def each(self) -> tuple[Number, ...]:
        """The amounts of the coordinates, where they have their own."""
        return self.first.each

    @property
    def size(self) -> int:
        """How many releases there are."""
        return sum(n for _, n in self.parts)

    def coordinates(self, places: list[int], delta: Number) -> Several:
        """The releases of some coordinates, of a target with another delta."""
        if not self.each:
            return self._replace(delta=delta)
        each = tuple(self.each[k] for k in places)
        first = self.first._replace(amount=each[0], each=each if len(each) > 1 else ())
        return self._replace(amount=each[0], parts=((first, self.size),), delta=delta)

    def law(self, value: Any, what: str) -> Any:
        """The law of X that the table of a prior states."""
        return self.first.law(value, what)

    def at(self, amount: Number | None) -> Noise | Several:
        """The releases, of which the first has another amount, and the others keep their ratios to
        it; without noise X itself, or draws of it."""
        fresh, of_one_x = self.how == "fresh", "releases"
        if self.kind in APART and self.how:
            if amount and amount != self.amount:
                raise Malformed(f"releases with {self.kind} noise have no other amount")
            of_one_x = "repeated"
        if noise_kind(self.kind).amount is None:
            return self._replace(kind="drawn" if fresh else of_one_x)
        if not amount:
            drawn = self._replace(kind="drawn", amount=None, parts=((self.first, self.size),))
            return drawn if fresh else Noise("none", None, self.step)
        parts = tuple(
            (_of(noise, [_scaled(x, self.amount, amount) for x in _amounts(noise) or [amount]]), n)
            for noise, n in self.parts
        )
        kind = "fresh" if fresh else of_one_x
        found = self._replace(kind=kind, amount=amount, parts=parts)
        return found.one if self._collapses() else found

    def _collapses(self) -> bool:
        """Whether one release has the same verdict."""
        if self.first.kind in APART:
            return not self.how
        if self.how == "same":
            return self.first.kind == "gaussian" or self._of_ratios
        return self.how != "fresh"

    @property
    def _of_ratios(self) -> bool:
        """Whether ratios are bounded, which are the same for one release."""
        return self.form in FORMS and sign(self.delta) == 0

    @property
    def by(self) -> Facts:
        """The fact by which one release stands for those of one X."""
        if self.first.kind in APART:
            raise Malformed("no one release stands for several with such noise")
        if self.first.kind == "gaussian":
            return {"F41"}
        if self._of_ratios:
            return {"F40"}
        return {"F40l" if self.step is None else "F40k"}

    @property
    def rises(self) -> Facts:
        """The fact by which more of all noise is as private, where no one release stands for it."""
        together = self.how and self._collapses()
        return {"F44"} if self.each or (self.how and not together) else set()

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of X."""
        laws = (law for of in beliefs.values() for law in of.values()) if self.each else ()
        if any(law_kind(law) != "joint" for law in laws):
            raise Malformed("a scale for every coordinate is for joint priors")
        if self.first.made_of_x:  # of each release by itself
            return beliefs
        return self.first.laws(beliefs, pairs)

    def seen(self, result: str) -> tuple[str, Facts]:
        """How many releases there are, in words, and the facts by which one stands for them."""
        facts = self.by if self.how and self.amount != 0 and self._collapses() else set()
        if self.how == "total":
            way = "the worst way" if result == "refuted" else "every way"
            spent = {"laplace": "1/scale", "gaussian": "1/variance"}.get(self.kind, "step/scale")
            if result != "scales":
                spent = shown(canonical(self.total), 60)[1:-1]
            return f"releases of one X, for {way} to spend a total of {spent}", facts
        of = {"same": "all of one X", "fresh": "each of a fresh draw of X"}.get(self.how)
        times = f"{self.size} release{'s' if self.size > 1 else ''}, {of}" if of else "one release"
        others = result == "scales" and (self.each or len(self.parts) > 1)
        return times + (", the other scales in proportion to the first" if others else ""), facts

    @property
    def along(self) -> str:
        """Whose scale is sought where there are several, which stay in their ratios."""
        listed = self.listed if len(self.parts) > 1 else ()
        amounts = self.each or [x for k in listed for x in _amounts(self.parts[k][0])]
        ratios = shown(" : ".join(map(canonical, amounts)), 100)[1:-1]
        unit = noise_kind(self.kind).amount
        return ratios and f" for the first scale, the {unit}s of all in the ratios {ratios}"

    def words(self, notion: Notion) -> str:
        """The noise, what else is stated of the releases, and such a notion, in a message."""
        said = {"by-coordinate": [*map(canonical, self.each)]} if self.each else {}
        told = {**said, **self._told()}
        if noise_kind(self.kind).amount == "variance" and "scales" in told:
            told = {"variances": told.pop("scales"), **told}
        listed = (f"{key}={','.join(x) if type(x) is list else x}" for key, x in told.items())
        kind, *others = self.first.words(notion).split(" ", 1)
        return " ".join([kind, shown(" ".join(listed), 100)[1:-1], *others])

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise, the releases and such a notion, as they go into a digest."""
        found = self.first.canonical(notion)
        noise: dict[str, Any] = found["noise"]
        if self.listed or self.how == "total":
            noise = {**noise, **dict.fromkeys(SIZED & noise.keys())}
        if self.each:
            noise = {**noise, str(noise_kind(self.kind).amount): [*map(canonical, self.each)]}
        return {**found, "noise": {**noise, **self._told()}}

    def _told(self) -> dict[str, Any]:
        if self.how == "total":
            return {"total": canonical(self.total)}
        if self.listed:
            texts = [canonical(x) for noise, _ in self.parts for x in _amounts(noise)]
            return {"scales": [texts[k] for k in self.listed], "draws": self.how}
        return {"releases": str(self.size), "draws": self.how} if self.how else {}


def _scaled(x: Number, first: Number | None, amount: Number) -> Number:
    """What x becomes when the first becomes another amount."""
    if first is None or x == first:
        return amount
    if amount == first:
        return x
    f, h = form_of(x), form_of(first)
    ((g, c), *_) = h
    ratio = dict(f).get(g, Fraction(0)) / c
    if times(h, ratio) != f:
        raise Rejected("the scales have no rational ratio")
    return combine("*", ratio, amount)


def _inverse_sum(terms: list[tuple[Number, int]]) -> Number:
    """1 over the sum of counts over amounts."""
    ((amount, count), *others) = terms
    if not others:
        return amount if count == 1 else combine("/", amount, Fraction(count))
    parts = [combine("/", Fraction(n), x) for x, n in terms]
    while len(parts) > 1:  # a tree that is not deep
        spend(sum(64 + price(x.denominator.bit_length())
                  for x in parts if isinstance(x, Fraction)))  # fmt: skip
        rest = parts[len(parts) & ~1 :]
        parts = [combine("+", *two) for two in zip(parts[::2], parts[1::2], strict=False)] + rest
    return combine("/", Fraction(1), parts[0])


def _require_shape(value: Any) -> None:
    """Malformed where keys of the table do not go together."""
    noise = value["noise"]
    told, each = KEYS & noise.keys(), type(noise.get("scale")) is list
    kind = noise["kind"]
    if (
        kind not in COLLAPSING + APART
        or (each and kind not in BY_COORDINATE)
        or (kind in APART and "total" in told)
        or (kind == "table" and "scales" in told)
    ):
        raise Malformed(f"noise of kind {shown(kind)} has one scale and one release")
    require_plain(value, "many releases, or scales by coordinate")
    if told & {"scales", "total"} and SIZED & noise.keys():
        raise Malformed("scales, or a total, stand in place of every other scale")
    if "total" in told and len(told) > 1:
        raise Malformed("a total says all of the releases")
    if told == {"draws"}:
        raise Malformed("draws are those of releases or scales")
    if noise.get("draws", "same") not in ("same", "fresh"):
        raise Malformed("draws must be same or fresh")
    if each and noise.get("draws") == "fresh":
        raise Malformed("fresh draws are of one number")


def _one(rest: dict[str, Any], scale: Any) -> tuple[Noise, Number]:
    """The release of a scale, which is positive, and its amount."""
    if type(scale) is list:
        raise Malformed("a scale must be a number")
    found = noises.release({"noise": {**rest, "scale": scale}})
    if not found.amount:
        raise Malformed("each scale of a list must be positive")
    require_range("scale", found.amount, decide=True)
    return found, found.amount


def _listed(rest: dict[str, Any], scales: Any) -> tuple[Parts, tuple[int, ...]]:
    """The different releases of a list of scales, and which of them each is."""
    if not 1 <= len(array(scales, "scales")) <= MOST:
        raise Malformed(f"scales must be 1 to {MOST}")
    found: dict[str, tuple[int, Noise]] = {}
    listed = []
    for scale in scales:
        spend(64)
        noise, amount = _one(rest, scale)
        listed.append(found.setdefault(canonical(amount), (len(found), noise))[0])
    counts = Counter(listed)
    return tuple((noise, counts[k]) for k, noise in found.values()), tuple(listed)


def release(value: Any) -> Several:
    """The releases that a problem states."""
    _require_shape(value)
    noise, told = value["noise"], KEYS & value["noise"].keys()
    vector = type(noise.get("scale")) is list
    rest = {k: x for k, x in noise.items() if k not in KEYS and not (vector and k == "scale")}
    one, listed = noises.release({**value, "noise": rest}), tuple[int, ...]()
    if vector:
        each = tuple(_one(rest, x)[1] for x in noise["scale"])
        if not each:
            raise Malformed("a list of scales without one")
        one = one._replace(amount=each[0], each=each)
    count = rational(noise.get("releases", 1), "releases")
    if count.denominator != 1 or not 1 <= count <= MOST:
        raise Malformed(f"releases must be an integer from 1 to {MOST}")
    parts: Parts = ((one, int(count)),)
    if "scales" in told:
        parts, listed = _listed(rest, noise["scales"])
        if "releases" in told and count != len(listed):
            raise Malformed("releases must be as many as the scales")
    total: Number = Fraction(0)
    if "total" in told:
        total = number_of(noise["total"], "total")
        if decided_sign(total, "total") <= 0:
            raise Malformed("a total must be positive")
        if one.kind == "gaussian" and not isinstance(total, Fraction):
            raise Malformed("a total of gaussian noise must be rational")
        spent = combine("/", one.step or Fraction(1), total)  # by one release, which is a way
        parts = ((one._replace(amount=spent), 1),)
    how = "total" if "total" in told else noise.get("draws", "same") if told else ""
    delta, form = number(value.get("delta", 0), "delta"), value.get("form", "events")
    amount = parts[0][0].amount
    return Several(one.kind, amount, one.step, parts, listed, how, total, delta, form, one.also)
