"""``pfverify start``: every way through the questions, what it writes, and what is refused."""

from __future__ import annotations

import io
import json
import math
import os
import pty
import select
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import pfverify
from pfverify import Problem, certify
from pfverify.certificate.checking import check
from pfverify.edge.cli import main
from pfverify.edge.sentences import sentence, sentences
from pfverify.edge.start.leaves import LEAVES, MARK, made
from pfverify.edge.start.questions import StartQuestion, answered, leaf, met, questions
from pfverify.edge.start.read import READERS
from pfverify.errors import InputError

MOST = 8  # questions
TEXTS = {
    "rows": ["1", "3"], "people": ["649"], "bounds": ["0,100", "-1/2,5"], "cells": ["a,b,c"],
    "answers": ["yes,no,silent"], "rate": ["1", "0.01"], "times": ["1", "12"],
    "after": ["nothing", "round=1;clamp=0,1000", "threshold=5", "suppress"],
    "epsilon": ["1,1e-6"],
}  # fmt: skip


class Ended(Exception):  # noqa: N818
    """A way that has to be gone on, at this question."""


def ways(said: Mapping[str, str]) -> Iterator[tuple[dict[str, str], int]]:
    """Every way through the questions with the answers above, and how many were asked."""
    open_: list[tuple[StartQuestion, list[str]]] = []
    count = 0

    def ask(question: StartQuestion, number: int, given: Mapping[str, str]) -> str:
        nonlocal count
        count = max(count, number)
        if question.name in said:
            return said[question.name]
        names = [one.name for one in question.options(given)]
        texts = names if question.kind == "choice" else TEXTS[question.name]
        if question.name == "after":
            words = {name.partition("=")[0] for name in names}
            texts = [text for text in texts if text.partition("=")[0] in words]
        open_.append((question, texts))
        raise Ended

    try:
        given, _ = answered({}, ask)
    except Ended:
        question, texts = open_[0]
        for text in texts:
            yield from ways({**said, question.name: text})
        return
    yield given, count


WAYS = list(ways({}))


def started(*options: str, file: str = "mine.toml") -> int:
    return main(["start", *options, "-o", file])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------- the tree


def test_there_are_at_most_eight_questions_and_every_end_is_reached() -> None:
    assert len(WAYS) > 300
    assert max(count for _, count in WAYS) <= MOST
    assert {leaf(given).make for given, _ in WAYS} == set(LEAVES)
    taken = {(name, text) for given, _ in WAYS for name, text in given.items()}
    for question in questions():
        if question.kind == "choice":
            assert {(question.name, one.name) for one in question.choices} <= taken


def test_every_way_makes_a_problem_that_is_read() -> None:
    for given, _ in WAYS:
        table = made(leaf(given).make, given)
        if leaf(given).make == "property":
            with pytest.raises(InputError, match=MARK):
                Problem.from_table(table)
            continue
        problem = Problem.from_table(table)
        assert len(problem.pairs) >= 1
        noise = problem.release.tables(problem.protection).get("noise", {})
        assert noise.get("releases", 1) in (1, int(given["times"])), given


def test_every_question_can_be_answered_by_not_knowing() -> None:
    for given, _ in WAYS:
        before: dict[str, str] = {}
        for question in questions():
            if question.name in given and met(question.where, before):
                kept, told = question.read("?", before)
                assert told
                assert question.read(kept, before) == (kept, None)
                assert question.read(" Unknown ", before) == (kept, told)
                assert question.example
                before[question.name] = given[question.name]


def test_the_data_of_the_tree_are_whole() -> None:
    assert {one.kind for one in questions()} <= set(READERS)
    for one in questions():
        assert one.ask.endswith(("?", "."))
        assert not any(default.told.endswith(".") for default in one.unknown)
    assert all(text.endswith(".") for text in sentences()["start-comments"].values())


# ---------------------------------------------------------------- verdicts


SCALES = [  # options, and the scale in closed form: sensitivity times releases over epsilon
    ("count --rows 3 --secret value --times 1 --after nothing --noise laplace --epsilon 1", 3),
    ("count --rows 1 --secret both --times 12 --after round=1;clamp=0,1000 "
     "--noise discrete-laplace --epsilon 1/2", 24),
    ("count --rows 1 --secret presence --times 2 --after threshold=5 --noise laplace "
     "--epsilon log(2)", 2 / math.log(2)),
    ("sum --bounds -5,100 --secret presence --times 1 --after clamp=0,100 --noise laplace "
     "--epsilon 1", 100),
    ("sum --bounds -5,100 --secret value --times 1 --after nothing --noise laplace --epsilon 1",
     105),
    ("sum --bounds 0,0.5 --secret both --times 3 --after nothing --noise discrete-laplace "
     "--epsilon 1", 1.5),
    ("mean --people 649 --bounds 0,100 --secret both --times 1 --after round=0.1 "
     "--noise laplace --epsilon 1", 100 / 649),
    ("histogram --cells a,b,absent --secret presence --times 1 --after round=1 "
     "--noise discrete-laplace --epsilon 1", 1),
    ("histogram --cells a,b,absent --secret both --times 12 --after nothing --noise laplace "
     "--epsilon 1", 24),
    ("largest --cells x,y,z --secret value --times 1 --noise laplace --epsilon 1", 2),
    ("largest --cells x,y,z --secret presence --times 52 --noise discrete-laplace --epsilon 1",
     52),
]  # fmt: skip


@pytest.mark.parametrize(("options", "scale"), SCALES, ids=lambda value: str(value)[:40])
@pytest.mark.usefixtures("kernel_here")
def test_the_scale_is_what_a_person_changes_over_epsilon(
    here: Path, capsys: pytest.CaptureFixture[str], options: str, scale: float
) -> None:
    assert started("--publish", *options.split(), "--json") == 0
    out, err = capsys.readouterr()
    assert err == ""
    data = json.loads(out)
    assert data["verdict"] == "certified"
    assert scale * (1 - 1e-9) <= float(data["scale"]) <= scale + 1e-3
    assert float(data["refuted"]) < scale
    problem = Problem.load("mine.toml")
    assert certify(problem).verdict == "certified"
    less = problem.replaced(scale=data["refuted"])
    if "--after nothing" in options or "largest" in options:
        assert certify(less).verdict == "refuted"
    for line in data["next"][:2]:
        assert main(shlex.split(line)[1:]) == 0, line


@pytest.mark.parametrize("options", [
    "count --rows 1 --secret presence --times 12 --after threshold=5 --noise gaussian",
    "count --rows 1 --secret presence --times 1 --after round=1 --noise discrete-gaussian",
    "count --rows 1 --secret presence --times 1 --after suppress --noise discrete-laplace",
    "count --rows 2 --secret presence --times 1 --after suppress --noise gaussian",
    "sum --bounds 2,3 --secret value --times 1 --after clamp=0,100 --noise gaussian",
    "mean --people unknown --bounds 0,100 --secret both --times 4 --after nothing "
    "--noise gaussian",
    "histogram --cells unknown --secret value --times 12 --after threshold=3 --noise gaussian",
    "training --rate 1 --times 1000",
    "answer --answers yes,no --times 1",
    "answer --answers red,green,blue --times 12",
], ids=lambda value: value[:60])  # fmt: skip
@pytest.mark.usefixtures("kernel_here")
def test_other_ways_with_a_delta_are_certified_and_the_kernel_accepts_it(
    here: Path, capsys: pytest.CaptureFixture[str], options: str
) -> None:
    assert started("--publish", *options.split(), "--epsilon", "1", "--delta", "1e-6") == 0
    out = capsys.readouterr().out
    assert "mine.toml: certified" in out
    following = [line.strip() for line in out.partition("Next:")[2].splitlines() if line.strip()]
    assert len(following) >= 2
    for line in following[:2]:
        assert main(shlex.split(line)[1:]) == 0, line
    assert check("mine.toml", "mine.cert").word == "certified"


def test_a_row_that_may_not_exist_gets_the_least_threshold(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """e^-14/(1+e^-1) is below a millionth, and e^-13/(1+e^-1) is not (scale 1)."""
    assert math.exp(-14) / (1 + math.exp(-1)) < 1e-6 < math.exp(-13) / (1 + math.exp(-1))
    options = "--publish count --rows 1 --secret presence --times 1 --after suppress"
    assert started(*options.split(), "--noise", "discrete-laplace", "--epsilon", "1,1e-6") == 0
    assert "15 is the smallest threshold" in capsys.readouterr().out
    text = Path("mine.toml").read_text()
    assert certify(Problem.from_text(text.replace('"15"', '"14"'))).verdict == "refuted"


def test_a_training_has_two_digits_of_sigma(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--publish training --rate 0.01 --times 2 --epsilon 1,1e-6 --json"
    assert started(*options.split()) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "certified"
    for scale, verdict in ((data["scale"], "certified"), (data["refuted"], "refuted")):
        assert certify(Problem.load("mine.toml").replaced(scale=scale)).verdict == verdict
    assert Fraction(data["scale"]) - Fraction(data["refuted"]) == Fraction(1, 100)


def test_records_that_are_hardly_ever_drawn_need_hardly_any_noise(here: Path) -> None:
    options = "--publish training --rate 1e-9 --times 1 --epsilon 1,1e-6"
    assert started(*options.split()) == 0
    assert 'scale = "0.01"' in Path("mine.toml").read_text()
    assert certify("mine.toml").verdict == "certified"


@pytest.mark.parametrize("publish", ["count", "sum", "mean", "histogram", "largest", "answer"])
def test_who_knows_nothing_gets_a_certified_file(
    here: Path, capsys: pytest.CaptureFixture[str], publish: str
) -> None:
    asked = [one.name for given, _ in WAYS if given["publish"] == publish for one in questions()
             if one.name in given and given.get("secret") != "property"]  # fmt: skip
    options = [word for name in dict.fromkeys(asked) if name != "publish"
               for word in (f"--{name}", "unknown")]  # fmt: skip
    if publish == "answer":
        options = ["--answers", "unknown", "--times", "unknown", "--epsilon", "unknown"]
    assert started("--publish", publish, *options) == 0
    out = " ".join(capsys.readouterr().out.split())
    text = " ".join(Path("mine.toml").read_text().replace("#", "").split())
    assert "published 12 times" in out
    assert "published 12 times" in text
    assert "after that nothing more is covered" in text
    assert certify("mine.toml").verdict == "certified"


# ---------------------------------------------------------------- beliefs of one's own


@pytest.mark.parametrize("more", [
    "count --rows 1", "mean --people 10 --bounds 0,1", "histogram --cells a,b",
])  # fmt: skip
def test_a_property_has_a_marked_place_and_no_verdict(
    here: Path, capsys: pytest.CaptureFixture[str], more: str
) -> None:
    options = [*more.split(), "--secret", "property", "--times", "1", "--noise", "laplace"]
    assert started("--publish", *options, "--epsilon", "1") == 3
    out = capsys.readouterr().out
    assert "not decided, it is still to be completed" in out
    assert "pfverify prior DATA.csv" in out
    assert main(["certify", "mine.toml"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert MARK in err
    text = Path("mine.toml").read_text()
    for row in ("1, 0, 1", "0, 1, 1"):
        text = text.replace(f'"{MARK}", "{MARK}", "{MARK}"', row, 1)
    for value in ("3", "4"):
        text = text.replace(f'"{MARK}" = "{MARK}"', f'"{value}" = 1', 1)
    Path("mine.toml").write_text(text)
    assert main(["calibrate", "mine.toml", "--write", "mine-scaled.toml"]) == 0
    assert certify("mine-scaled.toml").verdict == "certified"


# ---------------------------------------------------------------- files and options


FULL = ("--publish", "count", "--rows", "1", "--secret", "presence", "--times", "1", "--after",
        "nothing", "--noise", "laplace", "--epsilon", "1")  # fmt: skip


def test_a_file_that_is_there_is_not_replaced(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.toml").write_text("keep me")
    assert started(*FULL) == 2
    assert "replace it with --force" in capsys.readouterr().err
    assert Path("mine.toml").read_text() == "keep me"
    assert started(*FULL, "--force") == 0
    assert started(*FULL, file="mine.json") == 0
    assert Problem.load("mine.json") == Problem.load("mine.toml")
    assert main(["start", *FULL]) == 0
    assert Problem.load("problem.toml") == Problem.load("mine.toml")


def test_of_many_cells_some_are_compared_and_that_is_said(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = ",".join(f"region {k}" for k in range(100))
    options = ["--cells", cells, "--secret", "value", "--times", "1", "--noise", "laplace"]
    assert started("--publish", "largest", *options, "--epsilon", "1,0.00", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [text for text in data["assumed"] if text.startswith("of the cells the first 6 are")]
    assert (data["delta"], data["scale"]) == ("0", "2")
    assert not any("delta is 0 in place" in text for text in data["assumed"])


def test_a_wide_lattice_promises_more_than_was_asked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--publish sum --bounds 0,100000 --secret presence --times 12 --after nothing"
    assert started(*options.split(), "--noise", "discrete-laplace", "--epsilon", "1,1e-6") == 0
    assert "delta is 0 in place of what was said" in " ".join(capsys.readouterr().out.split())
    assert Problem.load("mine.toml").delta.sign() == 0


def test_the_file_has_comments_that_are_no_part_of_the_problem(here: Path) -> None:
    cells = 'post,schema,[x],a"b,é'
    options = ["--publish", "histogram", "--cells", cells, "--secret", "both", "--times", "1",
               "--after", "round=1", "--noise", "unknown", "--epsilon", "1"]  # fmt: skip
    assert started(*options) == 0
    lines = Path("mine.toml").read_text().splitlines()
    assert "#   publish: histogram" in lines
    assert all(len(line) <= 100 for line in lines if line.startswith("#"))
    for part in ("noise", "system", "user", "post"):
        assert lines.count(f"# {sentence(f'start-comments.{part}')}") == 1, part
    stripped = "\n".join(line for line in lines if not line.startswith("#"))
    assert Problem.from_text(stripped) == Problem.load("mine.toml")


@pytest.mark.parametrize(("change", "words"), [
    ({"--publish": "cuont"}, "answer, training; did you mean 'count'?"),
    ({"--rows": "0"}, "--rows: expected a whole number from 1 to 1000000"),
    ({"--rows": "1.5"}, "--rows: expected a whole number"),
    ({"--rows": "٣"}, "--rows: expected a whole number"),
    ({"--times": "9" * 50}, "--times: expected a whole number"),
    ({"--secret": "answer"}, "--secret: 'answer' is none of presence, value"),
    ({"--after": "round"}, "--after: round: expected it as round=1"),
    ({"--after": "round=0"}, "--after: round: expected a number above 0"),
    ({"--after": "clamp=5,1"}, "--after: clamp: expected the smaller number first"),
    ({"--after": "nothing;round=1"}, "--after: nothing: expected it alone"),
    ({"--after": "suppress", "--times": "2"}, "suppress: not here (one count, once, where it is"),
    ({"--noise": "randomized-response"}, "'randomized-response' is none of discrete-laplace"),
    ({"--noise": "gaussian"}, "--epsilon: a delta above 0 is needed here"),
    ({"--noise": "gaussian", "--epsilon": "1,0.0"}, "--epsilon: a delta above 0 is needed here"),
    ({"--after": "suppress"}, "--epsilon: a delta above 0 is needed here"),
    ({"--epsilon": "0"}, "--epsilon: epsilon: expected a number above 0"),
    ({"--epsilon": "1,2"}, "--epsilon: delta: expected a number from 0"),
    ({"--epsilon": "1,"}, "--epsilon: delta: "),
    ({"--epsilon": "nan"}, "--epsilon: epsilon: "),
    ({"--epsilon": "unknown", "--delta": "0"}, "--delta: goes with --epsilon NUMBER"),
    ({"--epsilon": "1,0", "--delta": "0"}, "--delta: goes with --epsilon NUMBER"),
    ({"--bounds": "0,1"}, "--bounds: goes with --publish sum or mean, not with count"),
    ({"--publish": "sum"}, "--rows: goes with --publish count, not with sum"),
    ({"-o": "mine.txt"}, "-o: mine.txt: expected a name that ends in .toml or .json"),
    ({"-o": "no/such/mine.toml"}, "cannot write"),
])  # fmt: skip
def test_a_wrong_answer_is_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], change: dict[str, str], words: str
) -> None:
    options = dict(zip(FULL[::2], FULL[1::2], strict=True)) | {"-o": "mine.toml"} | change
    assert main(["start", *(word for both in options.items() for word in both)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(("options", "words"), [
    ("histogram --cells a,a", "'a' stands there twice"),
    ("histogram --cells a,,b", "expected names with commas"),
    ("histogram --cells a", "expected from 2 to 100 names"),
    ("histogram --cells a,b\x07", "can be printed"),
    ("sum --bounds 1", "expected two numbers with a comma"),
    ("sum --bounds 2,1", "expected the smaller number first"),
    ("sum --bounds 0,log(2)", "expected a rational number"),
    ("sum --bounds 0,1e300", "at most 12 digits"),
    ("training --rate 0", "expected a chance above 0"),
    ("training --rate 3/2", "expected a chance above 0"),
    ("training --rate 1 --secret value", "--secret: 'value' is none of presence"),
])  # fmt: skip
def test_so_is_a_wrong_detail(
    here: Path, capsys: pytest.CaptureFixture[str], options: str, words: str
) -> None:
    assert started("--publish", *options.split(" ")) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_without_a_terminal_the_option_is_named(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("count\n"))
    for count in range(0, len(FULL), 2):
        assert started(*FULL[:count]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"pfverify: {FULL[count]}: not answered")
    monkeypatch.setattr(sys, "stdin", None)
    assert started() == 2
    assert list(here.iterdir()) == []


def test_an_interrupted_search_leaves_no_file(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pfverify.edge.start.found.certify", interrupted)
    assert started(*FULL) == 130
    assert list(here.iterdir()) == []


# ---------------------------------------------------------------- on a terminal


def on_terminal(folder: Path, answers: list[str], *options: str) -> tuple[int, str]:
    """The exit code and all that is shown, where somebody types; after the answers Ctrl-C."""
    root = str(Path(pfverify.__file__).parents[1])
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover
        os.chdir(folder)
        os.environ["PYTHONPATH"] = root
        os.execv(sys.executable, [sys.executable, "-m", "pfverify", "start", *options])
    shown, left, begun = b"", iter([*(f"{one}\n" for one in answers), "\x03"]), time.monotonic()
    while time.monotonic() - begun < 100:
        ready = select.select([terminal], [], [], 0.2)[0]
        try:
            more = os.read(terminal, 1 << 16) if ready else b""
        except OSError:  # the other end is closed
            break
        shown += more
        if not more and not ready and shown.endswith(b"[?]: "):
            os.write(terminal, next(left, "\x03").encode())
            shown += b"\n"
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), shown.decode()


def test_a_newcomer_types_answers_and_is_asked_again(tmp_path: Path) -> None:
    answers = ["cuont", "count", "0", "1", "presence", "12", "", "laplace", "1"]
    code, shown = on_terminal(tmp_path, answers)
    assert code == 0, shown
    assert "did you mean 'count'?" in shown
    assert shown.count("publish [?]:") == shown.count("rows [?]:") == 2
    assert "I don't know" in shown
    assert "certified" in shown
    assert certify(Problem.load(tmp_path / "problem.toml")).verdict == "certified"


def test_ctrl_c_leaves_no_file(tmp_path: Path) -> None:
    code, shown = on_terminal(tmp_path, ["count"])
    assert code == 130
    assert "interrupted; no unfinished file was left" in shown
    assert list(tmp_path.iterdir()) == []
