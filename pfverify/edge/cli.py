"""The command line: its group of commands, each read from its own file when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping

import click

import pfverify
from pfverify.edge.commands.shape import command_of
from pfverify.edge.leave import coded, finished, require_output

COMMANDS = (
    "calibrate", "certify", "check", "compose", "coupling", "crosscheck", "curve", "demo",
    "enumerate", "explain", "explore", "export", "loss", "prior", "prove", "report", "sample",
    "start", "table",
)  # fmt: skip
"""Every command, in alphabetical order: two files of that name in `pfverify.edge.commands`."""
_LONGEST = 200  # characters of a sentence about a command


class Commands(Mapping[str, click.Command]):
    """Name -> command, of which only what is asked for is read."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in COMMANDS:
            raise KeyError(name)
        return command_of(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _Commands(click.Group):
    """The group, in whose help no sentence about a command is cut."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its whole first sentence."""
        with formatter.section("Commands"):
            formatter.write_dl([
                (name, command.get_short_help_str(_LONGEST))
                for name in self.list_commands(ctx)
                if (command := self.get_command(ctx, name)) is not None
            ])  # fmt: skip


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code; errors are one line."""
    sys.exit(finished(main(arguments)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""

    def command() -> object:
        require_output()
        if instruction := os.environ.get("_PFVERIFY_COMPLETE"):  # a shell asks
            from pfverify.edge.completion import complete

            return complete(commands, instruction)
        words = list(sys.argv[1:] if arguments is None else arguments)
        with commands.make_context("pfverify", words) as context:
            return commands.invoke(context)

    return coded(command)


@click.group(
    cls=_Commands,
    commands=Commands(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 certified or computed, 1 refuted (rejected, invalid, a failed proof), "
    "2 bad input, 3 undecided or only observed on a grid, 70 internal error, 130 interrupted, "
    "141 closed pipe. Completion in bash (zsh, fish): "
    'eval "$(_PFVERIFY_COMPLETE=bash_source pfverify)"',
)
@click.version_option(pfverify.__version__, "-V", "--version", prog_name="pfverify")
@click.pass_context
def commands(context: click.Context) -> None:
    """Decide and prove whether a release Y = X + noise is pufferfish private.

    PROBLEM is a problem file (TOML, or JSON), - for standard input, or example:NAME for a
    packaged one; `pfverify demo --examples` lists those.

    What is known of X is stated by priors (discrete, gaussian, mixture, joint, finite, nothing, or
    a family of laws: intervals, confidence, tv-ball, winf-ball, polytope, any-of), or several
    beliefs of them; by a chain, hmm or network of records; or by a system of people whose sum,
    count, mean or histogram X is. The noise is laplace, discrete-laplace (geometric),
    gaussian, discrete-gaussian, bounded-laplace, truncated-laplace, truncated-discrete-laplace,
    from a table, or none; before a choice exponential or gumbel too; or named inputs go through a
    finite channel. `pfverify explain` says what
    each of these words means.

    \b
    Examples:
      pfverify certify example:census
      pfverify certify example:gaussian-pair
      pfverify calibrate example:students-mean
      pfverify certify example:home-and-out
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
