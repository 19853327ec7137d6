"""`check` on files that changed, that are swapped, or that are many."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from pfverify import Discrete, Gaussian, GaussianNoise, Laplace, Problem
from pfverify.certificate.noted import MAX_TEXT, noted, read
from pfverify.certificate.statement import canonical_text
from pfverify.edge.changed import OTHER_PROBLEM, changes
from pfverify.edge.cli import main
from pfverify.edge.mistaken import FileKind, kind_of
from pfverify.edge.packaged import example_names, load_example

pytestmark = pytest.mark.usefixtures("kernel_here")

ROOT = Path(__file__).parents[2]
MAKES = "pfverify certify PROBLEM -o NAME.cert makes one"


def problem(**more: Any) -> Problem:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 1: "3/4"})}
    return Problem(**({"priors": priors, "noise": Laplace("51/25"), "epsilon": "1/2"} | more))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")  # lines are whole


def certified(name: str = "mine", **more: Any) -> None:
    problem(**more).save(f"{name}.toml")
    assert main(["certify", f"{name}.toml", "-o", f"{name}.cert"]) in (0, 1)


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["check", *arguments])
    return code, *capsys.readouterr()


THIRD = Discrete({0: 1})
CHANGES = [
    ({"noise": Laplace("0.1")}, ["scale 2.04 became 0.1"]),
    ({"epsilon": "log(3)"}, ["epsilon 0.5 became log(3)"]),
    ({"delta": "1e-6"}, ["delta 0 became 0.000001"]),
    ({"form": "pointwise"}, ["form events became pointwise"]),
    ({"noise": GaussianNoise(2), "delta": "1/10"},
     ["delta 0 became 0.1", "noise laplace became gaussian"]),
    ({"priors": {"a": Discrete({0: 1}), "b": problem().beliefs["default"]["b"]}},
     ["the prior of a changed"]),
    ({"priors": {**problem().beliefs["default"], "c d": THIRD}},
     ["the pairs changed", "secret c d is new"]),
    ({"priors": {"a": problem().beliefs["default"]["a"], "c": THIRD}},
     ["the pairs changed", "secret b is gone", "secret c is new"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), CHANGES, ids=lambda one: str(one)[:40])
def test_what_changed_is_said_and_what_to_run(
    capsys: pytest.CaptureFixture[str], change: dict[str, Any], said: list[str]
) -> None:
    certified()
    problem(**change).save("mine.toml")
    code, out, err = checked(capsys, "mine.toml", "mine.cert")
    remedy = "pfverify certify -o mine.cert mine.toml"
    assert (code, err) == (1, "")
    assert out == f"rejected: {OTHER_PROBLEM}: {', '.join(said)}; run `{remedy}`\n"
    _, out, _ = checked(capsys, "mine.toml", "mine.cert", "--json")
    data = json.loads(out)
    assert (data["changed"], data["remedy"], data["message"]) == (said, remedy, OTHER_PROBLEM)


def test_where_the_scale_is_gone_the_command_that_is_named_works(
    capsys: pytest.CaptureFixture[str],
) -> None:
    certified()
    problem(noise=Laplace()).save("mine.toml")
    _, out, _ = checked(capsys, "mine.toml", "mine.cert")
    assert "scale is gone; run `pfverify calibrate mine.toml`" in out
    assert main(["calibrate", "mine.toml"]) == 0


def test_the_remedy_works(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a folder").mkdir()
    certified("a folder/mine")
    problem(epsilon=2).save("a folder/mine.toml")
    _, out, _ = checked(capsys, "a folder/mine.toml", "--json")
    tool, *words = shlex.split(json.loads(out)["remedy"])
    assert (tool, main(words)) == ("pfverify", 0)
    assert checked(capsys, "a folder/mine.toml", "--expect", "certified")[0] == 0


@pytest.mark.parametrize("command", ["calibrate", "coupling"])
def test_the_remedy_makes_a_certificate_of_its_kind(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    problem().save("mine.toml")
    assert main([command, "mine.toml", "-o", "mine.cert"]) == 0
    problem(epsilon=2).save("mine.toml")
    assert f"run `pfverify {command} -o mine.cert mine.toml`" in checked(capsys, "mine.toml")[1]


def test_so_it_is_of_a_statement(capsys: pytest.CaptureFixture[str]) -> None:
    problem().save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert", "--attest"]) == 0
    problem(noise=Laplace(9)).save("mine.toml")
    code, out, err = checked(capsys, "mine.toml", "mine.cert")
    remedy = "pfverify certify --attest -o mine.cert mine.toml"
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"other bytes (sha256): scale 2.04 became 9; run `{remedy}`" in err
    assert main(shlex.split(remedy)[1:]) == 0
    assert checked(capsys, "mine.toml", "mine.cert", "--expect", "certified")[0] == 0
    data = json.loads(Path("mine.cert").read_text())
    for predicate in (3, {"produced_by": 3}, {"result": []}, None):
        Path("mine.cert").write_text(json.dumps(data | {"predicate": predicate}))
        problem(epsilon=3).save("mine.toml")
        code, out, err = checked(capsys, "mine.toml", "mine.cert")
        assert (code, out) == (2, "")
        assert err.endswith("other bytes (sha256)\n")


@pytest.mark.parametrize("name", example_names())
def test_what_changed_is_said_of_every_kind_of_release(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    one = load_example(name)
    if one.release.noise.has_size and one.release.noise.scale is None:
        one = one.replaced(scale=1)
    one.save("mine.toml")
    Path("mine.cert").write_text(canonical_text({
        "problem": "0" * 64, "produced_by": {"pfverify": "0.1.0", "problem": noted(one)},
        "result": "certified", "schema": "pfverify/certificate/1", "steps": [],
    }) + "\n")  # fmt: skip
    one.replaced(epsilon="77/78").save("mine.toml")
    code, out, err = checked(capsys, "mine.toml", "mine.cert")
    assert (code, err) == (1, "")
    assert "became 77/78; run `pfverify certify -o mine.cert mine.toml`" in out


def noting(text: object) -> None:
    """Write the note of a certificate anew."""
    data = json.loads(Path("mine.cert").read_text())
    data["produced_by"]["problem"] = text
    Path("mine.cert").write_text(canonical_text(data) + "\n")


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "3", "null", '{"epsilon": 3}', '{"noise": [1]}', '{"beliefs": {"default": 1}}',
     '{"beliefs": {"default": {"a": [1]}}}', "[" * 10_000, " " * (MAX_TEXT + 1), '{"a": NaN}'],
)  # fmt: skip
def test_a_note_that_cannot_be_read_changes_nothing(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    certified()
    noting(text)
    assert checked(capsys, "mine.toml", "mine.cert", "--expect", "certified")[0] == 0
    problem(epsilon=2).save("mine.toml")
    code, out, err = checked(capsys, "mine.toml", "mine.cert")
    assert (code, err) == (1, "")
    assert out.startswith(f"rejected: {OTHER_PROBLEM}")
    assert "epsilon" not in out.replace('{"epsilon', "")


def test_a_certificate_without_a_note_is_as_good(capsys: pytest.CaptureFixture[str]) -> None:
    certified()
    data = json.loads(Path("mine.cert").read_text())
    del data["produced_by"]["problem"]
    Path("mine.cert").write_text(canonical_text(data) + "\n")
    assert checked(capsys, "mine.toml", "mine.cert", "--expect", "certified")[0] == 0
    problem(epsilon=2).save("mine.toml")
    _, out, _ = checked(capsys, "mine.toml", "mine.cert")
    assert out == f"rejected: {OTHER_PROBLEM}; run `pfverify certify -o mine.cert mine.toml`\n"


def test_a_forged_note_never_makes_a_certificate_valid(capsys: pytest.CaptureFixture[str]) -> None:
    certified()
    wrong = problem(noise=Laplace("1/1000"), priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})})
    wrong.save("mine.toml")
    noting(noted(wrong))
    code, out, _ = checked(capsys, "mine.toml", "mine.cert")
    assert (code, out.split(":")[0]) == (1, "rejected")


def test_a_note_cannot_write_lines_or_escapes_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    certified()
    names = {"form": "events\ncertified: all", "epsilon": "\x1b[31m1", "x\ny\x1b": "z"}
    noting(json.dumps(names | {"beliefs": {"default": {"a\n\x1b[0m": "1"}}}))
    problem(epsilon=2).save("mine.toml")
    _, out, _ = checked(capsys, "mine.toml", "mine.cert")
    assert out.count("\n") == 1
    assert "\x1b" not in out


@pytest.mark.parametrize("name", example_names())
def test_what_is_noted_is_short_and_read_again(name: str) -> None:
    one = load_example(name)
    text = noted(one)
    assert len(text) <= 4000
    assert read(text) == json.loads(text)
    assert list(changes(read(text), read(noted(one)))) == []
    other = one.replaced(epsilon="77/78")
    assert any("became 77/78" in change for change in changes(read(text), read(noted(other))))


def test_many_priors_are_noted_as_one() -> None:
    many = Problem({f"s{k}": Discrete({k: 1}) for k in range(70)}, noise=Laplace(1), epsilon=1)
    assert read(noted(many))["beliefs"].startswith("sha256:")
    more = Problem({f"s{k}": Discrete({k: 1}) for k in range(71)}, noise=Laplace(1), epsilon=1)
    found = list(changes(read(noted(many)), read(noted(more))))
    assert found == ["the pairs changed", "the priors changed"]
    long_ = Problem({f"{k}{'x' * 900}": Gaussian(k, 1) for k in range(30)}, noise=Laplace(1),
                    epsilon=1)  # fmt: skip
    assert noted(long_) == "{}"


def test_many_changes_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    certified(priors={f"s{k}": Discrete({0: k + 1, 1: 1}) if k < 0 else
                      Discrete(counts={0: k + 1, 1: 1}) for k in range(9)})  # fmt: skip
    problem(priors={f"s{k}": Discrete(counts={0: k + 2, 1: 1}) for k in range(9)}).save("mine.toml")
    assert "the prior of s4 changed, 4 more; run" in checked(capsys, "mine.toml", "mine.cert")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "mine.cert", "mine.toml"],
         "the certificate comes after the problem: pfverify check mine.toml mine.cert"),
        (["check", "mine.cert", "mine.cert"], "this is a certificate, expected the problem before"),
        (["check", "mine.toml", "mine.toml"], "this is a problem, expected its certificate"),
        (["certify", "mine.cert"], "expected a problem: pfverify check PROBLEM mine.cert"),
        (["loss", "mine.cert"], "expected a problem: pfverify check PROBLEM mine.cert"),
        (["calibrate", "signed.json"], "expected a problem: pfverify check PROBLEM signed.json"),
        (["coupling", "plan.csv"], "expected a problem: pfverify coupling PROBLEM --plan plan.csv"),
        (["coupling", "plan.json"], "expected a problem: pfverify coupling PROBLEM --plan"),
        (["check", "other.toml"], f"other.cert: there is no such file; {MAKES}"),
        (["check", "mine.toml", "missing"], "missing: there is no such file"),
    ],
)
def test_what_is_given_in_place_of_another_is_named(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    certified()
    assert main(["certify", "mine.toml", "-o", "signed.json", "--attest"]) == 0
    problem().save("other.toml")
    Path("plan.csv").write_text("from,to,mass\n0,0,1\n")
    Path("plan.json").write_text('{"plan": [["0", "0", "1"]]}')
    capsys.readouterr()
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err


@pytest.mark.parametrize("text", ["hello", "", "{}", "[1]", "from,to,mass\n", '{"schema": 1}'])
def test_a_file_that_is_no_certificate(capsys: pytest.CaptureFixture[str], text: str) -> None:
    problem().save("mine.toml")
    Path("other").write_text(text)
    code, out, err = checked(capsys, "mine.toml", "other")
    assert (code, err, out.count("\n")) == (2, "", 1)
    assert out.startswith("malformed: other is no certificate (certify -o writes one): ")


def test_no_editor_is_blamed_for_what_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    problem().save("mine.toml")
    Path("other").write_bytes(b"\xff\r\n\x00")
    code, out, _ = checked(capsys, "mine.toml", "other")
    assert (code, out.count("\n"), "editor" in out) == (2, 1, False)
    assert out.startswith("malformed: other is no certificate")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('# x\nschema = "pfverify/problem/1"', FileKind.PROBLEM),
        ("\ufeffschema='pfverify/problem/1'", FileKind.PROBLEM),
        ('{"epsilon": 1, "schema": "pfverify/problem/1"}', FileKind.PROBLEM),
        ('{"problem":"00","schema":"pfverify/certificate/1"}', FileKind.CERTIFICATE),
        ('{ "_type": "https://in-toto.io/Statement/v1"}', FileKind.CERTIFICATE),
        ("from,to,mass\n", FileKind.PLAN), ("mass;from;to", FileKind.PLAN),
        ('"from","to","mass"', FileKind.PLAN),
        ("from,to,distance\n", None), ("# the mass from a to b\nepsilon = 1", None), ("", None),
    ],
)  # fmt: skip
def test_kinds_are_told_by_how_a_file_begins(text: str, kind: FileKind | None) -> None:
    Path("f").write_text(text, "utf-8")
    assert kind_of(Path("f")) is kind
    assert kind_of(Path("missing")) is None
    assert kind_of(Path(".")) is None


def several() -> None:
    for name in ("one", "two"):
        certified(f"all/{name}")
    certified("all/three", noise=Laplace("1/50"), priors={"a": Discrete({0: 1}),
                                                          "b": Discrete({1: 1})})  # fmt: skip


def test_a_folder_is_checked_against_the_certificates_beside(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("all").mkdir()
    several()
    code, out, err = checked(capsys, "all", "--json")
    data = json.loads(out)
    assert (code, err, data["schema"]) == (0, "", "pfverify/results/1")
    assert [(one["problem"], one["result"]) for one in data["results"]] == [
        ("all/one.toml", "certified"), ("all/three.toml", "refuted"), ("all/two.toml", "certified"),
    ]  # fmt: skip
    assert {one["schema"] for one in data["results"]} == {"pfverify/check/1"}
    code, out, _ = checked(capsys, "all", "--expect", "certified")
    assert code == 1
    assert "all/one.toml: certified: every belief (1)" in out
    assert "3 answers: 2 certified, 1 refuted, expected certified\n" in out


def test_a_missing_certificate_is_a_failure_that_names_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("all").mkdir()
    several()
    Path("all/two.cert").unlink()
    problem(epsilon=3).save("all/one.toml")
    code, out, err = checked(capsys, "all", "--json")
    data = json.loads(out)
    assert code == 2
    assert [one.get("result") for one in data["results"]] == ["rejected", "refuted", None]
    assert data["results"][0]["changed"] == ["epsilon 0.5 became 3"]
    assert err == f"pfverify: all/two.toml: all/two.cert: there is no such file; {MAKES}\n"
    code, _, err = checked(capsys, "all", "other")
    assert (code, err.count("there is no such file")) == (2, 3)
    code, _, err = checked(capsys, "all", "all/one.cert")
    assert (code, err.count("\n")) == (2, 1)
    assert "all/one.cert: this is a file, expected a folder with NAME.cert" in err


def test_what_certify_wrote_into_a_folder_is_checked_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("all").mkdir()
    several()
    assert main(["certify", "all", "-o", "certs"]) == 1
    assert checked(capsys, "all", "certs")[0] == 0
    assert checked(capsys, "all", "certs", "--trusts", "--json")[0] == 0
