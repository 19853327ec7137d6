"""Several problems in one call: all of them are answered, whatever becomes of the others."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pfverify import Discrete, Laplace, Problem
from pfverify.edge import many
from pfverify.edge.cli import main
from pfverify.edge.leave import expected
from pfverify.errors import InputError, PfverifyError, UndecidedError

BROKEN = "epsilon = = 1"


def problem(scale: str) -> Problem:
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    return Problem(priors, noise=Laplace(scale), epsilon="1/2")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")  # lines are whole
    found = Path("all")
    found.mkdir()
    problem("2").save(found / "good.toml")
    problem("1").save(found / "wrong.json")
    return found


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    code = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out), err


def verdicts(data: Any) -> list[tuple[str, str | None]]:
    assert list(data) == ["schema", "version", "results"]
    assert data["schema"] == "pfverify/results/1"
    return [(item["problem"], item.get("verdict")) for item in data["results"]]


def test_all_problems_of_a_folder_in_the_order_of_their_names(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, data, err = answered(capsys, "certify", "all")
    assert (code, err) == (1, "")
    assert verdicts(data) == [("all/good.toml", "certified"), ("all/wrong.json", "refuted")]


def test_a_problem_under_another_schema_of_the_package_is_not_passed_over(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    text = (folder / "wrong.json").read_text()
    (folder / "wrong.json").write_text(text.replace("pfverify/problem/1", "pfverify/loss/1"))
    assert main(["loss", "all/good.toml", "--json"]) == 0
    (folder / "answer.json").write_text(capsys.readouterr().out)  # what the package wrote is
    code, data, _ = answered(capsys, "certify", "all")
    assert code == 2
    assert [name for name, _ in verdicts(data)] == ["all/good.toml", "all/wrong.json"]


def test_a_folder_with_one_problem_is_a_list_too(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "wrong.json").unlink()
    code, data, _ = answered(capsys, "certify", "all")
    assert (code, verdicts(data)) == (0, [("all/good.toml", "certified")])


def test_several_names_and_folders_and_examples(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    problem("3").save("own.toml")
    code, data, _ = answered(capsys, "certify", "own.toml", "all", "example:census")
    assert code == 1
    assert [name for name, _ in verdicts(data)] == [
        "own.toml", "all/good.toml", "all/wrong.json", "example:census",
    ]  # fmt: skip


def test_what_fails_is_collected_and_said_on_standard_error(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "broken.toml").write_text(BROKEN)
    code, data, err = answered(capsys, "certify", "all", "missing.toml")
    assert code == 2
    assert verdicts(data) == [
        ("all/broken.toml", None), ("all/good.toml", "certified"), ("all/wrong.json", "refuted"),
        ("missing.toml", None),
    ]  # fmt: skip
    first, last = data["results"][0], data["results"][-1]
    assert list(first) == ["schema", "version", "problem", "digest", "error"]
    assert (first["schema"], first["digest"]) == ("pfverify/failed/1", None)
    assert err.splitlines() == [f"pfverify: {first['error']}", f"pfverify: {last['error']}"]
    assert last["error"] == "missing.toml: there is no such file"


@pytest.mark.parametrize(
    ("texts", "code"),
    [(["2"], 0), (["2", "1"], 1), (["2", None], 2), (["1", None], 2), ([None], 2)],
)
def test_the_exit_code_is_that_of_the_worst(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, texts: list[str | None], code: int
) -> None:
    for k, scale in enumerate(texts):
        path = tmp_path / f"p{k}.toml"
        path.write_text(BROKEN) if scale is None else problem(scale).save(path)
    for form in ("text", "json", "csv", "junit", "sarif", "markdown"):
        assert main(["certify", str(tmp_path), "--format", form]) == code
        capsys.readouterr()


def test_an_undecided_problem_comes_before_a_certified_one(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pfverify.edge.commands import certify as home

    decide = home.decide

    def undecided(one: Problem, **more: Any) -> Any:
        if one.scale().text == "1":
            raise UndecidedError("no enclosure is narrow enough")
        return decide(one, **more)

    monkeypatch.setattr(home, "decide", undecided)
    code, data, err = answered(capsys, "certify", "all")
    assert code == 3
    assert data["results"][1]["error"] == "all/wrong.json: undecided: no enclosure is narrow enough"
    assert err == f"pfverify: {data['results'][1]['error']}\n"


def test_an_internal_error_is_not_collected(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pfverify.edge.commands import certify as home

    def broken(one: Problem, **more: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(home, "decide", broken)
    assert main(["certify", "all"]) == 70
    assert capsys.readouterr().out == ""


def test_only_errors_about_input_and_files_are_expected() -> None:
    assert expected(InputError("x")) == ("x", 2)
    assert expected(PfverifyError("x")) == ("x", 2)
    assert expected(UndecidedError("x")) == ("undecided: x", 3)
    assert expected(OSError(13, "denied", "f")) == ("f: cannot read or write: denied", 2)
    others = (BrokenPipeError(), KeyError("x"), MemoryError(), KeyboardInterrupt(), SystemExit(1))
    assert {expected(error) for error in others} == {None}


def test_people_get_a_tally_at_the_end(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "broken.toml").write_text(BROKEN)
    assert main(["certify", "all"]) == 2
    out, err = capsys.readouterr()
    assert "3 answers: 1 failed, 1 certified, 1 refuted\n" in out
    assert out.index("all/good.toml: certified") < out.index("all/wrong.json: refuted")
    assert err.count("\n") == 1
    assert "not TOML" not in out


def test_rows_of_a_table_name_their_problem(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "broken.toml").write_text(BROKEN)
    assert main(["certify", "all", "--csv"]) == 2
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["problem"], row["verdict"]) for row in rows} == {
        ("all/good.toml", "certified"), ("all/wrong.json", "refuted"),
    }  # fmt: skip


def test_a_sweep_over_several_problems_is_one_list(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    code, data, _ = answered(capsys, "certify", "all", "--scale", "1,2")
    assert code == 1
    assert [(name, verdict) for name, verdict in verdicts(data)] == [
        ("all/good.toml", "refuted"), ("all/good.toml", "certified"),
        ("all/wrong.json", "refuted"), ("all/wrong.json", "certified"),
    ]  # fmt: skip


def test_certificates_go_into_a_folder_under_the_names_of_the_problems(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "broken.toml").write_text(BROKEN)
    assert main(["certify", "all", "example:census", "-o", "new/certs"]) == 2
    assert sorted(path.name for path in Path("new/certs").iterdir()) == [
        "census.cert", "good.cert", "wrong.cert",
    ]  # fmt: skip
    capsys.readouterr()
    arguments = ["check", "all/wrong.json", "new/certs/wrong.cert", "--expect", "refuted"]
    assert main(arguments) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["all", "-o", "file"], "-o: file: "),
        (["all", "all/good.toml"], "all/good.toml: this problem is named twice"),
        (["all", "other/good.toml", "-o", "x"], "would share the certificate x/good.cert"),
        (["all", "--scale", "2", "-o", "x"], "is about the problem file as it is"),
        (["empty"], "empty: there is no problem file"),
        ([""], "cannot read the file"),
        (["all", "--explain"], "work on one problem file at a time"),
        (["all", "--grid", "9"], "work on one problem file at a time"),
        ([], "Missing argument 'PROBLEM...'"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], words: str
) -> None:
    Path("empty").mkdir()
    Path("other").mkdir()
    Path("file").write_text("")
    shutil.copy(folder / "good.toml", "other/good.toml")
    assert main(["certify", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_a_certificate_never_replaces_a_problem(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "good.cert").symlink_to("good.toml")
    assert main(["certify", "all", "-o", "all"]) == 2
    assert "is an input of this command" in capsys.readouterr().err
    assert "schema" in (folder / "good.toml").read_text()


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("p.toml", "epsilon = 1", True),
        ("p.toml", 'schema = "pfverify/problem/2"', True),
        ("p.toml", 'schema = "pfverify/problm/1"', True),
        ("p.toml", "shema = 1\n[priors.a]", True),
        ("p.toml", BROKEN, True),
        ("p.JSON", "[1", True),
        ("p.json", "[1]", True),
        ("package.json", '{"name": "x"}', False),
        ("pyproject.toml", "[project]\nname = 'x'", False),
        ("out.json", '{"schema": "pfverify/certify/1", "epsilon": "1"}', False),
        ("c.json", '{"schema": "pfverify/certificate/1", "problem": "00"}', False),
        ("p.txt", "epsilon = 1", False),
        ("empty.toml", "", False),
    ],
)
def test_what_counts_as_a_problem(tmp_path: Path, name: str, text: str, counts: bool) -> None:
    (tmp_path / name).write_text(text)
    if counts:
        assert many.named_problems([str(tmp_path)]) == ([str(tmp_path / name)], True)
        return
    with pytest.raises(InputError, match="there is no problem file"):
        many.named_problems([str(tmp_path)])


def test_a_link_to_nothing_is_not_missed(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "gone.toml").symlink_to("nowhere")
    assert main(["certify", "all", "--json"]) == 2
    assert "all/gone.toml: there is no such file" in capsys.readouterr().err


def test_folders_in_a_folder_are_left_alone(folder: Path) -> None:
    (folder / "deep.toml").mkdir()
    assert many.named_problems(["all"])[0] == ["all/good.toml", "all/wrong.json"]
