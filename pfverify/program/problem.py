"""The problem file of a program: its table as a matrix channel, to which priors can be added."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any

from pfverify.errors import shorten
from pfverify.exact.argument import Number
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import printable
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem
from pfverify.model.provenance import Provenance
from pfverify.model.schema import SCHEMA
from pfverify.model.toml import toml_text
from pfverify.program.channel import ASSUMED, EnumeratedProgram

WARNING = (
    "Verdicts and certificates are about this table, and not about the program: no command runs it "
    "again."
)


@dataclass(frozen=True)
class EnumeratedProblem(NoTruth, ask="read its attributes"):
    """A problem whose channel was enumerated: `table` has the shape of its file, and `output` is
    the file that was written, None for none."""

    enumerated: EnumeratedProgram = field(metadata={"json": False})
    problem: Problem = field(metadata={"json": False})
    table: dict[str, Any] = field(metadata={"json": False})
    epsilon_given: bool = field(metadata={"json": False})
    output: str | None = None

    @property
    def digest(self) -> str:
        """The digest of the problem."""
        return problem_digest(self.problem)

    @property
    def text(self) -> str:
        """The problem file, in TOML."""
        said = [
            f"Enumerated from {shorten(self.enumerated.program)} by pfverify enumerate. {WARNING}",
            "As it stands every two inputs are compared (differential privacy). To hide which "
            "prior an input comes from, add one for each secret: [priors.NAME] with "
            'kind = "finite" and mass = { INPUT = "CHANCE", ... }, over all inputs.',
        ]
        if not self.epsilon_given:
            said.append("The epsilon is no recommendation: choose your own.")
        lines = [f"# {line}" for part in said for line in textwrap.wrap(part, 98)]
        return "\n".join(lines) + "\n" + toml_text(self.table)


def enumerated_problem(
    enumerated: EnumeratedProgram, epsilon: Number | None = None, delta: Number = 0
) -> EnumeratedProblem:
    """Return the problem that compares every two inputs of a program, at epsilon (default 1).

    Raises InputError for a program with one input, and numbers that are no target.
    """
    told = Provenance(
        program=enumerated.program,
        program_sha256=enumerated.program_sha256,
        paths=sum(enumerated.paths.values()),
        warning=f"{WARNING} Assumed: {ASSUMED}.",
    )
    table = {
        "schema": SCHEMA,
        "epsilon": printable(1 if epsilon is None else epsilon, "epsilon").text,
        "delta": printable(delta, "delta").text,
        "channel": enumerated.channel.to_table(),
        "provenance": told.to_table(),
    }
    return EnumeratedProblem(enumerated, Problem.from_table(table), table, epsilon is not None)
