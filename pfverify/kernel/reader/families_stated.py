"""A prior as a problem states it: a family of laws or one law, with the places of its atoms.

Every kind of family is read here as a region of `regions`; its rows of a digest too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, bounded, canonical
from core.shapes import array, common_denominator, rational, string, table
from core.work import spend
from reader.coverage import UNIT, interval
from reader.extreme import extreme_points
from reader.priors import FAMILIES, weights
from reader.regions import Box, Listed, Moved, Near, Region

if TYPE_CHECKING:
    from reader.protocols import Release

Place = Fraction | str
NOTHING = Fraction(0)


class Stated(NamedTuple):
    """A prior as it is stated: a family, or one law; `places` are those of the whole file."""

    value: Any
    law: Any  # of one law
    what: str
    named: bool  # places are inputs

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.value["kind"]) if self.law is None else ""

    def place(self, text: Any) -> Place:
        """The place that a text or number means."""
        what = f"{self.what}: an atom"
        return string(text, what) if self.named else rational(text, what)

    def places(self, texts: Any) -> list[Place]:
        """Different places."""
        found = [self.place(x) for x in texts]
        if len(set(found)) < len(found) or not found:
            raise Malformed(f"{self.what}: atoms must be different ones")
        return found

    def table(self, key: str) -> dict[Place, Any]:
        """The entries of a table of places."""
        entries = self.value.get(key)
        if type(entries) is not dict:
            raise Malformed(f"{self.what}: {key} must be a table")
        return dict(zip(self.places(entries), entries.values(), strict=True))

    def masses(self) -> dict[Place, Fraction]:
        """Of the centre, or of counted records."""
        told = {k: self.value[k] for k in ("mass", "counts") if k in self.value}
        found = weights({"kind": "discrete", **told}, self.what)
        return dict(zip(self.places(found), found.values(), strict=True))

    @property
    def alphabet(self) -> list[Place] | None:
        """Where members may have mass, if that is stated."""
        if "alphabet" not in self.value:
            return None
        return self.places(array(self.value["alphabet"], f"{self.what}: alphabet"))


def own_places(one: Stated) -> list[Place]:
    """The places that a prior or family names, also those of mass 0."""
    if one.law is not None:
        return [*written(one)]
    if one.kind == "intervals":
        return [*one.table("mass")]
    if one.kind == "any-of":
        laws = array(one.value["laws"], f"{one.what}: laws")
        if any(type(law) is not dict for law in laws):
            raise Malformed(f"{one.what}: laws must be tables")
        return [x for law in laws for x in one.places(law)]
    return one.alphabet or [*one.masses()]


def written(one: Stated) -> dict[Place, Fraction]:
    """The masses of one law, in order, with those of 0 that are written."""
    law: dict[Place, Fraction] = one.law
    stated = one.value.get("mass", one.value.get("counts", law))
    if len(stated) == len(law):
        return law
    return {x: law.get(x, NOTHING) for x in in_order({*one.masses()})}


def laid_out(one: Stated, every: Sequence[Place]) -> list[Place]:
    """The places of a family's laws, in order."""
    own = own_places(one)
    if one.kind in ("intervals", "polytope") or "alphabet" in one.value:
        if one.kind not in ("intervals", "polytope") and one.masses().keys() - set(own):
            raise Malformed(f"{one.what}: an atom is not in the alphabet")
        chosen = set(own)
        return [x for x in every if x in chosen]
    return [*every]


def intervals_of(one: Stated, places: list[Place]) -> int:
    """How many confidence intervals there are."""
    if one.kind != "confidence":
        return 0
    return {1: 0, 2: 1}.get(len(places), len(places))


def _whole(numbers: Sequence[Fraction]) -> tuple[list[int], int]:
    whole = common_denominator([*numbers, Fraction(1)], "masses")
    return [int(x * whole) for x in numbers], whole


def _between(one: Stated, places: list[Place]) -> Region:
    ends = []
    for x, m in one.table("mass").items():
        pair = array(m, "an interval") if type(m) is list else [m, m]
        if len(pair) != 2:
            raise Malformed(f"{one.what}: an interval has two ends")
        low, high = (rational(end, f"{one.what}: an end") for end in pair)
        if not 0 <= low <= high <= 1:
            raise Malformed(f"{one.what}: an interval is not in [0, 1]")
        ends.append((x, low, high))
    by_place = {x: (low, high) for x, low, high in ends}
    listed = [by_place[x] for x in places]
    numbers, whole = _whole([*(low for low, _ in listed), *(high for _, high in listed)])
    box = Box(numbers[: len(places)], numbers[len(places) :], whole)
    if not sum(box.low) <= whole <= sum(box.high):
        raise Malformed(f"{one.what}: no masses in the intervals sum to 1")
    return box


def _counted(one: Stated, places: list[Place], share: Fraction) -> Region:
    entries = one.table("counts")
    counts = {x: int(rational(n, f"{one.what}: a count")) for x, n in entries.items()}
    if len(places) == 1:
        return Box([UNIT], [UNIT], UNIT)
    draws = sum(counts.values())
    found = [
        interval(draws, counts.get(x, 0), share)
        for x in (places[1:] if len(places) == 2 else places)
    ]
    if len(places) == 2:
        found = [(UNIT - found[0][1], UNIT - found[0][0]), found[0]]
    return Box([low for low, _ in found], [high for _, high in found], UNIT)


def _radius(one: Stated) -> Fraction:
    radius = rational(one.value["radius"], f"{one.what}: radius")
    if radius < 0:
        raise Malformed(f"{one.what}: a negative radius")
    return radius


def _ball(one: Stated, places: list[Place]) -> Region:
    masses, radius = one.masses(), _radius(one)
    around = [masses.get(x, NOTHING) for x in places]
    if one.kind == "tv-ball":
        (*centre, size), _ = _whole([*around, min(radius, Fraction(1))])
        return Near((*centre,), size)
    spend(16 * len(places) ** 2)
    near = [[k for k, y in enumerate(places) if far(x, y) <= radius] for x in places]
    return Moved((*_whole(around)[0],), near)


def far(x: Place, y: Place) -> Fraction:
    """The distance of two atoms; Malformed of inputs."""
    if isinstance(x, str) or isinstance(y, str):
        raise Malformed("inputs have no distance on the line")
    return abs(x - y)


def _cut(one: Stated, places: list[Place]) -> Region:
    rows = []
    for row in array(one.value["constraints"], "constraints"):
        sides = {"at-most", "at-least", "equal"}
        table(row, f"{one.what}: a constraint", {"weights"}, sides)
        if type(row["weights"]) is not dict or len(row) != 2:
            raise Malformed(f"{one.what}: a constraint has weights and one side")
        weighted = zip(one.places(row["weights"]), row["weights"].values(), strict=True)
        own = {x: rational(w, "a weight") for x, w in weighted}
        if own.keys() - set(places):
            raise Malformed(f"{one.what}: a weight of no atom of the alphabet")
        (side,) = sides & row.keys()
        line, most = [own.get(x, NOTHING) for x in places], rational(row[side], side)
        if side != "at-least":
            rows.append((line, most))
        if side != "at-most":
            rows.append(([-w for w in line], -most))
    points = extreme_points(len(places), rows)
    whole = lcm(*(m.denominator for law in points for m in law))
    return Listed([tuple(int(m * whole) for m in law) for law in points], whole)


def _averaged(one: Stated, places: list[Place]) -> Region:
    laws = []
    for stated in array(one.value["laws"], "laws"):
        found = weights({"kind": "discrete", "mass": stated}, f"{one.what}: a law")
        by_place = dict(zip(one.places(found), found.values(), strict=True))
        laws.append([by_place.get(x, NOTHING) for x in places])
    whole = common_denominator([m for law in laws for m in law], "masses")
    return Listed([tuple(int(m * whole) for m in law) for law in laws], whole)


def region_of(one: Stated, places: list[Place], share: Fraction) -> Region:
    """The laws of a family on its places; each confidence interval may fail with the share."""
    if one.kind == "confidence":
        return _counted(one, places, share)
    made = {"intervals": _between, "tv-ball": _ball, "winf-ball": _ball, "polytope": _cut,
            "any-of": _averaged}  # fmt: skip
    return made[one.kind](one, places)


def whole_ball(one: Stated) -> Any:
    """A W-infinity ball on the whole line; None of another family."""
    if one.law is not None or one.kind != "winf-ball" or "alphabet" in one.value:
        return one.law
    if one.named:
        raise Malformed("inputs have no distance on the line")
    centre, radius = {x: m for x, m in one.masses().items() if m}, _radius(one)
    ordered = {x: centre[x] for x in in_order({*centre})}
    if not radius:
        return ordered
    from core.spread import Spread

    return Spread(ordered, radius)


def rows_of(one: Stated) -> Any:
    """A prior or family as it goes into a digest."""
    text = canonical
    if one.law is not None:
        return [[text_of(x), text(m)] for x, m in written(one).items()]
    rows: list[list[str]] = []
    if one.kind == "intervals":
        pairs = [(x, m if type(m) is list else [m, m]) for x, m in one.table("mass").items()]
        rows = [[text_of(x), *(text(rational(end, "an end")) for end in m)] for x, m in pairs]
        return [["intervals"], *rows]
    if one.kind == "any-of":
        for stated in one.value["laws"]:
            found = weights({"kind": "discrete", "mass": stated}, one.what)
            cells = zip(one.places(found), found.values(), strict=True)
            rows.append([cell for x, m in cells for cell in (text_of(x), text(m))])
        return [["any-of"], *rows]
    if one.kind == "polytope":
        for row in one.value["constraints"]:
            (side,) = row.keys() - {"weights"}
            cells = zip(one.places(row["weights"]), row["weights"].values(), strict=True)
            told = [cell for x, w in cells for cell in (text_of(x), text(rational(w, "a weight")))]
            rows.append([side, text(rational(row[side], side)), *told])
        return [["polytope", *map(text_of, one.alphabet or ())], *rows]
    amounts = one.masses()
    if one.kind == "confidence":
        amounts = {x: rational(n, "a count") for x, n in one.table("counts").items()}
    number = one.value["level" if one.kind == "confidence" else "radius"]
    rows = [[text_of(x), text(m)] for x, m in amounts.items()]
    alphabet = [[text_of(x)] for x in one.alphabet or ()]
    return [[one.kind, text(rational(number, "a number"))], *rows, *alphabet]


def text_of(x: Place) -> str:
    """A place as a digest has it."""
    return x if isinstance(x, str) else canonical(x)


KEYS = {
    "intervals": ({"kind", "mass"}, set[str]()),
    "confidence": ({"kind", "counts", "level"}, {"alphabet"}),
    "tv-ball": ({"kind", "radius"}, {"mass", "counts", "alphabet"}),
    "winf-ball": ({"kind", "radius"}, {"mass", "counts", "alphabet"}),
    "polytope": ({"kind", "alphabet", "constraints"}, set[str]()),
    "any-of": ({"kind", "laws"}, set[str]()),
}


def stated_prior(value: Any, release: Release, what: str, inputs: tuple[str, ...]) -> Stated:
    """The prior of a table; `inputs` are those of a channel, if there is one."""
    kind = value.get("kind") if type(value) is dict else None
    if type(kind) is not str or kind not in FAMILIES:
        law = release.law(value, what)
        places = str if inputs else Fraction
        if type(law) is not dict or not all(isinstance(x, places) for x in law):
            raise Malformed(f"{what}: beside families priors are of atoms")
        return Stated(value, law, what, bool(inputs))
    table(value, what, *KEYS[kind])
    return Stated(value, None, what, bool(inputs))


def in_order(places: set[Place]) -> list[Fraction]:
    """The atoms among some places, from the least on."""
    return [bounded(x) for x in sorted(x for x in places if isinstance(x, Fraction))]
