"""pfverify coupling: the pairs' own couplings with certificates, and plans that others computed."""

from __future__ import annotations

import io
import json
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support.examples import discrete_examples

from pfverify.certificate.checking import check
from pfverify.edge import packaged
from pfverify.edge.cli import main

pytestmark = pytest.mark.usefixtures("kernel_here")

PROBLEM = """
schema = "pfverify/problem/1"
epsilon = 1
[noise]
kind = "laplace"
[priors.a]
kind = "discrete"
mass = { "0" = "1/2", "2" = "1/2" }
[priors.b]
kind = "discrete"
mass = { "1" = "1/2", "3" = "1/2" }
"""
GOOD = "from,to,mass\n0,1,1/2\n2,3,0.5\n"


@pytest.fixture
def problem(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(PROBLEM)
    return path


def run(capsys, *words):
    code = main([str(w) for w in words])
    out, err = capsys.readouterr()
    return code, out, err


def judged(capsys, problem, plan, *options):
    code, out, err = run(capsys, "coupling", problem, "--plan", plan, "--json", *options)
    assert err == ""
    data = json.loads(out)
    return code, {p["name"]: p for p in data["properties"]}, data


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name == "students-mean" else ())
        for name in discrete_examples()
    ],
)
def test_every_packaged_example_has_an_accepted_certificate(capsys, tmp_path, name):
    cert = tmp_path / "c"
    example = packaged.PREFIX + name
    code, out, err = run(capsys, "coupling", example, "-o", cert)
    assert (code, err) == (0, "")
    assert "W-infinity" in out
    assert "W1" in out
    outcome = check(packaged.example_path(name), cert)
    assert outcome.word == "coupling"
    assert "W_1 = " in outcome.message
    assert "W_infinity >= " in outcome.message
    assert run(capsys, "check", example, cert, "--expect", "coupling")[0] == 0
    assert run(capsys, "check", example, cert, "--expect", "certified")[0] == 1


def test_json_has_the_published_keys(capsys, problem):
    code, out, _ = run(capsys, "coupling", problem, "--json")
    (pair,) = json.loads(out)["pairs"]
    assert code == 0
    assert (pair["from"], pair["to"], pair["w_infinity"]) == ("a", "b", "1")
    assert {pair["w_1"][end] for end in ("lower", "upper")} == {"1"}
    assert pair["hall"]["mass"] == "1/2"
    assert {(e["from"], e["to"], e["mass"]) for e in pair["plan"]} == {
        ("0", "1", "1/2"), ("2", "3", "1/2"),
    }  # fmt: skip
    low, high = (Fraction(pair["coupling_lp"][end]) for end in ("lower", "upper"))
    assert 0 < low < high == 1  # all mass has to move by 1


@pytest.mark.parametrize(
    ("plan", "options", "code", "wrong", "words"),
    [
        (GOOD, [], 0, [], ""),
        ("mass,from,to\n1/2,0,1\n1/2,2,3\n", [], 0, [], ""),
        ("from,to,mass\n0,1,1/2\n2,3,1/4\n", [], 1, ["marginals"], "row 2 sums to 1/4"),
        ("from,to,mass\n0,1,1/2\n2,3,1/4\n2,7,1/4\n", [], 1, ["marginals"], "column 7"),
        ("from,to,mass\n0,3,1/2\n2,1,1/2\n", [], 0, ["monotone", "optimal"], "cross"),
        ("from,to,mass\n0,3,1/2\n2,1,1/2\n", ["--require", "monotone"], 1, ["monotone"], "0 -> 3"),
        ("from,to,mass\n0,3,1/2\n2,1,1/2\n", ["--require", "optimal"], 1, ["optimal"],
         "negative cycle"),
        ("from,to,mass\n0,3,1/2\n2,1,1/2\n", ["--within", "2"], 1, ["support"], "0 -> 3"),
        (GOOD, ["--within", "1"], 0, [], ""),
        ("from,to,mass\n0,1,1/4\n0,3,1/4\n2,1,1/4\n2,3,1/4\n", ["--require", "forest"], 1,
         ["forest"], "cycle of edges"),
    ],
)  # fmt: skip
def test_plans_are_judged(capsys, tmp_path, problem, plan, options, code, wrong, words):
    path = tmp_path / "plan.csv"
    path.write_text(plan)
    got, properties, data = judged(capsys, problem, path, *options)
    assert got == code
    assert data["valid"] is (code == 0)
    for name in wrong:
        assert properties[name]["verdict"] == "no"
    assert any(words in p["detail"] for p in properties.values())
    _, out, _ = run(capsys, "coupling", problem, "--plan", path, *options)
    assert ("invalid" in out) is (code == 1)


def test_float_plans_are_reported_and_repaired(capsys, tmp_path, problem):
    path, fixed = tmp_path / "plan.npz", tmp_path / "exact.csv"
    np.savez(path, **{"from": [0, 2], "to": [1, 3], "mass": [0.5, 0.4999999]})
    code, properties, data = judged(capsys, problem, path, "--repair", fixed)
    assert code == 1
    assert data["floats"]
    assert properties["marginals"]["verdict"] == "no"
    assert fixed.read_text() == "from,to,mass\n0,1,1/2\n2,3,1/2\n"
    assert judged(capsys, problem, fixed)[0] == 0


def test_json_plans(capsys, tmp_path, problem):
    path = tmp_path / "plan.json"
    rows = [{"from": 0, "to": 1, "mass": "1/2"}, {"from": 2, "to": 3, "mass": 0.5}]
    path.write_text(json.dumps({"plan": rows}))
    assert judged(capsys, problem, path)[0] == 0
    path.write_text(json.dumps([[0, 1, "1/2"], [2, 3, "1/2"]]))
    assert judged(capsys, problem, path)[0] == 0


def test_other_metrics_and_relations(capsys, tmp_path, problem):
    metric, relation = tmp_path / "m.csv", tmp_path / "r.csv"
    points = [0, 1, 2, 3]
    rows = [f"{a},{b},1" for a in points for b in points if a < b]
    metric.write_text("from,to,distance\n" + "\n".join(rows) + "\n")
    code, out, _ = run(capsys, "coupling", problem, "--metric", metric, "--json")
    (pair,) = json.loads(out)["pairs"]
    assert (code, pair["w_infinity"], pair["w_1"]["lower"]) == (0, "1", "1")
    relation.write_text("from,to\n0,1\n2,1\n")
    _, out, _ = run(capsys, "coupling", problem, "--relation", relation, "--json")
    lifted = json.loads(out)["pairs"][0]["lifting"]
    assert not lifted["related"]
    assert lifted["hall"]["mass"] == "1"
    relation.write_text("from,to\n0,1\n2,3\n")
    _, out, _ = run(capsys, "coupling", problem, "--relation", relation, "--json")
    assert json.loads(out)["pairs"][0]["lifting"]["related"]
    assert "is in the lifted" in run(capsys, "coupling", problem, "--relation", relation)[1]


BAD_PLANS = {
    "empty": ("", "header"),
    "header": ("a,b,c\n0,1,1\n", "header"),
    "no rows": ("from,to,mass\n", "no rows"),
    "word": ("from,to,mass\n0,1,half\n", "line 2"),
    "nan": ("from,to,mass\n0,1,nan\n", "line 2"),
    "inf": ("from,to,mass\n0,1,inf\n", "line 2"),
    "negative": ("from,to,mass\n0,1,-1/2\n2,3,1\n", "-1/2"),
    "twice": ("from,to,mass\n0,1,1/4\n0,1,1/4\n", "twice"),
    "short": ("from,to,mass\n0,1\n", "line 2"),
    "irrational": ("from,to,mass\n0,1,log(2)\n", "rational"),
    "too many digits": ("from,to,mass\n0,1," + "9" * 100_000 + "\n", "characters"),
    "denominators": (
        "from,to,mass\n" + "".join(f"0,{k},1/{3**8000 + k}\n" for k in range(1, 60)),
        "common denominator",
    ),
}


@pytest.mark.parametrize("name", BAD_PLANS)
def test_bad_plans_are_one_line(capsys, tmp_path, problem, name):
    text, words = BAD_PLANS[name]
    path = tmp_path / "plan.csv"
    path.write_text(text)
    code, out, err = run(capsys, "coupling", problem, "--plan", path)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err


def test_arrays_that_break_numpy_are_one_line(capsys, tmp_path, problem):
    def npy(count, data=b""):
        head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count},), }}"
        head = head.ljust(117) + "\n"
        return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + data

    def archive(*members):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
            for name, data in zip(("from", "to", "mass"), members, strict=True):
                target.writestr(f"{name}.npy", data)
        return out.getvalue()

    good = archive(*(npy(1, b"\0" * 8) for _ in range(3)))
    bare, wide, twisted = io.BytesIO(), io.BytesIO(), bytearray(good)
    np.save(bare, np.zeros(3))
    np.savez(wide, **{"from": [0], "to": [1], "mass": np.array([1], np.longdouble)})
    twisted[60] ^= 255
    path = tmp_path / "plan.npz"
    for data, words in (
        (b"PK\x03\x04" + b"x" * 100, "not an npz file"),
        (bytes(twisted), "not an npz file"),
        (bare.getvalue(), "not an npz file"),
        (archive(*[b"\x93NUMPY\x01\x00" + (99).to_bytes(2, "little") + b"(" * 99] * 3), "npz"),
        (archive(*[npy(10**13)] * 3), "npz"),
        (archive(*[npy(10**7, bytes(8 * 10**7))] * 3), "larger than"),
        (wide.getvalue(), "64 bits"),
    ):
        path.write_bytes(data)
        code, out, err = run(capsys, "coupling", problem, "--plan", path)
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert words in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[{"from": 0, "from": 5, "to": 1, "mass": "1/2"}]', "twice"),
        ('{"plan": [], "plan": [[0, 1, 1]]}', "twice"),
        ("[[0, 1, 1e99999999999999999999999]]", "row 1"),
        ("[[0, 1, " + "9" * 100_000 + "]]", "row 1"),
        ("[[0, 1, NaN]]", "NaN"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_bad_json_plans_are_one_line(capsys, tmp_path, problem, text, words):
    path = tmp_path / "plan.json"
    path.write_text(text)
    code, out, err = run(capsys, "coupling", problem, "--plan", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_defect_beyond_the_floats_is_told(capsys, tmp_path, problem):
    path = tmp_path / "plan.npz"
    np.savez(path, **{"from": [0, 0], "to": [1, 3], "mass": [1.7e308, 1.7e308]})
    code, _, data = judged(capsys, problem, path)
    assert (code, data["defect"]) == (1, "about 3.40e+308")


def test_inputs_are_not_overwritten(capsys, tmp_path, problem):
    plan, relation = tmp_path / "plan.csv", tmp_path / "r.csv"
    plan.write_text(GOOD)
    relation.write_text("from,to\n0,1\n2,3\n")
    for options in (
        ["--plan", plan, "--repair", problem],
        ["--plan", plan, "--relation", relation, "--repair", relation],
        ["--relation", relation, "-o", relation],
    ):
        code, out, err = run(capsys, "coupling", problem, *options)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "input" in err
    assert problem.read_text() == PROBLEM


def test_a_support_that_nobody_limits_cannot_be_required(capsys, tmp_path, problem):
    plan = tmp_path / "plan.csv"
    plan.write_text(GOOD)
    code, out, err = run(capsys, "coupling", problem, "--plan", plan, "--require", "support")
    assert (code, out) == (2, "")
    assert "--within" in err
    assert judged(capsys, problem, plan, "--require", "support", "--within", "1")[0] == 0


@pytest.mark.parametrize(
    ("first", "second", "epsilon"),
    [
        ({"0": "1/2", "1": "1/2"}, {"0": "1/2", "1": "1/2"}, "1"),  # no scale to speak of
        ({"0": "1/2", "1": "1/2"}, {"0": "1/2", "1": "1/2"}, "0"),
        ({"0": "1/2", "1": "1/2"}, {"0": "1/3", "1": "2/3"}, "1e-400"),  # 192 bits are too few
        ({"0": "1e-4000", "1": "1-1e-4000"}, {"0": "1/2", "2": "1/2"}, "1"),  # no float
    ],
)
def test_extreme_problems_have_certificates(capsys, recwarn, tmp_path, first, second, epsilon):
    path, cert = tmp_path / "p.json", tmp_path / "c"
    priors = {k: {"kind": "discrete", "mass": m} for k, m in (("a", first), ("b", second))}
    data = {"schema": "pfverify/problem/1", "epsilon": epsilon, "noise": {"kind": "laplace"}}
    path.write_text(json.dumps(data | {"priors": priors}))
    code, _, err = run(capsys, "coupling", path, "-o", cert)
    assert (code, err) == (0, "")
    assert not recwarn.list
    assert run(capsys, "check", path, cert, "--expect", "coupling")[0] == 0


def test_numbers_too_long_to_print_are_one_line(capsys, tmp_path):
    path = tmp_path / "p.json"
    priors = {
        name: {"kind": "discrete", "mass": {f"1/{10**3000 + k}": 1}}
        for name, k in (("a", 7), ("b", 9))
    }
    data = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": {"kind": "laplace"}}
    path.write_text(json.dumps(data | {"priors": priors}))
    code, out, err = run(capsys, "coupling", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "4300 digits" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--within", ""], "--plan"),
        (["--pair", "a,c"], "--pair"),
        (["--belief", "x"], "--belief"),
        (["--within", "1"], "--plan"),
        (["--plan", "missing.csv"], "missing.csv"),
        (["--metric", "missing.csv"], "missing.csv"),
        (["-o", "-"], "-o"),
    ],
)
def test_bad_uses_are_one_line(capsys, problem, options, words):
    code, out, err = run(capsys, "coupling", problem, *options)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err


def test_a_table_that_is_not_a_metric_names_the_triple(capsys, tmp_path, problem):
    metric = Path(tmp_path / "m.csv")
    rows = ["0,1,1", "1,2,1", "0,2,5", "0,3,5", "1,3,5", "2,3,5"]
    metric.write_text("from,to,distance\n" + "\n".join(rows) + "\n")
    code, _, err = run(capsys, "coupling", problem, "--metric", metric)
    assert code == 2
    assert all(x in err for x in ("0", "1", "2"))
    assert err.count("\n") == 1
    metric.write_text("from,to,distance\n0,1,1\n0,1,2\n")
    code, _, err = run(capsys, "coupling", problem, "--metric", metric)
    assert (code, err.count("\n")) == (2, 1)
    assert "twice" in err
    relation = Path(tmp_path / "r.csv")
    relation.write_text("from,to\n0,9\n")
    code, _, err = run(capsys, "coupling", problem, "--relation", relation)
    assert code == 2
    assert "9" in err


def test_a_lower_end_that_is_not_proved_is_not_claimed(capsys, problem):
    assert "at 0.99999" in run(capsys, "coupling", problem)[1]
    problem.write_text(PROBLEM.replace("epsilon = 1", "epsilon = 2000"))
    _, out, _ = run(capsys, "coupling", problem, "--json")
    assert json.loads(out)["pairs"][0]["coupling_lp"]["lower"] == "0"
    words = run(capsys, "coupling", problem)[1]
    assert "no smaller scale is excluded" in words
    assert "no coupling's do" not in words
