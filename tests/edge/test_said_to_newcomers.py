"""Messages that a newcomer met: each says what is true of the file, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pfverify import Joint, Laplace, Problem
from pfverify.edge.cli import main
from pfverify.edge.glossary.entries import lookup
from pfverify.edge.proofs import kept_words
from pfverify.proof.outcome import Outcome, Result

HEAD = 'schema = "pfverify/problem/1"\nepsilon = 1\n[noise]\nkind = "laplace"\nscale = 2\n'
SYSTEM = """[system]
rest = "any"
others = [{ bernoulli = "1/5", count = 100 }]
[system.user]
visit = { point = 1 }
none = { point = 0 }
"""
KNOWN = SYSTEM.replace("any", "known")
AT_FIVE = 'threshold = { at = 5, keep = "at-least" }\n'
STEP = f"[[post]]\n{AT_FIVE}"
WEEKS = "".join(
    f'[priors.{name}]\nkind = "joint"\nnames = ["w1", "w2"]\nrows = [[{x}, {x}, 1]]\n'
    for name, x in (("a", 0), ("b", 1))
)
CHAIN = """[chain]
states = { a = 0, b = 1 }
start = "stationary"
transition = { a = { a = "7/10", b = "3/10" }, b = { a = "3/10", b = "7/10" } }
length = 10
release = "each"
"""
CELLS = """[system]
release = "histogram"
categories = ["north", "south"]
others = [{ mass = { north = "1/5", south = "4/5" }, count = 10 }]
[system.user]
one = { point = "north" }
three = { point = { north = 3 } }
"""
PRIORS = """[priors.ill]
kind = "discrete"
mass = { "0" = "1/5", "1" = "1/2", "2" = "3/10" }
[priors.well]
kind = "discrete"
mass = { "0" = "2/5", "1" = "9/20", "2" = "3/20" }
"""
AGAIN = HEAD + "releases = 52\n"


@pytest.mark.parametrize(
    ("arguments", "text", "words"),
    [
        (["calibrate", "p.toml", "--threshold"], HEAD + SYSTEM + STEP,
         ["any number may be added", 'rest = "known" finds it']),
        (["calibrate", "p.toml", "--threshold"], AGAIN + SYSTEM + STEP, ["any number may be"]),
        (["certify", "p.toml"], f"{HEAD}{KNOWN}[[pre]]\n{AT_FIVE}",
         ["tells without noise", "likelier under one secret", "no scale of noise helps",
          "does not decide it", "by the noisy value"]),
        (["certify", "p.toml"], AGAIN + KNOWN + STEP,
         ["one number", "52 releases, all of one X", 'rest = "any"', "or no post"]),
        (["certify", "p.toml", "--explain"], HEAD + SYSTEM + STEP,
         ["steps behind several numbers, releases, or a sum with rest = any are not written out",
          "without the steps they are"]),
        (["certify", "p.toml"], HEAD + CHAIN, ["one number", '"joint" priors', "path"]),
        (["certify", "p.toml"], HEAD + CELLS, ["in a histogram a person is in one category"]),
        (["certify", "p.toml"], HEAD + STEP + WEEKS,
         ["post[0].coordinate: missing, expected which of w1, w2 threshold acts on"]),
        (["check", "p.toml"], HEAD + SYSTEM, ["p.cert: there is no such file; pfverify certify"]),
    ],
)  # fmt: skip
def test_a_message_is_true_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], text: str, words: list[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("p.toml").write_text(text)
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    for word in words:
        assert word in line
    for false in ("5 against 4", "expected a threshold", "processed", "did you mean 'mean'"):
        assert false not in line


def test_coordinates_with_the_same_steps_are_named_together() -> None:
    def said(names: list[str]) -> str:
        steps = [{"coordinate": name, "threshold": {"at": 5}} for name in names]
        priors = {s: Joint(names, [[*[x] * len(names), 1]]) for s, x in (("a", 0), ("b", 1))}
        return Problem(priors, noise=Laplace(6), epsilon=10, post=steps).release.released(bare=True)

    many = [f"w{k}" for k in range(1, 53)]
    once = "threshold: what is at least 5 stays, the rest is suppressed"
    assert said(many).endswith(f"then exactly these steps: w1, w2, … (52): {once}")
    assert said(many[:2]).endswith(f"then exactly these steps: w1, w2: {once}")


def test_the_report_of_an_undecided_file_says_the_steps_and_what_would_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    steps = "[[post]]\nround = { to = 1 }\n"
    Path("p.toml").write_text(AGAIN.replace("epsilon = 1", "epsilon = 0.2") + PRIORS + steps)
    assert main(["report", "p.toml", "-o", "p.md"]) == 3
    text = " ".join(Path("p.md").read_text("utf-8").split())
    assert "Then, in this order: round to multiples of 1, halves up. What" in text
    assert "find a scale that is enough without the steps" in text
    assert "discrete priors with laplace noise" in text
    assert "Processed" not in text
    assert "Discrete priors" not in text


@pytest.mark.parametrize(
    ("term", "names"),
    [
        ("releases", ["repeated releases"]), ("continual release", ["repeated releases"]),
        ("fresh", ["draws"]), ("time series", ["correlated"]),
        ("composition", ["composition", "repeated releases"]),
    ],
)  # fmt: skip
def test_words_of_newcomers_lead_to_a_term(term: str, names: list[str]) -> None:
    assert [entry.term for entry in lookup(term)] == names


@pytest.mark.parametrize("term", ["correlated", "weekly"])
def test_a_number_per_week_of_one_person_is_asked_with_joint_priors(term: str) -> None:
    (entry,) = lookup(term)
    assert entry.definition is not None
    assert 'kind = "joint": a coordinate for each week' in entry.definition
    assert "every week against never" in entry.definition


def test_one_claim_is_no_plural() -> None:
    def kept(*which: bool) -> str | None:
        return kept_words([_claim(kept=one) for one in which])

    assert (kept(True) or "").startswith("this claim was checked")
    assert (kept(True, False) or "").startswith("1 of these 2 was checked")
    assert (kept(True, True) or "").startswith("2 of these 2 were checked")


def _claim(*, kept: bool) -> Outcome:
    return Outcome("N1", "words", "source", Result.PROVED, kept=kept)
