"""One question as plain data: what travels to another process or machine, and comes back to mind.

A question names everything that its answer depends on, so that two equal ones have one answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from pfverify.exact.ball import FLINT_VERSION
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem
from pfverify.model.problem_file import to_json
from pfverify.version import __version__

Data = dict[str, Any]
"""Dicts, lists, text, integers, true, false and null: what JSON has."""
Command = Literal["certify", "loss", "calibrate"]
COMMANDS: tuple[Command, ...] = get_args(Command)
SCHEMA = "pfverify/answer/1"
VERSIONS = {"pfverify": __version__, "python-flint": FLINT_VERSION}
"""What answers depend on, and has to be the same wherever they are worked out."""
_PAIRS = 16  # of one question; whatever --jobs is, as the lines of a file of results are about it
_BY_PAIRS = ("certify", "loss")  # what is decided pair by pair


@dataclass(frozen=True)
class ProblemText:
    """A problem as it is written: the text of its file, and what is put in place of its numbers.

    `changes` are (epsilon, delta, scale), None for what the file says.
    """

    text: str
    is_json: bool
    changes: tuple[str | None, str | None, str | None] = (None, None, None)

    @classmethod
    def of(cls, problem: Problem) -> ProblemText:
        """Return a problem as its own file would state it."""
        return cls(to_json(problem.to_table()), is_json=True)

    def problem(self) -> Problem:
        """Return the problem; InputError where it cannot be read."""
        read = Problem.from_text(self.text, json_format=self.is_json)
        if self.changes == (None, None, None):
            return read
        epsilon, delta, scale = self.changes
        return read.replaced(epsilon=epsilon, delta=delta, scale=scale)


@dataclass(frozen=True)
class NamedProblem:
    """A problem under its name, and how it is stated to another process."""

    name: str
    problem: Problem
    stated: ProblemText


@dataclass(frozen=True)
class PairRange:
    """Some of the pairs of a problem: from the `first` to the `last` (from 1), of so many."""

    first: int
    last: int
    of: int


@dataclass(frozen=True)
class CommandQuestion:
    """A command about a problem, or about some of its pairs (`part`; None: all of them).

    `name` is what the problem is called, and `digest` its digest.
    """

    command: Command
    name: str
    digest: str
    epsilon: str
    delta: str
    scale: str | None
    digits: int
    part: PairRange | None
    stated: ProblemText

    def data(self) -> Data:
        """Return the question as plain data, with the versions that it is asked with."""
        return {**asdict(self), "versions": VERSIONS}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> CommandQuestion:
        """Return the question that was made such data; KeyError or TypeError for other data."""
        fields = {name: data[name] for name in cls.__dataclass_fields__}
        stated, part = fields.pop("stated"), fields.pop("part")
        return cls(
            **fields,
            part=None if part is None else PairRange(**part),
            stated=ProblemText(stated["text"], stated["is_json"], tuple(stated["changes"])),
        )

    def key(self) -> Data:
        """Return what tells the question from others, as a line of a file of results begins."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "command": self.command,
            "problem": self.name,
            "digest": self.digest,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "scale": self.scale,
            "digits": self.digits,
            "part": None if self.part is None else asdict(self.part),
        }


def questions(command: Command, asked: NamedProblem, digits: int) -> list[CommandQuestion]:
    """Return what to ask about a problem: one question, or one for every few of its many pairs.

    Example:
    ``len(questions("loss", NamedProblem("a.toml", problem, ProblemText.of(problem)), 12))`` is 1.
    """
    problem = asked.problem
    scale = problem.release.noise.scale
    count = len(problem.beliefs) * len(problem.pairs)
    parts: Sequence[PairRange | None] = [None]
    if command in _BY_PAIRS and count > _PAIRS:
        starts = range(0, count, _PAIRS)
        parts = [PairRange(start + 1, min(start + _PAIRS, count), count) for start in starts]
    digest = problem_digest(problem)
    return [
        CommandQuestion(
            command=command,
            name=asked.name,
            digest=digest,
            epsilon=problem.epsilon.text,
            delta=problem.delta.text,
            scale=None if scale is None else scale.text,
            digits=digits,
            part=part,
            stated=asked.stated,
        )
        for part in parts
    ]
