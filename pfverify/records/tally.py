"""Rows by secret: what each row adds, and what is left out for which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.words import LIKE, meant
from pfverify.records.cells import Cell, number_of, text_of
from pfverify.records.coding import MISSING, ORDER, Coding
from pfverify.records.laws import MAX_CATEGORIES, CategoryLaw, EmpiricalLaw, PointLaw
from pfverify.records.options import (
    HISTOGRAM,
    MERGED,
    NO_VALUES,
    CheckedOptions,
    is_missing,
    two_points,
)

MAX_SECRETS = 1000
_MAX_HELD = 200_000  # pairs of a secret and a category
_MAX_NAMED = 1000  # values of the public column to choose the nearest from


class Tally:
    """Takes the rows of a table, one by one or in groups, and keeps a law for each secret.

    Attributes: `rows_read`; `dropped`, reason -> rows; `laws`, value of the secret -> the law of
    what its rows release; `coding`, of the public column; `doubtful`, the columns and their
    categories that count as any other, and look as if they stood for no value.
    """

    def __init__(self, wanted: CheckedOptions) -> None:
        """Take what is asked."""
        codes = wanted.codes if isinstance(wanted.codes, Mapping) else None
        self.wanted = wanted
        self.columns: tuple[str, ...] = (wanted.secret, wanted.public)
        self.coding = Coding(
            wanted.public, codes, wanted.floats, wanted.date_format,
            decimal_comma=wanted.decimal_comma,
        )  # fmt: skip
        self.laws: dict[str, EmpiricalLaw] = {}
        self.dropped: Counter[str] = Counter()
        self.doubtful: dict[tuple[str, str], None] = {}
        self.places: set[int] = set()  # the intervals that have values, of a histogram
        self.rows_read = 0
        self._missing: Counter[str] = Counter()
        self._held: Counter[tuple[str, str]] = Counter()
        self._one = None if wanted.one is None else number_of(wanted.one, wanted.public)
        self._met = wanted.one is None
        self._too_many = False
        self._others: dict[str, None] = {}

    def leave_out(self, reason: str, rows: int) -> None:
        """Count rows that are left out."""
        self.rows_read += rows
        self.dropped[reason] += rows

    def add_row(self, cells: Sequence[Cell], rows: int) -> None:
        """Take rows with these cells, in the order of `columns`; InputError as from `add`."""
        secret, public = cells
        self.add(secret, public, rows)

    def add(self, secret: Cell, public: Cell, rows: int = 1) -> None:
        """Take rows with these two cells; InputError where a cell cannot be read."""
        wanted = self.wanted
        no_secret, no_public = is_missing(secret, wanted), is_missing(public, wanted)
        if (no_secret or no_public) and wanted.missing != "category":
            self.leave_out("missing", rows)
            self._missing[wanted.secret] += rows * no_secret
            self._missing[wanted.public] += rows * (no_public and not wanted.same_column)
            return
        self.rows_read += rows
        name = MISSING if no_secret else text_of(secret)
        if wanted.release == HISTOGRAM:
            category = MISSING if no_public else self._category(public)
            law = self._law(category if wanted.same_column else name)
            if isinstance(law, CategoryLaw):
                law.add_category(category, rows)
                self._doubt(wanted.public, category)
        elif wanted.codes == ORDER:
            self._hold(name, MISSING if no_public else public, rows)
        elif wanted.same_column and wanted.bins is not None and not no_public:
            self._law(self._category(public)).add(self.number(public), rows)
        elif no_public:
            number = wanted.clipped(self.coding.category()) if wanted.one is None else 0
            self._law(name).add(number, rows)
        else:
            self._law(name).add(self.number(public), rows)

    def _category(self, cell: Cell) -> str:
        """What a row with this cell of the public column is counted as in a histogram."""
        bins = self.wanted.bins
        if bins is None:
            return text_of(cell)
        place = bins.place(self.wanted.clipped(self.coding.number(cell)))
        self.places.add(place)
        return bins.label(place)

    def cells(self, names: Iterable[str]) -> list[str]:
        """Return the cells of the histogram: of intervals all that there are, from the left."""
        bins = self.wanted.bins
        if bins is None or not self.places:
            return sorted(names)
        span = bins.span(self.places, self.wanted.clip)
        if len(span) > MAX_CATEGORIES:
            raise InputError(
                f"--release histogram: {len(span)} intervals, more than {MAX_CATEGORIES}; say "
                "wider ones (--bins, --bin-width), or bounds (--clip)"
            )
        return [*map(bins.label, span), *([MISSING] if MISSING in names else [])]

    def number(self, cell: Cell) -> int | Fraction:
        """Return what a row with this cell of the public column adds."""
        wanted = self.wanted
        if wanted.one is not None:
            same = text_of(cell) == wanted.one
            if not same and self._one is not None:
                same = number_of(cell, wanted.public) == self._one
            self._met = self._met or same
            if not same:
                self._doubt(wanted.public, text_of(cell))
            if not self._met and len(self._others) < _MAX_NAMED:
                self._others[text_of(cell)] = None
            return int(same)
        return wanted.point(self.coding.number(cell))

    def _law(self, name: str) -> EmpiricalLaw:
        if name not in self.laws:
            if len(self.laws) == MAX_SECRETS:
                self._too_many = True  # all rows are counted before that is said
                return self.wanted.law()
            self.laws[name] = self.wanted.law()
            self._doubt(self.wanted.secret, name)
        return self.laws[name]

    def _bounds(self, target: Mapping[str, Any]) -> str:
        """How to hide the number that is published, where that is the secret."""
        wanted = self.wanted
        if not wanted.same_column or wanted.release == HISTOGRAM:
            return ""
        others = self.rows_read - self.dropped.total() - 1
        return f"; to hide the number {two_points(wanted.clip, wanted.release, target, others)}"

    def _doubt(self, column: str, category: str) -> None:
        if category.lower() in NO_VALUES:
            self.doubtful[column, category] = None

    def _hold(self, name: str, cell: Cell, rows: int) -> None:
        """Keep rows until all categories are known."""
        if not isinstance(cell, str) or number_of(cell, self.wanted.public) is not None:
            raise InputError(
                f"--codes order: column {shorten(self.wanted.public)!r} has the number "
                f"{shorten(text_of(cell), 30)}, which needs no code; leave --codes out, or give a "
                "table"
            )
        self._held[name, cell] += rows
        if len(self._held) > _MAX_HELD:
            raise InputError(
                f"column {shorten(self.wanted.public)!r} has too many categories: more than "
                f"{_MAX_HELD} pairs of a secret and one of them"
            )

    def finish(self, target: Mapping[str, Any]) -> None:
        """Work out what needed all rows; InputError where nothing can be compared.

        `target`: epsilon, delta and noise, of the problem file that an error may name.
        """
        wanted = self.wanted
        if self._too_many:
            raise InputError(
                f"column {shorten(wanted.secret)!r} has more than {MAX_SECRETS} values, expected a "
                f"secret of few{self._bounds(target)}"
            )
        if not self.rows_read:
            raise InputError("there are no rows")
        if self.dropped["missing"] and wanted.missing == "error":
            column, rows = self._missing.most_common(1)[0]
            raise InputError(
                f"{rows} of {self.rows_read} rows have no value in column {shorten(column)!r}; say "
                "what becomes of them: --missing drop or --missing category"
            )
        if self.laws:
            self.require_met()
        if self._held:
            values = sorted({value for _, value in self._held} - {MISSING})
            values += [MISSING] if any(value == MISSING for _, value in self._held) else []
            self.coding.codes = {value: Fraction(k) for k, value in enumerate(values)}
            for value in values:
                self._doubt(wanted.public, value)
            for (name, value), rows in sorted(self._held.items()):
                self._law(name).add(wanted.point(self.coding.codes[value]), rows)
        names = sorted(self.laws, key=by_number)
        if wanted.bins is not None and wanted.same_column:  # the secrets are the intervals
            places = map(wanted.bins.label, sorted(self.places))
            names = [*places, *([MISSING] if MISSING in names else [])]
        self.laws = {name: self.laws[name] for name in names}
        if wanted.rare_do == "merge":
            self._merge()

    @property
    def unit(self) -> str | None:
        """What the numbers are, where they are days."""
        return self.coding.unit

    def require_met(self) -> None:
        """Raise InputError for a value that no row has: all would count 0, a slip, not a law."""
        if self._met:
            return
        wanted = self.wanted
        near = meant(str(wanted.one), self._others, LIKE)
        known = shorten(", ".join(sorted(self._others))) or "no value at all"
        hint = f"did you mean {near!r}?" if near else f"it has {known}"
        raise InputError(
            f"--public: no row has the value {shorten(str(wanted.one))!r} in column "
            f"{shorten(wanted.public)!r}; {hint}"
        )

    def _merge(self) -> None:
        rare = [name for name, law in self.laws.items() if law.rows < self.wanted.rare]
        if not rare:
            return
        if MERGED in self.laws:
            raise InputError(f"--rare-do merge: there is a secret called {MERGED} already")
        merged = self.wanted.law()
        for name in rare:
            merged.merge(self.laws.pop(name))
        self.laws[MERGED] = merged


class JointTally(Tally):
    """The same of several public columns, whose numbers together are what a row releases."""

    def __init__(self, wanted: CheckedOptions) -> None:
        """Take what is asked."""
        super().__init__(wanted)
        self._parts = [Tally(part) for part in wanted.parts]
        self.columns = (wanted.secret, *(part.public for part in wanted.parts))

    def add_row(self, cells: Sequence[Cell], rows: int) -> None:
        """Take rows with these cells; InputError where one cannot be read."""
        secret, *numbers = cells
        missing = [
            name for name, cell in zip(self.columns, cells, strict=True)
            if is_missing(cell, self.wanted)
        ]  # fmt: skip
        if missing:
            self.leave_out("missing", rows)
            self._missing.update(dict.fromkeys(missing, rows))
            return
        self.rows_read += rows
        parts = zip(self._parts, numbers, strict=True)
        point = tuple(part.number(cell) for part, cell in parts)
        law = self._law(text_of(secret))
        if isinstance(law, PointLaw):
            law.add_point(point, rows)

    def finish(self, target: Mapping[str, Any]) -> None:
        """Work out what needed all rows, of each column too."""
        super().finish(target)
        for part in self._parts:
            part.require_met()
            self.doubtful |= part.doubtful

    @property
    def unit(self) -> str | None:
        """What the numbers of the columns are, where they are days."""
        units = [f"{part.wanted.public}: {part.unit}" for part in self._parts if part.unit]
        return "; ".join(units) or None


def tally_of(wanted: CheckedOptions) -> Tally:
    """Return what counts rows as they are asked for.

    Example: ``tally_of(CheckedOptions("a", "b")).columns`` is ``("a", "b")``.
    """
    return JointTally(wanted) if wanted.parts else Tally(wanted)


def by_number(name: str) -> tuple[bool, int | Fraction, str]:
    """Return what sorts numbers first, in their order; then texts.

    Example: ``sorted(["b", "10", "9"], key=by_number)`` is ``['9', '10', 'b']``.
    """
    try:
        number = number_of(name, "")
    except InputError:
        number = None
    return number is None, number or 0, name
