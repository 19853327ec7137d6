"""The types of parameters that name files and problems: text, with what completes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.types import StringParamType

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _Named(StringParamType):
    """A text whose completion is that of files; everything else is said where it is read."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return that a file goes on here."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


class _ProblemName(_Named):
    """The name of a problem."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return examples, problem files and folders."""
        from pfverify.edge.completion import problems

        return problems(incomplete)


class _Term(StringParamType):
    """A term that can be explained."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return the terms that begin so."""
        from pfverify.edge.completion import terms

        return terms(incomplete)


FILE, PROBLEM, TERM = _Named(), _ProblemName(), _Term()
"""The types of parameters that name a file, a problem or a term: text, with its completion."""
