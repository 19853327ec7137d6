"""What a view is: a result as people read it, as rows of data, and as data of its own shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Section, Toned, say
from pfverify.edge.views.described import Builder, description, reached_by
from pfverify.errors import InputError
from pfverify.exact.no_truth import NoTruth
from pfverify.results import DEFAULT_DIGITS

if TYPE_CHECKING:
    from pfverify.model.problem import Problem

Result = TypeVar("Result")
Row = dict[str, object]
Columns = Mapping[str, str]
"""The columns of a table of data: header -> path in the result (see `reached`)."""


@dataclass(frozen=True)
class DecidedCase(NoTruth, ask="compare .verdict"):
    """One statement for machines that count: an ordered pair of secrets, or a whole problem.

    `verdict` is None where nothing was decided, as the file cannot be read or used; `target` tells
    the answers of a sweep from each other.
    """

    verdict: Verdict | None
    words: str
    belief: str = ""
    from_: str = ""
    to: str = ""
    target: str = ""


@dataclass(frozen=True)
class Asked:
    """The problem that a result is about, under the name that was written.

    `problem` is None where its file cannot be read (the kernel says so too). `digits`: how many
    digits of exact numbers are shown beside them.
    """

    name: str
    problem: Problem | None
    digits: int = DEFAULT_DIGITS

    @cached_property
    def digest(self) -> str | None:
        """The digest of the problem, as certificates have it."""
        from pfverify.model.digest import problem_digest

        return None if self.problem is None else problem_digest(self.problem)


class View(Generic[Result]):
    """A result as people read it, as rows of data, and as data of its own shape.

    `schema` names its kind in JSON (pfverify/SCHEMA/1); "" where it is for people alone. `of` names
    the file that describes it, else of the schema's name. `failed`: whether it is about a problem
    that could not be read or used.
    """

    schema: ClassVar[str] = ""
    of: ClassVar[str] = ""
    failed: ClassVar[bool] = False

    def __init__(self, result: Result, name: str = "", asked: Asked | None = None) -> None:
        """Take the result, the name that heads it, and the problem that was asked about."""
        self.result = result
        self.name = name
        self.asked = asked
        self._builder = Builder(self)

    @cached_property
    def described(self) -> Mapping[str, Any]:
        """What its file says of it."""
        name = self.of or self.schema
        return description(name) if name else {}

    @property
    def exact(self) -> Sequence[str]:
        """The keys of `data` (paths: "pairs.worst_y"; * is any) whose text is an exact number."""
        return list(self.described.get("exact", ()))

    @property
    def columns(self) -> Columns:
        """The columns of `rows`, with paths as in `exact`; none without a table of data."""
        return dict(self.described.get("columns", {}))

    def sections(self) -> list[Section]:
        """Return what people read."""
        return [*self._builder.sections(self.described.get("sections", [self.described]))]

    def rows(self) -> list[Row]:
        """Return the rows of the table of data, whole numbers and all; InputError without one."""
        if not self.columns:
            raise InputError(f"{type(self.result).__name__}: there is no table of data about this")
        found = {name: reached_by(self.result, path.split("."))
                 for name, path in self.columns.items()}  # fmt: skip
        rows = _spread({name: list(cells) if isinstance(cells, dict) else cells
                        for name, cells in found.items()})  # fmt: skip
        return [{name: self.cell(value) for name, value in row.items()} for row in rows]

    def cell(self, value: Any) -> object:
        """Return a value in a row: empty where there is none, the names of a tuple with commas."""
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, tuple):
            return ",".join(value)
        return "" if value is None else value

    def point(self) -> dict[str, Inline] | None:
        """Return the answer as one row of the table of a sweep: header -> what stands there.

        None for a kind of result that is shown whole in a sweep too.
        """
        if "point" not in self.described:
            return None
        cells = self._builder.cells(self.described["point"])
        return {header: cell for header, cell in cells.items() if cell is not None}

    def data(self) -> Any:
        """Return dicts, lists and text with the published keys."""
        from pfverify.edge.views.data import as_data

        keys = self.described.get("data")
        if keys is None:
            return as_data(self.result)
        return {key: as_data(self._builder.reached(path)) for key, path in keys.items()}

    def word(self) -> Toned:
        """Return the answer in a word; InputError where there is no such."""
        found = self._builder.inline(self.described.get("word", ""))
        if not isinstance(found, Toned):
            raise InputError(f"{type(self.result).__name__}: there is no one word for this")
        return found

    def cases(self) -> list[DecidedCase]:
        """Return what was decided, case by case; InputError where nothing is."""
        raise InputError(f"{type(self.result).__name__}: there are no cases in this")

    def named(self) -> frozenset[str]:
        """Return the keys and columns of exact numbers that are names in this result."""
        return frozenset()


def _spread(row: Row) -> Iterator[Row]:
    """A row for each item of the lists in one, and of those in these; all else stands in each."""
    lists = {name: cells for name, cells in row.items() if isinstance(cells, list)}
    if not lists:
        yield row
        return
    for items in zip(*lists.values(), strict=True):
        yield from _spread(row | dict(zip(lists, items, strict=True)))


class Remark(View[str]):
    """A sentence about what was done beside the answer, such as a file that was written."""

    def __init__(self, text: str, *, level: int = 0, folds: bool = False) -> None:
        """Take the sentence."""
        super().__init__(text)
        self._said = say(text, level=level, folds=folds)

    def sections(self) -> list[Section]:
        """Return the sentence."""
        return [Section(said=[self._said])]
