"""What an answer of the kernel rests on, and that it is little."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kernel_builder as kb
import pytest
from core.facts import FACTS
from families_truth import FAMILIES
from test_kernel_corpus import rules_in
from trusts import code_lines

CASES = sorted((kb.CORPUS / "accept").glob("*.json"))


def sampled() -> Iterator[Any]:
    """A process for each: the first with a rule that none before had, others in the batteries."""
    met: set[str] = set()
    for case in CASES:
        rules = {*rules_in(json.loads(case.read_text())["certificate"])}
        yield case if rules - met else pytest.param(case, marks=pytest.mark.long)
        met |= rules


NEVER = {"smooth.py", "chart.py", "density.py", "special.py", "moment.py", "couplings.py"}
NEVER |= {"normals.py", "components.py"}
NEVER |= {"channel.py", "channel_kinds.py", "quotients.py", "released.py"}
MANY = ('"joint"', '"releases"', '"scales"', '"total"')  # numbers, or releases
OF_MANY = {"joint.py", "several.py", "releases.py", "reduce.py"}
OF_MANY |= {"points.py", "grid.py", "grid_sums.py", "packed.py", "box.py"}
OF_MANY |= {"grid_ties.py", "unprocessed.py"}
RECORDS = {"chain", "hmm", "network"}
STEPS = {  # of steps after the noise: the most lines, where the answer rests on a file
    "unprocessed.py": 3880, "smooth.py": 3150, "logarithms.py": 3240, "line_exact.py": 2940,
}  # fmt: skip
WORDS = ("exp", "log", "sqrt")
OTHERS = {"F9", "F9LP", "F10", "F28"}  # of couplings: their answers are sentences


def kernel(*arguments: str) -> list[str]:
    command = [sys.executable, "-I", "-S", str(kb.KERNEL), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def written(path: Path, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """A stored case and its two files."""
    case = json.loads(path.read_text())
    files = folder / f"problem{case['problem_suffix']}", folder / "certificate.json"
    for file, key in zip(files, ("problem", "certificate"), strict=True):
        value = case[key]
        raw = value if isinstance(value, str) else json.dumps(
            value, sort_keys=key == "certificate", separators=(",", ":")
        )
        file.write_text(raw)
    return case, [str(file) for file in files]


@pytest.mark.parametrize("path", [*sampled()], ids=lambda p: p.stem)
def test_an_answer_says_what_it_rests_on(path: Path, tmp_path: Path) -> None:
    case, files = written(path, tmp_path)
    first = kernel("--trusts", *files)
    word, message = kb.run(case["problem"], case["certificate"], case["problem_suffix"])
    plain = f"{word}: {message}".encode("ascii", "backslashreplace").decode().replace("\n", " ")
    assert first[0] == plain  # the answer itself does not change
    said = [line.partition(" ")[::2] for line in first[1:]]
    counts = [text.split(": ") for kind, text in said if kind == "file"]
    lines = {name: int(count) for name, count in counts}
    total = f"{sum(lines.values())} lines of code in {len(lines)} files"
    assert [text for kind, text in said if kind == "total:"] == [total]
    for name, count in lines.items():
        assert count == code_lines((kb.KERNEL / name).read_text())
    lines = {Path(name).name: count for name, count in lines.items()}
    facts = {
        fact
        for kind, text in said
        if kind == "rule"
        for fact in text.partition(": ")[2].split(", ")
    }
    assert facts - {"no named fact"} <= set(FACTS) | OTHERS
    for fact, text in FACTS.items():  # every fact that a certified answer cites belongs to a rule
        if case["expect"] in ("certified", "scales") and text in plain and fact != "X":
            assert fact in facts
    assert {"checker.py", "goals.py", "judge.py", "kinds.py", "reader.py", "zero.py"} <= set(lines)
    assert "trusts.py" not in lines
    numbers = json.dumps(case["problem"])
    diverging = '"renyi"' in numbers or '"zcdp"' in numbers
    own = 720 if diverging else 0  # lines by which divergences are enclosed, of many 500 more
    many = any(word in numbers for word in MANY)
    own += 500 if diverging and (many or "parts" in case["problem"]) else 0
    if diverging and not many:
        assert sum(lines.values()) <= own + 2690, total
    atoms = not many and not diverging
    atoms = atoms and not any(word in numbers for word in ("gaussian", "mixture", "post"))
    if atoms and '"laplace"' in numbers and case["expect"] in ("certified", "refuted"):
        assert not set(lines) & NEVER
        if not any(word in numbers for word in ("pointwise", "notion", *WORDS)):
            families = any(f'"{kind}"' in numbers for kind in FAMILIES)
            records = RECORDS & case["problem"].keys()
            # a step or a noise is a row; records have their models, families geometry and coverage
            most = own + (2570 if families else 2720 if records else 2090)
            assert sum(lines.values()) <= most, total
    if atoms:
        assert not set(lines) & OF_MANY
    if many and case["expect"] in ("certified", "refuted"):
        steps = "unprocessed.py" in lines  # and what judges those of a part
        far = case["certificate"]["result"] == "refuted" and path.stem.startswith("any-rest-far")
        # of the noisy numbers, then of the steps
        most = own + (3960 if far else 3540 if steps else 2920)
        most += 820 if "composed.py" in lines else 0  # sums, and the profile of a normal form
        assert sum(lines.values()) <= most, total
    if '"post"' in numbers and '"channel"' not in numbers and not many:
        most = next((most for name, most in STEPS.items() if name in lines), 2780)
        assert sum(lines.values()) <= most + own, total
        if not any(word in numbers for word in ("gaussian", "mixture")):
            assert not set(lines) & (NEVER - {"quotients.py"} | {"gaussian_lattice.py"})
    if isinstance(case["problem"], dict) and "channel" in case["problem"]:
        assert sum(lines.values()) <= own + (3400 if "tupling" in numbers else 3330), total


def test_other_answers_say_it_too(tmp_path: Path) -> None:
    path = next(p for p in CASES if p.stem == "pure-plain")
    _, (problem, certificate) = written(path, tmp_path)
    Path(certificate).write_text("{}")
    answer = kernel("--trusts", problem, certificate)
    assert answer[0].startswith("malformed: ")
    assert answer[-1].startswith("total: ")
    for wrong in (["--trusts"], ["--trusts", problem], [problem, certificate, "--trusts"]):
        assert len(kernel(*wrong)) == 1
        assert kernel(*wrong)[0].startswith("malformed: ")


SOURCE = '''"""A docstring,
of two lines."""

# a comment
import json  # and one behind code


class A:
    """One line."""

    x = """a text,
    not a docstring"""


def f(
    a,
):
    """A docstring."""
    return [

        a,
    ]
'''


def test_lines_of_code() -> None:
    assert code_lines(SOURCE) == 1 + 1 + 2 + 3 + 3
    assert code_lines("") == 0
