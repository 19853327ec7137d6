"""Results in Python: data, tables, what a notebook shows, and certificates."""

from __future__ import annotations

import builtins
import html
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sympy
from click.testing import CliRunner

import pfverify
from pfverify import (
    Discrete,
    Finite,
    InputError,
    Laplace,
    Problem,
    UndecidedError,
    Verdict,
    calibrate,
    certify,
    check,
    loss,
)
from pfverify.answers.coupling import couplings
from pfverify.answers.dummies import calibrate_dummies
from pfverify.edge.cli import commands
from pfverify.edge.packaged import example_path, load_example
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number
from pfverify.exact.published import Exact, Infinite, Irrational

CENSUS = "example:census"
ASKED: dict[str, Callable[[str], Any]] = {"certify": certify, "loss": loss, "calibrate": calibrate}


@cache
def answer(command: str, name: str = CENSUS) -> Any:
    return ASKED[command](name)


@cache
def three() -> Problem:
    """Three secrets with names that HTML and LaTeX would read, so six ordered pairs."""
    priors = {name: Discrete({k: 1}) for k, name in enumerate(["<b>a</b>", "b&c", "$c_1$"])}
    return Problem(priors, noise=Laplace(1), epsilon="1/2")


def printed(*arguments: str) -> str:
    return CliRunner().invoke(commands, [*arguments]).stdout


@pytest.mark.parametrize("command", ASKED)
def test_the_data_is_what_json_prints(command: str) -> None:
    data, shown = answer(command).to_dict(), json.loads(printed(command, CENSUS, "--json"))
    assert data.pop("problem") == ""
    assert shown.pop("problem") == CENSUS
    region = shown.pop("region", None)  # which the command alone works out
    assert (region is not None) is (command == "calibrate")
    assert data == shown
    assert data["digest"] == shown["digest"] != ""


@pytest.mark.parametrize("command", ASKED)
def test_rows_are_those_of_csv(command: str) -> None:
    rows = answer(command).to_rows()
    header, *lines = printed(command, CENSUS, "--csv").splitlines()
    assert header.split(",")[: len(rows[0])] == list(rows[0])
    assert len(lines) == len(rows)
    for row, line in zip(rows, lines, strict=True):
        shown = ["" if cell is None else str(cell) for cell in row.values()]
        assert line.split(",")[: len(row)] == shown


def test_a_frame_sorts_and_plots_and_keeps_exact_numbers_where_asked() -> None:
    scales = answer("calibrate")
    frame, exact = scales.to_frame(), scales.to_frame(exact=True)
    assert frame.set_index("method")["scale"].max() == 8.0
    assert {"scale", "sd", "mean_abs", "waste"} <= set(frame.select_dtypes("float64"))
    assert next(iter(frame.sort_values("scale")["method"])) == "minimum"
    assert all(isinstance(cell, Exact) for cell in exact["scale"])
    assert exact["scale"].max() == 8
    assert list(frame) == list(exact) == list(scales.to_rows()[0])
    empty = answer("certify").to_frame()["delta_lower"]
    assert list(empty) == [None, None]


def test_a_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install pandas, or use to_rows\(\)"):
        answer("certify").to_frame()


class Tags(HTMLParser):
    """What a fragment of HTML consists of; every tag is closed by its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize("command", ASKED)
def test_a_notebook_shows_an_accessible_table(command: str) -> None:
    result = ASKED[command](three())  # type: ignore[arg-type]
    tags = Tags(result._repr_html_())
    assert {tag for tag, _ in tags.seen} - {"span"} == {  # of an option, which does not break
        "div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"
    }  # fmt: skip
    scopes = {attrs["scope"] for tag, attrs in tags.seen if tag == "th"}
    assert scopes == {"col", "row"}
    assert not any("style" in attrs or "color" in attrs for _, attrs in tags.seen)
    if command != "calibrate":
        assert {"<b>a</b>", "b&c"} <= set(re.findall(r"<b>a</b>|b&c", tags.words))


def test_what_a_problem_asks_in_latex() -> None:
    assert three()._repr_latex_() == (
        "$P(Y \\in B \\mid s) \\leq e^{\\frac{1}{2}} \\, P(Y \\in B \\mid s') "
        "\\quad \\text{for every event } B$"
    )
    other = three().replaced(epsilon="log(3)", delta="1/10")
    assert "e^{\\log{\\left(3 \\right)}}" in other._repr_latex_()
    assert "+ \\frac{1}{10}" in other._repr_latex_()
    pointwise = Problem.from_table(three().to_table() | {"form": "pointwise"})
    assert pointwise._repr_latex_().startswith("$p(y \\mid s)")
    assert pointwise._repr_latex_().endswith("\\text{at every output } y$")


def test_what_was_decided_in_latex_begins_with_the_verdict() -> None:
    for problem, verdict in ((three().replaced(epsilon=3), "certified"), (three(), "refuted")):
        result = certify(problem)
        assert result.verdict.value == verdict
        assert result._repr_latex_() == (
            f"$\\text{{{verdict}: }} {problem._repr_latex_().removeprefix('$')}"
        )
    assert replace(result, problem=None)._repr_latex_() is None


def test_reprs_are_a_few_short_lines() -> None:
    refuted = certify(three())
    text = repr(refuted)
    assert text.startswith("<CertifyResult: refuted for epsilon 1/2, delta 0, laplace scale 1\n")
    assert text.endswith("\n  … and 2 more>")
    assert len(text.splitlines()) == 6
    assert repr(refuted.pairs[0]).startswith("<Directed: ")
    problem = load_example("census")
    found = couplings(problem, list(problem.questions()))
    dummies = calibrate_dummies("example:dummies")
    for result in (answer("loss"), answer("calibrate"), found, found.pairs[0], dummies,
                   answer("loss").worst, answer("calibrate").methods["l1"], problem,
                   next(iter(problem.beliefs["default"].values())), problem.noise):  # fmt: skip
        assert len(repr(result)) < 700
        assert max(map(len, repr(result).splitlines())) < 180


def test_a_result_remembers_its_problem_and_is_equal_without_it() -> None:
    result, again = certify(three()), certify(three())
    assert result.problem == three()
    assert result == again
    assert "problem" not in json.dumps(certify(three()).to_dict()["pairs"])
    copied = pickle.loads(pickle.dumps(result))
    assert copied == result
    assert copied.problem == three()


# ---------------------------------------------------------------- certificates


@pytest.mark.parametrize(("scale", "word"), [("1", "refuted"), ("4", "certified")])
def test_a_verdict_is_written_and_checked(scale: str, word: str, tmp_path: Path) -> None:
    problem = three().replaced(scale=scale)
    problem.save(tmp_path / "p.toml")
    certify(problem).write(tmp_path / "p.cert")
    assert check(tmp_path / "p.toml", tmp_path / "p.cert").word == word


def test_scales_are_written_and_checked(tmp_path: Path) -> None:
    answer("calibrate").write(tmp_path / "c.cert")
    assert check(example_path("census"), tmp_path / "c.cert").word == "scales"
    with pytest.raises(InputError, match="only the certificate of a verdict is wrapped"):
        answer("calibrate").write(tmp_path / "d", problem=example_path("census"), attest=True)


def test_a_statement_is_about_a_file(tmp_path: Path) -> None:
    result, file, other = answer("certify"), example_path("census"), tmp_path / "other.toml"
    result.write(tmp_path / "c.cert", problem=file, attest=True)
    assert "in-toto" in (tmp_path / "c.cert").read_text()
    assert check(file, tmp_path / "c.cert").certified
    with pytest.raises(InputError, match="attest: a Statement is about a file"):
        result.write(tmp_path / "d.cert", attest=True)
    three().save(other)
    with pytest.raises(InputError, match="states another problem"):
        result.write(tmp_path / "d.cert", problem=other)
    load_example("census").save(other)
    with pytest.raises(InputError, match="would replace the problem file"):
        result.write(other, problem=other)
    with pytest.raises(InputError, match="is there and is no certificate"):
        result.write(other)
    assert Problem.load(other) == load_example("census")
    result.write(tmp_path / "c.cert")  # an earlier certificate is replaced
    assert "in-toto" not in (tmp_path / "c.cert").read_text()
    with pytest.raises(InputError, match="cannot write"):
        result.write(tmp_path / "nowhere" / "d.cert")
    assert not (tmp_path / "d.cert").exists()


def test_nothing_is_written_where_nothing_was_decided(tmp_path: Path) -> None:
    result = answer("certify")
    found = vars(result) | {"verdict": Verdict.UNDECIDED}
    with pytest.raises(UndecidedError, match=r"no certificate to write.*ask about another scale"):
        pfverify.CertifyResult(**found).write(tmp_path / "u.cert")
    with pytest.raises(InputError, match="does not say which problem"):
        pfverify.CertifyResult(**found | {"problem": None}).write(tmp_path / "u.cert")
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- numbers


def test_scales_and_ends_are_numbers() -> None:
    result = answer("calibrate")
    assert max(method.scale for method in result.methods.values()) == 8
    assert result.minimum < 1
    assert result.minimum.upper <= Fraction(3, 5)
    assert result.methods["l1"].waste > 14
    assert Laplace(result.minimum.upper).scale == number(str(result.minimum.upper))
    first = answer("certify").pairs[0]
    assert first.loss <= answer("certify").epsilon
    assert first.worst_y == 6
    assert type(first.worst_y + 1) is Fraction


def test_where_no_scale_works_the_minimum_is_infinite() -> None:
    least = calibrate(three().replaced(epsilon=0)).minimum
    assert isinstance(least.upper, Infinite)
    assert least.upper == "inf"
    assert least > 10**100
    with pytest.raises(InputError, match="scale: inf is not finite"):
        Laplace(least.upper)


def test_a_target_that_is_an_expression_keeps_its_text() -> None:
    result = certify(three().replaced(epsilon="log(3)", scale="3/log(2)"))
    assert (str(result.epsilon), result.to_dict()["epsilon"]) == ("log(3)", "log(3)")
    assert 1 < result.epsilon < Fraction("1.0987")
    assert three().replaced(epsilon=result.epsilon).epsilon.text == "log(3)"
    assert result.to_frame()["epsilon"][0] == pytest.approx(1.0986, abs=1e-4)


# ---------------------------------------------------------------- what is taken


def test_packaged_problems_go_by_name() -> None:
    assert Problem.load(CENSUS) == load_example("census")
    assert certify(CENSUS) == certify(load_example("census"))
    with pytest.raises(InputError, match="no packaged example 'censsus'; did you mean 'census'"):
        certify("example:censsus")


FREQUENCIES = Discrete(counts={0: 2, 1: 3})


@pytest.mark.parametrize("table", [
    {np.int64(0): np.int32(2), 1: 3}, [(0, 2), (1, 3)], ((0, "2"), ("1", 3)),
    iter([(0, 2), (1, 3)]), np.array([[0, 2], [1, 3]]), (np.array([0, 1]), np.array([2, 3])),
    np.unique([1, 0, 1, 0, 1], return_counts=True), pd.Series([0, 1, 0, 1, 1]).value_counts(),
    {sympy.Integer(0): sympy.Integer(2), sympy.Rational(2, 2): 3},
], ids=lambda table: type(table).__name__)  # fmt: skip
def test_counts_in_every_shape(table: Any) -> None:
    assert Discrete(counts=table) == FREQUENCIES


def test_two_rows_of_an_array_are_two_pairs() -> None:
    assert Discrete(counts=np.array([[0, 376], [1, 204]])) == Discrete(counts={0: 376, 1: 204})
    assert Finite(counts=[("a", 1), ("b", 3)]) == Finite({"a": "1/4", "b": "3/4"})


@pytest.mark.parametrize(("table", "message"), [
    ([0, 1], r"entry 1: expected a pair \(atom, amount\)"),
    ([(0, 1, 2)], r"entry 1: expected a pair"), ("01", "takes a table atom -> mass, got str"),
    ((np.array([0, 1]), np.array([1])), "2 atoms and 1 amounts"),
    ((np.array([0, 1]), np.array([0.5, 0.5])), "0.5 is a float"),
    (np.array([[0.0, 1.0]]), "is a float"), ([(0, 1), ("0", 2)], "duplicate atom"),
    (pd.Series([0.5, 0.5]), "is a float"), ([], "the support is empty"),
])  # fmt: skip
def test_other_shapes_are_refused(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Discrete(counts=table)


def test_an_input_stated_twice_is_refused() -> None:
    with pytest.raises(InputError, match="duplicate input: 'a'"):
        Finite(counts=[("a", 1), ("a", 1)])


@pytest.mark.parametrize(("value", "text"), [
    (np.int64(3), "3"), (np.uint8(3), "3"), (sympy.Integer(3), "3"), (sympy.Rational(1, 3), "1/3"),
    (sympy.log(3), "log(3)"), (sympy.exp(sympy.Rational(1, 2)), "exp(1/2)"), (sympy.E, "exp(1)"),
    (Exact("2.04"), "51/25"),
])  # fmt: skip
def test_numbers_of_other_libraries(value: Any, text: str) -> None:
    assert Laplace(value).scale == number(text)


def test_a_root_of_sympy_is_the_same_number() -> None:
    found = Laplace(sympy.sqrt(2)).scale
    assert found is not None
    assert (found - number("sqrt(2)")).sign() == 0


@pytest.mark.parametrize(("value", "message"), [
    (0.5, "is a float"), (np.float64(0.5), "is a float"), (np.float32(1), "is a float"),
    (sympy.Float("0.5"), "is a Float of sympy"), (sympy.pi, "of sympy has no exact form here"),
    (sympy.Symbol("x"), "no exact form"), (sympy.zeros(2), "no exact form"),
    (sympy.oo, "no exact form"), (sympy.nan, "no exact form"), (sympy.I, "no exact form"),
    (sympy.true, "no exact form"), (sympy.sin(1), "no exact form"), (np.bool_(True), "expected"),
    (float("inf"), "inf is not finite"),
])  # fmt: skip
def test_what_is_not_exact_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Laplace(value)


@pytest.mark.parametrize("ours", [Enclosure("0.1", "0.2"), Irrational(number("log(2)/5"))])
def test_sympy_compares_nothing_by_a_float(ours: Any) -> None:
    with pytest.raises(InputError, match="on the left"):
        assert sympy.Rational(15, 100) >= ours
    with pytest.raises(InputError, match="on the left"):
        assert sympy.Rational(1, 7) + ours
    assert ours < sympy.Rational(1, 3)


def test_a_problem_in_a_notebook_shows_its_noise_and_its_priors() -> None:
    """There was the bound alone, the same for every problem of one epsilon."""
    problem = three()
    shown = problem._repr_html_()
    for law in (repr(prior) for prior in problem.beliefs["default"].values()):
        assert html.escape(law) in shown
    assert html.escape(repr(problem.noise)) in shown
    assert "3 pairs of secrets, both orders" in shown
    assert "P(Y in B|s)" in shown
    hostile = Problem({"<b>": Discrete({0: 1}), "b&c": Discrete({1: 1})}, epsilon=1,
                      noise=Laplace(1))  # fmt: skip
    assert "<b>" not in hostile._repr_html_()
    beliefs = load_example("students-mean")._repr_html_()
    assert "System of 649 users, mean" in beliefs
    assert '<th scope="row">absent</th>' in beliefs
    channel = load_example("truncated-geometric")._repr_html_()
    assert "Channel: truncated-geometric" in channel
    assert "<table>" not in channel
