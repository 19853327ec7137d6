"""What is read on a screen of 80 columns: no word is broken, nothing is wider, nothing is lost."""

import io
import os
import re
import subprocess
import sys

import pytest
from rich.cells import cell_len

from pfverify.edge.cli import main
from pfverify.edge.document import Column, Table
from pfverify.edge.encoding import NAME, register
from pfverify.edge.glossary.entries import lookup
from pfverify.edge.render.columns import fitted, without_empty
from pfverify.edge.render.console import Output
from pfverify.edge.render.terminal import draw
from pfverify.edge.views.view import Remark

RULES = re.compile("[━╇]")
ASKED = [
    "certify example:census",
    "certify example:gaussian-pair",
    "certify example:theorem-2-fails",
    "certify example:home-and-out",
    "certify example:four-users-values",
    "certify example:census --explain",
    "certify example:census --grid 10",
    "loss example:census",
    "loss example:largest-move",
    "loss example:theorem-2-fails",
    "calibrate example:census",
    "calibrate example:theorem-2-fails",
    "calibrate example:laplace-or-gaussian",
    "calibrate example:tupling-dummies",
    "coupling example:census",
    "coupling example:largest-move",
    "certify example:census --epsilon 0.1,0.5,1 --scale 0.3,1",
    "loss example:theorem-2-fails --epsilon 0.1,0.5,1",
    "calibrate example:theorem-2-fails --epsilon 0.1,0.5,1",
    "demo --examples",
]


def printed(capsys, monkeypatch, words, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    main(words.split())
    return capsys.readouterr().out


def words_of(text):
    """The words, with those of headers of columns that become labels without their colon."""
    plain = RULES.sub(" ", text).replace("┃", " ").replace("│", " ")
    return {word.rstrip(":") for word in plain.split()}


@pytest.mark.parametrize("columns", [80, 60, 120])
@pytest.mark.parametrize("words", ASKED)
def test_no_word_is_broken_and_no_line_too_long(capsys, monkeypatch, words, columns):
    narrow = printed(capsys, monkeypatch, words, columns)
    wide = printed(capsys, monkeypatch, words, 2000)
    assert words_of(wide) - words_of(narrow) == set()
    for line in narrow.splitlines():
        assert cell_len(line) <= columns or len(line.split()) == 1


def shown(section, width, *, screen=True):
    out = io.StringIO()
    draw(Output(file=out, width=width, force_terminal=screen, color_system=None), section)
    return out.getvalue()


def test_sentences_are_broken_between_words_on_a_screen_alone():
    text = "a sentence about " + "x" * 40 + " and about more"
    remark = Remark(text, level=1)
    assert shown(remark, 200) == f"  {text}\n"
    assert shown(remark, 30) == f"  a sentence about\n    {'x' * 40}\n    and about more\n"
    assert shown(remark, 150, screen=False) == f"  {text}\n"


def test_columns_share_what_room_there_is():
    rows = [[("ab cd ef gh",), ("12345",), ("a longer text here",)]]
    header = Column("a long header", breaks=True)
    table = Table([header, Column("y", breaks=False, whole=True), Column("z")], rows)
    assert fitted(table, 100) == [13, 5, 18]
    assert fitted(table, 40) == [11, 5, 18]  # headers give way first
    assert fitted(table, 30) == [10, 5, 9]  # then cells, first those of most lines
    assert fitted(table, 23) == [6, 5, 6]
    assert fitted(table, 22) is None
    cut = Table([Column("long", breaks=False)], [[("0123456789",)]])
    assert fitted(cut, 12) == [10]
    assert fitted(cut, 6) == [6]
    assert fitted(cut, 3) is None


def test_columns_that_say_nothing_are_left_out():
    table = Table([Column("x"), Column("y")], [[("a",), ("",)], [("b",), ()]])
    assert [column.header for column in without_empty(table).columns] == ["x"]
    empty = Table([Column("x")], [])
    assert without_empty(empty) is empty


SWEEPS = {  # what is asked: the headers, and the first column or two of each row
    "certify example:census --scale 0.1,0.5,1": (
        ["scale", "verdict", "loss", "worst pair", "y of loss"],
        ["0.1 refuted", "0.5 refuted", "1 certified"],
    ),
    "certify example:home-and-out --epsilon 0.5,1": (
        ["epsilon", "verdict", "loss", "worst pair", "y of loss"],
        ["0.5 refuted", "1 certified"],
    ),
    "loss example:census --epsilon 0.1,1 --scale 1,2": (
        ["epsilon", "scale", "epsilon*", "delta found", "worst pair", "y of loss"],
        ["0.1 1", "0.1 2", "1 1", "1 2"],
    ),
    "calibrate example:theorem-2-fails --epsilon 0.5,1": (
        ["epsilon", "smallest scale", "best recipe", "its scale", "waste", "refuted"],
        ["0.5 7.7244", "1 5.0693"],
    ),
    "calibrate example:tupling-dummies --epsilon 1,2": (
        ["epsilon", "dummies", "refuted"],
        ["1 14", "2 6"],
    ),
}


@pytest.mark.parametrize("words", SWEEPS)
def test_a_sweep_is_one_table_with_a_row_per_point(capsys, monkeypatch, words):
    headers, starts = SWEEPS[words]
    out = printed(capsys, monkeypatch, words, 200)
    assert out.count("━╇━") == len(headers) - 1
    top, _, body = out.partition("━")
    assert [cell.strip() for cell in top.splitlines()[-1].split("┃")] == headers
    rows = [line.split("│") for line in body.splitlines() if "│" in line]
    assert [" ".join(cell.strip() for cell in row[:2]) for row in rows] == starts
    assert out.count("Assumed: ") == 1
    assert out.startswith(f"{words.split()[1]}: {len(starts)} points")


def test_every_header_of_a_sweep_is_explained():
    for headers, _ in SWEEPS.values():
        assert all(map(lookup, headers))


def test_a_sweep_of_one_point_and_one_with_explanations_are_shown_whole(capsys, monkeypatch):
    for more in ("--epsilon 1,1 --explain", "--epsilon 1"):
        out = printed(capsys, monkeypatch, f"certify example:tie-delta {more}", 200)
        assert "Proved, for all outputs" in out
        assert "points" not in out


def test_a_sweep_says_what_any_of_its_points_assumes(capsys, monkeypatch):
    bare, noisy, both = (
        printed(capsys, monkeypatch, f"certify example:census --scale {scales}", 2000)
        for scales in ("0", "1", "0,1")
    )
    said = [re.search("Assumed: (.*)\n", out)[1].split("; ") for out in (bare, noisy, both)]
    assert set(said[0]) != set(said[1])
    assert set(said[2]) == {*said[0], *said[1]}


def test_a_point_of_a_sweep_without_a_scale_says_none(capsys, monkeypatch):
    out = printed(capsys, monkeypatch, "calibrate example:tie-delta --epsilon 0,1 --delta 0", 200)
    rows = [[cell.strip() for cell in line.split("│")] for line in out.splitlines() if "│" in line]
    assert rows[0][:2] == ["0", "none"]


def many(pairs):
    """A problem with many pairs, far apart or close together."""
    secrets = "".join(
        f'[priors.s{k}]\nkind = "discrete"\ncounts = {{ "0" = {k + 1}, "1" = 9 }}\n'
        for k in range(pairs)
    )
    return (
        'schema = "pfverify/problem/1"\nepsilon = 1\n[noise]\nkind = "laplace"\nscale = 1\n'
        + secrets
    )


def test_long_tables_say_how_much_they_leave_out(capsys, monkeypatch, tmp_path):
    path = tmp_path / "many.toml"
    path.write_text(many(8))  # 28 pairs, 56 in order
    certified = printed(capsys, monkeypatch, f"certify {path}", 200)
    assert certified.count("│ certified │") == 40
    assert "  … and 16 more ordered pairs (all less close; --csv or --json has all)\n" in certified
    assert "… and 16 more" in printed(capsys, monkeypatch, f"loss {path}", 200)
    couplings = printed(capsys, monkeypatch, f"coupling {path}", 200)
    assert couplings.count("The cheapest coupling") == 10
    assert couplings.endswith("  … and 18 more pairs (--pair A,B shows one, --json has all)\n")
    edges = printed(capsys, monkeypatch, "coupling example:census", 200)
    assert "  … and 5 more edges (--json has all)\n" in edges
    path.write_text(many(4))
    assert "…" not in printed(capsys, monkeypatch, f"certify {path}", 200)
    assert "…" not in printed(capsys, monkeypatch, f"coupling {path}", 200)


def test_what_an_encoding_lacks_is_written_in_ascii():
    written = "… and (1+√7)/2, √(2+√3) → ≤ 2² é \u4e2d"
    register()
    assert written.encode("ascii", NAME).decode() == (
        "... and (1+sqrt(7))/2, sqrt(2+sqrt(3)) -> <= 2^2 \\xe9 \\u4e2d"
    )
    assert written.encode("utf-8", NAME).decode() == written
    assert "é".encode("latin-1", NAME) == b"\xe9"
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", NAME)


def test_a_terminal_without_unicode_gets_dots_and_lines_of_ascii(tmp_path):
    command = [sys.executable, "-m", "pfverify", "calibrate", "example:gaussian-pair"]
    run = subprocess.run(command, capture_output=True, check=True,
                         env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"})
    assert b"(1+sqrt(7))/2" in run.stdout
    assert b"\\u" not in run.stdout


def test_a_row_of_a_sweep_names_the_belief(capsys, monkeypatch, tmp_path):
    path = tmp_path / "beliefs.toml"
    path.write_text("""
schema = "pfverify/problem/1"
epsilon = 1
noise = { kind = "laplace", scale = 1 }
[beliefs.naive.priors]
a = { kind = "discrete", counts = { "0" = 1 } }
b = { kind = "discrete", counts = { "0" = 1 } }
[beliefs.expert.priors]
a = { kind = "discrete", counts = { "0" = 1 } }
b = { kind = "discrete", counts = { "1" = 1 } }
""")
    for command in ("certify", "loss"):
        out = printed(capsys, monkeypatch, f"{command} {path} --scale 1,2", 200)
        assert out.count("a -> b (belief expert)") == 2


@pytest.mark.parametrize("columns", ["1", "0", "10", "many", ""])
def test_any_width_is_written_to(capsys, monkeypatch, columns):
    out = printed(capsys, monkeypatch, "calibrate example:census", columns)
    assert words_of(printed(capsys, monkeypatch, "calibrate example:census", 200)) <= words_of(out)
