"""Single-leaf mutations: whatever the kernel still accepts must be true at 60 digits."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import kernel_builder as kb
import pytest

ACCEPTED = sorted((kb.CORPUS / "accept").glob("*.json"))
SKIP = ("enormous", "long-gap")  # beyond what the oracle can add up
WORDS = {"certified", "refuted", "scales", "coupling"}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all leaves; empty containers count as leaves."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    children = list(items)
    if not children:
        yield path
    for key, child in children:
        yield from leaves(child, (*path, key))


def others(leaf: Any, rng: random.Random) -> list[Any]:
    """Replacements of a leaf: near misses first, then other types."""
    new: list[Any] = [
        None,
        True,
        [],
        {},
        -1,
        0,
        10**40,
        "",
        "0",
        "1",
        "nan",
        "inf",
        "-inf",
        "1e3",
        "a",
        "b",
    ]
    if isinstance(leaf, str):
        if re.fullmatch(r"-?[0-9]+(/[0-9]+|\.[0-9]+)?", leaf):
            x = Fraction(leaf)
            for y in (
                x + 1,
                x - 1,
                2 * x,
                x / 2,
                -x,
                x + Fraction(1, 10**30),
                x - Fraction(1, 10**13),
            ):
                new.append(str(y))
            digits = re.sub(r"[0-9]", lambda m: str(rng.randrange(10)), leaf, count=1)
            last = leaf[:-1] + str((int(leaf[-1]) + 1) % 10)
            less = leaf[:-1] + str((int(leaf[-1]) - 1) % 10)
            new += [digits, last, less, leaf + "0", leaf[:-1], "9" + leaf]
        new += [leaf + " ", leaf.upper(), leaf[::-1]]
        new += [
            "pure",
            "delta-upper",
            "delta-tie",
            "pointwise",
            "pure-refuted",
            "event-refuted",
            "pointwise-refuted",
            "no-noise",
            "no-scale",
            "scale",
            "minimum",
            "certified",
            "refuted",
            "scales",
            "coupling",
            "rows",
            "events",
            "laplace",
            "discrete-laplace",
        ]
    elif isinstance(leaf, int):
        new += [leaf + 1, leaf - 1, 2 * leaf, leaf // 2, str(leaf), float(leaf), 32, 64]
    elif leaf == []:
        new += [["0"], ["1"], ["0", "1"]]
    return [x for x in new if x != leaf or type(x) is not type(leaf)]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


def mutate(path: Path, rng: random.Random, share: float, tally: Counter[str]) -> None:
    case = json.loads(path.read_text())
    problem, cert = case["problem"], case["certificate"]
    if isinstance(problem, str) or isinstance(cert, str):
        return
    for where in leaves(cert):
        old = cert
        for key in where:
            old = old[key]
        for new in others(old, rng):
            if rng.random() < share:
                check(problem, replaced(cert, where, new), (path.stem, where, new), tally)
    for where in leaves(problem):
        old = problem
        for key in where:
            old = old[key]
        for new in others(old, rng):
            if rng.random() < share:
                changed = replaced(problem, where, new)
                try:
                    identity = kb.digest(changed)
                except Exception:  # malformed: only the kernel's own answer matters
                    identity = cert["problem"]
                check(changed, {**cert, "problem": identity}, (path.stem, where, new), tally)


def check(problem: Any, cert: Any, what: Any, tally: Counter[str]) -> None:
    word, message = kb.run(problem, cert)
    tally[word] += 1
    assert "beyond this kernel" not in message, (what, message)
    if word in WORDS:
        assert word == cert["result"]
        assert kb.is_true(problem, cert, word), (what, message)
        tally["accepted and true"] += 1


def battery(share: float) -> Counter[str]:
    rng, tally = random.Random(11), Counter[str]()
    for path in ACCEPTED:
        if not any(s in path.stem for s in SKIP):
            mutate(path, rng, share, tally)
    return tally


def report(tally: Counter[str], record_property: Callable[[str, Any], None]) -> None:
    tried = sum(v for k, v in tally.items() if k != "accepted and true")
    print("mutations tried:", tried, dict(tally))
    record_property("kernel leaves tried", tried)
    record_property("kernel leaves accepted", tally["accepted and true"])


def test_single_leaf_mutations(record_property: Callable[[str, Any], None]) -> None:
    tally = battery(0.1)
    report(tally, record_property)
    assert tally["rejected"] > 300
    assert tally["malformed"] > 300
    assert tally["accepted and true"] > 30


@pytest.mark.long
def test_single_leaf_mutations_all(record_property: Callable[[str, Any], None]) -> None:
    tally = battery(1.0)
    report(tally, record_property)
    assert tally["accepted and true"] > 300
