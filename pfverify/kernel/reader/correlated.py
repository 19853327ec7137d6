"""The source of correlated records: a model of them for every belief, and the laws that it makes.

A model is a chain or a network (`chain`, `network`); of a secret of probability 0 it says nothing,
and a pair with one is left out under that belief.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import Any, NamedTuple, Protocol

from core.grammar import Malformed, shown
from core.kinds import Enclosed, Prior
from core.shapes import array, string
from core.work import spend
from reader.by_secret import BySecret
from reader.crowd import Places, Points
from reader.priors import require_name
from reader.users import KEPT, size_of

MAX_MODELS = 10_000


class Summing(Protocol):
    """What works out the laws of a model: their weights on one scale of places."""

    places: Places

    def given(self, at: Any, name: str) -> Points:
        """The weights of what is released, given that a record is something."""


class Model(Protocol):
    """A chain or a network."""

    def every(self) -> list[tuple[str, str]]:
        """All pairs of secrets, possible or not."""

    def secrets(self) -> dict[str, tuple[Any, str]]:
        """Those of them that are possible: where the record is, and what."""

    def sums(self) -> Summing:
        """What works out the laws."""

    def canonical(self) -> Any:
        """The model as it goes into a digest."""


class Correlated(NamedTuple):
    """A model for every belief, the source of its laws; `asked` tells the pairs."""

    models: Mapping[str, Model]
    asked: dict[str, Any]
    beliefs: Mapping[str, Mapping[str, Prior | Enclosed]]
    key: str  # of a digest
    word: str
    left_out: bool
    of: str = "users"
    notion: str = "distp"
    partial: bool = True

    def canonical(self) -> dict[str, Any]:
        """The models, which stand for their laws, as they go into a digest."""
        return {self.key: [[name, model.canonical()] for name, model in self.models.items()]}

    def given(self, problem: object) -> str:
        """What is taken for granted, in words."""
        one = f"one of {len(self.models)}" if len(self.models) > 1 else self.word
        left = ", impossible secrets left out" if self.left_out else ""
        return f"records that are {one} as given{left}"

    def seen(self) -> tuple[str, set[str]]:
        """What its beliefs are, in words, and the facts by which they stand for others."""
        return "belief", set()


class Laws(BySecret):
    """Secret -> the law of what is released; `pairs`: how many are asked about."""

    def __init__(self, model: Model) -> None:
        self.pairs = 1
        self._model, self._secrets = model, model.secrets()
        super().__init__(self._secrets)
        self._kept: dict[str, Prior | Enclosed] = {}
        self._size = 0
        self._sums: Summing | None = None

    def __getitem__(self, name: str) -> Prior | Enclosed:
        if name not in self._kept:
            self._sums = self._sums or self._model.sums()
            found = self._sums.places.law(self._sums.given(*self._secrets[name]), 1, self.pairs)
            if not isinstance(found, dict | Enclosed):
                raise Malformed("correlated records with a density")
            self._size += size_of(found)
            if self._size > KEPT:
                self._kept.clear()
                self._size = size_of(found)
            self._kept[name] = found
        return self._kept[name]


def stated_models(value: Any, kinds: Set[str]) -> Iterator[tuple[str, str, Any]]:
    """Belief ("" for the only one), kind and table of every model that is stated."""
    if "beliefs" not in value:
        kind = next(kind for kind in sorted(kinds) if kind in value)
        yield "", kind, value[kind]
        return
    met = set()
    for name, belief in value["beliefs"].items():
        if type(belief) is not dict or len(belief) != 1 or not belief.keys() <= kinds:
            raise Malformed(f"belief {shown(name)} must be a table of one of {sorted(kinds)}")
        ((kind, stated),) = belief.items()
        met.add(kind)
        require_name(name)
        yield "" if value["beliefs"].keys() == {"default"} else name, kind, stated
    if len(met) > 1:
        raise Malformed("beliefs must all be of one kind")


def correlated(value: Any, models: Mapping[str, Model], key: str, word: str) -> Correlated:
    """The source of these models.  The pairs are those that the problem states, or every pair that
    is possible under some belief."""
    if not models or len(models) > MAX_MODELS:
        raise Malformed(f"expected 1 to {MAX_MODELS} models of records")
    first, *others = models.values()
    every = first.every()
    if any(model.every() != every for model in others):
        raise Malformed("the models of several beliefs must have the same secrets")
    laws = {belief: Laws(model) for belief, model in models.items()}
    spend(8 * len(every) * len(laws))
    if "pairs" in value:
        asked = [
            [string(name, "a secret of a pair") for name in array(pair, "a pair")]
            for pair in array(value["pairs"], "pairs")
        ]
        spend(8 * len(asked) * len(laws))
        for names in asked:
            if not any(all(name in law for name in names) for law in laws.values()):
                raise Malformed(f"no belief has both secrets of {shown(' and '.join(names))}")
    else:
        asked = [[a, b] for a, b in every if any(a in law and b in law for law in laws.values())]
    for law in laws.values():
        law.pairs = len(asked)
    known = {name for pair in every for name in pair}
    left_out = any(not known <= law.keys() for law in laws.values())
    return Correlated(models, {"pairs": asked}, laws, key, word, left_out)
