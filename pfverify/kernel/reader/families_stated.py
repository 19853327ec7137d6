"""A prior as a problem states it: a family of laws or one law, with the places of its atoms.

Every kind of family is read here as a region of `regions`; its rows of a digest too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
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
    """A prior as it is stated: a family, or one law."""

    value: Any
    law: Any  # of one law
    what: str
    named: bool  # places are inputs

    @property
    def kind(self) -> str:
        """Its kind."""
        return str(self.value["kind"]) if self.law is None else ""

    def number(self, x: Any, what: str) -> Fraction:
        """A rational of its table."""
        return rational(x, f"{self.what}: {what}")

    def places(self, texts: Any) -> list[Any]:
        """Different places."""
        found = [string(x, f"{self.what}: an atom") if self.named else self.number(x, "an atom")
                 for x in texts]  # fmt: skip
        if len(set(found)) < len(found) or not found:
            raise Malformed(f"{self.what}: atoms must be different ones")
        return found

    def by_place(self, entries: Any, read: Callable[[Any], Any] = lambda x: x) -> dict[Place, Any]:
        """The entries of a table of places."""
        if type(entries) is not dict:
            raise Malformed(f"{self.what}: it must be a table of places")
        return dict(zip(self.places(entries), map(read, entries.values()), strict=True))

    def masses(self) -> dict[Place, Fraction]:
        """Of the centre, or of counted records."""
        told = {k: self.value[k] for k in ("mass", "counts") if k in self.value}
        return self.by_place(weights({"kind": "discrete", **told}, self.what))

    def counts(self) -> dict[Place, Fraction]:
        """Of the records."""
        return self.by_place(self.value["counts"], lambda n: self.number(n, "a count"))

    def spans(self) -> dict[Place, tuple[Fraction, Fraction]]:
        """The ends of intervals."""

        def ends(m: Any) -> tuple[Fraction, Fraction]:
            pair = m if type(m) is list else [m, m]
            if len(pair) != 2:
                raise Malformed(f"{self.what}: an interval has two ends")
            low, high = (self.number(end, "an end") for end in pair)
            if not 0 <= low <= high <= 1:
                raise Malformed(f"{self.what}: an interval is not in [0, 1]")
            return low, high

        return self.by_place(self.value["mass"], ends)

    def laws(self) -> list[dict[Place, Fraction]]:
        """Those that are listed."""
        laws = array(self.value["laws"], f"{self.what}: laws")
        return [self.by_place(weights({"kind": "discrete", "mass": law}, f"{self.what}: a law"))
                for law in laws]  # fmt: skip

    def constraints(self) -> list[tuple[str, Fraction, dict[Place, Fraction]]]:
        """Of every one its side, the number there, and the weights of places."""
        rows, sides = [], {"at-most", "at-least", "equal"}
        for row in array(self.value["constraints"], "constraints"):
            table(row, f"{self.what}: a constraint", {"weights"}, sides)
            if len(row) != 2:
                raise Malformed(f"{self.what}: a constraint has weights and one side")
            (side,) = sides & row.keys()
            own = self.by_place(row["weights"], lambda w: self.number(w, "a weight"))
            rows.append((side, self.number(row[side], side), own))
        return rows

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
        return [*one.spans()]
    if one.kind == "any-of":
        return [x for law in one.laws() for x in law]
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
    listed = one.kind in ("intervals", "polytope")
    if not listed and "alphabet" not in one.value:
        return [*every]
    own = set(own_places(one))
    if not listed and one.masses().keys() - own:
        raise Malformed(f"{one.what}: an atom is not in the alphabet")
    return [x for x in every if x in own]


# ---------------------------------------------------------------- the regions


def _in_wholes(*laws: Sequence[Fraction]) -> tuple[list[tuple[int, ...]], int]:
    """Masses in integers, over what they are divided by."""
    whole = common_denominator([m for law in laws for m in law], "masses")
    return [tuple(int(m * whole) for m in law) for law in laws], whole


def _between(one: Stated, places: list[Place], share: Fraction) -> Region:
    spans = one.spans()
    (low, high), whole = _in_wholes(*zip(*(spans[x] for x in places), strict=True))
    if not sum(low) <= whole <= sum(high):
        raise Malformed(f"{one.what}: no masses in the intervals sum to 1")
    return Box(low, high, whole)


def _counted(one: Stated, places: list[Place], share: Fraction) -> Region:
    counts, n = {x: int(c) for x, c in one.counts().items()}, len(places)
    if n == 1:
        return Box([UNIT], [UNIT], UNIT)
    draws = sum(counts.values())
    found = [interval(draws, counts.get(x, 0), share) for x in (places[1:] if n == 2 else places)]
    if n == 2:
        found.insert(0, (UNIT - found[0][1], UNIT - found[0][0]))
    return Box([low for low, _ in found], [high for _, high in found], UNIT)


def _radius(one: Stated) -> Fraction:
    radius = one.number(one.value["radius"], "radius")
    if radius < 0:
        raise Malformed(f"{one.what}: a negative radius")
    return radius


def _ball(one: Stated, places: list[Place], share: Fraction) -> Region:
    masses, radius = one.masses(), _radius(one)
    around = [masses.get(x, NOTHING) for x in places]
    if one.kind == "tv-ball":
        (centre, (size,)), whole = _in_wholes(around, [min(radius, Fraction(1))])
        return Near(centre, size, whole)
    spend(16 * len(places) ** 2)
    near = [[k for k, y in enumerate(places) if far(x, y) <= radius] for x in places]
    (centre,), whole = _in_wholes(around)
    return Moved(centre, near, whole)


def far(x: Place, y: Place) -> Fraction:
    """The distance of two atoms; Malformed of inputs."""
    if isinstance(x, str) or isinstance(y, str):
        raise Malformed("inputs have no distance on the line")
    return abs(x - y)


def _listed(laws: Sequence[Sequence[Fraction]]) -> Region:
    found, whole = _in_wholes(*laws)
    return Box(found[0], found[0], whole) if len(found) == 1 else Listed(found, whole)


def _cut(one: Stated, places: list[Place], share: Fraction) -> Region:
    rows = []
    for side, most, own in one.constraints():
        if own.keys() - set(places):
            raise Malformed(f"{one.what}: a weight of no atom of the alphabet")
        line = [own.get(x, NOTHING) for x in places]
        rows += [(line, most)] if side != "at-least" else []
        rows += [([-w for w in line], -most)] if side != "at-most" else []
    return _listed(extreme_points(len(places), rows))


def _averaged(one: Stated, places: list[Place], share: Fraction) -> Region:
    return _listed([[law.get(x, NOTHING) for x in places] for law in one.laws()])


class _Family(NamedTuple):
    """A kind of family: its keys, and the region of its laws on their places, where each confidence
    interval may fail with a share."""

    required: set[str]
    optional: set[str]
    region: Callable[[Stated, list[Place], Fraction], Region]


FAMILY_KINDS = {
    "intervals": _Family({"kind", "mass"}, set(), _between),
    "confidence": _Family({"kind", "counts", "level"}, {"alphabet"}, _counted),
    "tv-ball": _Family({"kind", "radius"}, {"mass", "counts", "alphabet"}, _ball),
    "winf-ball": _Family({"kind", "radius"}, {"mass", "counts", "alphabet"}, _ball),
    "polytope": _Family({"kind", "alphabet", "constraints"}, set(), _cut),
    "any-of": _Family({"kind", "laws"}, set(), _averaged),
}


def known(one: Stated) -> Any:
    """The only law, or a W-infinity ball on the whole line; None of another family."""
    if one.law is not None or one.kind != "winf-ball" or "alphabet" in one.value:
        return one.law
    if one.named:
        raise Malformed("inputs have no distance on the line")
    centre, radius = one.masses(), _radius(one)
    ordered = {x: centre[x] for x in in_order({*centre}) if centre[x]}
    if not radius:
        return ordered
    from core.spread import Spread

    return Spread(ordered, radius)


def rows_of(one: Stated) -> Any:
    """A prior or family as it goes into a digest."""

    def texts(law: dict[Place, Fraction]) -> list[str]:
        return [text for x, m in law.items() for text in (text_of(x), canonical(m))]

    if one.law is not None:
        return [[text_of(x), canonical(m)] for x, m in written(one).items()]
    if one.kind == "intervals":
        spans = one.spans().items()
        return [["intervals"], *([text_of(x), *map(canonical, ends)] for x, ends in spans)]
    if one.kind == "any-of":
        return [["any-of"], *map(texts, one.laws())]
    alphabet = [text_of(x) for x in one.alphabet or ()]
    if one.kind == "polytope":
        rows = one.constraints()
        return [["polytope", *alphabet], *([a, canonical(m), *texts(law)] for a, m, law in rows)]
    counted = one.kind == "confidence"
    number = one.number(one.value["level" if counted else "radius"], "a number")
    amounts = (one.counts() if counted else one.masses()).items()
    return [[one.kind, canonical(number)], *([text_of(x), canonical(m)] for x, m in amounts),
            *([x] for x in alphabet)]  # fmt: skip


def text_of(x: Place) -> str:
    """A place as a digest has it."""
    return x if isinstance(x, str) else canonical(x)


def stated_prior(value: Any, release: Release, what: str, inputs: tuple[str, ...]) -> Stated:
    """The prior of a table; `inputs` are those of a channel, if there is one."""
    kind = value.get("kind") if type(value) is dict else None
    if type(kind) is not str or kind not in FAMILIES:
        law = release.law(value, what)
        places = str if inputs else Fraction
        if type(law) is not dict or not all(isinstance(x, places) for x in law):
            raise Malformed(f"{what}: beside families priors are of atoms")
        return Stated(value, law, what, bool(inputs))
    table(value, what, FAMILY_KINDS[kind].required, FAMILY_KINDS[kind].optional)
    return Stated(value, None, what, bool(inputs))


def in_order(places: set[Place]) -> list[Fraction]:
    """The atoms among some places, from the least on."""
    return [bounded(x) for x in sorted(x for x in places if isinstance(x, Fraction))]
