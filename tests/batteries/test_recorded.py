"""The recorded problems are there, and the command line answers them as it did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support import tally
from support.recorded import HASHES, Answer, answer, differences, line, short_hash
from support.recorded_problems import COUNT, Recorded, recorded
from support.tally import Record

BLOCKS = 40
LEAST = 2_000
PACE = 89  # the default run asks every so many


def counted(counts: Counter[str], problem: Recorded, found: Answer) -> None:
    """What was asked, and how it ended."""
    table = problem.table
    counts["problems"] += 1
    noise = table.get("noise", {})
    if "kind" in noise:
        counts[f"noise {noise['kind']}"] += 1
    counts[f"form {table.get('form')}"] += 1
    for priors in [table.get("priors"), *(b["priors"] for b in table.get("beliefs", {}).values())]:
        counts.update(f"prior {prior['kind']}" for prior in (priors or {}).values())
    for command in problem.commands:
        code, out, err = found[command]
        counts[f"{command} exit {code}"] += 1
        assert (code in (0, 1, 3)) or (out == "" and err.count("\n") == 1), (problem, found)
        assert "Traceback" not in err


def test_a_slice_of_the_record() -> None:
    """Every kind of problem, answered twice in the same bytes."""
    counts: Counter[str] = Counter()
    for k, index in enumerate(range(0, COUNT, PACE)):
        problem = recorded(index)
        found = answer(problem)
        counted(counts, problem, found)
        if k % 4 == 0:
            assert line(answer(problem)) == line(found)
    tally.reached(counts, "form events", "form pointwise", "certify exit 0", "certify exit 1",
                  "certify exit 2", "loss exit 0", "calibrate exit 0")  # fmt: skip
    for kind in ("laplace", "discrete-laplace", "gaussian"):
        tally.reached(counts, f"noise {kind}")
    for kind in ("discrete", "gaussian", "mixture"):
        tally.reached(counts, f"prior {kind}")


def test_a_changed_answer_is_found(tmp_path: Path) -> None:
    problem = recorded(0)
    found = answer(problem)
    paths = [tmp_path / name for name in ("before", "after")]
    paths[0].write_text(line(found))
    code, out, err = found["loss"]
    for new, expected in ((out, []), (out.replace("0", "1", 1), [f"{problem.name}: loss"])):
        paths[1].write_text(line({**found, "loss": (code, new, err)}))
        assert list(differences(*paths)) == expected


@pytest.mark.long
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_record(block: int, record_property: Record) -> None:
    """Line by line as in `recorded.txt`; another version of python-flint or scipy may move the last
    digit of an enclosure: then record both trees with it, and compare."""
    known = dict(text.split() for text in HASHES.read_text("ascii").splitlines())
    assert len(known) == COUNT >= LEAST
    counts: Counter[str] = Counter()
    changed = []
    for index in range(block, COUNT, BLOCKS):
        problem = recorded(index)
        found = answer(problem)
        counted(counts, problem, found)
        if short_hash(line(found)) != known[problem.name]:
            changed.append(problem.name)
    counts["changed"] = len(changed)
    tally.report("recorded answers", counts, ("problems", "changed"), record_property)
    assert counts["problems"] >= LEAST // BLOCKS
    assert changed == []
