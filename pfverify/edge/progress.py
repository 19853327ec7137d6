"""The progress bar of long work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

Report = Callable[[int, int], None]
"""Called with (done, total); a total of 0: how much there is to do is not known."""

Item = TypeVar("Item")
_BAR_FROM = 8  # units of work from which a bar is worth showing at once
_WAIT = 2.0  # seconds after which any work is shown
_LINES = 15.0  # seconds between lines where there is no terminal


def each(items: Sequence[Item], report: Report | None) -> Iterator[Item]:
    """Go through items, and after each report how many are done.

    Example: ``list(each("ab", print))`` is ``["a", "b"]``, and prints 1 2 and 2 2.
    """
    for done, item in enumerate(items, 1):
        yield item
        if report is not None:
            report(done, len(items))


@contextmanager
def progress(label: str, *, lines: bool = False) -> Iterator[Report]:
    """A bar on standard error, only on a terminal and only for long work, with the time it takes.

    Work of one part, or of parts that take minutes each, shows that it goes on. `lines`: where
    there is no terminal, such as in the log of a pipeline, a line now and then.
    """
    from pfverify.edge.render.console import Output

    err = Output(stderr=True)
    if not err.is_terminal:
        yield _lines(label) if lines else lambda done, total: None
        return
    from threading import Timer

    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress("{task.description}", *columns, console=err, transient=True) as bar:
        task = bar.add_task(label, total=None, visible=False)
        shown = Timer(_WAIT, lambda: bar.update(task, visible=True))
        shown.daemon = True

        def report(done: int, total: int) -> None:
            visible = True if total >= _BAR_FROM else None
            if total:
                bar.update(task, completed=done, total=total, visible=visible)
            else:
                bar.reset(task, total=None, start=True)

        shown.start()
        try:
            yield report
        finally:
            shown.cancel()


def _lines(label: str) -> Report:
    """Say on standard error how far work is, at times that are apart."""
    last = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if done < total and now - last >= _LINES:
            last = now
            click.echo(f"{label}: {done} of {total}", err=True)

    return report
