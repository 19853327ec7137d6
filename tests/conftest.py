"""The kernel's reliability in the test report: what the tests that ran have counted."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from support import slow, tally

gc.set_threshold(100_000, 50, 100)  # of collecting 13,000 tests a third was the collector's time
# without bytecode every process that a test starts would compile the package anew, for 1 s
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
os.environ.pop("COLUMNS", None)  # a worker of xdist has 80, where sentences are broken

FOLDERS = {"accept": "accepted", "reject": "rejected", "malformed": "malformed"}


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow.mark(config, items)


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What earlier runs of anything kept is no part of a test."""
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pfverify.edge.cache_folder._base", lambda: place)
        yield


@pytest.fixture(scope="module")
def one_process() -> Iterator[None]:
    """Proofs in this process: others would import sympy first, and the workers have all cores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pfverify.proof.run.cpu_count", lambda: 1)
        yield


@pytest.fixture
def kernel_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel in this process, for tests of many certificates; that it runs in a fresh isolated
    interpreter is what the others show."""
    from support.kernel_run import run_here

    from pfverify.certificate import build, checking

    for module in (build, checking):
        monkeypatch.setattr(module, "run_kernel", run_here)


def properties(reporter: pytest.TerminalReporter, outcome: str) -> list[tuple[str, Any]]:
    """What tests with this outcome recorded (the reports of xdist's workers bring it along)."""
    reports = [r for r in reporter.stats.get(outcome, []) if r.when == "call"]
    return [item for report in reports for item in report.user_properties]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    numbers: Counter[str] = Counter()
    texts: dict[str, str] = {}
    for name, value in properties(terminalreporter, "passed"):
        if isinstance(value, str):
            texts[name] = value
        elif name.startswith(("kernel ", tally.PREFIX)):
            numbers[name] += value
    wrong = sum(
        name.startswith("kernel corpus") for name, _ in properties(terminalreporter, "failed")
    )
    lines = []
    if any(name.startswith("kernel corpus") for name in numbers):
        cases = (f"{numbers[f'kernel corpus {folder}']} {word}" for folder, word in FOLDERS.items())
        lines.append(f"attack corpus: {', '.join(cases)} as they must be, {wrong} answered wrongly")
    if tried := numbers["kernel leaves tried"]:
        accepted = numbers["kernel leaves accepted"]
        lines.append(
            f"changed leaves of certificates: {tried} tried, {accepted} accepted, all true"
        )
    if checks := numbers["kernel enclosures"]:
        lines.append(f"enclosures against Arb: {checks} checked, all contain the value")
    if decided := numbers["kernel smooth problems"]:
        undecided, accepted = (numbers[f"kernel smooth {n}"] for n in ("undecided", "accepted"))
        lines.append(
            f"random priors with densities: {decided} problems, {undecided} undecided, "
            f"{accepted} certificates accepted"
        )
    if score := texts.get("kernel mutants"):
        lines.append(f"mutants of the kernel killed: {score}")
    batteries = Counter({k: v for k, v in numbers.items() if k.startswith(tally.PREFIX)})
    lines += tally.lines(batteries)
    if lines:
        terminalreporter.section("kernel reliability")
        for line in lines:
            terminalreporter.write_line(line)
