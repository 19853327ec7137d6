"""Noise tables by counts and cell keys: both readings, by hand and in both readers."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import kernel_digest

from core.grammar import Malformed  # isort: skip
from reader import key_lines as kernel_lines  # isort: skip

from pfverify import InputError, Problem, TableNoise, certify
from pfverify.model.digest import problem_digest
from pfverify.model.noises.key_lines import _lines as csv_lines
from pfverify.model.noises.key_lines import laws_of_lines

F = Fraction
Lines = list[list[Any]]
Laws = dict[int, dict[Fraction, Fraction]]


def by_key(rng: Random, first: int = 0) -> tuple[Lines, Laws]:
    """Lines of whole keys, and the share of the keys that give each perturbation."""
    start, keys, lines, laws = rng.randint(0, 2), rng.randint(1, 9), [], {}
    for count in range(start, start + rng.randint(1, 4)):
        moves = [rng.randint(-2, 2) for _ in range(keys)]
        lines += [[count, first + key, move] for key, move in enumerate(moves)]
        laws[count] = {F(n): F(times, keys) for n, times in Counter(moves).items()}
    rng.shuffle(lines)
    return lines, laws


def by_range(rng: Random) -> tuple[Lines, Laws]:
    """Lines of upper ends, and the lengths of the ranges that give each perturbation."""
    lines: Lines = []
    laws: Laws = {}
    for count in range(rng.randint(1, 4)):
        ends = [*sorted({F(rng.randint(1, 11), 12) for _ in range(rng.randint(1, 4))}), F(1)]
        law: Counter[Fraction] = Counter()
        low = F(0)
        for end in ends:
            move = rng.randint(-2, 2)
            lines.append([count, str(end), move])
            law[F(move)] += end - low  # type: ignore[assignment]
            low = end
        laws[count] = dict(law)
    rng.shuffle(lines)
    return lines, laws


def problem(lines: Lines, counts: list[int]) -> dict[str, Any]:
    """Counts that differ by 1, one of them above all that have lines."""
    names = [*map(str, counts), str(counts[-1] + 1)]
    return {
        "schema": "pfverify/problem/1", "epsilon": 1, "delta": "1/4",
        "noise": {"kind": "table", "lines": lines},
        "pairs": [list(pair) for pair in pairwise(names)],
        "priors": {name: {"kind": "discrete", "mass": {name: 1}} for name in names},
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_both_readings_are_the_shares_of_the_keys(seed: int) -> None:
    rng = Random(f"lines {seed}")
    lines, laws = by_range(rng) if seed % 3 == 0 else by_key(rng, seed % 3 - 1)
    assert laws_of_lines(lines) == laws
    kernel = kernel_lines.laws_of([[*map(str, line)] for line in lines], "lines")
    assert kernel == {F(count): law for count, law in laws.items()}
    assert [*kernel] == sorted(kernel)
    assert all([*law] == sorted(law) for law in kernel.values())
    noise = TableNoise(lines=lines)
    assert noise.canonical() == TableNoise(by=laws, larger=laws[max(laws)]).canonical()
    stated = problem(lines, sorted(laws))
    made = Problem.from_table(stated)
    assert kernel_digest(stated) == problem_digest(made) == kernel_digest(made.to_table())
    assert Problem.from_text(made.to_toml()) == made


KEYS = st.sampled_from(["0", "1", "2", "3", "1/2", "0.25", "1.0", "-1", "3/2", "x", "1/0"])
CELLS = st.tuples(st.sampled_from(["0", "1", "2", "0.5", "-1"]), KEYS, st.sampled_from("01"))


@given(st.lists(CELLS, max_size=6))
@settings(max_examples=600, deadline=None)
def test_both_readers_take_and_refuse_the_same(lines: list[tuple[str, str, str]]) -> None:
    stated = [list(line) for line in lines]
    ours: Any = None
    with suppress(InputError):
        ours = laws_of_lines(stated)
    try:
        theirs: Any = kernel_lines.laws_of(stated, "lines")
    except Malformed:
        theirs = None
    assert ours == theirs
    if ours is not None:
        assert all(sum(law.values()) == 1 for law in ours.values())


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "lines: there are none"),
        (3, "expected a list of such lines"),
        ([[0, 0]], "line 1: 2 cells, expected pcv, ckey and pvalue"),
        ([[0, 0, 0], 7], "line 2: expected [pcv, ckey, pvalue]"),
        ([["1/2", 0, 0]], "line 1: pcv: 1/2 is no count"),
        ([[-1, 0, 0]], "line 1: pcv: -1 is no count"),
        ([[0, "x", 0]], "line 1: ckey: "),
        ([[0, 0, 0.5]], "line 1: pvalue: "),
        ([[0, 0, 0], [0, "0.0", 1]], "line 2: cell key 0 of count 0 is there twice"),
        ([[0, 0, 0], [2, 0, 0]], "count 1 has no rows, but counts 0 and 2 have"),
        ([[0, 0, 0], [0, 1, 0], [1, 0, 0]], "count 1: its cell keys are not 0 to 1, or 1 to 2"),
        ([[0, 0, 0], [0, 2, 0]], "count 0: its cell keys are not 0 to 1, or 1 to 2, each once"),
        ([[0, 64, 0], [0, 255, 1]], "count 0: its cell keys are not 0 to 1"),  # ends of ranges
        ([[0, "1/2", 0], [0, "3/2", 1]], "nor are all keys upper ends of ranges, above 0 and at"),
        ([[0, "1/2", 0], [0, "0.9", 1]], "count 0: its largest cell key is 9/10, expected 1"),
        ([[0, 0, 0], [0, "1/2", 0], [0, 1, 1]], "count 0: its cell keys are not 0 to 2"),
        ([[0, 1, 0], [1, "1/2", 0]], "count 1: its largest cell key is 1/2, expected 1"),
    ],
)
def test_lines_that_are_no_table(lines: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        TableNoise(lines=lines)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    if isinstance(lines, list) and not any(isinstance(x, float) for of in lines
                                           for x in (of if isinstance(of, list) else [])):
        with pytest.raises(Malformed):
            kernel_lines.laws_of(lines, "lines")


def test_one_key_alone_is_certain_in_either_reading() -> None:
    for key in (0, 1, "1.0"):
        assert laws_of_lines([[0, key, 3]]) == {0: {F(3): F(1)}}
    assert laws_of_lines([[0, 1, 3], [1, "1/2", 0], [1, 1, 1]])[0] == {F(3): F(1)}


def test_a_large_table_is_read_and_certified_in_time() -> None:
    """750 counts and 256 keys, as the Office for National Statistics has them."""
    lines = [[str(x), str(k), str((k * 7 + x) % 5 - 2)] for x in range(1, 751) for k in range(256)]
    table = problem(lines, [1, 2])
    made = Problem.from_table({**table, "epsilon": 2, "delta": "9/10"})
    assert len(made.noise.by) == 750  # type: ignore[attr-defined]
    assert certify(made).certified


TEXTS = st.lists(
    st.sampled_from(["pcv", "ckey", ",", "\n", "\r", '"', "0", "1", " ", "\ufeff", "\0", ";"]),
    max_size=14,
)


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_both_readers_see_the_same_lines(parts: list[str]) -> None:
    text = "pcv,ckey,pvalue\n" + "".join(parts)
    try:
        ours: Any = csv_lines(text)
    except InputError:
        ours = None
    try:
        theirs: Any = kernel_lines.lines_of(text.encode(), "x")
    except Malformed:
        theirs = None
    assert ours == theirs
