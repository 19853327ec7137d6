"""The text of `export --coq`: what it says is the problem, and nothing in a name changes that.

That coqc accepts it is tested in `tests/coq`.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.examples import discrete_examples

from pfverify import Discrete, DiscreteLaplace, Gaussian, GaussianNoise, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.edge.coq.names import CoqNames, commented
from pfverify.edge.coq.numbers import coq_decimal, coq_number, logarithm_bases
from pfverify.edge.coq.statements import Wording
from pfverify.edge.coq.text import coq_text
from pfverify.edge.packaged import example_path
from pfverify.exact.number import Number

HEADER = "(* sh proofs/coq/compile && coqc -R proofs/coq Pfverify {} *)"
HOSTILE = (
    "a *) Axiom wrong : False. (*", 'a "quote', "a (* open", "Über straße", "😀", "Theorem", "0",
    "a b", "a_b", "a-b", "law", "pairs", "'", "\\", "é" * 99,
)  # fmt: skip
UNPRINTABLE = ("a\nAdmitted.", "\u202e*)", "\x00", "\ud800")  # no problem has these


@pytest.fixture(autouse=True)
def theory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kernel_here: None) -> Path:
    """A folder of work with something like a theory in it."""
    folder = tmp_path / "proofs" / "coq"
    folder.mkdir(parents=True)
    for name in ("compile", "Check.v"):
        (folder / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return folder


def problem(**more: Any) -> Problem:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", "3/2": "3/4"})}
    return Problem(**({"priors": priors, "noise": Laplace("51/25"), "epsilon": 1} | more))


def exported(capsys: pytest.CaptureFixture[str], name: str, command: str = "certify") -> str:
    """The text for a problem file (or example), through its certificate."""
    assert main([command, name, "-o", "mine.cert"]) in (0, 1)
    capsys.readouterr()
    assert main(["export", "mine.cert", "--problem", name, "--coq", "-o", "mine.v"]) == 0
    assert capsys.readouterr() == ("", "")
    return Path("mine.v").read_text("ascii")


def of(capsys: pytest.CaptureFixture[str], asked: Problem, command: str = "certify") -> str:
    asked.save("mine.toml")
    return exported(capsys, "mine.toml", command)


def without_comments(text: str) -> str:
    """What Coq reads of a text: comments nest, and strings count inside them."""
    kept, depth, at = "", 0, 0
    while at < len(text):
        two = text[at : at + 2]
        if two == "(*" or (depth and two == "*)"):
            depth += 1 if two == "(*" else -1
            at += 2
        else:
            assert text[at] != '"', "a string"
            kept += "" if depth else text[at]
            at += 1
    assert depth == 0
    return kept


def tables(text: str) -> dict[str, dict[Fraction, Fraction]]:
    """Name -> masses, of every table that a text defines."""
    text = without_comments(text)
    lists = dict(re.findall(r"Definition (\w+) :=\s+\[([^]]*)\]%Z", text))
    found = {}
    for name, unit, whole, rows in re.findall(
        r"Definition (\w+) : table := Table\s+(\w+)\s+(\w+)\s+([^.]*)\.", text
    ):
        parts = re.findall(r"\w+_rows\w*", rows)
        rows = "; ".join(lists[part] for part in parts) if parts else rows
        pairs = [(int(x, 0), int(w, 0)) for x, w in re.findall(r"\((-?\w+),\s+(\w+)\)", rows)]
        found[name] = {Fraction(x, int(unit, 0)): Fraction(w, int(whole, 0)) for x, w in pairs}
        assert len(found[name]) == len(pairs) == rows.count("(")
        assert [x for x, _ in pairs] == sorted(x for x, _ in pairs)
    return found


def compared(text: str) -> list[list[str]]:
    """The pairs of tables, of every group."""
    lines = re.findall(r"Definition pairs\w* := \[([^]]*)\]\.", without_comments(text))
    return [found.split(", ") for rows in lines
            for found in re.findall(r"\(([^)]*)\)", " ".join(rows.split()))]  # fmt: skip


def agrees(text: str, asked: Problem) -> None:
    """Every pair of the problem is in the text, with its exact masses."""
    known = tables(text)
    items = list(asked.questions())
    assert len(compared(text)) == len(items)
    for item, names in zip(items, compared(text), strict=True):
        for name, prior in zip(names, (item.first_prior, item.second_prior), strict=True):
            assert isinstance(prior, Discrete)
            assert known[name] == prior.mass
    assert max(map(len, text.splitlines())) <= 100 or "0x" in text


def test_the_census_fits_on_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    text = exported(capsys, "example:census")
    lines = text.splitlines()
    assert lines[0] == HEADER.format("mine.v")
    assert len(lines) <= 42
    assert "Definition scale : number := (23 / 20)%number." in lines
    assert "Theorem census_is_private :" in lines
    assert text.count("Qed.") == text.count("Theorem") == 1
    assert lines[-1] == "(* Its axioms, in some seconds: Print Assumptions census_is_private. *)"
    agrees(text, Problem.load(example_path("census")))


CHEAP = ("four-users-laws-absent", "tie-bernoulli", "tie-point-masses")


@pytest.mark.parametrize("name", CHEAP)
def test_the_data_of_packaged_problems_come_back(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert name in discrete_examples()
    text = exported(capsys, f"example:{name}")
    if name.startswith("four"):
        assert "Definition users := Systems.System [(1%positive, others_1)" in text
        assert "Taken from pfverify" not in text
        return
    agrees(text, Problem.load(example_path(name)))


def test_of_many_users_the_laws_are_written_and_not_their_sum(
    capsys: pytest.CaptureFixture[str],
) -> None:
    others = [
        {"bernoulli": "1/3", "count": 500, "presence": "1/2"}, {"mass": {"1/2": "1/5", 2: "4/5"}}
    ]  # fmt: skip
    asked = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": {"kind": "laplace", "scale": 9},
             "system": {"others": others, "presence_model": "independent",
                        "user": {"yes": {"point": 3}, "away": "absent"}}}  # fmt: skip
    text = of(capsys, Problem.from_table(asked))
    users = "users := Systems.System [(500%positive, others_1); (1%positive, others_2)] 1."
    assert users in text
    assert tables(text) == {
        "prior_yes": {3: 1}, "prior_away": {0: 1},
        "others_1": {0: Fraction(5, 6), 1: Fraction(1, 6)},
        "others_2": {Fraction(1, 2): Fraction(1, 5), 2: Fraction(4, 5)},
    }  # fmt: skip
    assert "release (value scale) (Systems.released_law users P) y" in text
    said = " ".join(text.split())
    assert "Taken from pfverify, not proved here: that a user who is there" in said
    asked["system"]["user"]["maybe"] = {"bernoulli": "1/2"}  # type: ignore[index]
    Problem.from_table(asked).save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) == 0
    assert "digits in all; Coq can be given tables of at most" in refused(capsys, *EXPORT)


def test_where_nothing_is_known_of_the_others_no_sums_are_claimed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    user = {"yes": {"point": 1}, "no": {"point": 0}}
    system = {"others": [{"bernoulli": "1/2", "count": 2}], "rest": "any", "user": user}
    asked = {"schema": "pfverify/problem/1", "epsilon": 1, "system": system,
             "noise": {"kind": "laplace", "scale": 2}}  # fmt: skip
    Path("mine.json").write_text(json.dumps(asked))
    text = exported(capsys, "mine.json")
    one = Fraction(1)
    assert tables(text) == {"prior_yes": {one: one}, "prior_no": {0 * one: one}}
    assert "S is any law of what the others report in sum." in " ".join(text.split())
    assert "    forall S, probability S ->" in text.splitlines()
    assert "release (value scale) (Systems.released 1 (law P) S) y" in text
    assert "Taken from pfverify" not in text


def test_what_is_taken_from_python_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """The tables are laws of the sum where no theorem is about the users."""
    user = {"yes": {"point": 1}, "no": {"point": 0}}
    system = {"others": [{"bernoulli": "1/2", "count": 2}], "user": user}
    asked = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": "1/9", "system": system,
             "noise": {"kind": "laplace", "scale": "3/4"}}  # fmt: skip
    text = of(capsys, Problem.from_table(asked))
    words = "that the tables are the laws of what the independent users release in sum"
    assert f"Taken from pfverify, not proved here: {words}" in " ".join(text.split())
    agrees(text, Problem.from_table(asked))


def test_several_beliefs_long_tables_and_odd_units(capsys: pytest.CaptureFixture[str]) -> None:
    tiny = Fraction(1, 10**50)
    long = {k: k + 1 for k in range(1200)}
    asked = problem(
        priors=None,
        beliefs={
            "one": {"a": Discrete(counts=long), "b": Discrete(counts=long | {0: 3})},
            "two": {"a": Discrete({"-1/3": 1}), "b": Discrete({"1/7": tiny, 0: 1 - tiny})},
        },
    )
    text = of(capsys, asked)
    agrees(text, asked)
    assert "prior_one_a_rows_2" in text
    assert "(0, 0x" in text
    assert "under the belief 'two'" in text


def test_hostile_names_stay_inside_comments(capsys: pytest.CaptureFixture[str]) -> None:
    priors = {name: Discrete({0: "1/2", k: "1/2"}) for k, name in enumerate(HOSTILE, 1)}
    first, *others = HOSTILE
    asked = problem(priors=priors, pairs=[(first, other) for other in others], noise=Laplace(99))
    text = of(capsys, asked)
    agrees(text, asked)
    assert not re.search(r"\b(Axiom|Admitted)\b", without_comments(text))
    assert len(tables(text)) == len(HOSTILE)
    assert all(re.fullmatch(r"prior_\w+", name) for name in tables(text))
    assert text.isascii()


def test_identifiers_are_distinct_and_comments_closed() -> None:
    names = CoqNames()
    texts = (*HOSTILE, *UNPRINTABLE)
    found = [names.new("prior", text) for text in (*texts, *texts, "a_2")]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[A-Za-z]\w*", name) for name in found)
    assert names.new("", "7 *)", "is_private") == "problem_7_is_private"
    for text in texts:
        assert without_comments(f"(* {commented(text)} *)") == ""


def test_numbers_are_written_as_they_are() -> None:
    for text, expected in {
        "3/log(3)": "(3 / Log 3)%number",
        "1/log((exp(1)-1/2)/(1/2))": "(1 / Log ((Exp 1 - (1 / 2)) / (1 / 2)))%number",
        "-log(2)*3": "((- Log 2) * 3)%number",
        "log(2)-(1-log(3))": "(Log 2 - (1 - Log 3))%number",
        "-1/3": "((-1) / 3)%number",
        "sqrt(2)/2": "(Sqrt 2 / 2)%number",
        "0": "0%number",
    }.items():
        assert coq_number(Number.parse(text)) == expected
    assert coq_decimal("0.55675611023") == "(55675611023 / 100000000000)%number"
    assert coq_decimal("1.2e3") == "1200%number"
    assert coq_decimal("1e-3") == "(1 / 1000)%number"
    assert logarithm_bases([Number.parse("log(12)/2"), Number.parse("1/log(9/8)")]) == [2, 3]
    assert logarithm_bases([Number.parse("7/3")]) == []


def test_a_refutation_states_the_pair_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    same = Discrete({0: 1})
    asked = problem(priors={"a": same, "b": same, "c": Discrete({9: 1})}, noise=Laplace(1))
    asked.save("mine.toml")
    text = exported(capsys, "mine.toml")
    assert "Theorem mine_is_not_private :" in text
    assert "The pair below fails, and so the problem is not private." in text
    assert [sorted(pair) for pair in compared(text)] == [["prior_a", "prior_c"]]
    assert sorted(tables(text)) == ["prior_a", "prior_c"]


SETTINGS = ("tables", "lattice", "users", "any_rest", "events", "pointwise")
KINDS = ("private", "not_private", "private_above", "minimum")
OF_TABLES = ("private_without_noise", "not_private_without_noise", "private_at_no_scale")


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_word_of_a_statement_is_known_in_every_setting(setting: str) -> None:
    names = ("scale", "lower", "epsilon", "pairs", "step", "users", "among", "bits", "bases",
             "suffix", "which", "shown", "shown_lower")  # fmt: skip
    wording = Wording(setting, {name: f"a_{name}" for name in names}, CoqNames())
    kinds = (*KINDS, *(OF_TABLES if setting in ("tables", "lattice") else ()))
    for kind in kinds:
        for bound in ("{in_full}", "{in_short}"):
            words = {"bound": bound, **wording.of_bracket("a_lower", {})}
            theorem = wording.theorem(kind, "mine", words)
            text = "\n".join(theorem.lines())
            assert text.isascii()
            assert not set("{}") & set(text + theorem.words)
            assert text.count("(") == text.count(")")
            assert theorem.modules > theorem.defining


def test_a_setting_or_a_kind_of_theorem_without_words_is_an_error() -> None:
    with pytest.raises(KeyError):
        Wording("gaussian", {}, CoqNames())
    with pytest.raises(KeyError):
        Wording("tables", {}, CoqNames()).theorem("refuted", "mine", {})
    with pytest.raises(KeyError):
        Wording("tables", {}, CoqNames()).filled("{defined}", {})


def test_scales_with_the_minimum(capsys: pytest.CaptureFixture[str]) -> None:
    text = exported(capsys, "example:simulation-2", "calibrate")
    assert "Theorem simulation_2_minimum :" in text
    said = "  defined scale_l1 /\\ defined epsilon /\\ 0 < value scale_l1 /\\"
    assert f"Theorem l1_is_private :\n{said}" in text
    assert "    private (value scale_l1) (value epsilon) (law P) (law Q)." in text
    assert "Proof. exact l1_is_private. Qed." in text  # the same scale under another label
    end = "(* The axioms of a theorem, in some seconds: Print Assumptions simulation_2_minimum. *)"
    assert text.splitlines()[-1] == end


def test_no_noise_is_needed_and_none_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/3", 1: "2/3"})}
    asked = problem(priors=priors, noise=DiscreteLaplace(0, 1))
    text = of(capsys, asked)
    assert "Theorem mine_is_private_without_noise :" in text
    assert "Definition scale" not in text
    agrees(text, asked)
    assert "Theorem mine_is_private_without_noise :" in of(capsys, asked, "calibrate")
    text = of(capsys, problem(priors=priors, noise=DiscreteLaplace(0, 1), epsilon="1/10"))
    assert "Theorem mine_is_not_private_without_noise :" in text
    assert "* Means.mass_at (law Q) y < Means.mass_at (law P) y." in text
    assert "value scale" not in text
    text = of(capsys, problem(priors=priors, noise=Laplace(), epsilon=0), "calibrate")
    assert "    forall theta, 0 < theta -> ~ private theta (value epsilon) (law P) (law Q)." in text
    assert "Theorem mine_is_private_at_no_scale :" in text


def test_discrete_noise_and_delta(capsys: pytest.CaptureFixture[str]) -> None:
    priors = {"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}
    asked = problem(priors=priors, noise=DiscreteLaplace(1, "1/2"), delta="1/10")
    text = of(capsys, asked)
    assert "Definition step : number := (1 / 2)%number." in text
    assert "Lattice.discrete_release (value scale) (value step) (law P) y" in text
    assert "Proved is more than was asked: the bound holds with delta = 0." in text
    agrees(text, asked)


def test_extended_privacy_is_a_theorem_per_epsilon(capsys: pytest.CaptureFixture[str]) -> None:
    table = problem(priors={str(k): Discrete({k: 1}) for k in (0, 1, 3)}).to_table()
    asked = Problem.from_table(table | {"notion": "xdistp"})
    text = of(capsys, asked)
    assert len(re.findall(r"Theorem mine_is_private_\d :", text)) == 3
    assert "Definition epsilon_2 : number := 3%number." in text
    known = tables(text)
    found = [sorted(atom for name in pair for atom in known[name]) for pair in compared(text)]
    assert sorted(found) == [[0, 1], [0, 3], [1, 3]]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    before = sorted(Path().iterdir())
    capsys.readouterr()
    code = main(list(arguments))
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n"), sorted(Path().iterdir())) == (2, "", 1, before)
    return err


EXPORT = ("export", "mine.cert", "--problem", "mine.toml", "--coq", "-o", "mine.v")
@pytest.mark.parametrize(
    ("scale", "delta", "claim", "words"),
    [
        ("1/9", "9/10", "(release (value scale) (law Q)) <= value delta /\\", "at most delta"),
        ("1/9", "1/100", "value delta < Divergence.divergence (exp (value", "is above delta"),
    ],
)
def test_of_events_with_a_delta_the_divergences_are_stated(
    capsys: pytest.CaptureFixture[str], scale: str, delta: str, claim: str, words: str
) -> None:
    asked = problem(noise=Laplace(scale), delta=delta)
    text = of(capsys, asked)
    agrees(text, asked)
    assert claim in " ".join(text.split())
    assert f"Definition delta : number := ({delta.replace('/', ' / ')})%number." in text
    assert "events are finite unions of intervals" in " ".join(text.split())
    found = coq_text(asked, Path("mine.toml"), Path("mine.cert"), "proofs/coq", "mine.v")
    assert [said.endswith(words) for said in found.theorems.values()] == [True]


NOT_COVERED = [
    ({"priors": {"a": Gaussian(0, 1), "b": Gaussian(1, 1)}}, "a prior with a density, that of 'a'"),
    ({"noise": GaussianNoise(2), "delta": "1/2"}, "gaussian noise"),
    ({"noise": DiscreteLaplace("1/9", "1/2"), "delta": "9/10"}, "delta > 0 (the rule delta-upper)"),
    ({"noise": DiscreteLaplace("1/9", "1/2"), "delta": "1/10", "form": "pointwise"},
     "delta > 0 (the rule pointwise-refuted)"),
    ({"noise": Laplace(0), "delta": "1/10"}, "delta > 0 (the rule event-refuted)"),
    ({"noise": Laplace("2/sqrt(2)"), "epsilon": "sqrt(2)",
      "priors": {"a": Discrete({0: 1}), "b": Discrete({2: 1})}},
     "a tie with roots or products in epsilon or 1/scale"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "what"), NOT_COVERED, ids=[what for _, what in NOT_COVERED])
def test_what_has_no_rule_is_one_line_and_no_file(
    capsys: pytest.CaptureFixture[str], more: dict[str, Any], what: str
) -> None:
    problem(**more).save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) in (0, 1)
    err = refused(capsys, *EXPORT)
    assert f"there is no Coq rule for {what} yet; covered are priors of atoms" in err
    assert what in refused(capsys, "check", "mine.toml", "mine.cert", "--coq")


def test_bad_questions_are_one_line(
    capsys: pytest.CaptureFixture[str], theory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem().save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) == 0
    base = ("export", "mine.cert", "--problem", "mine.toml")
    assert "expected one of --smtlib and --coq" in refused(capsys, *base)
    assert "expected one of" in refused(capsys, *base, "--smtlib", "--coq")
    assert "--proofs: only with --coq" in refused(capsys, *base, "--smtlib", "--proofs", "p")
    check = ("check", "mine.toml", "mine.cert")
    assert "--proofs: only with --coq" in refused(capsys, *check, "--proofs", "proofs")
    assert "--coq-timeout: only with" in refused(capsys, *check, "--coq-timeout", "9")
    assert "'--coq-timeout'" in refused(capsys, *check, "--coq", "--coq-timeout", "0")
    for name in ("a-b.v", "mine.txt", "7.v", "é.v"):
        assert "Coq takes no file named" in refused(capsys, *base, "--coq", "-o", name)
    assert "begins with the command to run" in refused(capsys, *base, "--coq", "-o", "a*)/b.v")
    assert "of the theory" in refused(capsys, *base, "--coq", "-o", "proofs/coq/mine.v")
    assert "no/mine.v: cannot write" in refused(capsys, *base, "--coq", "-o", "no/mine.v")
    Path("mine.cert").write_text(Path("mine.cert").read_text().replace('"to":"b"', '"to":"a"'))
    assert "mine.cert: rejected" in refused(capsys, *EXPORT)
    (theory / "Check.v").unlink()
    assert "proofs holds no theory for Coq (coq/Check.v)" in refused(capsys, *EXPORT)


def test_without_coq_there_is_one_line_with_the_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem().save("mine.toml")
    assert main(["certify", "mine.toml", "-o", "mine.cert"]) == 0
    monkeypatch.setenv("PATH", "")
    err = refused(capsys, "check", "mine.toml", "mine.cert", "--coq")
    assert "coqc is not installed; apt-get install coq libcoq-interval libcoq-coquelicot" in err


def test_two_files_the_wrong_way_round_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["certify", "example:tie-point-masses", "-o", "a.cert"]) == 0
    capsys.readouterr()
    assert main(["export", "example:tie-point-masses", "--problem", "a.cert", "--smtlib"]) == 2
    assert "expected a problem: pfverify export CERTIFICATE --problem" in capsys.readouterr().err
