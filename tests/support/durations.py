"""The processor time of a test run as the tables of tests/DURATIONS.md.

`PYTHONPATH=tests pytest -p support.durations` prints them at its end: seconds of this process and
of those that it started and waited for, which other work on the machine does not lengthen. Below
them are lines for tests/slow.txt.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator

import pytest

NAME = "processor time"
FILES = 40  # that are listed one by one
SLOW = 0.15  # seconds from which on a test is one for tests/slow.txt
_spent: dict[str, float] = {}
_BEGUN = pytest.StashKey[float]()


def _used() -> float:
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[_BEGUN] = _used()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.when == "teardown":  # a worker's report takes it to where the tables are printed
        item.user_properties.append((NAME, _used() - item.stash[_BEGUN]))
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        _spent[report.nodeid] = float(dict(report.user_properties)[NAME])


def _rows(seconds: Counter[str], counts: Counter[str]) -> list[str]:
    listed = seconds.most_common(FILES)
    return [f"| {name} | {counts[name]} | {spent:.1f} |" for name, spent in listed]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    tables: list[str] = []
    for title, parts in (("room", 2), ("file", None)):
        seconds: Counter[str] = Counter()
        counts: Counter[str] = Counter()
        for test, spent in _spent.items():
            place = "/".join(test.split("::")[0].split("/")[:parts])
            seconds[place] += spent
            counts[place] += 1
        tables += [f"| {title} | tests | seconds |", "|---|---|---|"]
        tables += [*_rows(seconds, counts), ""]
    terminalreporter.write_line(f"{len(_spent)} tests, {sum(_spent.values()):.0f} s\n")
    terminalreporter.write_line("\n".join(tables))
    for test, seconds in sorted(_spent.items()):
        if seconds >= SLOW:
            terminalreporter.write_line(f"{seconds:.1f} {test}")
