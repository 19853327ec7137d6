"""The types of parameters, by the words of the files here: those of names are text that completes.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.types import StringParamType

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class _Named(StringParamType):
    """A text with what completes it; everything else is said where it is read."""

    def __init__(self, completed: str) -> None:
        self._completed = completed

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[str]]:
        """Return what a function of `pfverify.edge.completion` knows."""
        from pfverify.edge import completion

        found: list[CompletionItem[str]] = getattr(completion, self._completed)(incomplete)
        return found


class _Choice(click.Choice[str]):
    """A choice of words, in small letters or large ones, with hyphens, underscores or spaces."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """Return what of a word is compared."""
        return str(choice).casefold().replace("_", "-").replace(" ", "-")


_TYPES: dict[str, click.ParamType[Any]] = {
    "file": _Named("named_files"), "problem": _Named("problems"), "term": _Named("terms"),
    "path": click.Path(path_type=Path), "int": click.INT, "float": click.FLOAT,
}  # fmt: skip


def type_of(said: str | list[str] | dict[str, Any]) -> click.ParamType[Any]:
    """Return a type by its name, a choice of a list, numbers above one, or integers within bounds.

    Example: ``type_of({"min": 0, "max": 40}).max`` is ``40``.
    """
    match said:
        case str():
            return _TYPES[said]
        case list():
            return _Choice(said)
        case {"above": number}:
            return click.FloatRange(number, min_open=True)
        case {"min": least, "max": most}:
            return click.IntRange(least, most)
    raise TypeError(f"{said} is no type of a parameter")
