"""The questions, as `questions.toml` has them: which are asked depends on earlier answers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pfverify.edge.start.read import READERS
from pfverify.errors import InputError

UNKNOWN = ("unknown", "?")
"""What says "I don't know"; the first is the one that shells leave as it is."""
_SHOWN = {
    "whole": "N", "bounds": "LOW,HIGH", "names": "NAMES", "rate": "CHANCE", "steps": "STEPS",
    "target": "NUMBER[,DELTA]",
}  # fmt: skip
"""Kind of a question -> how its answer is shown by ``--help``."""
Where = Mapping[str, list[str]]
Given = Mapping[str, str]
Asker = Callable[["StartQuestion", int, Given], str]


@dataclass(frozen=True)
class Offered:
    """One answer that there is, and what it means."""

    name: str
    means: str
    where: Where = field(default_factory=dict)


@dataclass(frozen=True)
class Default:
    """What stands in place of "I don't know", and how that is said."""

    told: str
    where: Where = field(default_factory=dict)
    is_: str = ""


@dataclass(frozen=True)
class StartQuestion:
    """One question: its words, how an answer is read, and what is assumed without one.

    `with_delta`: after which answers a target needs a delta above 0.
    """

    name: str
    ask: str
    kind: str
    example: str
    unknown: tuple[Default, ...]
    choices: tuple[Offered, ...] = ()
    where: Where = field(default_factory=dict)
    with_delta: tuple[Where, ...] = ()

    def options(self, given: Given) -> list[Offered]:
        """Return the choices that there are after these answers."""
        return [one for one in self.choices if met(one.where, given)]

    def default(self, given: Given) -> Default:
        """Return what "I don't know" stands for after these answers."""
        return next(one for one in self.unknown if met(one.where, given))

    def read(self, text: str, given: Given) -> tuple[str, str | None]:
        """Return an answer as it is kept, and what is assumed where it is "I don't know".

        Raises InputError, of which the caller says where.
        """
        if text.strip().lower() in UNKNOWN:
            default = self.default(given)
            return default.is_, default.told
        choices = [one.name for one in self.options(given)]
        found = READERS[self.kind](text.strip(), choices)
        if "," not in found and any(met(where, given) for where in self.with_delta):
            raise InputError("a delta above 0 is needed here, expected both, such as 1,1e-6")
        return found, None

    def expected(self, given: Given) -> str:
        """Return which answers there are, in a few words."""
        names = [one.name for one in self.options(given)] or [f"an answer ({self.example})"]
        return f"{', '.join(names)}, or {UNKNOWN[0]}"



@dataclass(frozen=True)
class WayEnd:
    """The end of a way through the questions: what makes its file, and what that promises."""

    make: str
    words: str
    where: Where
    taken: tuple[str, ...] = ()


def met(where: Where, given: Given) -> bool:
    """Return whether answers are among those that are asked for.

    Example: ``met({"publish": ["sum"]}, {"publish": "sum"})`` is ``True``.
    """
    return all(given.get(name) in values for name, values in where.items())


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("questions.toml").read_text("utf-8"))


@cache
def questions() -> tuple[StartQuestion, ...]:
    """Return all questions, in their order. Example: ``questions()[0].name`` is ``'publish'``."""
    return tuple(
        StartQuestion(**table | {
            "unknown": tuple(
                Default(one["told"], one.get("where", {}), one["is"]) for one in table["unknown"]
            ),
            "choices": tuple(Offered(**one) for one in table.get("choices", ())),
        })
        for table in _data()["questions"]
    )  # fmt: skip


def option_of(name: str) -> dict[str, str]:
    """Return what ``--help`` says of an option that answers a question, in the words of click.

    Example: ``option_of("rows")["metavar"]`` is ``'N'``.
    """
    question = next(one for one in questions() if one.name == name)
    if question.kind == "choice":
        shown = "|".join([*(one.name for one in question.choices), UNKNOWN[0]])
    else:
        shown = _SHOWN[question.kind]
    return {"metavar": shown, "help": question.ask}


def leaf(given: Given) -> WayEnd:
    """Return where these answers lead. Example: ``leaf({"publish": "answer"}).make``."""
    return next(WayEnd(**one) for one in _data()["leaves"] if met(one["where"], given))


def answered(
    options: Mapping[str, str | None], ask: Asker
) -> tuple[dict[str, str], dict[str, str]]:
    """Return name -> answer, and name -> what is assumed where the answer is "I don't know".

    `options` holds what is said already; `ask(question, number, given)` returns the text of any
    other answer, which it has read once. A choice of one is taken.
    Raises InputError that names the option for an answer that cannot be read, and for one to a
    question that is not asked.
    """
    given: dict[str, str] = {}
    assumed: dict[str, str] = {}
    count = 0
    for question in questions():
        text = options.get(question.name)
        if not met(question.where, given):
            alike = [one for one in questions() if one.name == question.name]
            if text is not None and not any(met(one.where, given) for one in alike):
                raise InputError(f"--{question.name}: {_not_asked(question, given)}")
            continue
        only = question.options(given)
        if text is None and question.kind == "choice" and len(only) == 1:
            text = only[0].name
        elif text is None:
            count += 1
            text = ask(question, count, given)
        try:
            given[question.name], told = question.read(text, given)
        except InputError as error:
            raise InputError(f"--{question.name}: {error}") from None
        if told is not None:
            assumed[question.name] = told
    return given, assumed


def _not_asked(question: StartQuestion, given: Given) -> str:
    """Why a question is not asked: what was answered, and of what it is asked."""
    name, values = next(
        (name, values) for name, values in question.where.items() if given.get(name) not in values
    )
    return f"goes with --{name} {' or '.join(values)}, not with {given.get(name, 'another')}"


def following(given: Given) -> list[str]:
    """Return the commands that come next, with the names of files in braces.

    Example: ``following({"verdict": "refuted"})[0]`` is ``'pfverify loss {file}'``.
    """
    return [
        command for one in _data()["next"] if met(one["where"], given)
        for command in one["commands"]
    ]  # fmt: skip
