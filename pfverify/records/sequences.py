"""Records in sequences, one for each person: a chain of which the transitions are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.model.chains.reading import STATIONARY
from pfverify.model.chains.stationary import closed_classes
from pfverify.model.provenance import CONFIDENTIAL, WARNING, Provenance
from pfverify.model.schema import SCHEMA
from pfverify.model.words import meant
from pfverify.records.cells import Cell, day_of, number_of, text_of
from pfverify.records.coding import ORDER, Coding
from pfverify.records.laws import EmpiricalLaw
from pfverify.records.options import HISTOGRAM, LAWS, CheckedOptions, asked, is_missing
from pfverify.records.source import RecordSource
from pfverify.records.tally import by_number

STARTS = (STATIONARY, "first")
MAX_STATES = 100
_EPOCH = datetime(1970, 1, 1)  # of times without a zone
_ELSEWHERE = (
    "pairs", "rare", "rare_do", "missing", "fit", "rest", "absent", "short_names", "confidence",
    "alphabet",
)  # fmt: skip
_GAP = (
    ": what came before and after a dropped record would be taken for neighbours; fill it in, or "
    "leave whole sequences out with --where"
)


@dataclass(frozen=True)
class ChainOptions:
    """What makes rows a sequence: the column `time` sorts them, those of one value of `by` are one
    sequence (None: all are). `length` of the chain: that of the sequences where None; `start`:
    stationary where every state comes back, else the law of the first records, where None."""

    time: str
    by: str | None = None
    length: int | None = None
    start: str | None = None


def asked_of_chain(
    public: str,
    options: Mapping[str, object],
    *,
    one: str | None,
    laws: Mapping[str, Callable[[], EmpiricalLaw]] = LAWS,
) -> CheckedOptions:
    """Return checked options of a chain, whose secret is the column that is released.

    Raises InputError naming the option.
    Example: ``asked_of_chain("a", {"absent": "x"}, one=None)`` raises.
    """
    for key in _ELSEWHERE:
        if options.get(key) is not None:
            hint = _GAP if key == "missing" else ""
            raise InputError(f"--{key.replace('_', '-')}: goes without --chain{hint}")
    release = options.get("release", "sum" if one is None else "count")
    if release in ("value", HISTOGRAM):
        raise InputError(f"--release {release}: of a chain a count, sum or mean is released")
    if (release == "count") != (one is not None):
        raise InputError(
            f"--public: --release count needs the state that is counted: --public "
            f"'{shorten(public, 30)}=VALUE'; a sum or mean needs the column alone"
        )
    return asked(public, public, {**options, "release": release}, one=one, laws=laws)


class Sequences:
    """Takes the rows of a table, and keeps the state of every person at every time."""

    def __init__(self, wanted: CheckedOptions, chain: ChainOptions) -> None:
        """Take what is asked; InputError naming the option."""
        if chain.start is not None and chain.start not in STARTS:
            raise InputError(f"--start: {shorten(chain.start)!r}, expected {' or '.join(STARTS)}")
        if chain.length is not None and chain.length < 1:
            raise InputError(f"--length: {chain.length} is no number of records, expected >= 1")
        codes = wanted.codes if isinstance(wanted.codes, Mapping) else None
        self.wanted, self.chain = wanted, chain
        self.columns = (chain.time, *([] if chain.by is None else [chain.by]), wanted.public)
        if len(set(self.columns)) < len(self.columns):
            raise InputError("--chain, --by and --public: expected different columns")
        self._coding = Coding(
            wanted.public, codes, wanted.floats, wanted.date_format,
            decimal_comma=wanted.decimal_comma,
        )  # fmt: skip
        self._values: dict[str, Fraction] = {}
        self._rows: dict[str, dict[Fraction, str]] = {}
        self._kinds: dict[str, str] = {}
        self.read = self.left_out = 0

    def leave_out(self, _reason: str, rows: int) -> None:
        """Count rows that do not meet the condition."""
        self.read += rows
        self.left_out += rows

    def add_row(self, cells: Sequence[Cell], rows: int) -> None:
        """Take rows with these cells, in the order of `columns`; InputError for what is wrong."""
        self.read += rows
        for name, cell in zip(self.columns, cells, strict=True):
            if is_missing(cell, self.wanted):
                raise InputError(
                    f"a row has no value in column {shorten(name)!r}: what came before and after "
                    "it would not be told; fill it in, or leave whole sequences out with --where"
                )
        person = text_of(cells[1]) if self.chain.by is not None else ""
        moment, held = self._moment(cells[0]), self._rows.setdefault(person, {})
        if rows > 1 or moment in held:
            who = "" if self.chain.by is None else f", of {shorten(self.chain.by)} {person!r}"
            hint = "; say with --by whose records they are" if self.chain.by is None else ""
            raise InputError(
                f"two records at {shorten(self.chain.time)} {shorten(text_of(cells[0]), 40)!r}"
                f"{who}{hint}"
            )
        held[moment] = self._state(cells[-1])

    def _moment(self, cell: Cell) -> Fraction:
        """When a record is, of which only the order counts."""
        column = self.chain.time
        found = None if self.wanted.date_format else number_of(cell, column)
        if isinstance(cell, float):
            found = Fraction(cell)
        kind = "numbers"
        if found is None and (day := day_of(cell, column, self.wanted.date_format)) is not None:
            kind, found = "days", day.toordinal()
        if found is None:
            try:
                time = datetime.fromisoformat(text_of(cell))
            except ValueError:
                raise InputError(
                    f"column {shorten(column)!r}: {shorten(text_of(cell), 40)!r} is no time, "
                    "expected a number, a day or 2024-02-29T13:00 (days of another form: "
                    "--date-format %d/%m/%Y)"
                ) from None
            kind = "times" if time.tzinfo is None else "times of zones"
            passed = time - _EPOCH.replace(tzinfo=None if time.tzinfo is None else UTC)
            found = Fraction(passed.days * 86400 + passed.seconds) + Fraction(
                passed.microseconds, 10**6
            )
        self._kinds[kind] = text_of(cell)
        if len(self._kinds) > 1:
            first, second = self._kinds
            raise InputError(f"column {shorten(column)!r} has both {first} and {second}")
        return Fraction(found)

    def _state(self, cell: Cell) -> str:
        """The name of the state that a cell is."""
        wanted, name = self.wanted, text_of(cell)
        value = Fraction(0)
        if wanted.one is None and wanted.codes != ORDER:
            value = Fraction(wanted.point(self._coding.number(cell)))
            if not self._coding.codes:
                name = decimal_text(value)
        if name not in self._values and len(self._values) == MAX_STATES:
            raise InputError(
                f"column {shorten(wanted.public)!r} has more than {MAX_STATES} values, expected a "
                "state of few; --bins 0,10,20 makes few of many"
            )
        self._values[name] = value
        return name

    def problem_table(self, target: Mapping[str, Any], source: RecordSource) -> dict[str, Any]:
        """Return the problem of all rows, in the shape of a problem file.

        Raises InputError where the rows tell of no chain.
        """
        wanted = self.wanted
        column = shorten(wanted.public)
        if not self._rows:
            raise InputError("every row is left out" if self.left_out else "there are no rows")
        names = sorted(self._values, key=by_number)
        if len(names) < 2:
            raise InputError(f"column {column!r} has one value ({shorten(names[0])!r})")
        sequences = [[held[t] for t in sorted(held)] for held in self._rows.values()]
        steps = Counter(step for one in sequences for step in pairwise(one))
        left = Counter(a for one in sequences for a in one[:-1])
        if last := [name for name in names if not left[name]]:
            raise InputError(
                f"column {column!r}: {shorten(last[0])!r} is never followed by a record, so "
                "nothing tells what comes after it; put values together with --bins or --codes"
                + (", or say with --by whose records they are" if self.chain.by is None else "")
            )
        chain: dict[str, Any] = {
            "states": names if wanted.one is not None else self._coded(names),
            "start": self._start(names, sequences, steps),
            "transition": {
                a: {b: f"{steps[a, b]}/{left[a]}" for b in names if steps[a, b]} for a in names
            },
            "length": self._length(sequences),
            "release": wanted.release,
        }
        if wanted.one is not None:
            chain["count"] = self._counted(names)
        told = self._provenance(names, sequences, steps, source)
        return {"schema": SCHEMA, **target, "chain": chain, "provenance": told.to_table()}

    def _coded(self, names: list[str]) -> dict[str, str]:
        if self.wanted.codes == ORDER:
            self._values = {name: Fraction(k) for k, name in enumerate(names)}
        return {name: decimal_text(self._values[name]) for name in names}

    def _counted(self, names: list[str]) -> str:
        one = self.wanted.one or ""
        if one in names:
            return one
        number = number_of(one, self.wanted.public)
        for name in names:
            if number is not None and number_of(name, self.wanted.public) == number:
                return name
        near = meant(one, names)
        hint = f"did you mean {near!r}?" if near else f"it has {shorten(', '.join(names))}"
        raise InputError(
            f"--public: no row has the value {shorten(one)!r} in column "
            f"{shorten(self.wanted.public)!r}; {hint}"
        )

    def _length(self, sequences: list[list[str]]) -> int:
        if self.chain.length is not None:
            return self.chain.length
        lengths = {len(one) for one in sequences}
        if len(lengths) > 1:
            raise InputError(
                f"the sequences have {min(lengths)} to {max(lengths)} records; say of how many the "
                "number that is published is made: --length N"
            )
        return lengths.pop()

    def _start(
        self, names: list[str], sequences: list[list[str]], steps: Counter[tuple[str, str]]
    ) -> Any:
        returns = len(closed_classes([[Fraction(steps[a, b]) for b in names] for a in names])[0])
        if self.chain.start == STATIONARY or (self.chain.start is None and returns == len(names)):
            return STATIONARY
        firsts = Counter(one[0] for one in sequences)
        return {name: f"{firsts[name]}/{len(sequences)}" for name in names if firsts[name]}

    def _provenance(
        self,
        names: list[str],
        sequences: list[list[str]],
        steps: Counter[tuple[str, str]],
        source: RecordSource,
    ) -> Provenance:
        wanted, used = self.wanted, Counter(state for one in sequences for state in one)
        (before, after), fewest = min(steps.items(), key=lambda item: (item[1], item[0]))
        coded = bool(self._coding.codes) or wanted.codes == ORDER
        codes = {name: decimal_text(self._values[name]) for name in names} if coded else None
        return Provenance(
            data=source.data,
            sha256=source.sha256,
            rows_read=self.read,
            rows_used=used.total(),
            sequences=len(sequences),
            transitions=steps.total(),
            time=self.chain.time,
            by=self.chain.by,
            records={name: used[name] for name in names},
            dropped={"where": self.left_out} if self.left_out else None,
            smallest_cell={"records": fewest, "secret": f"after {before}", "value": after},
            empty_cells=len(names) ** 2 - len(steps),
            secret=wanted.public,
            public=wanted.public if wanted.one is None else f"{wanted.public}={wanted.one}",
            unit=self._coding.unit,
            codes=codes,
            where=source.where,
            bins=None if wanted.bins is None else wanted.bins.words(),
            clip=None if wanted.clip is None else wanted.clip.words(),
            release=wanted.release,
            warning=f"{WARNING} {CONFIDENTIAL}",
        )

    def remarks(self) -> tuple[str, ...]:
        """Return what to say of steps that are not all of one duration."""
        apart = {b - a for held in self._rows.values() for a, b in pairwise(sorted(held))}
        if len(apart) < 2:
            return ()
        return (
            f"consecutive records are not equally far apart in {shorten(self.chain.time)}: the "
            "chain takes each one after the other as one step",
        )
