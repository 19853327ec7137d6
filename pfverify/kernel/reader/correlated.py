"""The source of correlated records: a model of them for every belief, and the laws that it makes.

A model (of `chain` or `network`) states records and who of them may be what; of a secret of
probability 0 it says nothing, and a pair with one is left out under that belief.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from core.grammar import Malformed, shown
from core.shapes import array, exact_sum, rational, string, table
from core.work import spend
from reader.places import ZERO, Kept, Places, Rows, rows_of
from reader.priors import Given, require_name
from reader.records import Name, Record, States, Sums, Tree

MAX_MODELS = 10_000


class Asked(NamedTuple):
    """A record that is secret, its name in secrets, and what it may be."""

    record: Name
    name: str
    states: list[str]


class Model(NamedTuple):
    """Records, those that are secret, and what stands for all in a digest."""

    records: Mapping[Name, Record]
    asked: list[Asked]
    written: Any

    def every(self) -> list[tuple[str, str]]:
        """One state against another of every secret record, possible or not."""
        spend(sum(4 * len(one.states) ** 2 for one in self.asked))
        return [
            (f"{one.name}:{a}", f"{one.name}:{b}")
            for one in self.asked for a, b in combinations(one.states, 2)
        ]  # fmt: skip


class Laws:
    """What works out the laws of a model."""

    def __init__(self, model: Model) -> None:
        self._model, self._tree = model, Tree(model.records)
        may = Sums(self._tree)
        self.secrets = {
            f"{one.name}:{state}": (one.record, state)
            for one in model.asked
            for met in [may.given(one.record, one.states)] for state in one.states if state in met
        }  # fmt: skip

    @cached_property
    def _sums(self) -> tuple[Places, Sums]:
        added: dict[int, tuple[Rows, int]] = {}
        for one in self._model.records.values():
            if id(one.adds) not in added:
                added[id(one.adds)] = rows_of(dict.fromkeys(one.adds.values(), Fraction(1))), 0
            law, count = added[id(one.adds)]
            added[id(one.adds)] = law, count + 1
        places = Places(added.values())
        return places, Sums(self._tree, places)

    def kept(self, pairs: int) -> Kept:
        """Secret -> what all records add, given it; `pairs`: how many are asked about."""

        def law(secret: str) -> object:
            places, sums = self._sums
            record, state = self.secrets[secret]
            return places.law(sums.given(record, {state})[state], pairs)

        return Kept(self.secrets, law)


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


def masses_of(
    stated: Any, what: str, left: Sequence[Sequence[str]] = (), states: Sequence[str] | None = None
) -> dict[States, dict[str, Fraction]]:
    """The tables of masses by the states of the parents, which nest in their order.  Of states that
    are known each table has all, and no other."""
    spend(16)
    if left:
        table(stated, what, {*left[0]})
        return {
            (state, *given): masses for state in left[0]
            for given, masses in masses_of(stated[state], f"{what} of {shown(state)}", left[1:],
                                           states).items()
        }  # fmt: skip
    if states is None and (type(stated) is not dict or not stated):
        raise Malformed(f"{what}: a table of masses is missing")
    table(stated, what, set(), {*(stated if states is None else states)})
    spend(32 * len(states or ()))
    found = {state: rational(x, what) for state, x in stated.items()}
    require_sum(found.values(), what)
    return {(): found if states is None else {state: found.get(state, ZERO) for state in states}}


def require_sum(masses: Collection[Fraction], what: str) -> None:
    """Malformed unless masses are at least 0 and sum to 1."""
    if any(mass < 0 for mass in masses) or exact_sum([*masses], what) != 1:
        raise Malformed(f"{what}: masses must be at least 0 and sum to 1")


def record(
    parents: Iterable[Name], masses: Mapping[States, Mapping[str, Fraction]],
    adds: Mapping[str, Fraction],
) -> Record:  # fmt: skip
    """A record with such tables."""
    chances = {(*given, s): x for given, law in masses.items() for s, x in law.items() if x}
    return Record(tuple(parents), chances, adds)


def correlated(value: Any, models: Mapping[str, Model], key: str, word: str) -> Given:
    """The source of these models.  The pairs are those that the problem states, or every pair that
    is possible under some belief."""
    if not models or len(models) > MAX_MODELS:
        raise Malformed(f"expected 1 to {MAX_MODELS} models of records")
    first, *others = models.values()
    every = first.every()
    if any(model.every() != every for model in others):
        raise Malformed("the models of several beliefs must have the same secrets")
    laws = {belief: Laws(model) for belief, model in models.items()}
    possible = [one.secrets.keys() for one in laws.values()]
    spend(8 * len(every) * len(laws))
    if "pairs" in value:
        asked = [
            [string(name, "a secret of a pair") for name in array(pair, "a pair")]
            for pair in array(value["pairs"], "pairs")
        ]
        spend(8 * len(asked) * len(laws))
        for names in asked:
            if not any({*names} <= secrets for secrets in possible):
                raise Malformed(f"no belief has both secrets of {shown(' and '.join(names))}")
    else:
        asked = [[a, b] for a, b in every if any({a, b} <= secrets for secrets in possible)]
    beliefs = {belief: one.kept(len(asked)) for belief, one in laws.items()}
    known = {name for pair in every for name in pair}
    left = ", impossible secrets left out" if any(not known <= s for s in possible) else ""
    said = f"records that are {f'one of {len(models)}' if len(models) > 1 else word} as given{left}"
    written = {key: [[name, model.written] for name, model in models.items()]}
    return Given(beliefs, {"pairs": asked}, said, "users", partial=True, written=written)
