"""Documents from descriptions: what a view says, in data (`NAME.toml` here), and one builder.

A template is a text with fields: `{result.delta:plain}` is what the path leads to, in the form
`plain`. A path begins at an attribute or a method of the view, or at `it`, the item that a line is
about; `it:name` is what a method of the view says of the item, and 'words' in quotes are these
words. A form is one of `FORMS`, of `words.FORMS`, or else a method of the view. A template that is
one field says nothing where there is None; with `!s` it says an empty text.

A line is a template, or a table: `say` it, of `each` item of a path (`most` of them, the rest is
counted as `more`), `when` a path leads to something and `unless` it does, at a `level`, and it
`folds`; of each item several `lines` stand together. A section has a headline, lines (`said`,
`undecided`, `notes`), what is `assumed`, and `tables` (a row `of` each item, as lines are said of
them); of each item several `sections`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from inspect import ismethod
from pathlib import Path
from string import Formatter
from typing import Any

from pfverify.edge.document import (
    VERDICT_TONES,
    Block,
    Column,
    Inline,
    Paragraph,
    Phrase,
    Section,
    Table,
    Text,
    Tone,
    Toned,
    and_more,
    bad,
    counted,
    first,
    good,
    text_of,
    title,
)

Spec = Mapping[str, Any]
_WHERE = "--json has all"
_SET = ("breaks", "whole", "right", "width")  # of a column
_SAID = ("level", "folds")  # of a paragraph


TONES: dict[str, Tone] = VERDICT_TONES | {
    "not refuted": Tone.OPEN, "sound": Tone.GOOD, "unsound": Tone.BAD, "wasteful": Tone.OPEN,
    "wrong digits": Tone.BAD, "crash": Tone.BAD, "timeout": Tone.BAD, "out of memory": Tone.BAD,
    "not an answer": Tone.BAD, "failed": Tone.BAD, "no failure found": Tone.GOOD,
}  # fmt: skip
"""What was found -> its tone: verdicts, and what crosschecks say of a case and of all."""


def _toned(found: str) -> Toned:
    return Toned(str(found), TONES[found])


def _how_many(found: Any, what: str) -> str:
    return counted(found if isinstance(found, int) else len(found), what)


FORMS: dict[str, Callable[..., Inline]] = {
    "title": title, "good": good, "bad": bad, "toned": _toned, "counted": _how_many,
    "joined": ", ".join,
    "number": lambda found: str(len(found)),
}  # fmt: skip


@cache
def description(name: str) -> dict[str, Any]:
    """Return what a file here says of a view, over what it says to be `like`.

    Example: ``description("grid")["headline"]``.
    """
    found = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    return description(found["like"]) | found if "like" in found else found


def reached_by(start: Any, path: Sequence[str]) -> Any:
    """Return what attributes, keys and places lead to; below a None there is None.

    A list on the way gives a list, with what every item has; * leads to the values of a dict.
    Example: ``reached_by({"a": ["x"]}, ["a", "0"])`` is ``"x"``.
    """
    found = start
    for k, key in enumerate(path):
        if found is None:
            return None
        if isinstance(found, list) and not key.isdecimal():
            return [reached_by(item, path[k:]) for item in found]
        if isinstance(found, Mapping):
            found = list(found.values()) if key == "*" else found[key]
        else:
            found = found[int(key)] if key.isdecimal() else getattr(found, key)
    return found


class Builder:
    """The document of a view, and what else its templates say; `it` is what a line is about."""

    def __init__(self, view: Any) -> None:
        """Take the view, whose attributes its templates name."""
        self._view = view

    def sections(self, specs: Sequence[Spec], it: Any = None) -> Iterator[Section]:
        """Yield the sections that are described, or those that stand together for each item."""
        for spec in specs:
            for item in self._items(spec, it):
                if "sections" in spec:
                    yield from self.sections(spec["sections"], item)
                else:
                    yield self._section(spec, item)

    def text(self, template: str, it: Any = None) -> Text | None:
        """Return a template filled in, None where it is one field and that is nothing."""
        found: list[Inline] = []
        parts = _parsed(template)
        for literal, path, form, empty in parts:
            found += [literal] if literal else []
            if path is None:
                continue
            value = self._value(path, it)
            if value is None and not empty:
                if len(parts) == 1 and not literal:
                    return None
                raise TypeError(f"{template}: there is no {'.'.join(path)}")
            part = "" if value is None else self._formed(value, form)
            found += part if isinstance(part, tuple) else [part]
        return tuple(found)

    def inline(self, template: str, it: Any = None) -> Inline | None:
        """Return the same as one part of a text."""
        found = self.text(template, it)
        if found is None:
            return None
        return found[0] if len(found) == 1 else text_of(found)

    def cells(self, spec: Mapping[str, str], it: Any = None) -> dict[str, Inline | None]:
        """Return header -> cell of a row, both from templates."""
        return {str(self.inline(header, it)): self.inline(cell, it)
                for header, cell in spec.items()}  # fmt: skip

    def lines(self, specs: Sequence[str | Spec], it: Any = None) -> Iterator[Any]:
        """Yield the paragraphs that lines say."""
        for spec in specs:
            line = {"say": spec} if isinstance(spec, str) else spec
            made: list[Any] = [
                one for item in self._items(line, it) for one in self._said(line, item)
            ]
            more = str(self.inline(line.get("more", "")))
            yield from first(made, int(line.get("most", len(made))), more, _WHERE)

    def _section(self, spec: Spec, it: Any) -> Section:
        head = spec.get("headline")
        heads = [] if head is None else [{"say": head} if isinstance(head, str) else head]
        assumed = self.reached(spec["assumed"], it) if "assumed" in spec else []
        drawn = spec.get("tables", [])  # a path to them, or descriptions
        tables, notes = (self.reached(drawn, it), []) if isinstance(drawn, str) else (
            self._tables(drawn, it)
        )
        return Section(
            next(self.lines([{"level": 0, **one} for one in heads], it), None),
            [*self.lines(spec.get("said", []), it)], assumed,
            [*self.lines(spec.get("undecided", []), it)], tables,
            [*self.lines(spec.get("notes", []), it), *notes], self._apart(spec, it),
        )  # fmt: skip

    def _apart(self, spec: Spec, it: Any) -> bool:
        found = spec.get("apart", False)
        return found if isinstance(found, bool) else bool(self.reached(found, it))

    def _tables(self, specs: Sequence[Spec], it: Any) -> tuple[list[Table], list[Paragraph]]:
        """Tables with rows, and what there is to say about those of pairs."""
        tables: list[Table] = []
        notes: list[Paragraph] = []
        for spec in (one for one in specs if self._holds(one, it)):
            rows = _listed(self.reached(spec["of"], it))
            if "pairs" in spec:
                from pfverify.edge.views.pairs import pair_table

                table, more = pair_table(rows, self._of_pairs(spec["pairs"]))
                tables.append(table)
                notes += more
            elif rows:
                most = int(spec.get("most", len(rows)))
                tables.append(self._table(spec, rows[:most], it))
                what = str(self.inline(spec.get("more", "")))
                notes += and_more(len(rows) - most, what, spec.get("where", _WHERE))
        return tables, notes

    def _of_pairs(self, spec: Mapping[str, str]) -> dict[str, Callable[[Any], Inline | None]]:
        return {
            str(self.inline(header)): lambda pair, cell=cell: self.inline(cell, pair)  # type: ignore[misc]
            for header, cell in spec.items()
        }

    def _table(self, spec: Spec, items: Sequence[Any], around: Any) -> Table:
        columns = [one for one in spec["columns"] if self._holds(one, around)]
        heads = [
            Column(
                self.inline(one["header"], around) or "",
                **_only(_SET, {**spec.get("set", {}), **one}),
            )
            for one in columns
        ]
        rows = [[self.text(one["cell"], it) or ("",) for one in columns]
                for it in items]  # fmt: skip
        caption = str(self.inline(spec.get("caption", ""), around))
        return Table(heads, rows, caption, ruled=spec.get("ruled", True))

    def _said(self, line: Spec, it: Any) -> Iterator[Block]:
        """What a line says of an item: nothing, a paragraph, or the lines that stand together."""
        if "lines" in line:
            yield from self.lines(line["lines"], it)
        elif isinstance(it, Block) and "say" not in line:
            yield it
        elif (text := self.text(line.get("say", "{it}"), it)) is not None:
            yield Paragraph(text, **_only(_SAID, line))

    def _items(self, spec: Spec, it: Any) -> Sequence[Any]:
        """What a line or a section is said of: each item of a path, or what is around it."""
        if not self._holds(spec, it):
            return []
        return _listed(self.reached(spec["each"], it)) if "each" in spec else [it]

    def _holds(self, spec: Spec, it: Any) -> bool:
        asked = {key: _is_there(self.reached(spec[key], it))
                 for key in ("when", "unless") if key in spec}  # fmt: skip
        return asked.get("when", True) and not asked.get("unless", False)

    def reached(self, path: str, it: Any = None) -> Any:
        """Return what a path leads to."""
        return self._value(path.split("."), it)

    def _value(self, path: Sequence[str], it: Any) -> Any:
        """What a path leads to; `it:name` is what a method of the view says of the item."""
        start, *rest = path
        if start.startswith("'"):
            return _unquoted(".".join(path))
        if start.startswith("it:"):
            return getattr(self._view, start.removeprefix("it:"))(it)
        found = it if start == "it" else getattr(self._view, start)
        return reached_by(found() if ismethod(found) else found, rest)

    def _formed(self, value: Any, form: str) -> Inline | Text:
        """A value in a form, the first word of it; what follows goes with the value."""
        name, *more = form.split(" ", 1)
        if name in FORMS:
            return FORMS[name](value, *more)
        if name:
            from pfverify.edge.words import FORMS as WORDS

            made: Callable[..., Inline | Text] = WORDS.get(name) or getattr(self._view, name)
            return made(value, *more)
        return value if isinstance(value, Phrase | tuple) else str(value)


@cache
def _parsed(template: str) -> list[tuple[str, Sequence[str] | None, str, bool]]:
    """A template as literals, each with the path and form behind it, and whether it may be empty.
    """
    return [
        (literal, None if path is None else path.split("."), form or "", conversion == "s")
        for literal, path, form, conversion in Formatter().parse(template)
    ]


def _unquoted(words: str) -> str:
    if not words.endswith("'"):
        raise TypeError(f"{words}: expected a quote at the end; words in quotes have no : and no !")
    return words[1:-1]


def _only(keys: Sequence[str], spec: Spec) -> dict[str, Any]:
    return {key: spec[key] for key in keys if key in spec}


def _listed(found: Any) -> Sequence[Any]:
    """The items of a path: of a dict its keys with their values."""
    if found is None:
        return []
    return list(found.items()) if isinstance(found, Mapping) else found


def _is_there(found: Any) -> bool:
    """Whether a path leads to something; a result has no truth value of its own."""
    if found is None or isinstance(found, bool | int):
        return bool(found)
    return not hasattr(found, "__len__") or len(found) > 0
