"""Options in sections, as ``--help`` shows them where a command has more than ten."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])

OUTPUT = "Output and help"
"""The title of the last section."""


class SectionOption(click.Option):
    """An option that knows the title of its section."""

    def __init__(self, *args: Any, section: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help lists options section by section, in the order of their first options.

    `OUTPUT` comes last; --help, which is click's own, is in it.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                title = parameter.section if isinstance(parameter, SectionOption) else OUTPUT
                sections.setdefault(title, []).append(record)
        for title in sorted(sections, key=OUTPUT.__eq__):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def together(*options: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """Return what adds several options to a command, in this order.

    Example: ``together()(print)`` is ``print``.
    """

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def section(title: str) -> partial[Callable[[Function], Function]]:
    """Return a ``click.option`` for the options of one section.

    Example: ``section("What is drawn").keywords["section"]`` is ``"What is drawn"``.
    """
    return partial(click.option, cls=SectionOption, section=title)


of_output = section(OUTPUT)
"""The ``click.option`` of what is printed."""
of_certificate = section("Certificate")
"""The ``click.option`` of what is written about a certificate."""
of_few_records = section("Few records")
"""The ``click.option`` about cells and secrets of few records."""
