"""What is kept apart, and how epsilon grows: the notions of distribution privacy as data.

A notion says whether inputs or priors are compared, and whether epsilon is per unit of distance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.number import Number, number
from pfverify.model.fixed import Fixed
from pfverify.model.keys import NUMBER, NUMBERS
from pfverify.model.places import GROUNDS, Ground, table_of_pairs
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.prior import Prior

ALL = "all"
WINF = "winf"
DISTANCE = "distance"
TWO_NAMES = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
"""A pair in the published schema."""


@dataclass(frozen=True)
class ProtectionKind:
    """One notion: `of_inputs`, single inputs are compared, else priors; `metric`, by what epsilon
    is multiplied unless a table says it, None where epsilon is the same for every pair.

    `own`: the parameters that only this notion has, all needed, each with its description in the
    published schema; `factor`: what they multiply epsilon by, None where they do not.
    """

    of_inputs: bool
    metric: str | None
    words: str
    own: Mapping[str, str] = field(default_factory=dict)
    factor: Callable[[Mapping[str, Number]], Number] | None = None


KINDS = {
    "distp": ProtectionKind(False, None, "distribution privacy"),
    "dp": ProtectionKind(True, None, "differential privacy"),
    "xdp": ProtectionKind(True, DISTANCE, "extended differential privacy"),
    "xdistp": ProtectionKind(False, WINF, "extended distribution privacy"),
}
"""Source: distribution-privacy paper, Definitions 8, 1, 4 and 9."""
EXTENDED = frozenset(name for name, kind in KINDS.items() if kind.metric is not None)


def protection_keys() -> tuple[str, ...]:
    """Return the keys that say what is protected, and nothing of a channel that has them."""
    return tuple(protection_schema())


class Protection(Fixed):
    """A notion, with the relation and the metric that belong to it.

    Attributes: `notion`, its name; `related`, the pairs of inputs that are compared (None: all, or
    not asked); `ground`, the distance of inputs, None where there is none; `metric`, "winf",
    "distance", a table of pairs of names, or None; `own`, the notion's own parameters.
    Example: ``Protection("distp").extended`` is False.
    """

    notion: str
    related: tuple[tuple[str, str], ...] | None
    ground: Ground | None
    metric: str | Mapping[frozenset[str], Number] | None
    own: Mapping[str, Number]

    def __init__(
        self,
        notion: str,
        *,
        inputs: Sequence[str] = (),
        inputs_related: object = None,
        points: object = None,
        distance: object = None,
        metric: object = None,
        **own: object,
    ) -> None:
        if not isinstance(notion, str) or notion not in KINDS:
            offered = ", ".join(KINDS)
            raise InputError(f"notion: {shorten(notion)!r} is unknown, expected one of {offered}")
        kind, inputs = KINDS[notion], tuple(inputs)
        inputs_related, points = _copied(inputs_related), _copied(points)
        distance, metric = _copied(distance), _copied(metric)
        _refuse(not kind.of_inputs and inputs_related is not None, "inputs_related", notion,
                "it says which inputs dp and xdp compare; pairs says which priors")
        _refuse(kind.metric is None and metric is not None, "metric", notion,
                "epsilon is multiplied by a distance in xdp and xdistp only")
        for key in own.keys() - kind.own.keys():
            _refuse(True, key, notion, "it is a parameter of another notion")
        for key in kind.own:
            if key not in own:
                raise InputError(f"{key}: missing, the notion {notion} has this parameter")
        asked = kind.metric if metric is None else _metric(metric, kind)
        over_ground = bool(inputs) and isinstance(asked, str)
        for key, value in (("points", points), ("distance", distance)):
            _refuse(not over_ground and value is not None, key, notion,
                    "no distance between inputs is used")
        self._keep(
            notion=notion,
            related=None if inputs_related in (None, ALL) else _related(inputs_related, inputs),
            ground=Ground.of(inputs, points, distance) if over_ground else None,
            metric=asked,
            own={key: _distance(own[key], key) for key in kind.own},
            _given={"inputs_related": inputs_related, "points": points, "distance": distance,
                    "metric": metric},
        )  # fmt: skip

    @property
    def of_inputs(self) -> bool:
        """Whether single inputs are compared, and not priors."""
        return KINDS[self.notion].of_inputs

    @property
    def extended(self) -> bool:
        """Whether epsilon is multiplied, by a distance or by what the notion's parameters say."""
        return self.metric is not None or KINDS[self.notion].factor is not None

    def pairs_of(self, inputs: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return the pairs of inputs that are compared.

        Example: ``Protection("dp").pairs_of(["a", "b"])`` is ``(("a", "b"),)``.
        """
        return tuple(combinations(inputs, 2)) if self.related is None else self.related

    def stated(self, first: str, second: str) -> Number | None:
        """Return what multiplies epsilon for a pair, None where it comes from the priors (W-inf).

        Raises InputError for a pair that the table does not hold.
        """
        if self.metric is None:
            factor = KINDS[self.notion].factor
            return Number.of_rational(1) if factor is None else factor(self.own)
        if isinstance(self.metric, Mapping):
            pair = frozenset((first, second))
            if pair not in self.metric:
                raise InputError(f"metric: no distance of {first!r} and {second!r}")
            return self.metric[pair]
        if self.metric == DISTANCE and self.ground is not None:
            return Number.of_rational(self.ground.square(first, second)).sqrt()
        return None

    def check(
        self,
        beliefs: Mapping[str, Mapping[str, Prior]],
        pairs: Iterable[tuple[str, str]],
        with_channel: bool,
    ) -> None:
        """Raise InputError where the distance of a pair that is compared cannot be worked out."""
        if not self.extended:
            return
        compared = list(pairs)
        if isinstance(self.metric, Mapping):
            known = {name for table in beliefs.values() for name in table}
            for name in {name for pair in self.metric for name in pair} - known:
                raise InputError(f"metric: {shorten(name)!r} is none of the names compared")
        for first, second in compared:
            self.stated(first, second)
        if self.metric == WINF and not with_channel:
            for first, second in compared:
                for name in (first, second):
                    if not all(type(table[name]) is Discrete for table in beliefs.values()):
                        raise InputError(
                            f"metric: winf is between priors of atoms, and that of "
                            f"{shorten(name)!r} has a density"
                        )

    def to_table(self) -> dict[str, Any]:
        """Return the keys of a problem file that were given, numbers as exact text."""
        given = {key: _plain(value) for key, value in vars(self)["_given"].items()}
        own = {key: value.text for key, value in self.own.items()}
        return {"notion": self.notion, **{k: v for k, v in given.items() if v is not None}, **own}

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Protection) and self.to_table() == other.to_table()

    def __hash__(self) -> int:
        return hash(self.notion)

    def __repr__(self) -> str:
        return f"Protection({self.notion!r})"


def protection_schema() -> dict[str, Any]:
    """Return the schema of the keys that say what a channel protects."""
    table = {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "array",
            "minItems": 3,
            "maxItems": 3,
            "prefixItems": [{"type": "string"}, {"type": "string"}, NUMBER],
        },
    }
    return {
        "notion": {
            "enum": list(KINDS),
            "description": "; ".join(f"{name}: {kind.words}" for name, kind in KINDS.items())
            + "; default distp where priors are given, else dp",
        },
        "inputs_related": {
            "anyOf": [{"const": ALL}, {"type": "array", "minItems": 1, "items": TWO_NAMES}],
            "description": "dp, xdp: the pairs of inputs that are compared; default all",
        },
        "points": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": NUMBERS,
            "description": "the places of the inputs",
        },
        "distance": {
            "anyOf": [{"enum": list(GROUNDS)}, table],
            "description": "between inputs, for xdp and xdistp",
        },
        "metric": {
            "anyOf": [{"enum": [DISTANCE, WINF]}, table],
            "description": "what multiplies epsilon: xdp distance, xdistp winf, or a table of "
            "[name, name, distance]",
        },
        **own_schema(),
    }  # fmt: skip


def own_schema() -> dict[str, Any]:
    """Return the schema of the parameters that some notion has of its own."""
    return {
        key: NUMBER | {"description": text}
        for kind in KINDS.values() for key, text in kind.own.items()
    }  # fmt: skip


def _refuse(wrong: bool, key: str, notion: str, why: str) -> None:
    if wrong:
        raise InputError(f"{key}: not with the notion {notion}: {why}")


def _metric(value: object, kind: ProtectionKind) -> str | dict[frozenset[str], Number]:
    if isinstance(value, str):
        if value != kind.metric:
            raise InputError(
                f"metric: {shorten(value)!r} is unknown here, expected {kind.metric!r} or a table "
                "of [name, name, distance]"
            )
        return value
    return table_of_pairs("metric", value, _distance)


def _distance(value: object, name: str) -> Number:
    found = number(value, name)
    sign = found.sign()
    if sign is None or sign < 0:
        raise InputError(f"{name}: {shorten(found.text)}, expected a number >= 0")
    return found


def _related(value: object, inputs: Iterable[str]) -> tuple[tuple[str, str], ...]:
    known = set(inputs)
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for entry in listed(value, "inputs_related", '"all" or a list of pairs of inputs'):
        names = listed(entry, "inputs_related", "pairs of inputs")
        if len(names) != 2 or not all(isinstance(name, str) for name in names):
            raise InputError(f"inputs_related: expected two names of inputs, got {shorten(names)}")
        for name in names:
            if name not in known:
                raise InputError(f"inputs_related: {shorten(name)!r} is no input of the channel")
        if names[0] == names[1]:
            raise InputError(f"inputs_related: {shorten(names[0])!r} is paired with itself")
        pairs.setdefault(frozenset(names), (names[0], names[1]))
    if not pairs:
        raise InputError("inputs_related: the list is empty, expected at least one pair of inputs")
    return tuple(pairs.values())


def _copied(value: object) -> object:
    """What belongs to the caller, copied, so that what was checked stays; iterators as lists."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: _copied(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple | Iterator):
        return [_copied(entry) for entry in value]
    return value


def _plain(value: Any) -> Any:
    """A part of a table with every number as exact text; names stay as they are."""
    if isinstance(value, Mapping):
        return {name: [number(x).text for x in place] for name, place in value.items()}
    if isinstance(value, list | tuple):
        return [
            [*row[:2], number(row[2]).text] if len(row) == 3 else list(row) for row in value
        ]
    return value


PUFFERFISH = Protection("distp")
"""Priors are compared, with one epsilon: what noise is held to unless the problem says more."""
