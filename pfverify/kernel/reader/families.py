"""The source of given priors of which some are families: sets of laws, any of which is meant.

What the target asks of all members is derived here for finitely many pairs of them, each a belief
of its own.  Averages of laws whose pairs meet the target meet it (F61), so all pairs of extreme
laws will do.  Where these are many, the target bounds a ratio, and the noise is (discrete) Laplace
or none, the ratio is largest at an atom (F1), and there for the members with most mass near it and
with least: which these are depends on the order of the distances alone (F60).  Of a channel these
are the members with most mass on the inputs that an output is likeliest from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, canonical, shown
from core.shapes import array, number
from core.value import decided_sign, require_range
from core.work import spend
from reader.families_stated import (
    FAMILY_KINDS,
    NOTHING,
    Place,
    Stated,
    far,
    in_order,
    known,
    laid_out,
    own_places,
    rows_of,
    stated_prior,
    text_of,
)
from reader.priors import require_name
from reader.regions import Listed, Masses, Region, extreme_laws

if TYPE_CHECKING:
    from reader.protocols import Release

FEW, MOST = 144, 40_000  # pairs of extreme laws
MOST_OUTPUTS = 3_000  # of which pairs of members are chosen
RATIO_AT_ATOMS = ("laplace", "discrete-laplace", "none")

Adds = Callable[[Place], Fraction]  # what mass at a place adds to an output, or its order
Views = Sequence[tuple[str, Adds]]  # the outputs at which a ratio is largest


def _views(release: Release, every: Sequence[Place], inputs: Sequence[str]) -> Views:
    """The outputs at which the ratio of members is largest, if these are known."""

    def near(y: Place) -> Adds:
        return lambda x: -far(x, y)

    def of(k: int) -> Adds:
        return lambda x: Fraction(rows[x].counts[k], rows[x].whole)

    if not inputs:
        from reader.noise import Noise

        atoms, step = [x for x in every if isinstance(x, Fraction)], release.step
        spend(64 * len(atoms))
        if type(release) is not Noise or release.kind not in RATIO_AT_ATOMS:
            return []
        if step is not None and any(((x - atoms[0]) / step).denominator != 1 for x in atoms):
            return []  # atoms of other lattices are told apart by every output, however near
        return [(text_of(x), near(x)) for x in atoms]
    from reader.released import Channelled

    if type(release) is not Channelled or release.hidden is not None:
        return []
    channel = release.channel
    rows: dict[Place, Any] = dict(zip(channel.inputs, channel.laws, strict=True))
    if not all(row.whole for row in rows.values()):
        return []  # masses that are not rational
    return [(y, of(k)) for k, y in enumerate(channel.outputs)]


class Members(NamedTuple):
    """The laws of one secret: `known` is the only one, as it is stated, or a ball as a whole."""

    places: list[Place]
    region: Region | None
    known: Any

    @property
    def size(self) -> int:
        """A bound of the number of extreme laws."""
        return 1 if self.region is None else self.region.size

    def _law(self, law: Masses, whole: int) -> Any:
        """A law of the region, as priors are: atoms of mass 0 are none, inputs are."""
        spend(16 * len(law))
        rows = zip(self.places, law, strict=True)
        return {x: Fraction(m, whole) for x, m in rows if m or isinstance(x, str)}

    def extreme(self) -> list[Any]:
        """Laws of which all others are averages."""
        if self.region is None:
            return [self.known]
        spend(8 * self.size * len(self.places))
        return [self._law(law, self.region.whole) for law in extreme_laws(self.region)]

    @property
    def by_order(self) -> bool:
        """Whether an order of the outputs tells which laws decide: not of a ball on the line, where
        ratios are largest between atoms too."""
        if self.region is None:
            return type(self.known) is dict
        return not isinstance(self.region, Listed)

    def fullest(self, adds: Adds, *, least: bool) -> Any:
        """The law with most mass where it adds most to an output, or least of that."""
        if self.region is None:
            return self.known
        if isinstance(self.region, Listed):
            raise Malformed("no order tells which law of a family decides")
        found = [adds(x) for x in self.places]
        spend(8 * len(found) * len(found).bit_length())
        order = sorted(range(len(found)), key=lambda k: (found[k] if least else -found[k], k))
        return self._law(self.region.fullest(order), self.region.whole)


def _by_order(first: Members, second: Members) -> bool:
    """Whether there are many pairs of extreme laws, and an order tells which decide a ratio."""
    return first.size * second.size > FEW and first.by_order and second.by_order


def _pairs_of(
    a: str, first: Members, b: str, second: Members, views: Views
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Named pairs of members that decide."""
    if views and _by_order(first, second):
        for y, adds in views:
            for least, p, q in ((False, "most", "least"), (True, "least", "most")):
                laws = first.fullest(adds, least=least), second.fullest(adds, least=not least)
                yield f"{a} {p}, {b} {q} at {y}", dict(zip((a, b), laws, strict=True))
        return
    if first.size * second.size > MOST:
        raise Malformed("families with too many pairs of extreme laws")
    for (i, p), (j, q) in product(enumerate(first.extreme(), 1), enumerate(second.extreme(), 1)):
        yield f"{a} #{i}, {b} #{j}", {a: p, b: q}


class Families(NamedTuple):
    """Priors of which some are families; the beliefs are pairs of members."""

    beliefs: dict[str, dict[str, Any]]
    asked: dict[str, Any]
    written: list[Any]
    said: str
    facts: set[str]
    of: str = "priors"
    notion: str = "distp"
    partial: bool = True

    def canonical(self) -> dict[str, Any]:
        """The families as they go into a digest."""
        return {"families": self.written}

    def given(self, problem: object) -> str:
        """What is taken for granted, in words."""
        return self.said

    def seen(self) -> tuple[str, set[str]]:
        """That its beliefs are pairs of members, and why they stand for all."""
        return "pair of members that decides", self.facts


def source(value: Any, beliefs: dict[str, Any], release: Release) -> Families:
    """
    the target holds of every pair of extreme laws of the families (F61); of a ratio, with noise of
    which it is known where that is largest: of the members with most and least mass there (F60)
    ------------------------------------------------------------------------------------------------
    it holds of every member of the families: the beliefs of the problem are such pairs
    """
    _require_known(value)
    inputs: tuple[str, ...] = getattr(release, "channel").inputs if "channel" in value else ()  # noqa: B009
    stated = {
        name: {s: stated_prior(p, release, f"belief {shown(name)}, secret {shown(s)}", inputs)
               for s, p in of.items()}
        for name, of in beliefs.items()
    }  # fmt: skip
    secrets = [*next(iter(stated.values()))]
    for pair in array(value.get("pairs", []), "pairs"):
        for s in array(pair, "a pair"):
            if s not in secrets:
                raise Malformed(f"a pair names {shown(s)}, which is no secret")
    if any([*of] != secrets and of.keys() != set(secrets) for of in stated.values()):
        raise Malformed("beside families all beliefs have the same secrets")
    priors = [one for of in stated.values() for one in of.values()]
    named = {x for one in priors for x in own_places(one)}
    if inputs and named - set(inputs):
        raise Malformed("a prior names no input of the channel")
    every: list[Place] = [x for x in inputs if x in named] if inputs else [*in_order(named)]
    placed = [[] if one.law is not None else laid_out(one, every) for one in priors]
    share = _share([*zip(priors, placed, strict=True)])
    members = {id(one): _members(one, places, share)
               for one, places in zip(priors, placed, strict=True)}  # fmt: skip
    views = _views(release, every, inputs) if _bounds_ratio(value) else []
    if len(views) > MOST_OUTPUTS:
        views = []
    found: dict[str, dict[str, Any]] = {}
    facts = {"F62", "F62c"} if share else set()
    for name, of in stated.items():
        for a, b in combinations(of, 2):
            first, second = members[id(of[a])], members[id(of[b])]
            facts.add("F60" if views and _by_order(first, second) else "F61")
            for said, pair in _pairs_of(a, first, b, second, views):
                belief = said if len(stated) == 1 else f"{name}: {said}"
                if belief in found:
                    raise Malformed(f"two pairs of laws would be called {shown(belief)}")
                require_name(belief)
                found[belief] = pair
    if not found:
        raise Malformed("no pairs: nothing to decide")
    asked = {"pairs": value.get("pairs", [[a, b] for a, b in combinations(secrets, 2)])}
    written = [[name, [[s, rows_of(one)] for s, one in of.items()]] for name, of in stated.items()]
    levels = {canonical(_level(one)) for one in priors if one.kind == "confidence"}
    joint = "".join(
        f", which hold together with probability at least {x} over independent records"
        for x in levels
    )
    said = f"{release.also}beliefs that are any members of the families{joint}"
    return Families(found, asked, written, said, facts)


def _require_known(value: Any) -> None:
    """Malformed for what is not an average over the law of X, or not bounded alike for all."""
    if "pre" in value:
        raise Malformed("pre is not known beside families")
    noise = value.get("noise", {})
    if type(noise) is dict and noise.get("draws", "same") != "same":
        raise Malformed("fresh draws are not known beside families")
    if any(type(x) is dict and x.get("notion", "distp") != "distp"
           for x in (value, value.get("channel"))):  # fmt: skip
        raise Malformed("beside families the notion is distp")


def _bounds_ratio(value: Any) -> bool:
    delta = number(value.get("delta", 0), "delta")
    require_range("delta", delta, decide=True)
    return decided_sign(delta, "delta") == 0


def _members(one: Stated, places: list[Place], share: Fraction) -> Members:
    law = known(one)
    region = FAMILY_KINDS[one.kind].region(one, places, share) if law is None else None
    return Members(places, region, law)


def _level(one: Stated) -> Fraction:
    return one.number(one.value["level"], "level")


def _share(placed: Sequence[tuple[Stated, list[Place]]]) -> Fraction:
    """What each confidence interval may fail with: of one place there is none, of two there is one,
    else there is one of each."""
    regions = [(_level(one), len(places)) for one, places in placed if one.kind == "confidence"]
    levels = {level for level, _ in regions}
    if not levels:
        return NOTHING
    if len(levels) > 1 or not 0 < min(levels) < 1:
        raise Malformed("confidence regions have one level, between 0 and 1")
    count = sum({1: 0, 2: 1}.get(n, n) for _, n in regions)
    return (1 - levels.pop()) / max(count, 1)
