"""What a problem may come as: standard input, byte order marks, line ends, numbers of all kinds."""

import io
import json
import os
import sys
import tempfile
import tomllib
from types import SimpleNamespace

import pytest

from pfverify import Problem
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_text
from pfverify.model.digest import problem_digest

CENSUS = example_text("census")
AS_JSON = json.dumps(tomllib.loads(CENSUS, parse_float=str))
BOM = "\ufeff"


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def run(capsys, monkeypatch):
    def with_input(text, *arguments):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        code = main(list(arguments))
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return with_input


@pytest.mark.parametrize("text", [CENSUS, AS_JSON, BOM + AS_JSON, f"\n  {AS_JSON}", BOM + CENSUS])
@pytest.mark.parametrize("command", ["certify", "loss", "calibrate", "coupling"])
def test_a_problem_on_standard_input_is_toml_or_json_by_its_first_character(run, command, text):
    found = run(text, command, "-", "--json")
    assert (found.code, found.err) == (0, "")
    expected = json.loads(run("", command, "example:census", "--json").out)
    actual = json.loads(found.out)
    assert {**actual, "problem": None} == {**expected, "problem": None}


def test_certificates_go_through_standard_input_too(run, tmp_path):
    cert = tmp_path / "census.cert"
    assert run(CENSUS, "certify", "-", "-o", str(cert)).code == 0
    expect = ("--expect", "certified")
    assert run(CENSUS, "check", "-", str(cert), *expect).code == 0
    assert run(AS_JSON, "check", "-", str(cert), *expect).code == 0
    assert run(cert.read_bytes(), "check", "example:census", "-", *expect).code == 0
    assert run(example_text("student"), "check", "-", str(cert)).code == 1
    smt = run(CENSUS, "export", str(cert), "--problem", "-", "--smtlib")
    assert (smt.code, smt.err) == (0, "")
    other = run(cert.read_bytes(), "export", "-", "--problem", "example:census", "--smtlib")
    assert smt.out == other.out.replace("census.toml", "standard-input.toml")


@pytest.mark.parametrize("arguments", [("check", "-", "-"),
                                       ("export", "-", "--problem", "-", "--smtlib")])
def test_standard_input_is_one_file(run, arguments):
    found = run(CENSUS, *arguments)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert "standard input is the problem already" in found.err


def test_errors_say_standard_input_and_not_where_its_copy_was(run):
    for text in ("", "epsilon = ", '{"epsilon": }', "\xff", b"\xff\xfe", BOM + BOM + AS_JSON):
        for command in ("certify", "coupling"):
            found = run(text, command, "-")
            assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
            assert found.err.startswith("pfverify: standard input: ")
            assert tempfile.gettempdir() not in found.err
    assert run(CENSUS, "certify", "-").out.startswith("standard input: certified")


def test_a_report_about_standard_input_calls_its_copy_by_name(run, tmp_path):
    page = tmp_path / "report.md"
    assert run(CENSUS, "report", "-", "-o", str(page)).code == 0
    text = page.read_text("utf-8")
    assert "# Privacy report: standard-input.toml" in text
    assert "pfverify certify standard-input.toml -o standard-input.cert" in text


def test_standard_input_that_is_closed_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["certify", "-"]) == 2
    assert "standard input: it is closed" in capsys.readouterr().err


def test_the_copy_of_standard_input_does_not_stay(run, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert run(CENSUS, "certify", "-").code == 0
    assert run("junk", "certify", "-").code == 2
    assert os.listdir(tmp_path) == []


def test_a_statement_needs_a_file_with_a_name(run, tmp_path):
    cert, problem = tmp_path / "c", tmp_path / "mine.toml"
    found = run(CENSUS, "certify", "-", "-o", str(cert), "--attest")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "--attest" in found.err
    assert not cert.exists()
    problem.write_text(CENSUS)
    assert run("", "certify", str(problem), "-o", str(cert), "--attest").code == 0
    found = run(CENSUS, "check", "-", str(cert))
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert "about a file named 'mine.toml'" in found.err


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_files_of_windows_editors_are_read_by_package_and_kernel(run, tmp_path, suffix):
    text = {".toml": CENSUS, ".json": AS_JSON}[suffix]
    path, cert = tmp_path / f"mine{suffix}", tmp_path / "cert"
    path.write_bytes((BOM + text).replace("\n", "\r\n").encode())
    assert run("", "certify", str(path), "-o", str(cert)).code == 0
    assert run("", "check", str(path), str(cert), "--expect", "certified").code == 0
    assert run("", "check", "example:census", str(cert), "--expect", "certified").code == 0
    plain = Problem.from_text(text, json_format=suffix == ".json")
    assert problem_digest(Problem.load(path)) == problem_digest(plain)


def test_plan_files_of_windows_editors_are_read(run, tmp_path):
    plan = tmp_path / "plan.csv"
    plan.write_bytes(f"{BOM}from,to,mass\r\n0,0,1/2\r\n1,1,1/2\r\n".encode())
    problem = """
schema = "pfverify/problem/1"
epsilon = 1
noise = { kind = "laplace", scale = 1 }
priors.a = { kind = "discrete", counts = { "0" = 1, "1" = 1 } }
priors.b = { kind = "discrete", counts = { "0" = 1, "1" = 1 } }
"""
    assert run(problem, "coupling", "-", "--plan", str(plan)).code == 0


def test_a_certificate_that_an_editor_changed_is_told_so(run, tmp_path):
    cert = tmp_path / "cert"
    assert run("", "certify", "example:census", "-o", str(cert)).code == 0
    data = cert.read_bytes()
    for changed in (BOM.encode() + data, data.replace(b"\n", b"\r\n")):
        cert.write_bytes(changed)
        found = run("", "check", "example:census", str(cert))
        assert found.code == 2
        assert "an editor has added" in found.out
    cert.write_bytes(b" " + data)
    assert "an editor" not in run("", "check", "example:census", str(cert)).out


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("0,5", '; write epsilon = "0.5"\n'),
        ("1/2", '; write epsilon = "1/2"\n'),
        ("ln(3)  # three", '; write epsilon = "log(3)"\n'),
        ("5%", '; write epsilon = "1/20"\n'),
        (".5", '; write epsilon = ".5"\n'),
        ("half", "(at line 1, column 11)\n"),
        ("", "(at line 1, column 11)\n"),
    ],
)
def test_a_number_without_quotes_is_answered_with_quotes(run, value, hint):
    found = run(f"epsilon = {value}\nschema = 1\n", "certify", "-")
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert found.err.endswith(hint)


def test_no_hint_where_the_value_is_not_what_is_wrong(run):
    assert "; write" not in run("epsilon = 1\nepsilon = 2\n", "certify", "-").err


@pytest.mark.parametrize(("option", "text", "remark"), [
    ("--epsilon", "0,5", "two values 0 and 5; a decimal has a point: 0.5"),
    ("--scale", "1,05", "two values 1 and 05; a decimal has a point: 1.05"),
    ("--epsilon", "0.1,0.5", ""),
    ("--scale", "2,5", "two values 2 and 5; a decimal has a point: 2.5"),
    ("--epsilon", "1,2", "two values 1 and 2; a decimal has a point: 1.2"),
    ("--epsilon", "12 , 25", "two values 12 and 25; a decimal has a point: 12.25"),
    ("--epsilon", "0,1,2", ""),
    ("--epsilon", "1,2.5", ""),
    ("--scale", "2,5,", ""),
])  # fmt: skip
def test_a_decimal_comma_in_a_sweep_is_remarked_upon(run, option, text, remark):
    found = run("", "certify", "example:census", option, text, "--csv")
    assert found.code in (0, 1)
    assert found.err == (f"pfverify: {option} {text}: read as the {remark}\n" if remark else "")


def test_a_value_that_a_decimal_comma_made_is_explained(run):
    found = run("", "certify", "example:census", "--delta", "0,05")
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert "delta: 5 is outside [0, 1]; --delta 0,05: read as" in found.err


def test_the_version_has_a_short_option(run):
    assert run("", "-V").out == run("", "--version").out
    assert run("", "-V").code == 0


def test_a_command_that_there_is_not_gets_the_nearest_name(run):
    assert "certify" in run("", "certfy", "x").err
    assert "--epsilon" in run("", "certify", "x", "--epsilo", "1").err
