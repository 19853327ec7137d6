"""The certificates of the packaged problems use at most a quarter of the kernel's budget."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.examples import discrete_examples, smooth_examples

import pfverify
from pfverify import calibrate, certify
from pfverify.certificate.build import write_scales, write_verdict
from pfverify.edge.packaged import example_names, example_path, load_example

sys.path.insert(0, str(Path(pfverify.__file__).parent / "kernel"))

import checker
from core.work import AT_LEAST, PER_BYTE

pytestmark = pytest.mark.usefixtures("kernel_here")

SHARE = 0.25
LARGE = {"students-mean": 0.9}  # ten scales of sums over 649 users, some of them ties


def share(problem: Path, certificate: Path) -> float:
    """The part of the budget that an accepted certificate uses."""
    files = problem.read_bytes(), certificate.read_bytes()
    found = checker.checked(files[0], False, files[1])
    assert found.word in ("certified", "refuted", "scales"), found.message
    assert found.check is not None
    return float(found.check.spent) / (AT_LEAST + PER_BYTE * sum(map(len, files)))


@pytest.mark.parametrize("name", example_names())
def test_a_verdict_of_a_packaged_problem(
    name: str, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    problem, path = load_example(name), tmp_path / "certificate.json"
    write_verdict(path, example_path(name), problem, certify(problem), attest=False)
    used = share(example_path(name), path)
    record_property("share of the budget", used)
    print(name, f"{used:.4f}")
    # a few bytes state a crowd of hundreds, whose ties are sums of as many terms
    assert used < (SHARE if not problem.source.worked_out else 2 * SHARE)


@pytest.mark.long
@pytest.mark.parametrize("name", [*discrete_examples(), *smooth_examples()])
def test_the_scales_of_a_packaged_problem(
    name: str, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    problem, path = load_example(name), tmp_path / "certificate.json"
    write_scales(path, example_path(name), problem, calibrate(problem))
    used = share(example_path(name), path)
    record_property("share of the budget", used)
    print(name, f"{used:.4f}")
    assert used < LARGE.get(name, SHARE)
