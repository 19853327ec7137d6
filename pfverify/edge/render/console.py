"""The console that everything for people is printed on."""

from __future__ import annotations

from rich.console import Console


class Output(Console):
    """A console that leaves a closed pipe to `leave.coded`; rich would exit with code 1."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError again."""
        raise  # rich calls this while it handles the error
