"""From a file of records to a problem file: read, counted, written."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pfverify.answers.methods import Footing
from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.decimals import decimal_text
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number
from pfverify.model.digest import problem_digest
from pfverify.model.kinds import read_noise
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.joint import MOST_POINTS, Joint
from pfverify.model.problem import Problem
from pfverify.model.provenance import CONFIDENTIAL, Provenance
from pfverify.model.releases.repeated import read_several
from pfverify.model.toml import toml_text
from pfverify.records.bins import EdgedBins
from pfverify.records.build import problem_table
from pfverify.records.cells import cell_of
from pfverify.records.conditions import RowCondition, condition
from pfverify.records.formats import open_table
from pfverify.records.laws import CountedLaw, EmpiricalLaw
from pfverify.records.options import FITTING, LAWS, CheckedOptions, asked_of_columns
from pfverify.records.rows import no_column, public_columns
from pfverify.records.sequences import ChainOptions, Sequences, asked_of_chain
from pfverify.records.source import RecordSource, RecordTable, Report, TextReading, sha256
from pfverify.records.tally import Tally, tally_of

NOT_SELECTED = "where"
"""Why rows that do not meet the condition are left out."""


@dataclass(frozen=True)
class CountedPrior(NoTruth, ask="read its attributes"):
    """A problem counted from a file. `table` has its shape, with the counts as they are; `rows`
    says how many there are of each secret; `output` is the file written, None for none; `remarks`
    tell what may not be meant so, and `rests_on` what its smallest scale rests on."""

    problem: Problem = field(metadata={"json": False})
    table: dict[str, Any] = field(metadata={"json": False})
    rows: dict[str, int]
    epsilon_given: bool = field(metadata={"json": False})
    output: str | None = None
    remarks: tuple[str, ...] = field(default=(), metadata={"json": False})
    rests_on: Footing | None = field(default=None, metadata={"json": False})

    @property
    def provenance(self) -> Provenance:
        """Where the numbers come from."""
        if self.problem.provenance is None:
            raise TypeError("a problem from records says where they come from")
        return self.problem.provenance

    @property
    def digest(self) -> str:
        """The digest of the problem."""
        return problem_digest(self.problem)

    @property
    def text(self) -> str:
        """The problem file, in TOML."""
        told = self.provenance
        each = "the column" if told.time is None else "what one record is in the column"
        lines = [
            f"# Secret: {each} {_line(told.secret)}. "
            f"Released: {_RELEASED[told.release or 'value']} {_line(told.public)}.",
            f"# Counted from {_line(told.data)} by pfverify prior; [provenance] says how.",
        ]
        lines += [f"# {line}" for line in textwrap.wrap(CONFIDENTIAL, 98)]
        if not self.epsilon_given:
            lines.append("# The epsilon is no recommendation: choose your own.")
        return "\n".join(lines) + "\n" + toml_text(self.table)


_RELEASED = {
    "value": "one record's value of",
    "count": "how many records have",
    "sum": "the sum of",
    "mean": "the mean of",
    "histogram": "how many records have each value of",
}


def _line(text: str | None) -> str:
    return repr(shorten(text or ""))


def prior_of_file(
    path: Path,
    secret: str | None,
    public: str,
    *,
    chain: ChainOptions | None = None,
    epsilon: object = None,
    delta: object = 0,
    noise: Mapping[str, Any] | None = None,
    where: str | None = None,
    reading: TextReading | None = None,
    laws: Mapping[str, Callable[[], EmpiricalLaw]] = LAWS,
    report: Report = lambda done, total: None,
    options: Mapping[str, object] | None = None,
) -> CountedPrior:
    """Count the records of a file: CSV and its kin, Parquet, JSON lines, with gzip too, or a sheet.

    `public` is a column, or COLUMN=VALUE: 1 for the rows with that value, 0 for all others; or
    several of these with commas between them, which are released together.
    Without an option `rest` the others of a sum are known where their law is small, else any.
    With `chain` rows are records of sequences, each of which is secret: `secret` is then None.
    `where` is a condition that the rows have to meet; `noise` a table as in a problem file;
    `laws` what a fit may be. Raises InputError that begins with the file's name.
    Example: ``prior_of_file(Path("no.csv"), "a", "b")`` raises.
    """
    meets = None if where is None else condition(where)
    target: dict[str, Any] = {
        "epsilon": _written(1 if epsilon is None else epsilon, "epsilon"),
        "delta": _written(delta, "delta"),
        "noise": {"kind": "laplace"} if noise is None else dict(noise),
    }
    read_several(target["noise"], read_noise)
    with told_at(f"{shorten(path, 200)}: "):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="pfverify-")))
            digest = sha256(path) if path.is_file() else None
            table = open_table(path, reading or TextReading(), folder)
            named = public_columns(public, table.columns)
            tally: Tally | Sequences
            if chain is not None:
                if len(named) > 1:
                    raise InputError("--public: of a chain one column is released")
                ((column, one),) = named
                wanted = asked_of_chain(column, options or {}, one=one, laws=laws)
                if secret not in (None, column):
                    raise InputError("--secret: of a chain each record of --public is secret")
                tally = Sequences(wanted, chain)
            else:
                known = _fitting(options or {})
                own = (secret or "").strip()
                tally = tally_of(asked_of_columns(own, named, known, laws, target))
            _count(table, tally, meets, report)
        report(0, 0)  # fits take as long as they take
        named_part = f"{path.name} ({table.part})" if table.part else path.name
        origin = RecordSource(named_part, digest, where)
        if isinstance(tally, Sequences):
            found = tally.problem_table(target, origin)
            return CountedPrior(
                Problem.from_table(found), found, found["provenance"]["records"],
                epsilon is not None, remarks=tally.remarks(),
            )  # fmt: skip
        found = problem_table(tally, target, origin)
        problem = Problem.from_table(found)
        _require_grid(problem)
        rows = found["provenance"]["records"]
        return CountedPrior(
            problem, found, rows, epsilon is not None,
            remarks=_remarks(tally, rows, target["noise"]),
        )  # fmt: skip


def _require_grid(problem: Problem) -> None:
    """Raise InputError where two priors of several numbers have too large a grid to be decided.

    Single points against single points need none.
    """
    if not problem.numbers or problem.release.noise.adds_nothing:
        return
    for item in problem.questions():
        laws = [prior for prior in item.priors if isinstance(prior, Joint)]
        names = laws[0].names
        sizes = [len({point[k] for law in laws for point in law.mass}) for k in range(len(names))]
        if any(len(law.mass) > 1 for law in laws) and prod(sizes) > MOST_POINTS:
            raise InputError(
                f"--public: {shorten(', '.join(names), 60)} have {' x '.join(map(str, sizes))} "
                f"combinations of values, more than the {MOST_POINTS} that can be decided; "
                + _fewer(problem, names, sizes)
            )


def _fewer(problem: Problem, names: Sequence[str], sizes: Sequence[int]) -> str:
    """What makes a grid small."""
    if problem.source.part_alone:
        return "make the category itself the secret, or count fewer categories"
    longest = max(range(len(names)), key=sizes.__getitem__)
    left = MOST_POINTS * sizes[longest] // prod(sizes)
    so = f", so that it has at most {left}" if left > 1 else ", and others too"
    width, bounds = (
        shlex.quote(f"{shorten(names[longest], 30)}={what}") for what in ("WIDTH", "LOW,HIGH")
    )
    return f"put values into intervals (--bin-width {width}) and bounds (--clip {bounds}){so}"


def _fitting(options: Mapping[str, object]) -> Mapping[str, object]:
    """The options, where nobody said what is known of the others: what can be decided."""
    if options.get("release", "value") == "value" or "rest" in options:
        return options
    return {**options, "rest": FITTING}


def _written(value: object, name: str) -> object:
    """A number as it was written; InputError for what is none."""
    text = number(value, name).text
    return int(text) if text.isdecimal() and len(text) < 20 else str(value)


def _remarks(
    tally: Tally, secrets: Iterable[str], noise: Mapping[str, Any]
) -> tuple[str, ...]:
    """What to say of values that count, and look as if they stood for no value."""
    wanted = tally.wanted

    def counts(column: str, value: str) -> bool:
        """Whether it does, and nobody asked for this very value."""
        merged = value not in tally.laws
        is_secret = merged or wanted.name(value) in secrets
        return column != wanted.secret or (wanted.pairs is None and is_secret)

    found = [place for place in tally.doubtful if counts(*place)]
    tokens = sorted({*(value for _, value in found), *wanted.missing_values} - {""})
    option = f"--missing-values {shlex.quote(','.join(tokens))}"
    doubts = tuple(
        f"the value {shorten(value)!r} counts as one of {shorten(column)}; if it stands for no "
        f"value: {option}"
        for column, value in found
    )
    return doubts + _without_bounds(tally) + _one_scale(wanted, noise)


def _one_scale(wanted: CheckedOptions, noise: Mapping[str, Any]) -> tuple[str, ...]:
    """What to say of one scale for columns that may differ in size."""
    if not wanted.parts or noise["kind"] == NoNoise.kind:
        return ()
    if not read_several(noise, read_noise).noise.by_coordinate:
        return ()
    if isinstance(noise.get("scale"), list):
        return ()
    names = ",".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(wanted.parts)])
    widths = [part.width for part in wanted.parts]
    known = [decimal_text(Fraction(width)) for width in widths if width]
    ranges = ", such as that of ranges which are chosen without looking at the data (--clip)"
    if len(known) == len(widths):
        ranges = f" (that of their ranges: --scale {','.join(known)})"
    return (
        f"one scale is for all {len(widths)} columns, however large their numbers are; --scale "
        f"{names} says in which ratio their scales are{ranges}, and calibrate then finds the "
        "smallest scales in this ratio",
    )


def _without_bounds(tally: Tally) -> tuple[str, ...]:
    """What to say of a sum of numbers whose largest value nothing but this table bounds."""
    wanted = tally.wanted
    if wanted.release == "value" or wanted.clip is not None or tally.coding.codes:
        return ()
    if isinstance(wanted.bins, EdgedBins) or not any(
        isinstance(law, CountedLaw) and not law.counts.keys() <= {0, 1}
        for law in tally.laws.values()
    ):
        return ()
    return (
        f"nothing bounds {shorten(wanted.public)}: one outlier decides the scale, and another "
        "table may hold a larger one; choose bounds without looking at the data: --clip LOW,HIGH",
    )


def _count(
    table: RecordTable, tally: Tally | Sequences, meets: RowCondition | None, report: Report
) -> None:
    """Put all rows into the tally, those that do not meet the condition as left out."""
    names = list(dict.fromkeys([*tally.columns, *(meets.columns if meets else [])]))
    time = tally.chain.time if isinstance(tally, Sequences) else None
    if table.columns is not None:
        for name in names:
            if name not in table.columns:
                hint = "; there is one column: say --delimiter" if len(table.columns) == 1 else ""
                raise InputError(no_column(name, table.columns) + hint)
    for values, rows in table.groups(names, report):
        cells = {
            name: cell_of(
                str(value) if name == time and isinstance(value, datetime) else value, name
            )
            for name, value in zip(names, values, strict=True)
        }
        if meets is not None and not meets.holds(cells):
            tally.leave_out(NOT_SELECTED, rows)
        else:
            tally.add_row([cells[name] for name in tally.columns], rows)
