"""Several parts, each a source and a release, of which what is published is independent given the
secret; each so many times.

Every part is read as a problem by itself that is held to the same.  All of them are about the same
beliefs, secrets and pairs.  A part that is made of independent parts itself is these: releases of
fresh draws, releases of a point, coordinates behind steps.  What follows from one release is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple

from core.by_coordinate import ByCoordinate
from core.grammar import Malformed, Number, canonical, shown
from core.kinds import (
    DIVERGENCE,
    EVENTS,
    LAWS,
    RENYI,
    Beliefs,
    Enclosed,
    Kind,
    Pairs,
    Rule,
    module_of,
)
from core.reduce import composite, under
from core.rules import Facts, Goal, Rejected, Step
from core.shapes import array, integer, string
from core.value import require_range
from core.work import TooMuchWork, spend
from reader.reader import Problem, problem_of, require_kinds
from reader.tables import noise_kind

RELEASE = re.compile(r"release ([1-9][0-9]{0,6})(?: rest (-?[0-9/]{1,200}))?")  # and what is added
MOST_TIMES = 1_000_000  # releases in all
OF_LAWS = ("priors", "users", "steps")  # whose laws a part may have
FIXED = ("schema", "epsilon", "delta", "form", "order", "pairs")  # that each part is held to
BESIDE = {*FIXED, "notion", "metric", "provenance", "parts"}


class OfParts(NamedTuple):
    """A law of each part, as its release has it."""

    laws: tuple[Any, ...]


LAWS[OfParts] = "parts"


class OfAll(Mapping[str, OfParts]):
    """Secret -> the laws of all parts, made when they are asked for."""

    def __init__(self, tables: list[Mapping[str, Any]]) -> None:
        self._tables = tables

    def __getitem__(self, secret: str) -> OfParts:
        return OfParts(tuple(of[secret] for of in self._tables))

    def __contains__(self, secret: object) -> bool:
        return secret in self._tables[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables[0])

    def __len__(self) -> int:
        return len(self._tables[0])


class Composition(NamedTuple):
    """The parts as problems, and how many times each is released."""

    parts: tuple[tuple[Problem, int], ...]
    kind: str = "composition"
    amount: None = None
    step: None = None
    also: str = ""
    own: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many releases there are."""
        return sum(n for _, n in self.parts)

    def at(self, amount: Number | None) -> Composition:
        """The same: each part has its own amount."""
        if amount is not None:
            raise Malformed("several parts have no amount")
        return self

    def law(self, value: Any, what: str) -> Any:
        """None: each part states its own."""
        raise Malformed(f"{what}: a law stands in a part")

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """What the rules take, of each part what its release makes of its laws."""
        return beliefs

    def seen(self, result: str) -> tuple[str, Facts]:
        """How many releases there are, in words; by which facts one stands for others its goal
        says."""
        noisy = any(part.release.amount for part, _ in self.parts)
        of = "each of its own draw given the secret"
        count = f"{self.size} releases of {len(self.parts)} parts, {of}"
        return f"ideal noise, {count}" if noisy else count, set()

    def words(self, notion: Any) -> str:
        """The parts, in a message."""
        told = [f"{n} x ({_words_of(part)})" for part, n in self.parts]
        return f"parts={shown(', '.join(told), 200)[1:-1]}"

    def canonical(self, notion: Any) -> dict[str, Any]:
        """The parts as they go into a digest."""
        return {"parts": [
            {
                "times": str(n), **part.release.canonical(part.target.notion),
                **part.source.canonical(),
            }
            for part, n in self.parts
        ]}  # fmt: skip


def _words_of(part: Problem) -> str:
    """A part in a message, with its amount."""
    release, unit = part.release, noise_kind(part.release.kind).amount
    amount = "" if release.amount is None else f" {unit}={canonical(release.amount)}"
    return f"{release.words(part.target.notion)}{amount}"


class Sources(NamedTuple):
    """The laws of all parts."""

    parts: tuple[Problem, ...]
    beliefs: Beliefs
    asked: dict[str, Any]
    partial: bool
    of: str = "parts"
    notion: str = "distp"

    def canonical(self) -> dict[str, Any]:
        """Nothing: they stand in the parts."""
        return {}

    def given(self, problem: Any) -> str:
        """What is taken for granted about each, in words."""
        told = dict.fromkeys(part.source.given(part) for part in self.parts)
        return f"parts independent given the secret, {'; '.join(told)}"

    def seen(self) -> tuple[str, Facts]:
        """What beliefs are, in words, and the facts by which some stand for others."""
        return "belief", set[str]().union(*(part.source.seen()[1] for part in self.parts))


def release(value: Any) -> Composition:
    """The parts of a problem."""
    stated = array(value["parts"], "parts")
    if not stated:
        raise Malformed("parts must not be empty")
    fixed = {key: value[key] for key in FIXED if key in value}
    found = tuple(_part(part, fixed, f"part {k + 1}") for k, part in enumerate(stated))
    if sum(n for _, n in found) > MOST_TIMES:
        raise Malformed(f"more than {MOST_TIMES} releases")
    if value.get("form", "events") not in EVENTS + RENYI:
        raise Malformed("several parts are judged by events, or a divergence")
    return Composition(found)


def _part(value: Any, fixed: dict[str, Any], what: str) -> tuple[Problem, int]:
    """A part as a problem by itself, and how many times it is released."""
    if type(value) is not dict or not BESIDE.isdisjoint(value):
        raise Malformed(f"{what} must be a table that states a release and a source")
    times = integer(value.get("times", 1), f"{what}: times", 1, MOST_TIMES)
    spend(64)
    part = problem_of({**{k: x for k, x in value.items() if k != "times"}, **fixed})
    notion, amount = part.target.notion.name, part.release.amount
    if notion != "distp":
        raise Malformed(f"{what}: the notion {shown(notion)} is not one for parts")
    if part.source.of not in OF_LAWS or part.source.seen()[0] != "belief":
        raise Malformed(f"{what}: independent draws are of given laws")
    if amount is not None:
        require_range("scale", amount, decide=True)
    elif noise_kind(part.release.kind).amount is not None:
        raise Malformed(f"{what} has no scale")
    require_kinds(part)
    return part, times


def source(value: Any, release: Composition) -> Sources:
    """The laws of the parts, which are about the same beliefs, secrets and pairs."""
    first, *others = found = [part for part, _ in release.parts]
    pairs = set(map(frozenset, first.pairs))
    for part in others:
        spend(8 * len(part.pairs))
        if set(map(frozenset, part.pairs)) != pairs:
            raise Malformed("the parts have different pairs")
        if part.beliefs.keys() != first.beliefs.keys() or any(
            of.keys() != first.beliefs[belief].keys() for belief, of in part.beliefs.items()
        ):
            raise Malformed("the parts have different beliefs or secrets")
    beliefs = {
        belief: OfAll([part.beliefs[belief] for part in found]) for belief in first.beliefs
    }
    asked = {"pairs": [list(pair) for pair in first.pairs]}
    return Sources(tuple(found), beliefs, asked, any(part.source.partial for part in found))


class Piece(NamedTuple):
    """Independent outputs of a goal: of a part, or of some of its independent parts."""

    part: int
    inside: tuple[Any, ...]  # which of those that the part is made of, as they are named there
    many: int


class EachPart:
    """The parts of a goal.  A step names each by words: the part by its number, then what it is of
    the part, if that is made of several: coordinates by their names, a release by its number."""

    named = True
    shared = False

    def __init__(self, goal: Goal[OfParts, Composition]) -> None:
        self.goal, self.release = goal, goal.release
        self._known: dict[tuple[str, ...], Piece] | None = None
        self._goals: dict[int, tuple[Goal[Any, Any], Facts]] = {}

    def whole(self, step: Step) -> tuple[Goal[Any, Any], Facts]:
        """None: there is no one goal that a goal of several parts follows from."""
        raise Rejected("no one release stands for several parts")

    def fails_with(self, step: Step) -> Facts:
        """None, likewise."""
        raise Rejected("no one release stands for several parts")

    def part(self, named: Any, epsilon: Number, delta: Number) -> tuple[Goal[Any, Any], Facts]:
        """The goal of some outputs; also of those of a part whose outputs are not independent."""
        names = tuple(string(name, "a name") for name in array(named, "a part"))
        known = self._pieces()
        end = next((k for k in range(len(names), 0, -1) if names[:k] in known), 0)
        if not end:
            raise Rejected("no such part")
        piece = known[names[:end]]
        one, facts = self._goal(piece.part, epsilon, delta)
        for inner in piece.inside:
            one, more = composite(one).part(inner, epsilon, delta)
            facts = facts | more
        if names[end:]:
            one, more = composite(one).part(_inner(names[end:], one), epsilon, delta)
            facts = facts | more
        return one, facts

    def parts(self) -> list[tuple[Any, int]]:
        """All independent outputs, by their names."""
        return [([*names], piece.many) for names, piece in self._pieces().items()]

    def _pieces(self) -> dict[tuple[str, ...], Piece]:
        if self._known is None:
            found: dict[tuple[str, ...], Piece] = {}
            for k, (_, count) in enumerate(self.release.parts):
                one, _ = self._goal(k, self.goal.epsilon, self.goal.delta)
                for names, piece in _apart(one, (f"part {k + 1}",), Piece(k, (), count)):
                    if names in found:
                        raise Malformed("two parts of one name")
                    found[names] = piece
            self._known = found
        return self._known

    def _goal(self, k: int, epsilon: Number, delta: Number) -> tuple[Goal[Any, Any], Facts]:
        """The goal of a part, released once: that may take as long as it has scales."""
        if k not in self._goals:
            self._goals[k] = self._made(k)
        one, facts = self._goals[k]
        return one._replace(epsilon=epsilon, delta=delta), facts

    def _made(self, k: int) -> tuple[Goal[Any, Any], Facts]:
        stated = self.release.parts[k][0].release
        p, q = self.goal.P.laws[k], self.goal.Q.laws[k]
        if isinstance(p, Enclosed) or isinstance(q, Enclosed):
            raise TooMuchWork("too much work: this needs exact priors, and they are too long")
        module_of(stated.kind, p, q)  # also where nothing of it is added
        release = stated.at(stated.amount)
        one = under(self.goal, p, q, release)
        facts = {*stated.seen("certified")[1]}
        return one, facts | ({"X"} if release.kind == "none" else set())

    # each part has an X of its own

    def parts_of_x(self) -> list[tuple[Any, int]]:
        """None."""
        raise Rejected("several parts have no X in common")

    def atoms(self) -> list[tuple[Any, Fraction, Fraction]]:
        """None."""
        raise Rejected("several parts have no X in common")

    def part_of_x(self, named: Any, values: list[Any]) -> tuple[Goal[Any, Any], Facts, list[Any]]:
        """None."""
        raise Rejected("several parts have no X in common")

    def between(self, x: Any, y: Any) -> Goal[Any, Any]:
        """None."""
        raise Rejected("several parts have no X in common")

    def alike(self, x: Any, y: Any) -> Any:
        """None."""
        raise Rejected("several parts have no X in common")


def _apart(
    one: Goal[Any, Any], names: tuple[str, ...], piece: Piece
) -> Iterator[tuple[tuple[str, ...], Piece]]:
    """The independent outputs that a goal is made of, with their names; else itself."""
    due = None
    if one.kind.reduction not in (None, ByCoordinate):  # several numbers are one part
        with suppress(Rejected):  # it is not made of such
            due = composite(one).parts()
    if due is None:
        yield names, piece
        return
    for named, count in due:
        spend(64)
        inner, _ = composite(one).part(named, one.epsilon, one.delta)
        more = (*names, *_words(named))
        inside = Piece(piece.part, (*piece.inside, named), piece.many * count)
        yield from _apart(inner, more, inside)


def _words(named: Any) -> tuple[str, ...]:
    """What a part of a part is called: coordinates by their names, a release by its number."""
    return tuple(named) if type(named) is list else (f"release {named + 1}",)


def _inner(names: tuple[str, ...], one: Goal[Any, Any]) -> Any:
    """Outputs of a part that are not independent of its others, as they are named there."""
    found = composite(one) if one.kind.reduction is not None else None
    if found is None or not found.named:
        raise Rejected("no such part")
    if getattr(found, "names", None) is not None:
        return [*names]
    told = RELEASE.fullmatch(" ".join(names))
    if told is None or len(names) > 2:
        raise Rejected("no such part")
    number = int(told[1]) - 1
    return number if told[2] is None else {"release": number, "rest": told[2]}


COMPOSED, PROVED, FAILS = (
    Rule(name, EVENTS) for name in ("composition", "reduce", "reduce-refuted")
)
KIND = Kind(
    {"product": PROVED, "composed": COMPOSED, "renyi": DIVERGENCE},
    {"part-refuted": FAILS, "product-refuted": FAILS, "composed-refuted": COMPOSED,
     "renyi-refuted": DIVERGENCE},
    "no such rule for several parts",
    reduction=EachPart,
    moment="core.renyi_product",
)
