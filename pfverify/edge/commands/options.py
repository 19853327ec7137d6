"""The files that commands are given, and what has to hold of those that they write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.packaged import PREFIX, example_path
from pfverify.edge.stdin import DASH, NAME, copied
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.model.problem import Problem


def ask_gap(context: click.Context, value: str) -> None:
    """Ask for the gap of --gap until the command has ended."""
    from pfverify.decide.gap import within

    context.with_resource(within(value))


def path_of(name: str) -> Path:
    """Return the file behind PROBLEM: an example, a copy of standard input, or the file itself.

    Raises InputError for an example that there is not.
    """
    if name == DASH:
        return copied("the problem")
    if name.startswith(PREFIX):
        return example_path(name.removeprefix(PREFIX))
    return Path(name)


def certificate_path(name: str) -> Path:
    """Return the file behind CERTIFICATE: a copy of standard input, or the file itself."""
    return copied("the certificate") if name == DASH else Path(name)


def load(name: str) -> Problem:
    """Return the problem behind PROBLEM; InputError that begins with its name."""
    from pfverify.model.problem import Problem

    path = path_of(name)
    try:
        return Problem.load(path)
    except InputError as error:
        from pfverify.edge.mistaken import no_problem

        if (other := no_problem(name, path)) is not None:
            raise other from None
        if name != DASH:
            raise
        raise InputError(f"{NAME}{str(error).removeprefix(str(path))}") from None


def loadable(name: str) -> Problem | None:
    """Return the problem behind PROBLEM, None where its file is no problem."""
    try:
        return load(name)
    except InputError:
        return None


def check_problem_file(output: str | None, *inputs: Path, option: str = "-o") -> None:
    """Raise InputError for an output that is no name of a problem file, or is an input."""
    if output is None:
        return
    refuse_inputs(output, *inputs, option=option)
    if Path(output).suffix.lower() not in (".toml", ".json"):
        raise InputError(f"{option}: {output}: expected a name that ends in .toml or .json")


def check_output(output: str | None, problem: str, *overrides: tuple[str, ...]) -> None:
    """Refuse an output that is no file name, or would replace an input, before any work.

    Nor is there a certificate of overrides, where no problem file is written beside it.
    """
    if output is None:
        return
    refuse_inputs(output, path_of(problem))
    if any(overrides):
        raise InputError(
            "-o: a certificate is about the problem file as it is; put the new numbers there "
            "instead of --epsilon, --delta or --scale (certify, of one problem, and calibrate "
            "--write do it)"
        )


def refuse_inputs(output: str, *inputs: Path, option: str = "-o") -> None:
    """Raise InputError for an output that is no file name, or is one of the inputs."""
    from pfverify.edge.mistaken import same_file

    if output in ("", "-"):
        raise InputError(f"{option}: {output!r} is no file name, expected the file to write")
    for path in inputs:
        if same_file(output, path):
            raise InputError(
                f"{option}: {output} is an input of this command, expected another file"
            )
