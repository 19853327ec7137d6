"""Outputs with equal masses count once: what two laws are to each other is a few pairs of masses.

An output is one of many with the same P(y) and Q(y); together they have n times both, and the same
ratio. Source: to join outputs of one ratio changes no divergence (design fact F84).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from pfverify.decide.breach import Breach, Margin, Place
from pfverify.decide.masses.finite import Outputs
from pfverify.model.channels.entries import Entry, product
from pfverify.model.notion import Bound

_Classes = tuple[list[int], list[Entry]]
_Joined = tuple[Entry, Entry, list[int]]


@dataclass(frozen=True)
class GroupedOutputs(Outputs):
    """Groups of outputs, each of which is told by its first, as an event by all of them."""

    each: Outputs
    groups: Sequence[Sequence[int]]

    @property
    def rule(self) -> str:  # type: ignore[override]
        """The rule of the outputs themselves."""
        return self.each.rule

    @property
    def ratio_refuted(self) -> str:  # type: ignore[override]
        """The rule of the outputs themselves."""
        return self.each.ratio_refuted

    @property
    def mass_refuted(self) -> str:  # type: ignore[override]
        """The rule of the outputs themselves."""
        return self.each.mass_refuted

    def place(self, index: int) -> Place:
        """Return the first output of a group."""
        return self.each.place(self.groups[index][0])

    def one(self, rule: str, margin: Margin, index: int) -> Breach:
        """Return the first output of a group as where the target fails."""
        return self.each.one(rule, margin, self.groups[index][0])

    def event(self, margin: Margin, indices: Sequence[int]) -> Breach:
        """Return all outputs of some groups as where the target fails."""
        return self.each.event(margin, sorted(chain(*(self.groups[k] for k in indices))))


def grouped(
    p: Sequence[Entry], q: Sequence[Entry], outputs: Outputs, exceeding: Bound
) -> tuple[list[Entry], list[Entry], Outputs]:
    """Return the masses of two laws with outputs of equal masses joined, and what they are called.

    Where single outputs are bounded each group has the masses of one of them. Laws without equal
    masses are returned as they are.
    Example: ``grouped([Fraction(1)], [Fraction(1)], None, Bound.DIVERGENCE)[0]`` is ``[1]``.
    Source: design fact F84.
    """
    (of_p, first), (of_q, second) = _classes(p), _classes(q)
    groups: dict[tuple[int, int], list[int]] = {}
    for k, pair in enumerate(zip(of_p, of_q, strict=True)):
        groups.setdefault(pair, []).append(k)
    if len(groups) == len(p):
        return [*p], [*q], outputs
    single = exceeding is Bound.EXCESS
    joined = [
        (_times(first[i], n), _times(second[j], n), group)
        for (i, j), group in groups.items() for n in [1 if single else len(group)]
    ]  # fmt: skip
    if all(is_small(x) for x in (*first, *second)):
        joined = _in_one_order(joined)
    ours, theirs, members = zip(*joined, strict=True)
    return [*ours], [*theirs], GroupedOutputs(outputs, members)


def _in_one_order(joined: list[_Joined]) -> list[_Joined]:
    """The same order for all pairs with the same masses, so that what is known of one is of all."""
    found = {(p, q): group for p, q, group in joined}
    if len(found) < len(joined):  # so many of one are as much as so many of another
        return joined
    order = _ORDERS.setdefault(frozenset(found), tuple(found))
    if len(_ORDERS) > _KEPT:
        _ORDERS.clear()
    return [(p, q, found[p, q]) for p, q in order]


def is_small(entry: Entry) -> bool:
    """Say whether an entry is written with few parts: what is shared is counted each time.

    Entries are compared by what they are made of, which may take for ever for others.
    Example: ``is_small(Fraction(1, 3))`` is ``True``.
    """
    if isinstance(entry, Fraction):
        return True
    left: list[object] = [entry.tree]
    for _ in range(_SMALL):
        if not left:
            return True
        one = left.pop()
        if isinstance(one, tuple):
            left.extend(one)
    return False


def _times(entry: Entry, count: int) -> Entry:
    return entry * count if isinstance(entry, Fraction) else product(Fraction(count), entry)


_ORDERS: dict[frozenset[tuple[Entry, Entry]], tuple[tuple[Entry, Entry], ...]] = {}
_KEPT = 256
_SMALL = 200


def _classes(law: Sequence[Entry]) -> _Classes:
    """For each mass the number of the first that is equal to it, and these; large ones are equal
    where they are the same object."""
    by_object: dict[int, int] = {}
    by_value: dict[Entry | int, int] = {}
    found, kept = list[int](), list[Entry]()
    for entry in law:
        if id(entry) not in by_object:
            value = entry if is_small(entry) else id(entry)
            if value not in by_value:
                by_value[value] = len(kept)
                kept.append(entry)
            by_object[id(entry)] = by_value[value]
        found.append(by_object[id(entry)])
    return found, kept
