"""The command line: words, JSON, exit codes, one-line errors."""

import csv
import io
import json
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from jsonschema import Draft202012Validator
from support.examples import discrete_examples

from pfverify.edge import packaged
from pfverify.edge.cli import commands, main
from pfverify.model.schema import problem_schema


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


PROBLEM = """
schema  = "pfverify/problem/1"
epsilon = "1/2"
[noise]
kind  = "laplace"
scale = 2
[priors.a]
kind = "discrete"
counts = { "0" = 1, "1" = 1 }
[priors.b]
kind = "discrete"
mass = { "0" = 0.25, "1" = "3/4" }
"""

BAD = [  # (old text, new text, words that the message must hold)
    ('"3/4"', '"1/4"', ["priors.b", "sum to 1/2", "exactly 1"]),
    ('"3/4"', '"-3/4"', ["priors.b", "mass of atom 1", ">= 0"]),
    ('"1" = "3/4"', '"0.0" = "3/4"', ["priors.b", "duplicate atom", "'0.0'"]),
    ('{ "0" = 1, "1" = 1 }', "{}", ["priors.a.counts", "support is empty"]),
    ("counts", "count", ["priors.a", "unknown key 'count'", "'counts'"]),
    ('{ "0" = 1, "1" = 1 }', "{ 0.5 = 1 }", ["priors.a.counts.0", "a table", "in quotes"]),
    ('epsilon = "1/2"', "epsilon = -1", ["epsilon", "-1", ">= 0"]),
    ('epsilon = "1/2"', 'epsilon = "1/2"\ndelta = 1.5', ["delta", "3/2", "[0, 1]"]),
    ("scale = 2", "scale = -2", ["noise", "scale", "negative", ">= 0"]),
    ("scale = 2", "scale = nan", ["noise", "scale", "NaN"]),
    ("scale = 2", "scale = inf", ["noise", "scale", "infinity"]),
    ("scale = 2", 'scale = "log(4)-2*log(2)"', ["noise", "scale", "exactly 0"]),
    ("scale = 2", 'scale = "1e999999999"', ["noise", "scale", "digits"]),
    ("scale = 2", f'scale = "{"(" * 1_000_000}"', ["noise", "scale", "characters"]),
    ('epsilon = "1/2"', 'epsilon = "1/2"\npairs = [["a", "bb"]]', ["pairs", "'bb'", "'b'"]),
    ('epsilon = "1/2"', 'epsilon = "1/2"\npairs = [["a", "a"]]', ["pairs", "itself"]),
    ('kind  = "laplace"', 'kind  = "laplce"', ["noise.kind", "'laplace'"]),
    ('schema  = "pfverify/problem/1"', 'schema = "x"', ["schema", "pfverify/problem/1"]),
    ("[priors.b]", "[priors.", ["TOML", "line"]),
    ("[priors.b]", "[prior.b]", ["unknown key 'prior'", "'priors'"]),
]


@pytest.mark.parametrize(("old", "new", "words"), BAD, ids=[f"{n[:24]!r}" for _, n, _ in BAD])
def test_bad_input_is_one_line_naming_file_key_and_expectation(
    capsys, tmp_path, old, new, words
):
    assert old in PROBLEM
    path = tmp_path / "mine.toml"
    path.write_text(PROBLEM.replace(old, new, 1))
    for command in ("certify", "loss", "calibrate"):
        code, out, err = run(capsys, command, str(path))
        assert code == 2
        assert out == ""
        assert err.count("\n") == 1
        assert len(err) < 400
        assert "mine.toml" in err
        for word in words:
            assert word in err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["certify", "nowhere.toml"], "no such file"),
        (["certify", "example:cenus"], "'census'"),
        (["certify", "example:census", "--scale", "-1"], ">= 0"),
        (["certify", "example:census", "--epsilon", "1,,2"], "empty"),
        (["certify", "example:census", "--epsilon", "0.1.2"], "epsilon"),
        (["certify", "example:census", "--digits", "0"], "digits"),
        (["certify", "example:census", "--json", "--csv"], "--csv: not with --json"),
        (["certify", "example:census", "--grid", "1"], "expected 2 to"),
        (["certify", "example:census", "--no-such"], "--no-such"),
        (["certify"], "PROBLEM"),
        (["certfy"], "certfy"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(capsys, arguments, word):
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert word in err


def test_hostile_json_files(capsys, tmp_path):
    path = tmp_path / "p.json"
    for text in ("[" * 100_000, '{"epsilon": NaN}', '{"a":1,"a":2}', "7", '{"epsilon":' + "9" * 5000
                 + "}", "\x00", "null"):
        path.write_text(text)
        code, out, err = run(capsys, "certify", str(path))
        assert (code, out, err.count("\n")) == (2, "", 1)
    path.write_bytes(b"\xff\xfe")
    assert run(capsys, "certify", str(path))[0] == 2
    assert run(capsys, "certify", str(tmp_path))[0] == 2


def test_every_packaged_problem_of_atoms_is_certified_without_undecided(capsys):
    ties = 0
    for name in discrete_examples():
        code, out, _ = run(capsys, "certify", f"example:{name}", "--json")
        data = json.loads(out)
        assert (code, data["verdict"]) == (0, "certified")
        assert len(data["pairs"]) == 2 * len(packaged.load_example(name).pairs)
        ties += any(pair["tie"] for pair in data["pairs"])
    assert ties == 6


def test_certify_json_has_the_published_keys_and_a_checkable_witness(capsys):
    code, out, err = run(capsys, "certify", "example:census", "--scale", "1/2", "--json")
    data = json.loads(out)
    assert (code, err) == (1, "")
    assert {"verdict", "epsilon", "delta", "form", "assumed", "pairs"} <= set(data)
    worst = data["pairs"][0]
    keys = {"belief", "from", "to", "verdict", "loss", "delta", "witness", "tie"}
    assert keys <= set(worst)
    assert worst["verdict"] == "refuted"
    assert worst["witness"]["y"] == "6"
    assert Decimal(worst["loss"]["lower"]) - 1 >= Decimal(worst["witness"]["margin"]) > 0
    assert data["pairs"][1]["verdict"] == "certified"


def test_event_witness_of_a_delta_refutation(capsys):
    code, out, _ = run(capsys, "certify", "example:tie-delta", "--delta", "0.2", "--json")
    pair = json.loads(out)["pairs"][0]
    assert code == 1
    assert list(pair["witness"]) == ["margin", "event", "event_decimal"]
    assert Decimal("0.0211") < Decimal(pair["witness"]["margin"]) < Decimal("0.0212")


def test_calibrate_census_as_promised(capsys):
    code, out, _ = run(capsys, "calibrate", "example:census", "--json")
    data = json.loads(out)
    methods = data["methods"]
    assert code == 0
    assert [methods[m]["scale"] for m in ("l1", "wasserstein", "relaxed")] == ["8", "2", "1"]
    assert round(Decimal(methods["relaxed_published"]["scale"]), 2) == Decimal("1.15")
    assert round(Decimal(data["minimum"]["upper"]), 4) == Decimal("0.5568")
    assert {m["verdict"] for m in methods.values()} == {"certified"}
    keys = {"scale", "exact", "exact_decimal", "verdict", "waste", "sd", "mean_abs", "witness"}
    assert set(methods["l1"]) == keys
    assert {m["witness"] for m in methods.values()} == {None}
    for end, verdict in ((data["minimum"]["lower"], 1), (data["minimum"]["upper"], 0)):
        assert run(capsys, "certify", "example:census", "--scale", end)[0] == verdict
    _, text, _ = run(capsys, "calibrate", "example:census")
    for word in ("8.0000", "2.0000", "1.0000", "1.1476", "0.5568", "certified"):
        assert word in text


def test_the_exact_closed_forms_certify_as_ties(capsys):
    _, out, _ = run(capsys, "calibrate", "example:tie-bernoulli", "--json")
    exact = json.loads(out)["methods"]["relaxed"]["exact"]
    code, out, _ = run(
        capsys, "certify", "example:tie-bernoulli", "--scale", exact, "--json"
    )
    assert code == 0
    assert any(pair["tie"] for pair in json.loads(out)["pairs"])


def test_loss_json(capsys):
    code, out, _ = run(capsys, "loss", "example:tie-delta", "--json", "--digits", "30")
    data = json.loads(out)
    assert code == 0
    assert {"epsilon_star", "delta", "epsilon_at_delta", "worst", "pairs"} <= set(data)
    assert {"belief", "from", "to", "y"} <= set(data["worst"])
    low, high = (Fraction(data["delta"][end]) for end in ("lower", "upper"))
    assert low < high <= low + Fraction(2, 10**30)
    assert low * 10**9 // 1 == 221199216


def test_sweep_prints_csv_and_json(capsys):
    arguments = ("certify", "example:census", "--epsilon", "0.1,0.5", "--epsilon", "1")
    code, out, _ = run(capsys, *arguments, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 1
    assert [(row["epsilon"], row["verdict"]) for row in rows] == [
        ("1/10", "refuted"), ("1/10", "refuted"), ("1/2", "certified"), ("1/2", "certified"),
        ("1", "certified"), ("1", "certified"),
    ]
    _, out, _ = run(capsys, *arguments, "--json")
    assert len(json.loads(out)["sweep"]) == 3
    for command in ("loss", "calibrate"):
        code, out, _ = run(capsys, command, "example:student", "--epsilon", "0.1,1", "--csv")
        assert code == 0
        assert {row["epsilon"] for row in csv.DictReader(io.StringIO(out))} == {"1/10", "1"}


def test_grid_observes_and_never_certifies(capsys):
    code, out, _ = run(capsys, "certify", "example:census", "--grid", "50", "--json")
    assert (code, json.loads(out)["verdict"]) == (3, "observed on a grid")
    code, out, _ = run(capsys, "certify", "example:census", "--grid", "50")
    assert code == 3
    assert "observed on a grid" in out
    assert "(rounding)" not in out


def test_grid_says_where_a_number_is_rounding_alone(capsys):
    code, out, _ = run(capsys, "certify", "example:tie-point-masses", "--grid", "50")
    assert code == 3
    words = " ".join(out.split())
    assert re.search(r"e-3\d \(rounding\)", words)
    assert "below the rounding error of the arithmetic, which has 30 digits" in words
    assert "certified" not in out


def test_explain_can_be_redone_by_hand(capsys):
    _, out, _ = run(capsys, "certify", "example:tie-delta", "--delta", "0", "--explain")
    assert "y = 0" in out
    assert "1.64872127" in out  # e^(1/2)
    assert "refuted here" in out
    _, out, _ = run(capsys, "certify", "example:tie-delta", "--delta", "0.1", "--explain")
    assert "-inf <= Y <= 0.25" in out


def test_demo_flags_the_one_value_that_does_not_recompute(capsys):
    code, out, _ = run(capsys, "demo", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["all_certified"]
    relaxed = [
        cell["recomputes"]
        for table in data["tables"]
        for row in table["rows"]
        for cell in row["cells"]
        if cell["method"] == "relaxed_published"
    ]
    assert (len(relaxed), sum(relaxed)) == (50, 49)
    assert len(data["mismatches"]) == 1
    assert "0.54" in data["mismatches"][0]
    _, out, _ = run(capsys, "demo")
    assert "49 of 50" in out
    assert "does not recompute" in out


def test_demo_writes_the_examples(capsys, tmp_path):
    folder = tmp_path / "deep" / "mine"
    assert run(capsys, "demo", "--write", str(folder))[0] == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(f"{name}.toml" for name in packaged.example_names())
    assert run(capsys, "certify", str(folder / "census.toml"))[0] == 0
    (tmp_path / "file").write_text("")
    assert run(capsys, "demo", "--write", str(tmp_path / "file"))[0] == 2


def test_every_command_has_help_with_an_example(capsys):
    for name in commands.commands:
        code, out, _ = run(capsys, name, "--help")
        assert code == 0
        assert "Example" in out
        assert f"pfverify {name}" in out
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(name in out for name in commands.commands)


def test_the_help_names_every_kind_of_noise_prior_source_and_release(capsys):
    """It named three kinds of noise when there were seven."""
    from pfverify.edge.glossary.entries import lookup
    from pfverify.model.kinds import NOISES, PRIORS
    from pfverify.model.releases.kinds import RELEASES
    from pfverify.model.sources.kinds import SOURCES

    _, out, _ = run(capsys, "--help")
    kinds = {*NOISES, *PRIORS, *SOURCES, *RELEASES}
    assert len(kinds) > 20
    assert not kinds - set(re.findall(r"[a-z]+(?:-[a-z]+)*", out))
    assert all(map(lookup, kinds - {"noise"}))


def test_toml_and_json_of_the_same_problem_agree(capsys, tmp_path):
    import tomllib

    from pfverify import Problem
    from pfverify.model.digest import problem_digest

    toml, js = tmp_path / "p.toml", tmp_path / "p.json"
    toml.write_text(PROBLEM)
    js.write_text(json.dumps(tomllib.loads(PROBLEM)))
    assert problem_digest(Problem.load(toml)) == problem_digest(Problem.load(js))
    js.write_text(js.read_text().replace("0.25", '"1/4"'))
    assert problem_digest(Problem.load(toml)) == problem_digest(Problem.load(js))


def test_the_published_schema_accepts_every_example():
    import tomllib

    schema = problem_schema()
    Draft202012Validator.check_schema(schema)
    for name in packaged.example_names():
        Draft202012Validator(schema).validate(tomllib.loads(packaged.example_text(name)))


def test_output_is_plain_when_it_is_not_a_terminal():
    run_ = [sys.executable, "-m", "pfverify", "certify", "example:census"]
    result = subprocess.run(run_, capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


def test_an_output_never_replaces_an_input(capsys, tmp_path):
    path, cert = tmp_path / "mine.toml", tmp_path / "cert"
    path.write_text(PROBLEM)
    link = tmp_path / "link.toml"
    link.symlink_to(path)
    for command in ("certify", "calibrate"):
        for target in (path, link, "", "-"):
            code, out, err = run(capsys, command, str(path), "-o", str(target))
            assert (code, out, err.count("\n")) == (2, "", 1)
    assert path.read_text() == PROBLEM
    assert run(capsys, "certify", str(path), "-o", str(cert))[0] == 0
    before = cert.read_bytes()
    code = run(capsys, "export", str(cert), "--problem", str(path), "--smtlib", "-o", str(cert))[0]
    assert (code, cert.read_bytes()) == (2, before)
    pointer = tmp_path / "pointer"
    pointer.symlink_to(cert)
    assert run(capsys, "certify", str(path), "-o", str(pointer))[0] == 0
    assert pointer.is_symlink()
    folder = tmp_path / "examples"
    assert run(capsys, "demo", "--write", str(folder))[0] == 0
    (folder / "census.toml").write_text("mine")
    assert run(capsys, "demo", "--write", str(folder))[0] == 2
    assert (folder / "census.toml").read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        ["mine.toml", "link.toml", "cert", "pointer", "examples"]
    )


def test_names_that_cannot_be_shown_are_refused(capsys, tmp_path):
    path = tmp_path / "p.json"
    for name in ("\ud800", "", " ", "a\nb", "\x1b[31m", "\x00"):
        prior = {"kind": "discrete", "counts": {"0": 1}}
        data = {"schema": "pfverify/problem/1", "epsilon": 1,
                "noise": {"kind": "laplace", "scale": 1}, "priors": {"a": prior, name: prior}}
        path.write_text(json.dumps(data))
        code, out, err = run(capsys, "certify", str(path), "--json")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "not printable" in err
    data["priors"] = {"[bold]a[/]": prior, "[/]": prior}
    path.write_text(json.dumps(data))
    code, out, _ = run(capsys, "certify", str(path))
    assert code == 0
    assert "[bold]a[/]" in out


def test_several_beliefs_are_told_apart(capsys, tmp_path):
    path = tmp_path / "p.json"
    prior = {"kind": "discrete", "counts": {"0": 1, "1": 3}}
    other = {"kind": "discrete", "counts": {"0": 2, "1": 1}}
    data = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": {"kind": "laplace", "scale": 1},
            "beliefs": {"naive": {"priors": {"a": prior, "b": prior}},
                        "expert": {"priors": {"a": prior, "b": other}}}}
    path.write_text(json.dumps(data))
    for arguments in (("certify", "--explain"), ("loss",), ("certify", "--grid", "20")):
        out = run(capsys, arguments[0], str(path), *arguments[1:])[1]
        assert "naive" in out
        assert "expert" in out
    assert "under belief expert" in run(capsys, "loss", str(path))[1]
    data["pairs"] = [["a", "b"]]
    data["beliefs"]["naive"]["priors"]["c"] = prior
    path.write_text(json.dumps(data))
    assert "'c'" in run(capsys, "certify", str(path))[1]  # not compared, and it says so


def test_pointwise_output_names_what_it_means(capsys, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(PROBLEM.replace('epsilon = "1/2"', 'epsilon = 0\ndelta = 0.01\n'
                                    'form = "pointwise"'))
    code, out, _ = run(capsys, "certify", str(path), "--explain")
    assert code == 1
    for words in ("largest excess", "y of excess", "q above delta by", "convex", "density"):
        assert words in out


def test_bare_command_prints_the_help(capsys):
    code, out, err = run(capsys)
    assert (code, err) == (0, "")
    assert "certify" in out


def test_an_interrupted_run_is_one_line_and_leaves_nothing(tmp_path):
    import signal
    import time

    path = tmp_path / "p.json"
    priors = {f"s{k}": {"kind": "discrete", "counts": {str(j): j + k + 1 for j in range(30)}}
              for k in range(300)}  # many seconds of work, however fast the machine
    path.write_text(json.dumps({"schema": "pfverify/problem/1", "epsilon": 1, "priors": priors,
                                "noise": {"kind": "laplace", "scale": 1}}))
    command = [sys.executable, "-m", "pfverify", "certify", str(path), "-o", str(tmp_path / "c")]
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)  # whatever we ignore
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=heard) as process:  # fmt: skip
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.decode().count("\n")) == (130, b"", 1)
    assert b"interrupted" in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.json"]


def test_undecided_says_why_writes_nothing_and_exits_3(capsys, tmp_path):
    """log(3127) = log(53) + log(59) inside products of logarithms: outside every class with a
    complete zero test, and too far for the symbols."""
    path, cert = tmp_path / "p.toml", tmp_path / "cert"
    path.write_text("""
schema  = "pfverify/problem/1"
epsilon = "log(3127)*log(2)"
[noise]
kind  = "laplace"
scale = "1/(log(53)*log(2)+log(59)*log(2))"
[priors.a]
kind = "discrete"
mass = { "0" = 1 }
[priors.b]
kind = "discrete"
mass = { "1" = 1 }
""")
    code, out, err = run(capsys, "certify", str(path), "-o", str(cert))
    assert (code, err) == (3, "")
    assert "Undecided because the loss may equal epsilon exactly" in out
    assert not cert.exists()
    code, out, _ = run(capsys, "certify", str(path), "--json")
    assert (code, json.loads(out)["verdict"]) == (3, "undecided")
    # half a step to either side is decided
    assert run(capsys, "certify", str(path), "--scale", "0.1792")[0] == 1
    assert run(capsys, "certify", str(path), "--scale", "0.1793")[0] == 0
