"""``pfverify start``."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import click

from pfverify.edge.commands.options import check_problem_file, json_option
from pfverify.edge.commands.parameters import FILE
from pfverify.edge.commands.sections import SectionCommand, of_output, section, together
from pfverify.edge.progress import progress
from pfverify.edge.sentences import sentence
from pfverify.edge.start.questions import UNKNOWN, StartQuestion, answered, questions
from pfverify.errors import InputError

_SECTIONS = {
    **dict.fromkeys(("secret", "times", "after", "noise", "epsilon"), "What is asked of it"),
    **dict.fromkeys(("publish", "rows", "people", "bounds", "cells", "answers", "rate"),
                    "What is published, and about whom"),
}  # fmt: skip
_VALUES = {
    "whole": "N", "bounds": "LOW,HIGH", "names": "NAMES", "rate": "CHANCE", "steps": "STEPS",
    "target": "NUMBER[,DELTA]",
}  # fmt: skip
_WIDTH, _INDENT = 88, "   "


def _value(question: StartQuestion) -> str:
    if question.kind == "choice":
        return "|".join([*(one.name for one in question.choices), UNKNOWN[0]])
    return _VALUES[question.kind]


answers_options = together(*(
    section(_SECTIONS[one.name])(f"--{one.name}", metavar=_value(one), help=one.ask)
    for one in {one.name: one for one in reversed(questions())}.values()
))  # fmt: skip
"""An option for each question."""


@click.command(cls=SectionCommand)
@answers_options
@section("What is asked of it")(
    "--delta", metavar="NUMBER", help="Beside --epsilon NUMBER, in place of its second number."
)
@of_output("-o", "--output", type=FILE, default="problem.toml", metavar="PROBLEM",
           show_default=True, help="Write the problem file (.toml, or .json).")
@of_output("--force", is_flag=True, help="Replace a file that is there.")
@json_option
def start(
    output: str, force: bool, as_json: bool, delta: str | None, **given: str | None
) -> int:
    """Answer a few questions; get a problem file, its smallest noise, and the verdict.

    At most eight questions, in plain words. Enter, or ?, says that you do not know: then something
    is assumed, and told. What is given as an option is not asked; `unknown` says there that you do
    not know. The file that is written has comments, and every other command takes it.

    Exit code 0: certified. 1: refuted. 3: undecided, or the file is still to be completed.

    \b
    Examples:
      pfverify start
      pfverify start --publish count -o weekly.toml
      pfverify start --publish sum --bounds 0,100 --secret both --times 12 -o monthly.toml
      pfverify start --publish answer --answers yes,no --times 1 --epsilon 1 -o answer.toml --json
    """
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.start.run import check_free, started
    from pfverify.edge.views.registry import view_of

    form = form_of(as_json=as_json)
    check_problem_file(output)
    check_free(Path(output), force=force)
    if delta is not None:
        if given["epsilon"] is None or given["epsilon"] in UNKNOWN or "," in given["epsilon"]:
            raise InputError("--delta: goes with --epsilon NUMBER, one number")
        given["epsilon"] = f"{given['epsilon']},{delta}"
    answers, unknown = answered(given, _ask)
    with progress("deciding") as report:
        result = started(answers, unknown, Path(output), report)
    show([view_of(result, output)], form)
    return _code(result.verdict)


def _code(verdict: object) -> int:
    from pfverify.decide.verdict import Verdict
    from pfverify.edge.codes import decided
    from pfverify.edge.leave import EXIT_UNDECIDED

    return decided(verdict) if isinstance(verdict, Verdict) else EXIT_UNDECIDED


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
