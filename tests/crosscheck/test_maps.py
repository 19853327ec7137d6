"""Privacy maps against the truth: OpenDP's own, stated ones, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opendp import mod
from support.kernel_run import accepted_certificate

from pfverify import InputError, Problem, certify
from pfverify.bridges.opendp_library import rebuilt
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.maps.held import MapQuestion, held_file, held_here
from pfverify.crosscheck.maps.stated import MapValue, distances_of, values_of, values_of_file
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.edge.cli import main
from pfverify.testing import assert_sound
from pfverify.workers.function import Limits

dp.enable_features("contrib")

FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
GIVEN = """
import json
import opendp.prelude as dp
from opendp import mod

dp.enable_features("contrib")

def right():
    return dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float),
                             scale=2.0)

def text():
    return mod.serialize(right())

def table():
    return json.loads(text())

def curve():
    return dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0)

def wrong():
    mod.Measurement.map = lambda self, d_in: d_in / 2.5
    return right()

def fails():
    raise ValueError("nothing to measure")

def number():
    return 3

def one(x):
    return x

made = right()
said = text()
"""


def measured(scale: float = 2.0) -> Any:
    return dp.m.make_laplace(*FLOAT, scale=scale)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "given.py").write_text(GIVEN)
    (tmp_path / "m.json").write_text(mod.serialize(measured()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["crosscheck", *words, "--kind", "map"])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("function", ["right", "text", "table", "made", "said"])
def test_opendps_map_is_enough(
    folder: Path, capsys: pytest.CaptureFixture[str], function: str
) -> None:
    code, out, _ = ran(capsys, f"given.py:{function}", "--d-in", "1,0.5")
    assert code == 0
    assert "no failure found" in out
    assert out.count("is enough") == 2


def test_a_wrong_map_is_refuted_with_a_certificate(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ran(capsys, "given.py:wrong", "--d-in", "1", "--problem", "wrong.toml")
    assert code == 1
    assert "unsound at d_in = 1: epsilon 0.4 is not enough: the least is 0.5 (relative 0.2" in out
    problem = Problem.load("wrong.toml")
    result = certify(problem)
    _, word, said = accepted_certificate(problem.to_table(), problem, result)
    assert (result.verdict, word) == ("refuted", "refuted"), said


def test_a_map_of_another_measure_needs_a_delta(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ran(capsys, "given.py:curve", "--d-in", "1", "--delta", "1e-6")
    assert code == 0
    assert "at delta 1e-06 is enough: at least 1.062 times the least" in out
    words = ("--d-in", "1", "--delta", "1e-6", "--waste", "1.05")
    code, out, _ = ran(capsys, "given.py:curve", *words)
    assert code == 1
    assert "wasteful at d_in = 1" in out
    code, _, err = ran(capsys, "given.py:curve", "--d-in", "1")
    assert code == 2
    assert "delta: a ZeroConcentratedDivergence needs a delta, expected delta=" in err
    code, _, err = ran(capsys, "m.json", "--d-in", "1", "--delta", "1e-6")
    assert (code, "says its delta itself, expected none" in err) == (2, True)


def test_what_the_map_refuses_or_leaves_open_is_told_of_its_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def said(self: Any, d_in: float) -> Any:
        if d_in == 1:
            raise ValueError("not at 1")
        return inf if d_in == 2 else "much"

    monkeypatch.setattr(mod.Measurement, "map", said)
    found = held_here(measured(), "it", MapQuestion([1, 2, 3]))
    assert [(one.outcome.value, one.words) for one in found.values] == [
        ("crash", "it says nothing: OpenDP's map: not at 1"),
        ("wasteful", "it says inf, which claims nothing"),
        ("crash", "it says nothing: its map says much, which is no number"),
    ]
    assert found.found is CrosscheckFindings.FAILED


def test_a_file_is_asked_too_and_stated_values_need_nobody(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ran(capsys, "m.json", "--d-in", "3")
    assert (code, "epsilon 1.5 is enough, and 1.5 is the least" in out) == (0, True)
    (folder / "v.csv").write_text("d_in,epsilon,delta\n1,0.5,0\n1,0.3,0.1\n1,0.4,0\n")
    code, out, _ = ran(capsys, "m.json", "--map", "v.csv", "--csv")
    assert code == 1
    assert [row.split(",")[1] for row in out.splitlines()[1:]] == ["sound", "sound", "unsound"]
    (folder / "v.json").write_text(json.dumps([{"d_in": 1, "epsilon": 0.5}]))
    code, out, _ = ran(capsys, "m.json", "--map", "v.json", "--json")
    assert code == 0
    assert json.loads(out)["values"][0]["truth"] == {"lower": "0.5", "upper": "0.5"}


def test_stated_values_need_no_opendp(folder: Path) -> None:
    code = (
        "import sys; sys.modules['opendp'] = None\n"
        "from pfverify.testing import assert_sound\n"
        "text = open('m.json').read()\n"
        "assert_sound(text, kind='map', claims={1: 0.5})\n"
        "try: assert_sound(text, kind='map', claims={1: 0.49})\n"
        "except AssertionError as error: print(error)\n"
        "from pfverify.edge.cli import main\n"
        "print(main(['crosscheck', 'm.json', '--kind', 'map', '--d-in', '1']))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "unsound at d_in = 1: epsilon 0.49 is not enough" in run.stdout


@given(
    st.sampled_from([0.3, 1.0, 2.5]), st.sampled_from([0.1, 1.0, 3.0]),
    st.integers(-3, 3), st.integers(0, 3),
)  # fmt: skip
def test_the_truth_is_the_closed_form(scale: float, d_in: float, off: int, tenth: int) -> None:
    """Laplace noise on the line: epsilon is the distance divided by the scale, exactly."""
    truth = Fraction(d_in) / Fraction(scale)
    said = float(truth) * (1 + off / 8 + tenth / 80)
    tree = json.loads(mod.serialize(measured(scale)))
    (found,) = held_here(tree, "it", MapQuestion(stated=[MapValue(d_in, said)], waste=9.0)).values
    enough = Fraction(said) >= truth
    assert found.outcome is (CaseOutcome.SOUND if enough else CaseOutcome.UNSOUND)
    assert found.truth is not None
    assert found.truth.lower <= truth <= found.truth.upper


@given(st.sampled_from([0.5, 1.0, 4.0]), st.integers(1, 3))
def test_opendps_maps_are_sound_and_tight(scale: float, d_in: int) -> None:
    for made in (dp.m.make_laplace(*INT, scale=scale), measured(scale)):
        result = held_here(made, "it", MapQuestion([d_in], waste=1.000001, gated=True))
        assert result.found is CrosscheckFindings.NOTHING


def test_what_is_no_claim_is_told_of_its_row() -> None:
    stated = values_of([
        {"d_in": 1, "epsilon": said, "delta": delta}
        for said, delta in ((nan, 0), (-1, 0), (1, 2), (inf, 0), (1, nan), (0.5, 0))
    ])  # fmt: skip
    result = held_here(mod.serialize(measured()), "it", MapQuestion(stated=stated))
    assert [one.outcome.value for one in result.values] == [
        *["not an answer"] * 3, "wasteful", "not an answer", "sound",
    ]  # fmt: skip
    assert result.found is CrosscheckFindings.FAILED


def test_a_pair_that_nothing_tells_apart_needs_no_epsilon() -> None:
    (found,) = held_here(measured(), "it", MapQuestion([0])).values
    assert (found.outcome, found.words) == (
        CaseOutcome.SOUND, "epsilon 0.0 is enough, and 0 is the least"
    )  # fmt: skip


def test_assert_sound_takes_measurements_functions_and_texts() -> None:
    assert_sound(measured(), kind="map", d_in=[1, 0.5])
    assert_sound(measured, kind="map", d_in=1)
    with pytest.raises(AssertionError, match=r"epsilon 0\.4 is not enough: the least is 0\.5"):
        assert_sound(mod.serialize(measured()), kind="map", claims={1: 0.4})
    with pytest.raises(AssertionError, match="failed"):
        assert_sound(measured, kind="map", claims={1: (2.5, 0)}, waste=4)
    for given_, said in (
        ({}, "at which distance"),
        ({"d_in": []}, "expected 1 to 1000"),
        ({"d_in": 1, "claims": {1: 1}}, "leave out"),
        ({"d_in": 1, "draws": 9}, "draws: nothing that the kind map takes"),
        ({"claims": {1: (1, 2, 3)}}, "expected epsilon, or epsilon and delta"),
        ({"claims": {1: "much"}}, "row 1: epsilon: 'much' is no number"),
    ):
        with pytest.raises(InputError, match=said):
            assert_sound(measured, kind="map", **given_)
    with pytest.raises(InputError, match="d_in: nothing that the kind scale takes"):
        assert_sound(measured, kind="scale", d_in=1)
    with pytest.raises(InputError, match="a text has no map: state what it says"):
        assert_sound(mod.serialize(measured()), kind="map", d_in=1)
    with pytest.raises(InputError, match="expected one, got int"):
        assert_sound(lambda: 3, kind="map", d_in=1)


REFUSED: list[tuple[list[str], str]] = [
    (["given.py:fails", "--d-in", "1"], "it raised ValueError: nothing to measure; expected"),
    (["given.py:number", "--d-in", "1"],
     "it returned what cannot be asked: measurement: expected one"),
    (["given.py:one", "--d-in", "1"],
     "wrong signature, expected a measurement, or a function without"),
    (["given.py:right"], "at which distance of inputs"),
    (["given.py:right", "--d-in", "1", "--map", "v.csv"], "v.csv: No such file"),
    (["given.py:right", "--d-in", "one"], "d_in: 'one' is no number"),
    (["m.json", "--d-in", "-1"], "d_in: -1 is negative"),
    (["m.json", "--d-in", "1", "--cases", "3"], "--kind map: takes --d-in"),
    (["m.json", "--d-in", "1", "--draws", "3"], "--kind map: takes --d-in"),
    (["none.json", "--d-in", "1"], "none.json: No such file"),
    (["m.json", "--d-in", "1", "--problem", "m.json"], "m.json is an input"),
    (["m.json", "--d-in", "1", "--problem", "out.txt"], "expected a name that ends in .toml"),
    ([], "expected MODULE:FUNCTION or MEASUREMENT.json"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_asks_nothing_is_refused_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, out, err = ran(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_its_options_are_those_of_no_other_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crosscheck", "mine:scale", "--kind", "scale", "--d-in", "1"]) == 2
    assert "--d-in, --map, --delta: only with --kind map" in capsys.readouterr().err


FILES = [
    ("v.csv", "d_in,epsilon\n1\n", "line 2: 1 cells, not 2"),
    ("v.csv", "d_in\n1\n", "line 1: the columns are"),
    ("v.csv", "d_in,epsilon,more\n1,2,3\n", "line 1: the columns are"),
    ("v.csv", "d_in,epsilon\n", "0 rows, expected 1 to 1000"),
    ("v.csv", "d_in,epsilon\n1,1_0\n", "row 1: epsilon: '1_0' is no number"),
    ("v.csv", 'd_in,epsilon\n1,"2\n', "unexpected end of data"),
    ("v.json", "{", "no JSON"),
    ("v.json", "[" * 10**5, "no JSON"),
    ("v.json", "3", "3 is no list"),
    ("v.json", "[3]", "row 1: 3 is no table"),
    ("v.json", '[{"d_in": 1}]', "row 1: epsilon is missing"),
    ("v.json", '[{"d_in": 1, "epsilon": true}]', "row 1: epsilon: True is no number"),
    ("v.json", '[{"d_in": 1, "epsilon": 1, "rho": 1}]', "row 1: 'rho' is not known"),
    ("v.json", '{"1": 0.5, "2": [1, 2, 3]}', "d_in 2: expected epsilon, or"),
    ("v.csv", "d_in,epsilon\n" + "1,1\n" * 300_000, "more than 1048576 bytes"),
    ("v.csv", "d_in,epsilon\n" + "1,1\n" * 1001, "1001 rows, expected 1 to 1000"),
]


@pytest.mark.parametrize(("name", "text", "said"), FILES)
def test_files_of_values_are_bounded_and_named(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        values_of_file(path)
    assert str(caught.value).startswith(str(path)) or "..." in str(caught.value)[:210]


def test_numbers_are_those_of_floats() -> None:
    assert distances_of("1,0.5") == [1, 0.5]
    assert distances_of(Fraction(1, 2)) == [0.5]
    assert values_of({"1": [0.5, "1e-6"]}) == [MapValue(1, 0.5, 1e-6)]


def hostile(change: Callable[[dict[str, Any]], None]) -> str:
    tree = json.loads(mod.serialize(measured()))
    change(tree)
    return json.dumps(tree)


HOSTILE: list[Callable[[dict[str, Any]], None]] = [
    lambda tree: tree.update(__module__="mod", __function__="enable_features"),
    lambda tree: tree["__kwargs__"].update(scale={"__function__": "serialize", "__module__": "mod",
                                                  "__kwargs__": {"dp_obj": 3}}),
    lambda tree: tree["__kwargs__"].update(k={"__expr__": "AAAA", "__version__": "0.16.0"}),
    lambda tree: tree["__kwargs__"].update(__function__="make_laplace", __module__="os"),
    lambda tree: tree["__kwargs__"].update(k={"__tuple__": [{"__function__": "x"}]}),
    lambda tree: tree.update(__module__="measurements.os", __function__="make_laplace"),
]


@pytest.mark.parametrize("change", HOSTILE)
def test_nothing_else_is_built_of_a_text(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    text = hostile(change)
    with pytest.raises(InputError, match=r"not known|no constructor|no number"):
        rebuilt(text)
    (tmp_path / "m.json").write_text(text)
    with pytest.raises(InputError):
        held_file(str(tmp_path / "m.json"), MapQuestion([1]), Limits())
