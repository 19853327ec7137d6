"""The law of what records add together, given one of them; they hang together as a graph says.

With integers for chances the weight of all records is a product of factors of few records each:
w(record | parents), and x^(what its state adds), of polynomials in x as lists of places.  Records
are summed out one by one, each time the one with which fewest states stand: what is left of all
factors of it is a message about records that are summed out later, and goes into the next sum that
has these (of a chain, from each record to the next).  So the sums are a tree, and what the rest of
it says of a part is a message back.  A record's own sum with all messages to it is the law given
the record.  Common factors of all weights cancel.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Set
from fractions import Fraction
from functools import reduce
from heapq import heapify, heappop, heappush
from math import isqrt, prod
from typing import NamedTuple

from core.shapes import common_denominator
from core.work import TooMuchWork, spend
from reader.crowd import added, collected, longest
from reader.places import KEPT, WHAT, ZERO, Places, Points, over

MAX_ENTRIES = 1 << 16  # states of the records of one sum together
ONE: Points = [(0, 1)]

Name = Hashable
States = tuple[str, ...]
Message = tuple[int, bool]  # from a sum to the next one, or (False) back to it
Chances = Mapping[States, Fraction]


class Record(NamedTuple):
    """Its parents, the chances above 0 of their states and its own, and what each of its states
    adds, be it nothing."""

    parents: tuple[Name, ...]
    chances: Chances
    adds: Mapping[str, Fraction]


class Factor(NamedTuple):
    """Some records, and polynomials of their states; without those that are 0."""

    scope: tuple[Name, ...]
    table: dict[States, Points]


UNIT = Factor((), {(): ONE})


class Sum(NamedTuple):
    """One record is summed out; what is left is about those that are kept."""

    name: Name
    kept: Set[Name]
    before: list[int]  # the sums whose messages come here


class Tree:
    """The sums of all records, the last of which ends with a number."""

    def __init__(self, records: Mapping[Name, Record]) -> None:
        self.records = records
        self.sums: list[Sum] = []
        waiting: dict[Name, set[int]] = {}
        ended: list[int] = []
        for name, cluster in _order(records):
            here = {k for one in cluster for k in waiting.get(one, ())}
            here = {k for k in here if self.sums[k].kept <= cluster}
            kept, at = cluster - {name}, len(self.sums)
            spend(8 * len(cluster) * (2 + len(here)))
            for k in here:
                for one in self.sums[k].kept:
                    waiting[one].discard(k)
            for one in kept:
                waiting.setdefault(one, set()).add(at)
            self.sums.append(Sum(name, kept, sorted({*here, *ended})))
            ended = [] if kept else [at]
        self.after = {k: at for at, one in enumerate(self.sums) for k in one.before}
        self.place = {one.name: k for k, one in enumerate(self.sums)}
        self.depth = [0] * len(self.sums)  # sums to the last one
        for k in reversed(range(len(self.sums) - 1)):
            self.depth[k] = self.depth[self.after[k]] + 1


def _order(records: Mapping[Name, Record]) -> Iterator[tuple[Name, set[Name]]]:
    """The records as they are summed out, each with all that stand in its sum."""
    near: dict[Name, set[Name]] = {name: {name} for name in records}
    for name, one in records.items():
        spend(8 + 4 * len(one.parents) ** 2)
        for other in (name, *one.parents):
            near[other] |= {name, *one.parents}
    rank = {name: k for k, name in enumerate(records)}

    def row(name: Name) -> tuple[int, int, Name]:
        spend(8 + len(near[name]))
        return prod(len(records[one].adds) for one in near[name]), rank[name], name

    rows = [row(name) for name in records]
    heapify(rows)
    while rows:
        size, at, name = heappop(rows)
        if name not in near or (size, at, name) != row(name):
            continue  # a later row is of it
        cluster = near.pop(name)
        if size > MAX_ENTRIES and len(cluster) > 2:
            raise TooMuchWork("too much work: a network that is too tangled")
        yield name, cluster
        for other in cluster - {name}:
            near[other] = (near[other] | cluster) - {name}
            heappush(rows, row(other))


class Sums:
    """The messages of a tree, worked out when one is asked for; without places of what is possible
    alone, so that each polynomial is 1.  Of many, those to every so manieth sum are kept."""

    def __init__(self, tree: Tree, places: Places | None = None) -> None:
        self.tree, self.places = tree, places
        self.own: list[list[Factor]] = [[] for _ in tree.sums]
        made: dict[int, dict[States, Points]] = {}
        for name, one in tree.records.items():
            scope = (*one.parents, name)
            if id(one.chances) not in made:
                made[id(one.chances)] = self._chances(one)
            self.own[min(map(tree.place.__getitem__, scope))].append(
                Factor(scope, made[id(one.chances)])
            )
            if places is not None and any(one.adds.values()):
                if id(one.adds) not in made:
                    made[id(one.adds)] = {
                        (state,): [(places.place((x, ZERO)), 1)] for state, x in one.adds.items()
                    }
                self.own[tree.place[name]].append(Factor((name,), made[id(one.adds)]))
        self.block = isqrt(len(tree.sums)) + 1
        self.held: dict[Message, Factor] = {}
        self.size = 0

    def _chances(self, one: Record) -> dict[States, Points]:
        if self.places is None:
            return dict.fromkeys(one.chances, ONE)
        scale = common_denominator(one.chances.values(), WHAT)
        return {states: [(0, over(mass, scale))] for states, mass in one.chances.items()}

    def given(self, name: Name, states: Container[str]) -> dict[str, Points]:
        """By those of the states that are possible, the weights of the sum of all records."""
        self._make_room(self.held)
        at = self.tree.place[name]
        messages = [self._message(one) for one in self._to(at)]
        factors = [_only(one, name, states) for one in (*self.own[at], *messages)]
        found = self._summed(factors, {name}).table
        return {state: points for (state,), points in found.items()}

    def _to(self, at: int, but: int | None = None) -> list[Message]:
        """The messages to a sum, but one."""
        found = [(k, True) for k in self.tree.sums[at].before if k != but]
        return [*found, (at, False)] if at in self.tree.after and at != but else found

    def _message(self, wanted: Message) -> Factor:
        left = [wanted]
        while left:
            k, on = one = left[-1]
            at = k if on else self.tree.after[k]
            needed = [] if one in self.held else self._to(at, k)
            missing = [other for other in needed if other not in self.held]
            spend(8 + 8 * len(needed))
            if not missing and one not in self.held:
                factors = [*self.own[at], *(self.held[other] for other in needed)]
                self.held[one] = self._summed(factors, self.tree.sums[k].kept)
                self.size += _size(self.held[one])
                self._make_room(needed)
            if not missing:
                left.pop()
            left += missing
        return self.held[wanted]

    def _make_room(self, served: Iterable[Message]) -> None:
        """Forget what has served, but for those that others can be worked out from soon."""
        for one in [*served] if self.size > KEPT else ():
            if self.tree.depth[one[0]] % self.block:
                self.size -= _size(self.held.pop(one))

    def _summed(self, factors: list[Factor], kept: Set[Name]) -> Factor:
        """The product of factors, summed over all records that are not kept."""
        scopes = dict.fromkeys(one for factor in factors for one in factor.scope)
        for name in (one for one in scopes if one not in kept):
            of = sorted((x for x in factors if name in x.scope), key=lambda x: len(x.scope))
            factors = [x for x in factors if name not in x.scope]
            factors.append(self._joined(reduce(self._joined, of[:-1] or [UNIT]), of[-1], name))
        factors = sorted(factors, key=lambda x: sum(map(len, x.table.values())))
        return reduce(self._joined, factors or [UNIT])

    def _joined(self, one: Factor, other: Factor, gone: Name = None) -> Factor:
        """The product of two factors, summed over a record if there is one that goes."""
        shared = [name for name in other.scope if name in one.scope]
        more = [name for name in other.scope if name not in one.scope]
        first, at, rest = _at(one, shared), _at(other, shared), _at(other, more)
        scope = (*one.scope, *more)
        left = [k for k, name in enumerate(scope) if name != gone]
        groups: dict[States, list[tuple[States, Points]]] = {}
        for states, points in other.table.items():
            key = tuple([states[k] for k in at])
            groups.setdefault(key, []).append((tuple([states[k] for k in rest]), points))
        spend(8 * len(other.table))
        parts: dict[States, list[Points]] = {}
        for states, points in one.table.items():
            for tail, factor in groups.get(tuple([states[k] for k in first]), ()):
                spend(8)
                both = states + tail
                found = added(points, factor)
                parts.setdefault(tuple([both[k] for k in left]), []).append(found)
        return Factor(tuple([scope[k] for k in left]), {x: self._sum(p) for x, p in parts.items()})

    def _sum(self, parts: list[Points]) -> Points:
        if self.places is None:
            return ONE
        if len(parts) > 1:
            spend(sum(len(points) * (2 + (longest(points) >> 10)) for points in parts))
        return collected(parts)


def _at(factor: Factor, names: Iterable[Name]) -> list[int]:
    return [factor.scope.index(name) for name in names]


def _only(factor: Factor, name: Name, states: Container[str]) -> Factor:
    """A factor of some states of a record."""
    if name not in factor.scope:
        return factor
    at = factor.scope.index(name)
    return factor._replace(table={x: p for x, p in factor.table.items() if x[at] in states})


def _size(factor: Factor) -> int:
    """Of a message in memory, about, in bits."""
    return sum(len(points) * (1000 + longest(points)) for points in factor.table.values())
