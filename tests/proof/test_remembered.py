"""A file is not checked twice, and whatever its check read, when it changes, has it checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pfverify.edge.cli import main
from pfverify.proof import library, remembered
from pfverify.proof.outcome import Outcome
from pfverify.proof.run import outcome_of, prove

pytestmark = pytest.mark.usefixtures("one_process")

HEAD = "from pfverify.proof.language import *\nfrom settings.letters import *\n"
SETTING = 'from pfverify.proof.language import *\na = constants("a")\nv = variables("v")\n'
CLAIM = """Claim(id="{id}", source=paper("design", "{id}"), words="w", result=PROVED,
    printed=proved(statement={statement}, steps=[step("s", {statement}, {rule})]))
"""
LEMMA, USES, ALONE = "F1", "F2", "F3"


@pytest.fixture
def proofs(tmp_path: Path) -> Path:
    """A theorem, a file that uses a file that uses it, and one that stands alone."""
    folder = tmp_path / "proofs"
    (folder / "design" / "settings").mkdir(parents=True)
    (folder / "design" / "settings" / "letters.py").write_text(SETTING, "utf-8")
    for name, statement, rule in (
        (LEMMA, "a**2 + v**2 >= 0", "arithmetic()"),
        (USES, "a**2 + v**2 >= 0", "theorem('F1')"),
        (ALONE, "a**2 >= 0", "arithmetic()"),
        ("F4", "a**2 + v**2 >= 0", "theorem('F2')"),
    ):
        text = HEAD + CLAIM.format(id=name, statement=statement, rule=rule)
        (folder / "design" / f"{name}.py").write_text(text, "utf-8")
    return folder


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of claims whose steps were checked."""
    names: list[str] = []
    real = library.check_claim

    def noted(claim: library.Claim, *args: object, **more: object) -> Outcome:
        names.append(claim.id)
        return real(claim, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "check_claim", noted)
    return names


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest of the code, which has a test of its own, without reading it."""
    monkeypatch.setattr(remembered, "_code_digest", lambda: "code")


@pytest.fixture
def run(proofs: Path, tmp_path: Path, checked: list[str], quick: None) -> Callable[..., list[str]]:
    """Prove the files and return which were checked, then the failures."""
    place = tmp_path / "kept"
    place.mkdir()

    def again(*names: str) -> list[str]:
        checked.clear()
        paths = sorted(proofs.glob("design/*.py"))
        outcomes = prove([p for p in paths if not names or p.stem in names], place=place)
        for one in outcomes:
            assert one.kept is (one.id not in checked)
        return sorted(checked) + [f"{o.id}: {o.failure}" for o in outcomes if o.failure]

    return again


ALL = ["F1", "F2", "F3", "F4"]
Run = Callable[..., list[str]]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_nothing_is_checked_twice_and_nothing_is_said_otherwise(
    run: Run, proofs: Path, tmp_path: Path
) -> None:
    assert run() == ALL
    assert run() == []
    place = tmp_path / "kept"
    first, again = prove([proofs / "design/F4.py"]), prove([proofs / "design/F4.py"], place=place)
    assert [replace(one, kept=False, seconds=0) for one in again] == [
        replace(one, seconds=0) for one in first
    ]
    assert again[0].kept
    assert not first[0].kept


def test_one_file_keeps_the_files_that_it_uses(run: Run) -> None:
    assert run("F2") == ["F1", "F2"]
    assert run() == ["F3", "F4"]


@pytest.mark.parametrize(
    ("place", "old", "new", "again"),
    [
        ("F1.py", 'words="w"', 'words="x"', ["F1", "F2", "F4"]),
        ("F2.py", 'words="w"', 'words="x"', ["F2", "F4"]),
        ("F3.py", 'words="w"', 'words="x"', ["F3"]),
        ("F4.py", 'words="w"', 'words="x"', ["F4"]),
        ("settings/letters.py", 'variables("v")', 'variables("v")\nw = a', ALL),
    ],
)
def test_a_change_has_checked_what_read_it(
    run: Run, proofs: Path, place: str, old: str, new: str, again: list[str]
) -> None:
    assert run() == ALL
    edit(proofs / "design" / place, old, new)
    assert run() == again
    assert run() == []


def test_a_theorem_that_becomes_false_fails_all_that_use_it(run: Run, proofs: Path) -> None:
    assert run() == ALL
    edit(proofs / "design/F1.py", ">= 0", ">= 1")
    found = run()
    assert found[:3] == ["F1", "F2", "F4"]
    assert [line.partition(":")[0] for line in found[3:]] == ["F1", "F2", "F4"]
    assert run()[:3] == ["F1", "F2", "F4"]  # what fails is never kept


def test_another_file_of_the_name_of_a_theorem_has_its_users_checked(
    run: Run, proofs: Path
) -> None:
    assert run() == ALL
    (proofs / "later").mkdir()
    text = (proofs / "design/F1.py").read_text("utf-8").replace(HEAD, SETTING)
    (proofs / "later" / "F1.py").write_text(text, "utf-8")  # it is the one that is found
    found = run("F2", "F3", "F4")
    assert [line.partition(":")[0] for line in found] == ["F1", "F2", "F4", "F2", "F4"]
    assert "another folder" in found[-1]


def test_a_setting_that_is_added_counts_as_a_change(run: Run, proofs: Path) -> None:
    assert run() == ALL
    (proofs / "design" / "settings" / "more.py").write_text("", "utf-8")
    assert run() == ALL


def test_other_rules_check_everything(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run() == ALL
    monkeypatch.setattr(remembered, "_version", lambda name: f"{name} 99")
    assert run() == ALL
    assert run() == []
    monkeypatch.setattr(remembered, "_code_digest", lambda: "other")
    assert run() == ALL


def test_the_digest_of_the_rules_is_of_all_that_checks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(remembered, "__file__", str(tmp_path / "proof" / "remembered.py"))
    seen = set()
    for name in ("proof/check.py", "exact/ball.py", "kernel/judge.py", "errors.py", "x/y.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1", "utf-8")
        seen.add(remembered.rules_digest())
    (tmp_path / "errors.py").write_text("2", "utf-8")
    seen.add(remembered.rules_digest())
    (tmp_path / "errors.py").rename(tmp_path / "error.py")
    seen.add(remembered.rules_digest())
    assert len(seen) == 7
    last = remembered.rules_digest()
    (tmp_path / "edge").mkdir()
    (tmp_path / "edge" / "words.toml").write_text("no rule", "utf-8")
    assert remembered.rules_digest() == last


def test_rules_that_change_meanwhile_keep_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter(range(1000))
    monkeypatch.setattr(remembered, "_code_digest", lambda: str(next(codes)))
    assert run() == ALL
    assert run() == ALL


def test_a_file_that_changes_while_it_is_checked_is_not_kept(
    run: Run, proofs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = library.check_claim

    def edited(claim: library.Claim, *args: object, **more: object) -> Outcome:
        outcome = real(claim, *args, **more)  # type: ignore[arg-type]
        edit(proofs / "design/F3.py", ">= 0", ">= 1")
        return outcome

    with monkeypatch.context() as patch:
        patch.setattr(library, "check_claim", edited)
        assert run("F3") == ["F3"]
    assert [line.partition(":")[0] for line in run("F3")] == ["F3", "F3"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[:-2],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace("PROVED", "REPAIRED"),
        lambda text: text.replace("remembered/1", "remembered/0"),
        lambda text: json.dumps({**json.loads(text), "rules": "0" * 64}),
    ],
)
def test_an_entry_that_is_not_whole_is_not_used(
    run: Run, tmp_path: Path, damage: Callable[[str], str]
) -> None:
    assert run() == ALL
    entries = [*(tmp_path / "kept").iterdir()]
    assert len(entries) == 4
    for path in entries:
        path.write_text(damage(path.read_text("utf-8")), "utf-8")
    assert run() == ALL
    assert run() == []


def test_an_entry_with_a_failure_or_another_shape_is_not_used(run: Run, tmp_path: Path) -> None:
    """Even where its sum is right."""
    changes: list[Callable[[dict[str, object]], object]] = [
        lambda outcome: outcome.update(failure="it fails"),
        lambda outcome: outcome.update(declared="TRUE"),
        lambda outcome: outcome.update(more=1),
        lambda outcome: outcome.pop("id"),
        lambda outcome: outcome.update(stated=[{}]),
    ]
    for change in changes:
        run()
        for path in (tmp_path / "kept").iterdir():
            entry = json.loads(path.read_text("utf-8"))
            entry.pop("sum")
            change(entry["outcome"])
            whole = {**entry, "sum": remembered._digest(remembered._canonical(entry))}
            path.write_text(json.dumps(whole), "utf-8")
        assert run() == ALL
        assert run() == []


def test_a_folder_that_cannot_be_written_is_no_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kept").rmdir()
    assert run() == ALL
    assert run() == ALL


def test_what_another_worker_found_is_not_of_an_earlier_run(
    run: Run, proofs: Path, tmp_path: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --fresh some claims were said to be from earlier runs."""
    assert run() == ALL
    checked.clear()
    monkeypatch.setattr("pfverify.proof.run._libraries", {})
    assert not outcome_of(proofs / "design/F2.py", tmp_path / "kept").kept
    assert checked == []


def test_each_file_is_reported_and_what_is_kept_counts_as_done(
    run: Run, proofs: Path, tmp_path: Path
) -> None:
    assert run("F2") == ["F1", "F2"]
    reports: list[tuple[int, int]] = []
    paths = sorted(proofs.glob("design/*.py"))
    prove(paths, lambda done, total: reports.append((done, total)), tmp_path / "kept")
    assert reports == [(3, 4), (4, 4)]


def test_without_a_folder_everything_is_checked(proofs: Path, checked: list[str]) -> None:
    path = proofs / "design/F3.py"
    for _ in range(2):
        checked.clear()
        assert [asdict(one)["kept"] for one in prove([path])] == [False]
        assert checked == ["F3"]


def test_the_command_keeps_says_so_and_checks_again(
    proofs: Path, checked: list[str], quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "were checked in earlier runs, by the same rules, and have not changed since; --fresh"
    for arguments, names, said in (
        ([], ALL, False), ([], [], True), (["--counts"], [], True), (["--fresh"], ALL, False),
        ([], [], True),
    ):  # fmt: skip
        checked.clear()
        assert main(["prove", "--proofs", str(proofs), *arguments]) == 0
        assert sorted(checked) == names
        assert (f"4 of these 4 {words}" in " ".join(capsys.readouterr().out.split())) is said
    edit(proofs / "design/F3.py", ">= 0", ">= 1")
    assert main(["prove", "--proofs", str(proofs)]) == 1
    assert main(["prove", "--proofs", str(proofs), "--fresh"]) == 1
    for arguments, kept in (([], [True] * 3 + [False]), (["--fresh"], [False] * 4)):
        capsys.readouterr()
        assert main(["prove", "--proofs", str(proofs), "--json", *arguments]) == 1
        claims = json.loads(capsys.readouterr().out)["claims"]
        assert sorted((claim["kept"] for claim in claims), reverse=True) == kept
