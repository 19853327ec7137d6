"""Programs against the matrices that their trees have, worked out without running anything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pfverify.program import channel_of

PROGRAMS = 100  # of each seed
INPUTS = (0, 1)
NAMES = {
    "a": "a", "b": "b", 0: "0", -3: "-3", True: "True", None: "None", Fraction(1, 2): "1/2",
    ("a", 1): "(a, 1)",
}  # fmt: skip
"""What the programs return, and what it is called."""
Tree = tuple[Any, ...]
"""("return", output), ("input", trees), ("never",), or a choice, what is asked, and its trees."""


def tree(rng: random.Random, depth: int) -> Tree:
    """A random decision tree."""
    kind = rng.choice(["return", "input", "coin", "uniform", "choose"]) if depth else "return"
    if kind == "return":
        return kind, rng.choice([*NAMES])
    if kind == "input":
        return kind, [tree(rng, depth - 1) for _ in INPUTS]
    if kind == "uniform":
        count = rng.randint(1, 3)
        return kind, count, [tree(rng, depth - 1) for _ in range(count)]
    weights = [rng.randint(0, 4) for _ in range(2 if kind == "coin" else rng.randint(1, 4))]
    weights[0] += not any(weights)
    parts = [tree(rng, depth - 1) if weight else ("never",) for weight in weights]
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    if kind == "coin":
        return kind, chances[0], parts
    return kind, dict(zip(rng.sample([*NAMES], len(chances)), chances, strict=True)), parts


def lines(part: Tree, indent: str = "    ") -> Iterator[str]:
    """The source of a tree."""
    kind, *rest = part
    if kind in ("return", "never"):
        yield f"{indent}return {rest[0]!r}" if rest else f"{indent}raise OSError('chance 0')"
        return
    if kind == "input":
        tests = [f"x == {one}" for one in INPUTS]
    elif kind == "coin":
        yield f"{indent}k = coin('{rest[0]}')"
        tests = ["k is True", "k is False"]
    elif kind == "uniform":
        yield f"{indent}k = uniform({rest[0]})"
        tests = [f"k == {place}" for place in range(rest[0])]
    else:
        asked = ", ".join(f"{key!r}: '{chance}'" for key, chance in rest[0].items())
        yield f"{indent}k = choose({{{asked}}})"
        tests = [f"k == {key!r}" for key in rest[0]]
    for test, inner in zip(tests, rest[-1], strict=True):
        yield f"{indent}if {test}:"
        yield from lines(inner, f"{indent}    ")


def law(part: Tree, x: int) -> tuple[Counter[str], int]:
    """The chance of every output of a tree, and how many paths it has: by its definition alone."""
    kind, *rest = part
    if kind == "return":
        return Counter({NAMES[rest[0]]: Fraction(1)}), 1  # type: ignore[dict-item]
    if kind == "input":
        return law(rest[0][x], x)
    asked = rest[0]
    weights = {
        "coin": lambda: [asked, 1 - asked],
        "uniform": lambda: [Fraction(1, asked)] * asked,
        "choose": lambda: [*asked.values()],
    }[kind]()
    found: Counter[str] = Counter()
    paths = 0
    for weight, inner in zip(weights, rest[1], strict=True):
        if weight:
            masses, more = law(inner, x)
            paths += more
            for name, mass in masses.items():
                found[name] += weight * mass  # type: ignore[assignment]
    return found, paths


@pytest.mark.parametrize("seed", [29, 30])
def test_random_programs_have_the_matrices_of_their_trees(tmp_path: Path, seed: int) -> None:
    """Each program is a function of its own, in one file, and each input of it a row."""
    rng = random.Random(seed)
    trees = [tree(rng, 3) for _ in range(PROGRAMS)]
    text = ["from fractions import Fraction", "from pfverify.program import *"]
    for number, one in enumerate(trees):
        text += [f"def program_{number}(x):", *lines(one)]
    text += ["def release(asked):", "    return globals()[f'program_{asked[0]}'](asked[1])"]
    (tmp_path / "trees.py").write_text("\n".join(text) + "\n")
    asked = [(number, x) for number in range(PROGRAMS) for x in INPUTS]
    found = channel_of(f"{tmp_path / 'trees.py'}:release", asked)
    channel = found.channel
    seen: Counter[str] = Counter()
    for number, x in asked:
        expected, paths = law(trees[number], x)
        name = f"({number}, {x})"
        row = dict(zip(channel.outputs, channel.row(name), strict=True))
        assert {key: mass for key, mass in row.items() if mass} == dict(expected)
        assert found.paths[name] == paths
        seen[trees[number][0]] += 1
        seen["several paths"] += paths > 1
        seen["several outputs"] += len(expected) > 1
    assert {*channel.outputs} <= {*NAMES.values()}
    assert sum(found.paths.values()) > 500
    assert min(seen[kind] for kind in ("input", "coin", "uniform", "choose")) > 20
    assert seen["several outputs"] > 75


def test_a_program_with_a_loop_has_its_matrix(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(
        "from pfverify.program import coin\n"
        "def release(count):\n"
        "    for _ in range(3):\n"
        "        if coin('1/4'): return count\n"
        "        count += 1\n"
        "    return count\n"
    )
    found = channel_of(f"{tmp_path / 'loop.py'}:release", [9, 10])
    assert found.channel.outputs == ("9", "10", "11", "12", "13"), "numbers are in their order"
    quarter = [Fraction(1, 4), Fraction(3, 16), Fraction(9, 64), Fraction(27, 64)]
    assert [*found.channel.rows] == [(*quarter, 0), (0, *quarter)]
    assert found.paths == {"9": 4, "10": 4}
    assert found.program == "loop.py:release"


def test_what_is_found_is_neither_true_nor_false(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("def release(x): return x")
    found = channel_of(f"{tmp_path / 'one.py'}:release", ["only"])
    assert found.channel.rows == ((1,),)
    with pytest.raises(TypeError, match="read its channel"):
        bool(found)


def released(x: object) -> object:
    """A function at the top of a module."""
    from pfverify.program import choose

    return choose({x: "1/3", "other": "2/3"})


def test_a_function_is_found_by_itself() -> None:
    found = channel_of(released, ["a", None])
    assert found.channel.outputs == ("a", "other", "None")
    assert found.program == "test_enumerated.py:released"
