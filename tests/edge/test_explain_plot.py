"""--plot: pictures from floats, in any terminal or to a file."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pfverify import Discrete, Gaussian, Laplace, Problem, calibrate, certify, loss
from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.edge.pictured import LogRatio, ladder, log_ratio, picture_of
from pfverify.edge.pictures import Bar, BarChart
from pfverify.edge.render import picture_file, picture_names
from pfverify.edge.render.characters import WIDE, lines
from pfverify.errors import InputError
from pfverify.model.noises.none import NoNoise

COMMANDS = ("certify", "loss", "calibrate")
EXAMPLES = ("census", "gaussian-pair", "laplace-or-gaussian", "home-and-out", "dummies",
            "largest-move", "four-users-laws", "tie-delta")  # fmt: skip


@cache
def drawn(name: str) -> LogRatio:
    asked = load_example(name)
    return log_ratio(asked, loss(asked).worst)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_largest_value_is_the_certified_loss(name: str) -> None:
    asked = load_example(name)
    picture, found = drawn(name), loss(asked).worst
    top, upper = max(picture.ys), float(str(found.epsilon_star.upper))
    assert top <= upper * (1 + 1e-9) or math.isinf(upper)
    if picture.outputs is not None:
        assert top == pytest.approx(upper, rel=1e-9)
    assert log_ratio(asked, certify(asked).pairs[0]).epsilon == pytest.approx(picture.epsilon)


def test_epsilon_is_that_of_the_pair() -> None:
    asked = load_example("truncated-geometric")
    own = certify(asked).pairs[0].epsilon
    assert own == "(log(2)*5)"
    assert log_ratio(asked, certify(asked).pairs[0]).epsilon == pytest.approx(5 * math.log(2))


@pytest.mark.parametrize("name", EXAMPLES)
def test_text_is_ascii_of_76_columns_and_says_what_it_is(name: str) -> None:
    told = lines(drawn(name).picture())
    assert all(line.isascii() and len(line) <= WIDE for line in told)
    assert told[-1] == "(drawn from floats; the verdict is exact)"
    assert any("epsilon = " in line for line in told)


def test_a_curve_meets_epsilon_where_it_should() -> None:
    step = [k / 10 for k in range(-100, 101)]
    told = lines(LogRatio("t", 1.0, step, [math.tanh(x) * 2 for x in step], None).picture())
    rows = [line for line in told if " |" in line]
    assert rows[0].startswith("        2 |")
    assert rows[-1].startswith("       -2 |")
    assert rows[0].rstrip()[-1] in ".-'"
    bounds = [line for line in rows if "=====" in line]
    assert [line.split()[0] for line in bounds] == ["1", "-1"]


def test_what_is_infinite_is_at_the_edge() -> None:
    told = lines(LogRatio("t", 1.0, [0.0, 1.0, 2.0], [math.inf, 0.5, -math.inf], None).picture())
    assert "^" in told[0]
    assert "v" in "".join(told)
    told = lines(LogRatio("t", 0.0, [0.0, 1.0], [math.inf, -math.inf], ["'a'", "'b'"]).picture())
    assert told[0].endswith("inf")
    assert "#" in told[0]


@pytest.mark.parametrize("values", [[0.0], [0.0, 0.0], [math.inf]])
def test_pictures_without_a_size_are_drawn(values: list[float]) -> None:
    places = [float(k) for k in range(len(values))]
    for outputs in (None, [str(k) for k in places]):
        assert lines(LogRatio("t", 0.0, places, values, outputs).picture())


def test_many_outputs_are_counted() -> None:
    names = [f"'{k}'" for k in range(30)]
    picture = LogRatio("t", 1.0, list(map(float, range(30))), [k / 10 for k in range(30)], names)
    told = lines(picture.picture())
    assert told[0].startswith("'29'")
    assert "... and 10 more outputs, closer to 0" in told
    long = LogRatio("t", 1.0, [0.0], [1.0], ["'\u00e9" + "x" * 50 + "'"])
    assert lines(long.picture())[0].isascii()


def test_a_ladder_goes_up_and_says_every_verdict() -> None:
    asked = load_example("theorem-2-fails")
    picture = ladder(calibrate(asked))
    assert [bar.value for bar in picture.bars] == sorted(bar.value for bar in picture.bars)
    told = lines(picture)
    assert re.match(r"mixture_published +\|x+ +5 refuted$", told[0])
    assert any(re.match(r"minimum +\|#+ +5\.069 certified$", line) for line in told)
    assert all(len(line) <= WIDE for line in told)


def rungs(*bars: Bar, size: str = "scale") -> BarChart:
    return BarChart("t", "note", size, bars, never=f"no {size} works")


def test_a_ladder_without_a_top() -> None:
    never = rungs(Bar("minimum", math.inf, "refuted"))
    assert lines(never)[0].endswith("no scale works")
    nothing = rungs(Bar("minimum", 0.0, "certified"))
    assert re.match(r"minimum +\| +0 certified$", lines(nothing)[0])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("order", ["last", "first"])
def test_a_lone_plot_takes_no_word_with_it(
    capsys: pytest.CaptureFixture[str], command: str, order: str
) -> None:
    words = ["example:student", "--plot"] if order == "last" else ["--plot", "example:student"]
    assert main([command, *words]) == 0
    assert "(drawn from floats; the verdict is exact)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "suffix"),
    [*((command, ".svg") for command in COMMANDS),
     ("certify", ".png"), ("loss", ".pdf"), ("calibrate", ".SVG")],
)  # fmt: skip
def test_a_file_is_a_picture_of_its_kind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, suffix: str
) -> None:
    place = tmp_path / f"picture{suffix}"
    assert main([command, "example:student", "--plot", str(place)]) == 0
    said = "".join(capsys.readouterr().out.split())  # long names are folded
    assert f"{place}:drawnfromfloats" in said
    start = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix.lower()]
    assert place.read_bytes().startswith(start)
    if suffix == ".svg":
        text = " ".join(ElementTree.parse(place).getroot().itertext())
        assert "drawn from floats; the verdict is exact" in text
        before = place.read_bytes()
        assert main([command, "example:student", "--plot", str(place)]) == 0
        assert place.read_bytes() == before


def test_a_file_may_stand_beside_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "p.svg"
    assert main(["loss", "example:home-and-out", "--json", "--plot", str(place)]) == 0
    assert capsys.readouterr().out.startswith("{")
    assert place.exists()


def test_a_file_may_stand_beside_latex(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["certify", "example:tie-delta", "--explain", "--latex"]
    assert main(words) == 0
    alone = capsys.readouterr().out
    assert main([*words, "--plot", str(tmp_path / "p.svg")]) == 0
    assert capsys.readouterr().out == alone
    assert (tmp_path / "p.svg").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["loss", "example:census", "--plot", "--json"], "--plot: draws in the terminal"),
        (["calibrate", "example:census", "--csv", "--plot"], "--plot: draws in the terminal"),
        (["certify", "example:census", "--plot", "--format", "sarif"], "draws in the terminal"),
        (["certify", "example:census", "--plot", "--grid", "9"], "--plot: not with --grid"),
        (["certify", "example:census", "--plot", "--explain", "--latex"], "prints nothing else"),
        (["loss", "example:census", "--epsilon", "1,3/2", "--plot"], "draws one problem at a time"),
        (["certify", "example:census", "example:bank", "--plot"], "one problem file at a time"),
        (["calibrate", "example:dummies", "--plot"], "a channel has no scales to draw"),
        (["loss", "example:census", "--plot=x.gif"], "ends in none of .svg, .png, .pdf"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_drawn_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_without_matplotlib_a_file_is_refused_with_the_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = util.find_spec
    monkeypatch.setattr(
        picture_names, "find_spec", lambda name: None if name == "matplotlib" else real(name)
    )
    place = tmp_path / "p.png"
    assert main(["loss", "example:census", "--plot", str(place)]) == 2
    assert "in the checkout, pip install '.[report]'" in capsys.readouterr().err
    assert not place.exists()
    assert main(["loss", "example:census", "--plot"]) == 0


def test_names_are_no_tex_and_need_no_font(tmp_path: Path) -> None:
    priors = {"$x^": Discrete({0: 1}), "\u4e2d$": Discrete({1: 1})}
    asked = Problem(priors, noise=Laplace(2), epsilon=1)
    picture_file.save(picture_of(asked, certify(asked)), str(tmp_path / "p.svg"))
    assert "$x^" in (tmp_path / "p.svg").read_text("utf-8")


def test_a_file_says_where_no_scale_works(tmp_path: Path) -> None:
    bars = [Bar("l1", 2.0, "certified"), Bar("minimum", math.inf, "refuted")]
    for some in (bars, bars[1:]):
        picture_file.save(rungs(*some, size="sigma"), str(tmp_path / "p.svg"))
        assert "sigma (none works: minimum)" in (tmp_path / "p.svg").read_text("utf-8")


def test_nothing_to_draw_is_said() -> None:
    mixed = Problem({"a": Gaussian(0, 1), "b": Discrete({0: 1})}, noise=NoNoise(), epsilon=1,
                    delta="1/2")  # fmt: skip
    with pytest.raises(InputError, match="--plot: without noise"):
        log_ratio(mixed, certify(mixed).pairs[0])


@pytest.mark.parametrize("more", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_of_80_columns_that_knows_no_utf_8(more: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pfverify", "loss", "example:gaussian-pair", "--plot"]
    environment = {**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "ascii", "LC_ALL": "C",
                   "PYTHONUTF8": "0", **more}  # fmt: skip
    found: Any = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert found.returncode == 0, found.stderr
    text = found.stdout.decode("ascii")
    assert all(len(line) <= 80 for line in text.splitlines() if "|" in line)
    assert "epsilon = 1 and -epsilon" in text
