"""The noise table of a statistics office (cell-key method) as a problem about one count."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number
from pfverify.exact.decimals import decimal_text
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import printable
from pfverify.model.digest import problem_digest
from pfverify.model.noises.key_lines import check_no_gap, laws_of_keys
from pfverify.model.problem import Problem
from pfverify.model.schema import SCHEMA
from pfverify.model.sums import exact_sum
from pfverify.model.toml import toml_text
from pfverify.records.cells import cell_of, number_of
from pfverify.records.formats import open_table
from pfverify.records.rows import no_column
from pfverify.records.source import TextReading, sha256

COUNT, PERTURBATION, PERTURBED, PROBABILITY = "count", "perturbation", "perturbed", "probability"
KEY = "key"
COLUMNS: dict[str, tuple[str, ...]] = {
    COUNT: ("i", "count", "original", "original count", "freq", "frequency", "pcv"),
    PERTURBATION: ("v", "perturbation", "noise", "change", "pvalue"),
    PERTURBED: ("j", "perturbed", "target", "perturbed count"),
    PROBABILITY: ("p", "prob", "probability", "weight"),
    KEY: ("ckey", "cell key"),
}
"""What a column holds -> the names by which it is known (i, j, p and v: the R package ptable; pcv,
ckey and pvalue: the Office for National Statistics)."""
_TYPE = "type"  # the R package ptable: one file may hold several tables, told apart by this
_MOST = 1_000_000  # rows
Table = dict[Fraction, Fraction]


@dataclass(frozen=True)
class PtableProblem(NoTruth, ask="read its attributes"):
    """A problem about a noise table. `table` has the shape of its file, `rows` says how many
    perturbations each count has, `rescaled` what the probabilities of a count summed to where they
    were divided by it, `keys` how many cell keys there are, None where the file states
    probabilities; `output` is the file that was written, None for none."""

    problem: Problem = field(metadata={"json": False})
    table: dict[str, Any] = field(metadata={"json": False})
    epsilon_given: bool = field(metadata={"json": False})
    data: str
    sha256: str
    rows: dict[str, int]
    rescaled: dict[str, str]
    keys: int | None = None
    output: str | None = None

    @property
    def digest(self) -> str:
        """The digest of the problem."""
        return problem_digest(self.problem)

    @property
    def said(self) -> list[str]:
        """What the problem is about, and what was done to the file's numbers, in sentences."""
        last = list(self.rows)[-1]
        said = [
            f"Noise table {shorten(self.data)} (sha256 {self.sha256}), read by pfverify table.",
            "Secrets are the counts; two that differ by 1 are compared. Counts above "
            f"{last} have its table, so that their pairs are the last one, moved. Write your own "
            "priors and pairs for another belief.",
        ]
        if self.keys is not None:
            said.append(
                f"The file has a row for each of {self.keys} cell keys, which are equally likely. "
                f"Where counts above {last} take the rows of smaller ones in turn, as the Office "
                "for National Statistics has it, state their pairs too."
            )
        if self.rescaled:
            sums = [f"{sum_} for count {count}" for count, sum_ in self.rescaled.items()]
            more = f" and {len(sums) - 5} more" if len(sums) > 5 else ""
            said.append(
                "RESCALED: the probabilities in the file do not sum to 1 and were divided by what "
                f"they sum to: {', '.join(sums[:5])}{more}. The verdict is about the rescaled "
                "table."
            )
        if not self.epsilon_given:
            said.append("epsilon = 1 is no recommendation: choose your own with --epsilon.")
        return said

    @property
    def text(self) -> str:
        """The problem file, in TOML."""
        lines = [f"# {line}" for part in self.said for line in textwrap.wrap(part, 98)]
        return "\n".join(lines) + "\n" + toml_text(self.table)


def ptable_problem(
    path: Path,
    *,
    columns: Mapping[str, str | None] | None = None,
    rescale: bool = False,
    decimal_comma: bool = False,
    epsilon: Number | None = None,
    delta: Number = 0,
) -> PtableProblem:
    """Read a noise table, and return the problem that compares counts that differ by 1.

    A row has a count, a perturbation (or the perturbed count) and its probability, read as it
    stands; or a cell key in place of that, each of which is there once for every count, and as
    likely as the others. `columns` names those that are not called as usual. The rows of the
    largest count serve all larger ones. `rescale` divides the probabilities of a count by what they
    sum to.
    Raises InputError that begins with the file's name, and names the column or the count.
    Example: ``ptable_problem(Path("no.csv"))`` raises.
    """
    target = {
        "epsilon": printable(1 if epsilon is None else epsilon, "epsilon").text,
        "delta": printable(delta, "delta").text,
    }
    with told_at(f"{shorten(path, 200)}: "):
        tables, keys, digest = _read(path, columns or {}, decimal_comma)
        rescaled = _rescaled(tables) if rescale else {}
        _check(tables)
        found = _problem_table(tables, target)
        return PtableProblem(
            Problem.from_table(found), found, epsilon is not None, path.name, digest,
            {str(count): len(table) for count, table in tables.items()}, rescaled, keys,
        )  # fmt: skip


def _read(
    path: Path, columns: Mapping[str, str | None], decimal_comma: bool
) -> tuple[dict[int, Table], int | None, str]:
    """Count -> perturbation -> probability, sorted by count; how many cell keys; the digest."""
    tables: dict[int, Table] = {}  # or count -> key -> perturbation
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="pfverify-")))
        source = open_table(path, TextReading(), folder)
        if source.columns is None:
            raise InputError("expected a table with columns: CSV or Parquet")
        roles = _roles(source.columns, columns)
        types: set[object] = set()
        kept = [name for name in source.columns if name.strip().lower() == _TYPE]
        for number, (values, times) in enumerate(
            source.groups([*roles.values(), *kept[:1]], lambda done, total: None)
        ):
            if number >= _MOST:
                raise InputError(f"more than {_MOST} rows, expected a noise table")
            types.update(values[len(roles) :])
            _add(tables, dict(zip(roles, values, strict=False)), times, roles, decimal_comma)
        if len(types) > 1:
            raise InputError(
                f"column {kept[0]!r} has {len(types)} values: these are several tables, expected "
                "the rows of one"
            )
        digest = sha256(path)
    if not tables:
        raise InputError("there are no rows, expected counts with their perturbations")
    tables, keys = dict(sorted(tables.items())), None
    if KEY in roles:
        tables, keys = laws_of_keys(tables)
    return tables, keys, digest


def _roles(names: Sequence[str], given: Mapping[str, str | None]) -> dict[str, str]:
    """What is read -> its column; InputError for one that is missing or told twice."""
    found: dict[str, str] = {}
    for role, usual in COLUMNS.items():
        named = given.get(role)
        if named is not None:
            if named not in names:
                raise InputError(f"--{role}: {no_column(named, names)}")
            found[role] = named
            continue
        matching = [name for name in names if name.strip().lower() in usual]
        if len(matching) > 1:
            raise InputError(f"the {role} may be {' or '.join(matching)}: say --{role}")
        if matching:
            found[role] = matching[0]
    for role in (COUNT, PROBABILITY):
        if role not in found and (role, KEY in found) != (PROBABILITY, True):
            raise InputError(f"no column is known as the {role}: say --{role}; {_offered(names)}")
    if KEY in found and PROBABILITY in found:
        raise InputError(
            f"there are probabilities ({found[PROBABILITY]}) and cell keys ({found[KEY]}), "
            "expected one of them"
        )
    if PERTURBATION not in found and PERTURBED not in found:
        raise InputError(
            "no column is known as the perturbation, or as the perturbed count: say --perturbation "
            f"or --perturbed; {_offered(names)}"
        )
    if len(set(found.values())) < len(found):
        raise InputError("one column is named for two things")
    return found


def _offered(names: Sequence[str]) -> str:
    return f"there are {shorten(', '.join(names), 120)}"


def _add(
    tables: dict[int, Table], row: Mapping[str, object], times: int, roles: Mapping[str, str],
    decimal_comma: bool,
) -> None:  # fmt: skip
    """Put a row where it belongs; InputError for one that is no part of a noise table."""
    exact = {role: _number(row[role], name, decimal_comma) for role, name in roles.items()}
    count = exact[COUNT]
    if count.denominator != 1 or count < 0:
        raise InputError(f"column {roles[COUNT]!r}: {decimal_text(count)} is no count")
    move = exact[PERTURBATION] if PERTURBATION in exact else exact[PERTURBED] - count
    if PERTURBED in exact and exact[PERTURBED] != count + move:
        raise InputError(
            f"count {count}: {decimal_text(count)} + {decimal_text(move)} is not the perturbed "
            f"count {decimal_text(exact[PERTURBED])}"
        )
    table = tables.setdefault(int(count), {})
    if KEY in exact:
        key = exact[KEY]
        if key in table or times > 1:
            raise InputError(f"count {count}: cell key {decimal_text(key)} is there twice")
        table[key] = move
        return
    p = exact[PROBABILITY]
    if p < 0:
        raise InputError(
            f"count {count}: perturbation {decimal_text(move)} has the negative probability "
            f"{decimal_text(p)}"
        )
    if move in table or times > 1:
        raise InputError(f"count {count}: perturbation {decimal_text(move)} is there twice")
    table[move] = p


def _number(value: object, column: str, decimal_comma: bool) -> Fraction:
    cell = cell_of(value, column)
    if decimal_comma and isinstance(cell, str):
        if "." in cell:
            raise InputError(f"column {column!r}: {shorten(cell)!r} has a point: --decimal-comma")
        cell = cell.replace(",", ".")
    found = number_of(cell, column)
    if found is None:
        comma = isinstance(cell, str) and "," in cell
        hint = "; is it written with a comma? --decimal-comma" if comma else ""
        raise InputError(
            f"column {column!r}: {shorten('' if cell is None else cell, 30)!r} is no exact number"
            f"{hint}"
        )
    return Fraction(found)


def _rescaled(tables: dict[int, Table]) -> dict[str, str]:
    """Divide the probabilities of each count by their sum; count -> the sum, where it is not 1."""
    found: dict[str, str] = {}
    for count, table in tables.items():
        total = exact_sum([*table.values()])
        if total not in (0, 1):
            found[str(count)] = decimal_text(total)
            tables[count] = {move: p / total for move, p in table.items()}
    return found


def _check(tables: Mapping[int, Table]) -> None:
    """InputError for a sum that is not 1, and for counts in between that have no rows."""
    for count, table in tables.items():
        total = exact_sum([*table.values()])
        if total != 1:
            hint = "; --rescale divides by the sum" if total else ""
            raise InputError(
                f"count {count}: the probabilities sum to {shorten(decimal_text(total), 60)}, "
                f"expected exactly 1{hint}"
            )
    check_no_gap([*tables])


def _problem_table(tables: Mapping[int, Table], target: Mapping[str, Any]) -> dict[str, Any]:
    """Counts from the first to one above the last, whose table is that of all larger ones."""
    written = {
        str(count): {str(move): str(p) for move, p in sorted(table.items()) if p}
        for count, table in tables.items()
    }
    last = max(tables)
    names = [str(count) for count in (*tables, last + 1)]
    return {
        "schema": SCHEMA,
        **target,
        "pairs": [list(pair) for pair in pairwise(names)],
        "noise": {"kind": "table", "by": written, "larger": written[str(last)]},
        "priors": {name: {"kind": "discrete", "mass": {name: "1"}} for name in names},
    }
