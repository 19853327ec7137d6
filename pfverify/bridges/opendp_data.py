"""Data sets as OpenDP has them: spaces, and the two inputs of one that are furthest apart.

Transformations lead from the pair of a space to that of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.bridges.opendp_json import (
    FLOATS,
    Built,
    binary,
    built,
    ends,
    kind_of,
    pair_of,
    read_as,
    typed,
)
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber

_NO_NUMBERS = ("String", "bool")  # which can be counted
TOP, BOTTOM = "the largest records", "the least records"
"""Which data sets sums tell apart best."""
_NORMS = {"l01inf_distance": 1, "l02inf_distance": 2}
_FAR = "numbers that are exactly so far apart"
Distance = AnyNumber | float | Sequence[AnyNumber | float]
"""What OpenDP takes as a distance: of maps from keys to counts, three numbers."""
Data = frozenset[object] | None
"""Which data are the hardest pair, by names; None: all that are so far apart."""


@dataclass(frozen=True)
class AtomDomain:
    """A domain of values of a type, within bounds where there are any; `nan`: it may be among them.
    """

    kind: str
    bounds: tuple[Fraction, Fraction] | None = None
    nan: bool = False

    @property
    def whole(self) -> bool:
        """Whether they are integers; InputError where they are no numbers."""
        if self.kind not in FLOATS:
            ends(self.kind)
        if self.nan:
            raise InputError("atom_domain: floats that may be nan, expected nan = false")
        return self.kind not in FLOATS


@dataclass(frozen=True)
class RecordDomain:
    """A domain of data sets: a number for each record, and how many there are, if that is known."""

    atoms: AtomDomain
    size: int | None


@dataclass(frozen=True)
class AnswerDomain:
    """A domain of answers, any of which may be replaced by any other."""

    names: frozenset[str | int]


@dataclass(frozen=True)
class KeyedDomain:
    """A domain of maps from keys to counts."""

    keys: AtomDomain
    counts: AtomDomain


Domain = AtomDomain | RecordDomain | AnswerDomain | KeyedDomain


@dataclass(frozen=True)
class Space:
    """A domain with the type of its distances, None where records, or replacements, are counted.

    `norm`: of maps, 1 or 2, in which the moves of all counts are added.
    """

    domain: Domain
    distance: str | None = None
    norm: int | None = None


def atoms_of(value: object) -> AtomDomain:
    """Return the domain of values that a constructor states; InputError for others."""
    found = built(value, "domain")
    if (found.name, found.module) != ("atom_domain", "domains"):
        found.refused("domain of values", {"atom_domain": None})
    options = found.taken("bounds T", "nan")
    kind, bounds = options["T"], options["bounds"]
    if kind not in _NO_NUMBERS:
        kind_of(kind)
    nan = kind in FLOATS and options["nan"] is not False
    return AtomDomain(kind, None if bounds is None else bounds_of(bounds, kind), nan)


def bounds_of(value: object, kind: str) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of a type; InputError where they are none."""
    low, high = (typed(end, kind, "bounds") for end in pair_of(value, "bounds"))
    if low > high:
        raise InputError(f"bounds: {shorten(low)} is above {shorten(high)}")
    return low, high


def rows_of(found: Built) -> RecordDomain:
    """Return the domain of data sets that a constructor states; InputError for others."""
    options = found.taken("atom_domain size")
    size = options["size"]
    if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 0):
        raise InputError(f"vector_domain: size: {shorten(size)} is no number of records")
    return RecordDomain(atoms_of(options["atom_domain"]), size)


def distance_of(found: Built) -> str | None:
    """Return the type of the distances of a metric, None where they count records.

    Raises InputError for another metric.
    """
    if found.name == "symmetric_distance":
        found.taken("")
        return None
    if found.name != "absolute_distance":
        found.refused("metric", dict.fromkeys(("absolute_distance", "symmetric_distance")))
    return kind_of(found.taken("T")["T"])


@dataclass(frozen=True)
class MovedNumber:
    """A number that is `start` for one data set and `by` more for another, `hardest` of all.

    `start` is None where it may be any number.
    """

    start: Fraction | None
    by: Fraction
    hardest: Data = None


class ChangedRecords(NamedTuple):
    """Data sets, of which so many records are added or removed."""

    records: int


class MovedKeys(NamedTuple):
    """Maps of which so many keys differ, each by at most `furthest`, in a norm by `total`."""

    keys: int
    total: Fraction
    furthest: Fraction
    norm: int


class ReplacedAnswer(NamedTuple):
    """An answer that is another one."""

    whether: bool


Pair = MovedNumber | ChangedRecords | ReplacedAnswer | MovedKeys


class ReadTransformation(NamedTuple):
    """What becomes of a space, and of the pair in it that is furthest apart."""

    source: Space
    target: Space
    of: Callable[[Any], Pair]


# ---------------------------------------------------------------- pairs of inputs


def furthest(space: Space, d_in: object) -> Pair:
    """Return the pair of a space that is furthest apart, of those at most so far apart.

    Raises InputError for a distance that there is not.
    """
    if isinstance(space.domain, KeyedDomain):
        return _moved_keys(space, d_in)
    far = _far(d_in, space.distance)
    if isinstance(space.domain, AnswerDomain):
        return ReplacedAnswer(far > 0)
    if isinstance(space.domain, RecordDomain):
        return ChangedRecords(far.numerator)
    atoms = space.domain
    if atoms.whole and far.denominator != 1:
        raise InputError(f"d_in: {shorten(d_in)} is no whole number")
    if atoms.bounds is not None:
        far = min(far, atoms.bounds[1] - atoms.bounds[0])
    return MovedNumber(None, _within_type(far, atoms), None if atoms.whole else frozenset({_FAR}))


def _far(d_in: object, kind: str | None) -> Fraction:
    """A distance of a type, None where it is a number of records or replacements."""
    far = binary(d_in, "d_in")
    if far < 0:
        raise InputError(f"d_in: {shorten(d_in)} is negative")
    if kind is not None:
        if typed(d_in, kind, "d_in") != far:
            raise InputError(f"d_in: {shorten(d_in)} is no {kind}")
    elif far.denominator != 1:
        raise InputError(f"d_in: {shorten(d_in)} is no whole number")
    return far


def _moved_keys(space: Space, d_in: object) -> MovedKeys:
    norm = space.norm or 1
    kinds = None, space.distance, space.distance
    if not isinstance(d_in, tuple | list) or len(d_in) != len(kinds):
        raise InputError(f"d_in: {shorten(d_in)}: expected three numbers: l0, l{norm}, linf")
    keys, total, furthest = (_far(one, kind) for one, kind in zip(d_in, kinds, strict=True))
    return MovedKeys(keys.numerator, total, furthest, norm)


def _within_type(by: Fraction, atoms: AtomDomain, start: Fraction | int | None = None) -> Fraction:
    """How far a number moves; InputError where a type ends before that."""
    if atoms.whole:
        least, most = ends(atoms.kind)
        first = least if start is None else start
        if not least <= first + (abs(by) if start is None else by) <= most:
            raise InputError(f"d_in: it moves a number by {shorten(by)}, out of {atoms.kind}")
    return by


# ---------------------------------------------------------------- spaces


def _domain(value: object) -> AtomDomain | RecordDomain | KeyedDomain:
    found = built(value, "input_domain")
    if found.name == "transformation_output_domain":
        domain = transformation_of(found.taken("this")["this"]).target.domain
        if isinstance(domain, AnswerDomain):
            raise InputError("transformation_output_domain: expected numbers, records, or counts")
        return domain
    if found.name == "map_domain":
        options = found.taken("key_domain value_domain")
        return KeyedDomain(*(atoms_of(options[key]) for key in ("key_domain", "value_domain")))
    if found.name == "vector_domain":
        return rows_of(found)
    return atoms_of(value)


def space_of(options: Mapping[str, Any]) -> Space:
    """Return the space that the options of a constructor state; InputError for others."""
    domain = _domain(options["input_domain"])
    metric = built(options["input_metric"], "input_metric")
    if metric.name == "transformation_output_metric":
        target = transformation_of(metric.taken("this")["this"]).target
        distance, norm = target.distance, target.norm
    else:
        norm = _NORMS.get(metric.name)
        of_numbers = metric if norm is None else built(metric.taken("metric")["metric"], "metric")
        distance = distance_of(of_numbers)
    counted, keyed = isinstance(domain, RecordDomain), isinstance(domain, KeyedDomain)
    if (distance is None) != counted or (norm is None) == keyed:
        raise InputError(f"{metric.name}: no metric of this domain is known")
    return Space(domain, distance, norm)


def _rows(space: Space, by: str) -> RecordDomain:
    if not isinstance(space.domain, RecordDomain):
        raise InputError(f"{by}: expected a vector_domain of records")
    return space.domain


# ---------------------------------------------------------------- transformations


def transformation_of(value: object) -> ReadTransformation:
    """Return the transformation that a tree states; InputError for one that is not known."""
    return read_as(value, "transformation", _TRANSFORMATIONS)


def _clamp(found: Built) -> ReadTransformation:
    options = found.taken("input_domain input_metric bounds")
    space = space_of(options)
    rows = _rows(space, found.name)
    rows.atoms.whole  # noqa: B018 (only numbers that are there can be clamped)
    low, high = bounds_of(options["bounds"], rows.atoms.kind)
    if rows.atoms.bounds is not None:
        low, high = (min(max(end, low), high) for end in rows.atoms.bounds)
    clamped = replace(rows, atoms=replace(rows.atoms, bounds=(low, high)))
    return ReadTransformation(space, replace(space, domain=clamped), lambda pair: pair)


def _mean(found: Built) -> ReadTransformation:
    return _sum(found, mean=True)


def _sum(found: Built, *, mean: bool = False) -> ReadTransformation:
    space = space_of(found.taken("input_domain input_metric"))
    rows = _rows(space, found.name)
    atoms, over = AtomDomain(rows.atoms.kind), (rows.size or 0) if mean else 1
    if mean and (atoms.whole or not over):
        raise InputError(f"{found.name}: expected floats, and a known number of records > 0")
    if rows.atoms.bounds is None or rows.atoms.nan:
        raise InputError(f"{found.name}: records without bounds, expected make_clamp before it")
    low, high = rows.atoms.bounds

    def of(pair: ChangedRecords) -> MovedNumber:
        if rows.size is not None:
            by = min(pair.records // 2, rows.size) * (high - low)
            start = rows.size * low
            return MovedNumber(start / over, _within_type(by, atoms, start) / over)
        largest, of_records = max(abs(low), abs(high)), {TOP: high, BOTTOM: low}
        hardest = [name for name, end in of_records.items() if abs(end) == largest]
        by = _within_type(pair.records * of_records[hardest[0]], atoms, 0)
        return MovedNumber(Fraction(0), by, frozenset(hardest))

    return ReadTransformation(space, Space(atoms, atoms.kind), of)


def _count(found: Built) -> ReadTransformation:
    options = found.taken("input_domain input_metric TO")
    space = space_of(options)
    rows = _rows(space, found.name)
    atoms = AtomDomain(kind_of(options["TO"]))

    def of(pair: ChangedRecords) -> MovedNumber:
        if rows.size is not None:
            return MovedNumber(Fraction(rows.size), Fraction(0))
        return MovedNumber(Fraction(0), _within_type(Fraction(pair.records), atoms, 0))

    return ReadTransformation(space, Space(atoms, atoms.kind), of)


def _count_by(found: Built) -> ReadTransformation:
    options = found.taken("input_domain input_metric TV")
    space = space_of(options)
    rows, counts = _rows(space, found.name), AtomDomain(kind_of(options["TV"]))
    if rows.size is not None:
        raise InputError("make_count_by: a known number of records is not known, expected none")

    def of(pair: ChangedRecords) -> MovedKeys:
        by = _within_type(Fraction(pair.records), counts, 0)
        return MovedKeys(pair.records, by, by, 1)

    return ReadTransformation(space, Space(KeyedDomain(rows.atoms, counts), counts.kind, 1), of)


def _chain_of_two(found: Built) -> ReadTransformation:
    options = found.taken("transformation1 transformation0")
    second, first = (transformation_of(options[f"transformation{k}"]) for k in (1, 0))
    check_fits(found, first.target, second.source)
    return ReadTransformation(first.source, second.target, lambda pair: second.of(first.of(pair)))


def check_fits(found: Built, first: Space, second: Space) -> None:
    """Raise InputError unless one part of a chain takes what comes out of the other."""
    if first != second:
        raise InputError(f"{found.name}: what comes out of one part is not what the next one takes")


_TRANSFORMATIONS: Mapping[tuple[str, str], Callable[[Built], ReadTransformation]] = {
    ("transformations", "make_clamp"): _clamp,
    ("transformations", "make_sum"): _sum,
    ("transformations", "make_mean"): _mean,
    ("transformations", "make_count"): _count,
    ("transformations", "make_count_by"): _count_by,
    ("combinators", "make_chain_tt"): _chain_of_two,
}
