"""Exported data with every digit changed: the checker accepts exactly what is still true."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from support import coq
from support.coq_text import Data, answers, data_of

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.decide.verdict import Verdict
from pfverify.edge.packaged import load_example
from pfverify.errors import InputError
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number
from pfverify.scales.minimum import minimum_scale

pytestmark = pytest.mark.coq

TABLE = re.compile(r"Table (\d+) (\d+)\s+\[([^\]]*)\]")
ROW = re.compile(r"\((-?\d+),\s+(\d+)\)")
DIGIT = re.compile(r"(?<![\w*'])\d+(?![\w'])")


def census_at_the_minimum() -> Problem:
    census = load_example("census")
    return census.replaced(scale=minimum_scale(census, Grid(12)).upper)


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "census": lambda: load_example("census"),
    "census at its minimum": census_at_the_minimum,
    "tie of point masses": lambda: load_example("tie-point-masses"),
    "tie of Bernoulli laws": lambda: load_example("tie-bernoulli"),
}


@dataclass(frozen=True)
class Read:
    """What a reader makes of definitions: the tables as (unit, whole, rows), and the numbers."""

    tables: list[tuple[int, int, list[tuple[int, int]]]]
    scale: str
    epsilon: str

    @classmethod
    def of(cls, text: str) -> Read:
        tables = [
            (int(unit), int(whole), [(int(x), int(w)) for x, w in ROW.findall(rows)])
            for unit, whole, rows in TABLE.findall(text)
        ]
        return cls(tables, *(_number(text, name) for name in ("scale", "epsilon")))

    @property
    def readable(self) -> bool:
        """Whether Coq has such numbers: units and totals are positive."""
        return all(unit and whole for unit, whole, _ in self.tables)

    @property
    def regular(self) -> bool:
        """Whether the checker takes such tables: of one unit, with rows that increase."""
        ordered = all(x < y for _, _, rows in self.tables for (x, _), (y, _) in pairwise(rows))
        return ordered and len({unit for unit, _, _ in self.tables}) == 1

    def verdict(self) -> Verdict | None:
        """What Python says; None of what states no problem."""
        if any(sum(w for _, w in rows) != whole for _, whole, rows in self.tables):
            return None
        priors = {}
        for name, (unit, whole, rows) in zip("ab", self.tables, strict=True):
            mass: Counter[Fraction] = Counter()
            for x, w in rows:
                mass[Fraction(x, unit)] += Fraction(w, whole)
            priors[name] = Discrete(mass={x: m for x, m in mass.items() if m})
        try:
            problem = Problem(priors=priors, noise=Laplace(self.scale), epsilon=self.epsilon)
        except InputError:
            return None
        return certify(problem).verdict


def _number(text: str, name: str) -> str:
    found = re.search(rf"Definition {name} : number := (.*)%number\.", text)
    assert found is not None
    called = re.sub(r"(Exp|Log|Sqrt) (\d+)", r"\1(\2)", found[1])
    return re.sub(r"(Exp|Log|Sqrt) ?\(", lambda m: f"{m[1].lower()}(", called)


def changed(text: str) -> Iterator[str]:
    """The text with each digit of its numbers replaced by each other digit."""
    for number in DIGIT.finditer(text):
        for k in range(*number.span()):
            yield from (f"{text[:k]}{d}{text[k + 1 :]}" for d in "0123456789" if d != text[k])


def moved(text: str) -> Iterator[str]:
    """The text with each digit of a weight one higher, and the total as it then is."""
    for table in TABLE.finditer(text):
        for row in ROW.finditer(table[3]):
            for power in range(len(row[2])):
                more = 10**power
                start, end = table.start(3) + row.start(2), table.start(3) + row.end(2)
                yield (
                    f"{text[: table.start(2)]}{int(table[2]) + more}{text[table.end(2) : start]}"
                    f"{int(row[2]) + more}{text[end:]}"
                )


@cache
def data(name: str) -> Data:
    return data_of(PROBLEMS[name]())


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_read_of_the_text_is_the_problem(name: str) -> None:
    problem, read = PROBLEMS[name](), Read.of(data(name).definitions)
    assert read.regular
    assert Number.parse(read.scale) == problem.scale()
    assert Number.parse(read.epsilon) == problem.epsilon
    for prior, (unit, whole, rows) in zip(
        next(iter(problem.beliefs.values())).values(), read.tables, strict=True
    ):
        assert isinstance(prior, Discrete)
        assert prior.mass == {Fraction(x, unit): Fraction(w, whole) for x, w in rows}


@pytest.mark.parametrize("name", PROBLEMS)
def test_changed_data_are_accepted_exactly_where_the_claim_is_true(
    theory: Path, tmp_path: Path, name: str
) -> None:
    text = data(name).definitions
    variants = [text, *changed(text), *moved(text)]
    read = [Read.of(variant) for variant in variants]
    asked = [k for k, one in enumerate(read) if one.readable]
    found = answers(tmp_path, (replace(data(name), definitions=variants[k]) for k in asked), 120)
    seen: Counter[Verdict | None] = Counter()
    for k, answer in zip(asked, found, strict=True):
        verdict = read[k].verdict()
        true = (verdict is Verdict.CERTIFIED, verdict is Verdict.REFUTED)
        if read[k].regular:
            assert answer == true, variants[k]
        else:
            assert answer in {true, (False, False)}, variants[k]
        seen[verdict] += 1
    assert found[0] == (True, False)
    assert seen[Verdict.CERTIFIED] > 1
    assert seen[Verdict.REFUTED] > 0
    assert seen[None] > 0


def test_a_table_without_a_unit_or_total_is_no_table(theory: Path, tmp_path: Path) -> None:
    lines = [f"Fail Definition t := Table {numbers} [(0, 1)]%Z." for numbers in ("0 1", "1 0")]
    assert coq.run(tmp_path, coq.HEAD + "\n".join(lines)).returncode == 0
