"""Counts of a battery: what was tried, what was reached, and the line in the test report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

Record = Callable[[str, Any], None]
PREFIX = "battery "


def report(battery: str, counts: Counter[str], shown: Iterable[str], record: Record) -> None:
    """Record the counts that the terminal summary adds up over all workers."""
    for name in shown:
        record(f"{PREFIX}{battery}|{name}", counts[name])
    record(f"{battery} counts", str(dict(sorted(counts.items()))))


def reached(counts: Counter[str], *names: str, least: int = 1) -> None:
    """Fail where the battery did not reach one of its cases often enough."""
    missing = {name: counts[name] for name in names if counts[name] < least}
    if missing:
        raise AssertionError(f"not reached {least} times: {missing} of {dict(counts)}")


def lines(numbers: Counter[str]) -> list[str]:
    """One line per battery, from the recorded numbers."""
    found: dict[str, list[str]] = {}
    for key, count in numbers.items():
        battery, _, name = key.removeprefix(PREFIX).partition("|")
        found.setdefault(battery, []).append(f"{count} {name}")
    return [f"{battery}: {', '.join(parts)}" for battery, parts in found.items()]
