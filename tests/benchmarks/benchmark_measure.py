"""Timing, and the rows of the speed table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """One line of the table. `target` is text; `met` is None where there is no target."""

    work: str
    size: str
    time: str
    yardstick: str
    yardstick_time: str
    ratio: str
    target: str = ""
    met: bool | None = None


def times(*works: Callable[[], object], repeats: int) -> list[float]:
    """Median seconds of each piece of work: warmed up once, then run in turns."""
    for work in works:
        work()
    found: list[list[float]] = [[] for _ in works]
    for _ in range(repeats):
        for work, seconds in zip(works, found, strict=True):
            start = perf_counter()
            work()
            seconds.append(perf_counter() - start)
    return [median(seconds) for seconds in found]


def repeated(work: Callable[[], object], loops: int) -> Callable[[], None]:
    """Run short work several times, so that the clock can see it."""

    def run() -> None:
        for _ in range(loops):
            work()

    return run


def ratio_row(
    work: str,
    size: int | str,
    seconds: float,
    yardstick: str,
    other: float,
    target: str = "",
    met: bool | None = None,
) -> Row:
    """A row whose ratio is that of two times in seconds."""
    shown = size if isinstance(size, str) else f"{size:,}"
    return Row(
        work, shown, seconds_text(seconds), yardstick, seconds_text(other),
        f"{seconds / other:,.1f}", target, met,
    )  # fmt: skip


def seconds_text(value: float) -> str:
    """A time with the unit that fits."""
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= unit or unit == 1e-6:
            return f"{value / unit:.3g} {name}"
    raise RuntimeError("not reached")
