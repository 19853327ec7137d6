"""Leaves of JSON values, and what to put in their place."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any


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
            "moment",
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
