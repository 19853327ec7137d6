"""Numbers and problem files through both readers: the same taken, meaning the same, at once."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import kernel_builder as kb
import mpmath
import pytest
from core.enclose import Undecided
from core.grammar import Malformed, canonical
from core.shapes import parse
from core.value import require_defined
from mpmath import mpf
from reader import reader
from support import tally
from support.tally import Record
from text_grammar import number_text, problem_file

from pfverify import Problem
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.digest import problem_digest

ISSUE = 93_000
NUMBERS, FILES = 63_000, 33_000
BLOCKS = 30
SECONDS = 2.0  # of processor time for one text and one reader
SHOWN = ("texts", "taken by both", "refused by both", "disagreements")
LIMIT = "the argument must be below 1e9 in size"
"""What only the package refuses: it encloses every number that it reads, the kernel when asked."""

Meaning = tuple[bool, str]
"""Whether a text was taken, and its canonical text or digest; or the reason why not."""


def timed(read: Callable[[], str]) -> Meaning:
    """A reader's answer; nothing but its own refusals may come, and not late."""
    start = time.process_time()
    try:
        found = True, read()
    except (InputError, Malformed, Undecided) as reason:
        found = False, str(reason)
        assert "\n" not in found[1]
    assert time.process_time() - start < SECONDS, found[1][:200]
    return found


def agree(kind: str, text: Any, ours: Meaning, kernels: Meaning, counts: Counter[str]) -> None:
    """The same verdict on the text, and the same meaning where it was taken."""
    counts["texts"] += 1
    counts.update({f"{what} {'taken' if ours[0] else 'refused'}" for what in kind.split()})
    if ours[0] != kernels[0] and LIMIT in ours[1]:
        counts["beyond the size of exponents"] += 1
        return
    assert ours[0] == kernels[0], (kind, text, ours, kernels)
    if ours[0]:
        assert ours[1] == kernels[1], (kind, text, ours, kernels)
    counts["taken by both" if ours[0] else "refused by both"] += 1


def numbers(seeds: range) -> Counter[str]:
    """Number texts; a short one that is taken must also have the value that mpmath gives it."""
    counts: Counter[str] = Counter()

    def read(text: str) -> str:
        number = parse(text)
        require_defined(number)
        return canonical(number)

    for seed in seeds:
        kind, text = number_text(Random(f"n {seed}"))
        ours = timed(lambda t=text: Number.parse(t).text)
        agree(kind, text, ours, timed(lambda t=text: read(t)), counts)
        # the oracle's digits are too few where 1e400 cancels
        plain = "sqrt" not in text and not re.search(r"[eE][+-]?[0-9]{3}", text)
        if ours[0] and kind == "written" and len(text) < 60 and plain:
            valued(text, ours[1], counts)
    return counts


def valued(text: str, read: str, counts: Counter[str]) -> None:
    """The canonical text means what the text did, by Python's own grammar and mpmath."""
    try:
        value, again = kb.real(text), kb.real(read)
        close = abs(value - again) <= mpf(10) ** -40 * max(abs(value), abs(again), 1)
    except (OverflowError, MemoryError, ZeroDivisionError):
        return
    if mpmath.isfinite(value):
        assert close, (text, read)
        counts["values"] += 1


def kernel_digest(data: bytes, is_json: bool) -> str:
    """The digest of a problem file whose numbers the kernel also finds in their ranges."""
    problem = reader.parse_problem(data, is_json)
    reader.require_valid(problem)
    return reader.digest(problem)


def files(seeds: range, folder: Path) -> Counter[str]:
    """Problem files through `Problem.load` and the kernel's own reader."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        kind, data, is_json = problem_file(Random(f"f {seed}"))
        path = folder / ("p.json" if is_json else "p.toml")
        path.write_bytes(data)
        ours = timed(lambda p=path: problem_digest(Problem.load(p)))
        kernels = timed(lambda d=data, j=is_json: kernel_digest(d, j))
        agree(kind, data, ours, kernels, counts)
    return counts


KINDS = ("written", "damaged", "odd", "long")
FILE_KINDS = ["written", "changed", "damaged", "bytes", "JSON", "TOML"]


def complete(counts: Counter[str], kinds: list[str], least: int) -> None:
    """Every kind of text, taken and refused."""
    tally.reached(counts, *(f"{k} {w}" for k in kinds for w in ("taken", "refused")), least=least)


@pytest.mark.slow
def test_texts(tmp_path: Path, record_property: Record) -> None:
    for counts, kinds in (
        (numbers(range(-1_000, 0)), list(KINDS)),
        (files(range(-400, 0), tmp_path), FILE_KINDS),
    ):
        tally.report("texts through both readers", counts, SHOWN, record_property)
        complete(counts, kinds, 2)


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_texts_long(block: int, tmp_path: Path, record_property: Record) -> None:
    assert NUMBERS + FILES >= ISSUE
    each = NUMBERS // BLOCKS
    counts = numbers(range(block * each, (block + 1) * each))
    complete(counts, list(KINDS), 5)
    tally.reached(counts, "values", least=100)
    each = FILES // BLOCKS
    counts += files(range(block * each, (block + 1) * each), tmp_path)
    complete(counts, FILE_KINDS, 2)
    assert counts["texts"] == (NUMBERS + FILES) // BLOCKS
    tally.report("texts through both readers", counts, SHOWN, record_property)
