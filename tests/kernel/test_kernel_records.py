"""The kernel's sums of records: one law by every assignment, and by few messages that are kept."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import kernel_builder as kb  # noqa: F401
import pytest
from core.work import TooMuchWork, checking
from reader import records
from reader.correlated import Asked, Laws, Model
from reader.places import Places, rows_of
from reader.records import Name, Record

SHAPES = {  # of each record, its parents
    "one": {0: ()},
    "couple": {0: (), 1: (0,)},
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
        held = laws._sums[1]
        assert held.size == sum(map(records._size, held.held.values()))


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
        assert tree.depth[-1] == 0


def path() -> Laws:
    """Of 100 records."""
    turn = {(a, b): Fraction(1, 2) for a in "ab" for b in "ab"}
    start = {("a",): Fraction(1, 3), ("b",): Fraction(2, 3)}
    adds = {"a": Fraction(0), "b": Fraction(1)}
    of = {k: Record((k - 1,) if k else (), turn if k else start, adds) for k in range(100)}
    return Laws(Model(of, [Asked(k, str(k), ["a", "b"]) for k in of], None))


def test_a_long_path_keeps_few_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "KEPT", 0)
    laws = path()
    found = laws.kept(1)
    assert len(found) == 200
    for secret in found:
        assert sum(found[secret].values()) == 1
        assert len(laws._sums[1].held) <= 26  # every 11th, both ways, and those at hand


def test_what_is_forgotten_is_soon_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the kept message before it, and not from the end of the path."""
    spent = []
    for room in (1 << 30, 0):
        monkeypatch.setattr(records, "KEPT", room)
        with checking(0) as check:
            found = path().kept(1)
            for k in range(0, 100, 3):
                found[f"{k}:a"]
        spent.append(check.spent)
    print(spent)
    assert spent[1] < 3 * spent[0]


@pytest.mark.parametrize(
    ("sizes", "fits"),
    [
        ((64, 64, 16), True),  # 2^16 states together
        ((64, 64, 17), False),
        ((2, 2, 1 << 14, 1), True),
        ((2, 2, (1 << 14) + 1, 1), False),
        ((300, 300), True),  # of two records the table itself is stated
        ((1 << 17,), True),
    ],
)
def test_the_records_of_one_sum_have_so_many_states(sizes: tuple[int, ...], fits: bool) -> None:
    """The last has all others as parents, so that all stand in the first sum."""
    of: dict[Name, Record] = {
        name: Record(tuple(range(name)) if name == len(sizes) - 1 else (), {},
                     {str(k): Fraction(0) for k in range(size)})
        for name, size in enumerate(sizes)
    }  # fmt: skip
    if fits:
        assert len(records.Tree(of).sums) == len(sizes)
        return
    with pytest.raises(TooMuchWork, match="too much work: a network that is too tangled"):
        records.Tree(of)


@pytest.mark.parametrize(("points", "bits"), [(1, 1), (100, 1), (1, 5000), (70, 5000)])
def test_a_message_takes_the_room_of_its_weights(points: int, bits: int) -> None:
    one = [(k, 1 << bits - 1) for k in range(points)]
    size = records._size(records.Factor(("x",), {("a",): one, ("b",): one}))
    assert 2 * points * bits <= size <= 2 * points * (bits + 2000)


def test_sums_of_several_laws_are_charged_by_their_length() -> None:
    apart: dict[Name, Record] = {
        k: Record((), {("a",): Fraction(1)}, {"a": Fraction(k)}) for k in range(3)
    }
    places = Places([(rows_of(dict.fromkeys(one.adds.values(), Fraction(1))), 1)
                     for one in apart.values()])  # fmt: skip
    sums = records.Sums(records.Tree(apart), places)
    parts = [[(k + shift, 3) for k in range(1000)] for shift in range(3)]
    with checking(0) as check:
        assert sums._sum(parts[:1]) == parts[0]  # nothing is added
        assert check.spent == 0
        assert sums._sum(parts[:2]) == [(0, 3), *((k, 6) for k in range(1, 1000)), (1000, 3)]
        assert check.spent >= 2000
        check.spent = 0
        assert len(sums._sum(parts)) == 1002
        assert check.spent >= 3000
