"""Whatever takes more than two seconds shows on a terminal that it goes on."""

from __future__ import annotations

import io
import time
from pathlib import Path
from random import Random

import pytest

from pfverify.edge import progress as waiting
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_text
from pfverify.edge.render import console


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal at standard error would show."""
    seen, made = io.StringIO(), console.Output

    def output(*, stderr: bool = False, **options: object) -> console.Output:
        if not stderr:
            return made(**options)
        return made(file=seen, force_terminal=True, width=120)

    monkeypatch.setattr(console, "Output", output)
    return seen


@pytest.mark.parametrize("total", [None, 0, 1, 3, 7])
def test_work_in_few_parts_is_shown_once_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, screen: io.StringIO, total: int | None
) -> None:
    """A bar was for 8 parts and more: a tie with thousands of users took a minute without one."""
    monkeypatch.setattr(waiting, "_WAIT", 0.05)
    with waiting.progress("deciding") as report:
        if total is not None:
            report(0, total)
        time.sleep(0.4)
    assert "deciding" in screen.getvalue()
    assert "0:00:00" in screen.getvalue()


def test_short_work_in_few_parts_is_not_shown(screen: io.StringIO) -> None:
    with waiting.progress("deciding") as report:
        report(1, 3)
        report(0, 0)
    assert "deciding" not in screen.getvalue()


def test_every_wait_of_a_command_is_shown(
    monkeypatch: pytest.MonkeyPatch, screen: io.StringIO, tmp_path: Path
) -> None:
    """The kernel's checks, fits and proofs had none at all."""
    monkeypatch.setattr(waiting, "_WAIT", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(example_text("tie-delta"), "utf-8")
    rng = Random("fits")
    rows = [f"{'ab'[k % 2]},{rng.gauss(k % 3 * 10, 1):.2f}" for k in range(120)]
    Path("people.csv").write_text("\n".join(["s,x", *rows, ""]), "utf-8")
    claims = Path(__file__).parents[2] / "proofs"
    asked = [
        ("certify mine.toml -o mine.cert", "checking the certificate"),
        ("certify mine.toml --explain", "writing it out"),
        ("check mine.toml mine.cert", "checking"),
        ("calibrate mine.toml -o mine.scales", "checking the certificate"),
        ("prior people.csv --secret s --public x --fit mixture --components 2",
         "reading and fitting"),
        (f"prove N01 --fresh --proofs {claims}", "checking"),
    ]  # fmt: skip
    for command, label in asked:
        screen.truncate(0)
        assert main(command.split()) == 0, command
        assert label in screen.getvalue(), command


def test_a_log_has_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`prove --counts` printed nothing for minutes where standard error is no terminal."""
    monkeypatch.setattr(waiting, "_LINES", 0.0)
    with waiting.progress("checking", lines=True) as report:
        report(3, 7)
        report(7, 7)
    with waiting.progress("deciding") as report:
        report(3, 7)
    assert capsys.readouterr() == ("", "checking: 3 of 7\n")
