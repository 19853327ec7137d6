"""The progress bar of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int], None]
"""Called with (done, total)."""

_BAR_FROM = 8  # units of work from which a bar is worth showing


@contextmanager
def progress(label: str) -> Iterator[Report]:
    """A bar on standard error, only on a terminal and only for long work."""
    from pfverify.edge.render.console import Output

    err = Output(stderr=True)
    if not err.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(label, total=None, visible=False)

        def report(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=total >= _BAR_FROM)

        yield report
