"""What certify decides, certify -o writes: the kernel accepts it, or certify says before that not.

Random problems of every kind. That the packaged problems are written is in `tests/certificate`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.every_kind import MAKERS, cut, said, some_table
from support.problems import limited

from pfverify import InputError, Problem, certify
from pfverify.certificate.build import refused_ahead, write_verdict
from pfverify.certificate.checking import TooLargeError, check
from pfverify.decide.assumptions import assumed
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_names
from pfverify.model.changed_file import write_changed
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.choices.stated import CHOICES
from pfverify.model.kinds import NOISES, OTHER_NOISES, PRIORS
from pfverify.model.notion import NOTIONS
from pfverify.model.protection import KINDS as PROTECTIONS
from pfverify.model.releases.composition import PARTS
from pfverify.model.releases.kinds import RELEASES, SEVERAL_KEYS
from pfverify.model.sources import families
from pfverify.model.sources.kinds import SOURCES
from pfverify.model.steps.kinds import BEFORE, STEPS

pytestmark = pytest.mark.usefixtures("kernel_here")

SECONDS = 60
OF_FILES = {"file", "digest"}  # keys that name other files, which have tests of their own
MADE = 80  # of each kind, among which all that a file may state is found


def written(table: dict[str, object], folder: Path) -> str:
    """The verdict, whose certificate was written, or that it is announced that there is none."""
    path, proof = folder / "problem.json", folder / "certificate.json"
    path.write_text(json.dumps(table))
    problem = Problem.load(path)
    with limited(SECONDS):
        try:
            result = certify(problem)
        except InputError:  # no route
            return "refused"
    if result.verdict is Verdict.UNDECIDED:
        return "undecided"
    announced = refused_ahead(path, problem)
    proof.unlink(missing_ok=True)
    try:
        write_verdict(proof, path, problem, result, attest=False)
    except TooLargeError:
        assert announced is not None
        return "announced"
    assert announced is None
    assert check(path, proof).word == str(result.verdict)
    return str(result.verdict)


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    ("first", "count"),
    [(0, 3), *(pytest.param(k, 10, marks=pytest.mark.long) for k in range(3, 103, 10))],
)
def test_what_is_decided_is_written(kind: str, first: int, count: int, tmp_path: Path) -> None:
    seen = Counter(
        written(some_table(Random(f"{kind} {k}"), kind), tmp_path)
        for k in range(first, first + count)
    )
    assert seen["certified"] + seen["refuted"] >= count // 2, seen
    assert seen["announced"] == 0, seen


@pytest.mark.parametrize("delta", ["1e-6", "1/2"])
def test_a_row_of_many_quotients_of_one_sum_is_written(delta: str, tmp_path: Path) -> None:
    target = {"schema": "pfverify/problem/1", "epsilon": "1", "delta": delta}
    assert written(cut(12, target), tmp_path) == ("refuted" if delta == "1e-6" else "certified")


def test_there_is_a_maker_of_all_that_a_problem_may_state() -> None:
    """Of every key of every noise and channel, and every kind of source, law, step and notion."""
    made = {
        one for kind in MAKERS for k in range(MADE) for one in said(some_table(
            Random(f"{kind} {k}"), kind))
    }  # fmt: skip
    noises = {name: kind.known_keys() for name, kind in NOISES.items()}
    noises |= {name: [key.name for key in other.keys] for name, other in OTHER_NOISES.items()}
    known = {
        *((f"noise {name}", key) for name, keys in noises.items() for key in keys),
        *((f"channel {name}", key) for name, kind in CHANNELS.items() for key in kind.known_keys()),
        *(("noise laplace", key.name) for key in SEVERAL_KEYS),
        *((key, "") for key in (*SOURCES, *RELEASES, PARTS, "metric", "pairs")),
        *(("prior", name) for name in PRIORS), *(("post", name) for name in (*STEPS, *CHOICES)),
        *(("post", name) for name in ("top", "ties", "coordinate")),
        *(("pre", name) for name in BEFORE), *(("notion", name) for name in PROTECTIONS),
        *(("form", name) for name in NOTIONS),
    }  # fmt: skip
    assert {one for one in known - made if one[1] not in OF_FILES} == set()


@pytest.mark.parametrize("kind", MAKERS)
def test_another_target_is_written_as_a_problem(kind: str, tmp_path: Path) -> None:
    """As certify --epsilon -o writes it, beside a certificate that is about that."""
    for k in range(12):
        table = some_table(Random(f"{kind} {k}"), kind)
        path, other = tmp_path / "problem.json", tmp_path / "other.json"
        path.write_text(json.dumps(table))
        asked = Problem.load(path).replaced(epsilon="7/3")
        write_changed(other, path, asked)
        assert Problem.load(other) == asked


CRASHED = {
    "kind": "joint", "names": ["x", "y"], "rows": [["1/2", 0, "4/7"], [1, 2, "3/7"]],
}  # fmt: skip


def test_a_number_that_stands_for_several_refutes_no_single_ones(tmp_path: Path) -> None:
    """Gaussian noise on two numbers, one behind a threshold: certify ended in a traceback."""
    other = {**CRASHED, "rows": [[0, 0, "8/21"], [0, 1, "4/21"], [1, 2, "3/7"]]}
    table = {
        "schema": "pfverify/problem/1", "epsilon": "log(3)", "priors": {"a": CRASHED, "b": other},
        "noise": {"kind": "gaussian", "scale": "11/5"},
        "post": [{"coordinate": "x", "threshold": {"at": 2}}],
    }  # fmt: skip
    assert written(table, tmp_path) == "undecided"


def test_listed_noise_is_added_once_before_steps_on_a_sum(tmp_path: Path) -> None:
    """The kernel added it to laws of what it had been added to, and found no margin."""
    user = {"v0": {"point": 0}, "v1": {"point": 2}}
    noise = {"kind": "truncated-discrete-laplace", "scale": "2/5", "step": "1/2", "bound": "3/2"}
    table = {
        "schema": "pfverify/problem/1", "epsilon": 2, "delta": "1/3", "noise": noise,
        "system": {"user": user, "rest": "any"}, "post": [{"round": {"to": "1/4"}}],
    }  # fmt: skip
    assert written(table, tmp_path) == "refuted"
    assert "(F80)" in check(tmp_path / "problem.json", tmp_path / "certificate.json").message


def test_one_part_alone_that_fails_at_epsilon_0_is_shown(tmp_path: Path) -> None:
    """It was left out, as if it added nothing, and the proof had no part."""
    law = {name: {"kind": "discrete", "mass": {str(3 * k): 1}} for k, name in enumerate("ab")}
    part = {"noise": {"kind": "laplace", "scale": "7/5"}, "priors": law}
    target = {"schema": "pfverify/problem/1", "epsilon": 0, "delta": 0}
    for times in (1, 2):
        assert written({**target, "parts": [part | {"times": times}]}, tmp_path) == "refuted"
    assert written({**target, "parts": [part, part]}, tmp_path) == "refuted"


@pytest.mark.parametrize("name", example_names())
def test_every_example_is_written(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = tmp_path / "proof.cert"
    with limited(SECONDS):
        code = main(["certify", f"example:{name}", "-o", str(proof)])
    said_last = capsys.readouterr().err.strip().splitlines()
    assert code in (0, 1, 3)
    assert proof.exists() == (code != 3)
    assert code != 3 or len(said_last) == 1, said_last


def regions(records: int, rare: int) -> dict[str, object]:
    """Two confidence regions of two atoms, alike."""
    region = {"kind": "confidence", "counts": {"0": records - rare, "1": rare}, "level": "0.95"}
    return {
        "schema": "pfverify/problem/1", "epsilon": "1", "priors": {"a": region, "b": region},
        "noise": {"kind": "laplace", "scale": "3"},
    }  # fmt: skip


def test_regions_of_very_many_records_are_announced_in_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = regions(10**9, 30), regions(7_000_000, 4_000)
    assert not any("no certificate" in words for words in assumed(Problem.from_table(few)))
    monkeypatch.setattr(families, "MOST_CHECKED", 100_000)  # a hundredth: as for 3,000,000
    assert written(few, tmp_path) == "certified"
    assert written(many, tmp_path) == "announced"
    said = assumed(Problem.from_table(many))[-1]
    assert said.startswith("no certificate is written for this: the kernel works out every")


@pytest.mark.long
def test_regions_just_small_enough_are_written(tmp_path: Path) -> None:
    for records, rare in ((10**9, 3_000), (10**9, 1_600_000), (4_000_000, 1_600_000)):
        assert written(regions(records, rare), tmp_path) == "certified"
