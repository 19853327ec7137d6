"""The kernel's sums of records: one law by every assignment, and by few messages that are kept."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import kernel_builder as kb  # noqa: F401
import pytest
from reader import records
from reader.correlated import Asked, Laws, Model
from reader.records import Record

SHAPES = {  # of each record, its parents
    "apart": dict.fromkeys(range(5), ()),
    "star": {0: (), **dict.fromkeys(range(1, 6), (0,))},
    "fan": {**dict.fromkeys(range(4), ()), 4: (0, 1, 2, 3), 5: (4,)},
    "path": {0: (), **{k: (k - 1,) for k in range(1, 7)}},
    "ring": {0: (), 1: (0,), 2: (0,), 3: (1,), 4: (2,), 5: (3, 4)},
    "grid": {0: (), 1: (0,), 2: (1,), 3: (0,), 4: (1, 3), 5: (2, 4), 6: (3,), 7: (4, 6)},
    "two": {0: (), 1: (0,), 2: (), 3: (2,), 4: (2,), 5: (3, 4)},
}


def drawn(draw: Random, shape: dict[int, tuple[int, ...]]) -> dict[int, Record]:
    found = {}
    for name, parents in shape.items():
        chances = {}
        for given in product("ab", repeat=len(parents)):
            weights = [draw.choice((0, 1, 2)), draw.choice((1, 3))]
            chances |= {(*given, s): Fraction(w, sum(weights))
                        for s, w in zip("ab", weights, strict=True) if w}  # fmt: skip
        adds = {s: Fraction(draw.choice(("0", "0", "1", "-2", "1/3"))) for s in "ab"}
        found[name] = Record(parents, chances, adds)
    return found


def by_every_assignment(of: dict[int, Record]) -> dict[str, dict[Fraction, Fraction]]:
    laws: dict[str, dict[Fraction, Fraction]] = {}
    for states in product("ab", repeat=len(of)):
        at = dict(zip(of, states, strict=True))
        chance, x = Fraction(1), Fraction(0)
        for name, one in of.items():
            chance *= one.chances.get((*(at[p] for p in one.parents), at[name]), Fraction(0))
            x += one.adds[at[name]]
        for name, state in at.items() if chance else ():
            law = laws.setdefault(f"{name}:{state}", {})
            law[x] = law.get(x, Fraction(0)) + chance
    return {
        secret: {x: m / sum(law.values()) for x, m in sorted(law.items())}
        for secret, law in laws.items()
    }


@pytest.mark.parametrize("room", [1 << 30, 20_000, 0])
@pytest.mark.parametrize("shape", SHAPES)
def test_laws_are_those_of_every_assignment(
    shape: str, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few messages are kept; secrets of probability 0 are none."""
    monkeypatch.setattr(records, "KEPT", room)
    for seed in range(12):
        of = drawn(Random(seed), SHAPES[shape])
        truth = by_every_assignment(of)
        laws = Laws(Model(of, [Asked(k, str(k), ["a", "b"]) for k in of], None))
        found = laws.kept(1)
        assert found.keys() == truth.keys()
        order = list(truth)
        Random(seed).shuffle(order)
        assert {secret: found[secret] for secret in order} == truth


def test_the_sums_are_a_tree() -> None:
    """Every sum but the last goes to a later one that has all that it is about."""
    for shape in SHAPES.values():
        tree = records.Tree(drawn(Random(1), shape))
        assert sorted(tree.after) == list(range(len(shape) - 1))
        for k, at in tree.after.items():
            here = tree.sums[at]
            assert at > k
            assert tree.sums[k].kept <= {*here.kept, here.name}
            assert tree.depth[k] == tree.depth[at] + 1


def test_a_long_path_keeps_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "KEPT", 0)
    turn = {(a, b): Fraction(1, 2) for a in "ab" for b in "ab"}
    start = {("a",): Fraction(1, 3), ("b",): Fraction(2, 3)}
    adds = {"a": Fraction(0), "b": Fraction(1)}
    of = {k: Record((k - 1,) if k else (), turn if k else start, adds) for k in range(100)}
    laws = Laws(Model(of, [Asked(k, str(k), ["a", "b"]) for k in of], None))
    found = laws.kept(1)
    assert len(found) == 200
    for secret in found:
        assert sum(found[secret].values()) == 1
        assert len(laws._sums[1].held) <= 26  # every 11th, both ways, and those at hand
