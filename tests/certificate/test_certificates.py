"""Certificates: what certify and calibrate write, the kernel accepts; nothing else passes."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.examples import discrete_examples, family_examples, smooth_examples

from pfverify import Problem, check
from pfverify.certificate import build
from pfverify.certificate.build import kernel_word
from pfverify.certificate.checking import KERNEL, CheckResult
from pfverify.certificate.statement import canonical_text
from pfverify.edge import packaged
from pfverify.edge.cli import main
from pfverify.model.digest import problem_digest

pytestmark = pytest.mark.usefixtures("kernel_here")


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def problem_file(tmp_path, **changes):
    data = {
        "schema": "pfverify/problem/1",
        "epsilon": "1/2",
        "noise": {"kind": "laplace", "scale": 2},
        "priors": {
            "a": {"kind": "discrete", "counts": {"0": 3, "1": 1, "4": 2}},
            "b": {"kind": "discrete", "counts": {"0": 1, "1": 1, "3": 2}},
            "c": {"kind": "discrete", "counts": {"-1": 1, "1": 2}},
        },
    }
    data.update(changes)
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(data))
    return path


REFUTED = {"corollary-2-fails", "laplace-or-gaussian", "ten-users", "theorem-2-fails",
           "wrong-prior"}


def slow_ones_marked(names):
    """The crowd of 649 takes 10 s; a guide's problem, the same one, is certified by default."""
    slow = {"students-mean": pytest.mark.long}
    return [pytest.param(name, marks=slow.get(name, ())) for name in names]


CERTIFIABLE = [*discrete_examples(), *smooth_examples(), *family_examples()]


@pytest.mark.parametrize("name", slow_ones_marked(CERTIFIABLE))
def test_every_packaged_verdict_and_scale_has_an_accepted_certificate(capsys, tmp_path, name):
    problem, cert, scales = f"example:{name}", tmp_path / "c", tmp_path / "s"
    word = "refuted" if name in REFUTED else "certified"
    assert run(capsys, "certify", problem, "-o", cert)[0] == (word == "refuted")
    code, out, _ = run(capsys, "check", problem, cert, "--expect", word)
    assert (code, out.split(":")[0]) == (0, word)
    code, printed, _ = run(capsys, "calibrate", problem, "-o", scales, "--json")
    assert code == 0
    code, out, _ = run(capsys, "check", problem, scales, "--expect", "scales")
    assert (code, out.split(":")[0]) == (0, "scales")
    for method, row in json.loads(printed)["methods"].items():
        if method != "minimum":
            stated = f'scale {row["scale"]} (labelled "{method}") {row["verdict"]}'
            assert stated in " ".join(out.split())
    # a certificate of scales never passes for a certified problem, nor the other way round
    assert run(capsys, "check", problem, scales, "--expect", "certified")[0] == 1
    assert run(capsys, "check", problem, cert, "--expect", "scales")[0] == 1
    assert cert.read_bytes().count(b"\n") == 1
    assert json.loads(cert.read_text())["problem"] == problem_digest(packaged.load_example(name))


VARIANTS = {
    "refuted": ({"epsilon": "1/10"}, "refuted"),
    "delta": ({"delta": "1/2"}, "certified"),
    "delta one": ({"delta": 1, "epsilon": 0}, "certified"),
    "delta refuted": ({"delta": "1/100", "epsilon": "1/10"}, "refuted"),
    "pointwise": ({"delta": "1/5", "form": "pointwise"}, "certified"),
    "pointwise refuted": ({"delta": "1/1000", "form": "pointwise", "epsilon": 0}, "refuted"),
    "lattice": ({"noise": {"kind": "discrete-laplace", "scale": 9, "step": 1}}, "certified"),
    "lattice delta": (
        {"noise": {"kind": "discrete-laplace", "scale": 2, "step": "1/2"}, "delta": "1/2"},
        "certified",
    ),
    "lattice delta refuted": (
        {"noise": {"kind": "discrete-laplace", "scale": 2, "step": 1}, "delta": "1/50",
         "epsilon": "1/10"},
        "refuted",
    ),
    "logarithms": ({"epsilon": "log(3)", "noise": {"kind": "laplace", "scale": "5/log(3)"}},
                   "certified"),
    "near tie": ({"priors": {"a": {"kind": "discrete", "mass": {"0": 1}},
                             "b": {"kind": "discrete", "mass": {"1": 1}}},
                  "noise": {"kind": "laplace", "scale": "2.0000000000000000000000000000000001"}},
                 "certified"),
    "tower": ({"epsilon": "exp(-1)", "noise": {"kind": "laplace", "scale": "5*exp(1)"}},
              "certified"),
    "wide": ({"noise": {"kind": "laplace", "scale": "1/1000"}}, "refuted"),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_certificates_of_every_rule(capsys, tmp_path, name):
    changes, word = VARIANTS[name]
    path, cert = problem_file(tmp_path, **changes), tmp_path / "cert"
    code, _, err = run(capsys, "certify", path, "-o", cert)
    assert (code, err) == ({"certified": 0, "refuted": 1}[word], "")
    outcome = check(path, cert)
    assert outcome.word == word
    assert outcome.valid
    assert run(capsys, "check", path, cert)[0] == 0
    other = {"certified": "refuted", "refuted": "certified"}[word]
    assert run(capsys, "check", path, cert, "--expect", other)[0] == 1
    # a certificate of another problem is rejected
    path.write_text(path.read_text().replace('"4": 2', '"4": 3').replace('"mass": {"0"', '"mass": '
                    '{"00"').replace('"1": 1}', '"2": 1}'))
    code, out, _ = run(capsys, "check", path, cert)
    assert (code, out.split(":")[0]) == (1, "rejected")


@pytest.mark.parametrize("changes", [
    {}, {"delta": "1/20"}, {"delta": "1/20", "form": "pointwise"}, {"epsilon": 0},
    {"noise": {"kind": "discrete-laplace", "step": 1}, "delta": "1/20"},
    {"epsilon": 5, "priors": {"a": {"kind": "discrete", "counts": {"0": 1, "1": 2}},
                              "b": {"kind": "discrete", "counts": {"0": 2, "1": 1}}}},
])  # fmt: skip
def test_certificates_of_scales(capsys, tmp_path, changes):
    path, cert = problem_file(tmp_path, **changes), tmp_path / "scales"
    assert run(capsys, "calibrate", path, "-o", cert)[0] == 0
    assert check(path, cert).word == "scales"


MIXED = {
    "a": {"kind": "discrete", "mass": {"0": "1/2", "1": "1/2"}},
    "b": {"kind": "discrete", "mass": {"0": "2/5", "1": "3/5"}},
    "c": {"kind": "mixture", "components": [
        {"weight": "1/2", "mean": 0, "variance": 1}, {"weight": "1/2", "mean": 0, "variance": 4}]},
    "d": {"kind": "mixture", "components": [
        {"weight": "2/5", "mean": 0, "variance": 1}, {"weight": "3/5", "mean": 0, "variance": 4}]},
}  # fmt: skip


@pytest.mark.parametrize("changes", [
    {}, {"delta": "1/1000"}, {"form": "pointwise"}, {"form": "pointwise", "delta": "1/1000"},
    {"noise": {"kind": "gaussian"}}, {"pairs": [["c", "d"], ["a", "b"]]},
])  # fmt: skip
def test_atoms_and_densities_that_need_no_noise(capsys, tmp_path, changes):
    """One step for every goal: no-noise for the atoms, charts for the densities."""
    pairs = [["a", "b"], ["c", "d"]]
    path = problem_file(tmp_path, **{"epsilon": 1, "pairs": pairs, "priors": MIXED, **changes})
    cert = tmp_path / "scales"
    assert run(capsys, "calibrate", path, "-o", cert)[0] == 0
    outcome = check(path, cert)
    assert outcome.word == "scales"
    assert "minimum in [0, 0]" in outcome.message


def test_a_statement_wraps_the_certificate_and_is_bound_to_the_file(capsys, tmp_path):
    path, cert = problem_file(tmp_path, epsilon=3), tmp_path / "statement.json"
    assert run(capsys, "certify", path, "-o", cert, "--attest")[0] == 0
    data = json.loads(cert.read_text())
    assert data["_type"] == "https://in-toto.io/Statement/v1"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert data["subject"] == [{"name": "problem.json", "digest": {"sha256": digest}}]
    assert data["predicate"]["schema"] == "pfverify/certificate/1"
    assert run(capsys, "check", path, cert, "--expect", "certified")[0] == 0
    path.write_text(path.read_text() + " ")  # the same problem, but other bytes
    assert run(capsys, "check", path, cert)[0] == 2
    data["predicate"]["steps"].pop()
    data["subject"][0]["digest"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    cert.write_text(canonical_text(data))
    assert run(capsys, "check", path, cert)[0] == 1


def _attested(capsys, tmp_path):
    path, cert = problem_file(tmp_path, epsilon=3), tmp_path / "statement.json"
    assert run(capsys, "certify", path, "-o", cert, "--attest")[0] == 0
    return path, cert, json.loads(cert.read_text())


@pytest.mark.parametrize(("change", "why"), [
    (lambda s: s["subject"].append(dict(s["subject"][0])), "exactly one subject"),
    (lambda s: s["subject"].clear(), "exactly one subject"),
    (lambda s: s.update(subject=s["subject"][0]), "exactly one subject"),
    (lambda s: s["subject"][0].update(name="other.json"), "about a file named 'other.json'"),
    (lambda s: s["subject"][0].pop("name"), "must have a name"),
    (lambda s: s["subject"][0]["digest"].update(sha512="0"), "the one digest sha256"),
    (lambda s: s["subject"][0]["digest"].update(sha256="0" * 64), "another file"),
    (lambda s: s["subject"][0].update(uri="x"), "must have a name"),
    (lambda s: s.update(more=1), "must have the keys"),
    (lambda s: s.pop("predicate"), "must have the keys"),
    (lambda s: s.update(_type="https://in-toto.io/Statement/v0.1"), "expected a https"),
    (lambda s: s.update(predicateType="urn:other"), "expected a https"),
])  # fmt: skip
def test_a_statement_of_another_shape_is_refused(capsys, tmp_path, change, why):
    path, cert, data = _attested(capsys, tmp_path)
    change(data)
    cert.write_text(json.dumps(data))
    code, out, err = run(capsys, "check", path, cert)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err


@pytest.mark.parametrize("where", ["_type", "subject", "predicate", "sha256", "steps"])
def test_a_statement_with_a_key_twice_is_refused(capsys, tmp_path, where):
    path, cert, data = _attested(capsys, tmp_path)
    text = canonical_text(data)
    assert text.count(f'"{where}":') == 1
    cert.write_text(text.replace(f'"{where}":', f'"{where}":"x","{where}":'))
    code, _, err = run(capsys, "check", path, cert)
    assert (code, "twice" in err) == (2, True)


def test_the_problem_is_read_once(capsys, tmp_path, monkeypatch):
    """The bytes whose digest was compared are those that the kernel parses."""
    path, cert, _ = _attested(capsys, tmp_path)
    reads, read_bytes = [], Path.read_bytes

    def read(self):
        data = read_bytes(self)
        if self == path:
            reads.append(self)
            path.write_text("{}")  # whoever looks again sees another problem
        return data

    monkeypatch.setattr(Path, "read_bytes", read)
    assert check(path, cert).word == "certified"
    assert len(reads) == 1


def test_one_byte_string_per_certificate(capsys, tmp_path):
    path = problem_file(tmp_path, epsilon=3)
    texts = set()
    for name in ("one", "two"):
        assert run(capsys, "certify", path, "-o", tmp_path / name)[0] == 0
        texts.add((tmp_path / name).read_bytes())
    assert len(texts) == 1


def test_bad_uses_are_one_line_and_leave_nothing(capsys, tmp_path):
    path, cert = problem_file(tmp_path), tmp_path / "cert"
    for arguments in (
        ("certify", path, "-o", cert, "--epsilon", "1,2,3"),
        ("certify", path, "--attest"),
        ("certify", path, "-o", cert, "--grid", "9"),
        ("calibrate", path, "-o", cert, "--epsilon", "1,2"),
        ("certify", path, "-o", tmp_path / "no" / "where"),
        ("check", path, tmp_path / "none"),
        ("check", tmp_path / "none", path),
        ("check", path, path, "--expect", "proved"),
        ("export", path, "--problem", path),
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
    assert [entry.name for entry in tmp_path.iterdir()] == ["problem.json"]
    code, out, err = run(capsys, "check", path, path)
    assert (code, out) == (2, "")
    assert "this is a problem, expected its certificate" in err


def test_the_kernel_runs_alone_and_says_the_same(capsys, tmp_path):
    path, cert = problem_file(tmp_path, epsilon=3), tmp_path / "cert"
    assert run(capsys, "certify", path, "-o", cert)[0] == 0
    lines = set()
    for flags in (["-I", "-S"], ["-I", "-S", "-O"], ["-I"]):
        command = [sys.executable, *flags, str(KERNEL), str(path), str(cert)]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        lines.add(result.stdout)
    assert len(lines) == 1
    code, out, _ = run(capsys, "check", path, cert, "--json", "--expect", "refuted")
    data = json.loads(out)
    assert (code, data["result"], data["valid"], data["ok"]) == (1, "certified", True, False)


def test_two_ways_to_the_digest_agree(tmp_path):
    path = problem_file(
        tmp_path,
        epsilon="-(-1/2) + exp(1/3)*log(4/3)/2",
        noise={"kind": "laplace", "scale": "1/log((exp(1)-1/2)/(1/2))"},
        delta="1e-3",
        pairs=[["b", "a"], ["a", "b"], ["c", "a"]],
    )
    code = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); from reader import reader;" \
        "print(reader.digest(reader.parse_problem(pathlib.Path(sys.argv[2]).read_bytes(), True)))"
    command = [sys.executable, "-I", "-S", "-c", code, str(KERNEL), str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == problem_digest(Problem.load(path))


def test_export_is_about_pure_epsilon_verdicts(capsys, tmp_path):
    cert = tmp_path / "cert"
    run(capsys, "certify", "example:tie-delta", "-o", cert)
    assert run(capsys, "export", cert, "--problem", "example:tie-delta", "--smtlib")[0] == 2


@pytest.mark.parametrize("kind", ["none", "laplace"])
@pytest.mark.parametrize(
    ("epsilon", "delta", "same"),
    [("1/3", "log(4)-2*log(2)", True), ("0", "log(4)-2*log(2)", False),
     ("1/3", "1-log(4)+2*log(2)", False)],
)
def test_a_delta_that_is_0_or_1_in_other_words_has_its_certificate(kind, epsilon, delta, same):
    """No enclosure tells such a delta from 0 or 1: the kernel takes it as what it is."""
    p, q = {"0": "1/3", "1": "2/3"}, {"0": "1/3", "1": "2/3"} if same else {"5": "1"}
    noise = {"kind": kind} if kind == "none" else {"kind": kind, "scale": "0"}
    data = {
        "schema": "pfverify/problem/1", "epsilon": epsilon, "delta": delta, "noise": noise,
        "priors": {n: {"kind": "discrete", "mass": m} for n, m in (("a", p), ("b", q))},
    }
    refuted = not same and epsilon == "0"
    assert kernel_word(data) == ("refuted" if refuted else "certified")


def test_a_crowd_too_large_for_the_kernel_says_what_to_do(capsys, tmp_path, monkeypatch):
    said = "too much work: a sum of users with 49252 values of 6064 bits"
    monkeypatch.setattr(build, "run_kernel", lambda *_, **__: CheckResult("rejected", said, 1))
    problem, cert = tmp_path / "p.toml", tmp_path / "p.cert"
    problem.write_text(packaged.example_text("four-users-values"), "utf-8")
    assert main(["certify", str(problem), "-o", str(cert)]) == 3
    assert 'rest = "any"' in capsys.readouterr().err
    assert not cert.exists()
