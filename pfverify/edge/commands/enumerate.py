"""``pfverify enumerate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pfverify.edge.commands.options import check_problem_file
from pfverify.edge.made import put_out
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form
from pfverify.errors import InputError
from pfverify.model.channels.matrix import Matrix
from pfverify.model.problem import Problem
from pfverify.program.channel import channel_of
from pfverify.program.problem import enumerated_problem


def enumerate(
    program: str, inputs: tuple[str, ...], output: str | None, epsilon: str | None, delta: str,
    form: Form, **limits: Any,
) -> int:  # fmt: skip
    """Run a program on every path of its choices, and write its exact channel as a problem."""
    file, _, _ = program.rpartition(":")
    if not file.endswith(".py"):
        raise InputError(f"{program}: expected FILE.py:FUNCTION, such as release.py:release")
    check_problem_file(output, Path(file))
    values = _values(inputs)
    row = Matrix([str(one) for one in values], ["any"], [[1]] * len(values))
    Problem(channel=row, epsilon=epsilon or 1, delta=delta)  # refuses a target before any run
    with progress("running") as report:
        found = channel_of(program, values, report=report, **limits)
    made = enumerated_problem(found, epsilon, delta)
    return put_out(made, output, program, form, found.assumed)


def _values(given: tuple[str, ...]) -> list[int] | list[str]:
    """The inputs: whole numbers where all of them are, else text."""
    texts = [text.strip() for one in given for text in one.split(",")]
    whole = [text.removeprefix("-") for text in texts]
    if all(text.isdecimal() and text.isascii() and len(text) < 1000 for text in whole):
        return [int(text) for text in texts]
    return texts
