"""What is read on a screen of 80 columns: no word is broken, nothing is wider, nothing is lost."""

import io
import re

import pytest
from rich.cells import cell_len

from pfverify.edge.cli import main
from pfverify.edge.render.columns import fitted, without_empty
from pfverify.edge.render.console import Output
from pfverify.edge.render.terminal import draw
from pfverify.edge.views.view import Column, Remark, Table

RULES = re.compile("[━╇]")
ASKED = [
    "certify example:census",
    "certify example:gaussian-pair",
    "certify example:theorem-2-fails",
    "certify example:home-and-out",
    "certify example:students-mean",
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
    table = Table([Column("x"), Column("y", breaks=False, whole=True), Column("z")], rows)
    assert fitted(table, 100) == [11, 5, 18]
    assert fitted(table, 32) == [8, 5, 13]
    assert fitted(table, 19) == [2, 5, 6]
    assert fitted(table, 18) is None
    cut = Table([Column("long", breaks=False)], [[("0123456789",)]])
    assert fitted(cut, 6) == [6]
    assert fitted(cut, 3) is None


def test_columns_that_say_nothing_are_left_out():
    table = Table([Column("x"), Column("y")], [[("a",), ("",)], [("b",), ()]])
    assert [column.header for column in without_empty(table).columns] == ["x"]
    empty = Table([Column("x")], [])
    assert without_empty(empty) is empty
