"""``pfverify start``."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import click

from pfverify.edge.codes import decided
from pfverify.edge.commands.options import check_problem_file
from pfverify.edge.commands.shown import show_result
from pfverify.edge.leave import EXIT_UNDECIDED
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form
from pfverify.edge.sentences import sentence
from pfverify.edge.start.questions import UNKNOWN, StartQuestion, answered
from pfverify.edge.start.run import check_free, started
from pfverify.errors import InputError

_WIDTH, _INDENT = 88, "   "


def start(
    output: str, force: bool, form: Form, delta: str | None, **given: str | None
) -> int:
    """Answer a few questions; get a problem file, its smallest noise, and the verdict."""
    check_problem_file(output)
    check_free(Path(output), force=force)
    if delta is not None:
        if given["epsilon"] is None or given["epsilon"] in UNKNOWN or "," in given["epsilon"]:
            raise InputError("--delta: goes with --epsilon NUMBER, one number")
        given["epsilon"] = f"{given['epsilon']},{delta}"
    answers, unknown = answered(given, _ask)
    with progress("deciding") as report:
        result = started(answers, unknown, Path(output), report)
    show_result(result, form, output)
    return EXIT_UNDECIDED if result.verdict is None else decided(result.verdict)


def _ask(question: StartQuestion, number: int, given: Mapping[str, str]) -> str:
    """Ask on standard error, again after a wrong answer; InputError where nobody is there."""
    if not sys.stdin or not sys.stdin.isatty():
        raise InputError(
            f"--{question.name}: not answered, and there is no terminal to ask on; expected "
            f"{question.expected(given)}"
        )

    def read(text: str) -> str:
        try:
            question.read(text, given)
        except InputError as error:
            raise click.UsageError(str(error)) from None
        return text

    click.echo("\n".join(_lines(question, number, given)), err=True)
    found: str = click.prompt(
        f"{_INDENT}{question.name}", default=UNKNOWN[1], value_proc=read, err=True
    )
    return found


def _lines(question: StartQuestion, number: int, given: Mapping[str, str]) -> list[str]:
    """What is shown above the place for an answer."""
    choices = [(one.name, one.means) for one in question.options(given)]
    rows = [*choices, (UNKNOWN[1], f"I don't know ({question.default(given).told})")]
    wide = max(len(name) for name, _ in rows) + 2
    lines = [*([sentence("start.begin")] if number == 1 else []), ""]
    lines += [*textwrap.wrap(f"{number}. {question.ask}", _WIDTH, subsequent_indent=_INDENT)]
    for name, means in rows:
        lines += textwrap.wrap(
            means, _WIDTH, initial_indent=f"{_INDENT}{name:<{wide}}",
            subsequent_indent=_INDENT + " " * wide,
        )  # fmt: skip
    return [*lines, *textwrap.wrap(f"Example: {question.example}", _WIDTH, initial_indent=_INDENT)]
