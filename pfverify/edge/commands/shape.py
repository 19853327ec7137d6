"""The shape of a command: its arguments, its options in sections, and what ``--help`` says.

A command is a file `NAME.toml` here, in the words of click, and the function of that name in
`NAME.py`, which is imported when the command runs. An option that is a text has its table under
that name in `shared.toml`. `only_with` names options of which one has to be given beside it,
`not_with` those that must not be, or a table of `shared.toml` for all options there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from pfverify.edge.commands.parameters import type_of
from pfverify.edge.render.picture_names import SUFFIXES
from pfverify.errors import InputError

Table = dict[str, Any]

OUTPUT = "Output and help"
"""The title of the last section."""
HERE = "-"
"""What a --plot without a file stands for: in the terminal."""
_QUESTION = "question"  # in place of a name in `shared.toml`: the option is a question of `start`


class SectionOption(click.Option):
    """An option that knows the title of its section, "" where its command has none.

    `only_with` and `not_with` are the options that it goes with, and those that it does not.
    """

    def __init__(
        self, *args: Any, section: str, only_with: Sequence[str] = (),
        not_with: Sequence[str] = (), **attributes: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **attributes)
        self.section = section
        self.only_with = only_with
        self.not_with = not_with

    def is_given(self, ctx: click.Context) -> bool:
        """Say whether another value was given than what stands there without it."""
        value = ctx.params.get(str(self.name))
        if self.is_flag:
            return value in (True, self.flag_value)
        told = ctx.get_parameter_source(str(self.name)) is not ParameterSource.DEFAULT
        return told and value != self.get_default(ctx)


class ShapedCommand(click.Command):
    """A command whose help lists options section by section, in the order of its file.

    `OUTPUT` comes last; --help, which is click's own, is in it. Of --plot the next word is the file
    only where that is the name of a picture.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                title = parameter.section if isinstance(parameter, SectionOption) else OUTPUT
                sections.setdefault(title or "Options", []).append(record)
        if "Options" in sections:
            sections["Options"] += sections.pop(OUTPUT)
        for title in sorted(sections, key=OUTPUT.__eq__):
            with formatter.section(title):
                formatter.write_dl(sections[title])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments of which a lone --plot has been marked."""
        after = [*args[1:], ""][: len(args)]
        marked = [
            f"{word}={HERE}"
            if word == "--plot" and not follower.lower().endswith(SUFFIXES)
            else word
            for word, follower in zip(args, after, strict=True)
        ]
        return super().parse_args(ctx, marked)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; InputError for options that do not go together."""
        given = {
            one.opts[-1]: one for one in self.params
            if isinstance(one, SectionOption) and one.is_given(ctx)
        }  # fmt: skip
        short = {one.opts[-1]: one.opts[0] for one in self.params}
        for name, option in given.items():
            if option.only_with and given.keys().isdisjoint(option.only_with):
                others = " or ".join(short[other] for other in option.only_with)
                raise InputError(f"{short[name]}: only with {others}")
            for other in option.not_with:
                if other in given:
                    raise InputError(f"{short[name]}: not with {short[other]}")
        return super().invoke(ctx)


@cache
def command_of(name: str) -> ShapedCommand:
    """Return the command that a file of this folder declares.

    Example: ``command_of("explain").params[0].metavar`` is ``"[TERM]"``.
    """
    return shaped(name, _read(name), partial(_run, name))


def shaped(name: str, table: Table, callback: Callable[..., object]) -> ShapedCommand:
    """Return the command of a table; KeyError for an option that is not among the shared ones."""
    arguments: Table = table.get("arguments", {})
    sections: Mapping[str, Table] = table.get("sections", {"": table.get("options", {})})
    options = [
        _option(option, _table_of(option, said), title)
        for title, listed in sections.items() for option, said in listed.items()
    ]  # fmt: skip
    positional = [click.Argument([one], **_typed(said)) for one, said in arguments.items()]
    return ShapedCommand(
        name, params=[*positional, *options], help=table["help"], callback=callback
    )


@cache
def _read(name: str) -> Table:
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


def _table_of(option: str, said: Table | str) -> Table:
    """What is said of an option here, or in another place that is named."""
    if said == _QUESTION:
        from pfverify.edge.start.questions import option_of

        return option_of(option.removeprefix("--"))
    found: Table = _read("shared")[said][option] if isinstance(said, str) else said
    return found


def _option(option: str, said: Table, title: str) -> SectionOption:
    more = {"short", "name"}
    names = [*(said[key] for key in sorted(more & said.keys(), reverse=True)), option]
    attributes = {key: value for key, value in said.items() if key not in more}
    if "not_with" in said:
        shared = _read("shared")
        attributes["not_with"] = [
            name for one in said["not_with"] for name in shared.get(one, [one])
        ]
    return SectionOption(names, section=title, **_typed(attributes))


def _typed(said: Table) -> Table:
    """The attributes with the types and functions that they name."""
    found = dict(said)
    if "type" in found:
        found["type"] = type_of(found["type"])
    if "callback" in found:
        found["callback"] = partial(_called, *found["callback"].split(":"))
    return found


def _called(module: str, function: str, ctx: click.Context, _: click.Parameter, value: Any) -> Any:
    """What a function makes of a value that was given."""
    return None if value is None else getattr(import_module(module), function)(ctx, value)


def _run(name: str, **given: Any) -> object:
    """Run a command's function; options of the form of the answer are given to it as `form`."""
    if "as_json" in given:
        from pfverify.edge.render.show import WRITTEN

        words = {"json": given.pop("as_json"), "csv": given.pop("as_csv", False)}
        written = given.pop("written", "text")
        given["form"] = WRITTEN[next((word for word, said in words.items() if said), written)]
    return getattr(import_module(f"{__package__}.{name}"), name)(**given)
