"""One table of texts, two readers: the same are accepted, and their digests agree."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader import reader

from pfverify import Problem
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest

NUMBERS = """1|1/2|1.|+1|-1|--1|1e3|1E3|1e+3|1e-3|.5|5.|0x1|1_0| 1 |1 /2||exp(0)|log(1)|exp (1)
sqrt(4)|sqrt(2)|1/0|0/0|log(0)|log(-1)|1/(exp(1)-exp(1))|exp(1)-exp(1)|exp(1)/exp(1)|nan|inf
1e4097|(1)|((1))|()|1+|+|exp(1|-exp(1)|exp(-1)|1-exp(1)|0-0|-0|exp(log(2))|2*(exp(1)-1)"""
TEXTS = NUMBERS.replace("\n", "|").split("|")
TEXTS += ["-" * 99 + "log(2)", "-" * 100 + "log(2)", "+" * 50 + "(" * 50 + "1" + ")" * 50]
TEXTS += ["-" * 100 + "2", "-" * 101 + "2", "+" * 50 + "(" * 51 + "1" + ")" * 51]
BASE: dict[str, Any] = {
    "schema": "pfverify/problem/1",
    "epsilon": 1,
    "noise": {"kind": "laplace", "scale": 1},
    "priors": {
        "a": {"kind": "discrete", "counts": {"0": 1}},
        "b": {"kind": "discrete", "counts": {"1": 1}},
    },
}
RAW = json.dumps(BASE)
SHAPES = {
    "count of a decimal": RAW.replace('{"0": 1}', '{"0": 1.0}'),
    "count of a half": RAW.replace('{"0": 1}', '{"0": 0.5}'),
    "count in quotes": RAW.replace('{"0": 1}', '{"0": "1"}'),
    "empty secret": RAW.replace('"a":', '"":'),
    "byte order mark": "\ufeff" + RAW,
    "two byte order marks": "\ufeff\ufeff" + RAW,
    "late byte order mark": " \ufeff" + RAW,
    "truth value": RAW.replace('{"0": 1}', '{"0": true}'),
    "null": RAW.replace('"epsilon": 1', '"epsilon": null'),
    "key twice": RAW[:-1] + ',"epsilon":1}',
    "decimal": RAW.replace('"epsilon": 1', '"epsilon": 1.0'),
    "large decimal": RAW.replace('"epsilon": 1', '"epsilon": 1e400'),
    "NaN": RAW.replace('"epsilon": 1', '"epsilon": NaN'),
    "unknown key": RAW[:-1] + ',"more":1}',
    "no pair": RAW[:-1] + ',"pairs":[]}',
    "pair of one": RAW[:-1] + ',"pairs":[["a","a"]]}',
    "pair twice": RAW[:-1] + ',"pairs":[["a","b"],["b","a"]]}',
    "atom twice": RAW.replace('{"0": 1}', '{"0": 1, "0.0": 1}'),
    "count of zero": RAW.replace('{"0": 1}', '{"0": 1, "2": 0}'),
}


def readers(text: str) -> tuple[str | None, str | None]:
    """The kernel's digest and the package's, None where the text is refused."""
    kernel = package = None
    with suppress(Malformed):
        problem = reader.parse_problem(text.encode(), True)
        reader.require_valid(problem)
        kernel = reader.digest(problem)
    with suppress(InputError):
        package = problem_digest(Problem.from_text(text, json_format=True))
    return kernel, package


@pytest.mark.parametrize("text", TEXTS)
def test_numbers_mean_the_same_to_both_readers(text: str) -> None:
    places: list[dict[str, Any]] = [
        {**BASE, "epsilon": text},
        {**BASE, "delta": text},
        {**BASE, "noise": {"kind": "laplace", "scale": text}},
        {**BASE, "priors": {**BASE["priors"], "a": {"kind": "discrete", "mass": {text: 1}}}},
    ]
    for value in places:
        kernel, package = readers(json.dumps(value))
        assert kernel == package, value


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_mean_the_same_to_both_readers(name: str) -> None:
    kernel, package = readers(SHAPES[name])
    assert kernel == package
