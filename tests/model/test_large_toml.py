"""Large tables of TOML, read at once, beside tomllib."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pfverify.model import large_toml
from pfverify.model.large_toml import toml_table

KEYS = st.sampled_from([
    "0", "1", '"0"', '"2"', '"-5"', '"0.5"', "a", "0.5", '"a=b"', '"1,2"', "-7"
])  # fmt: skip
VALUES = st.sampled_from([
    "3", "-1", "0.25", '"1/2"', "1_0", "07", "-0", "1e3", '""', '"""2"""', "+1", "2020-01-01",
    "[1, 2]", "{ 0 = 1 }", "1 2", "'x'",
])  # fmt: skip
SPACES = st.sampled_from(["", " ", "\t"])


@st.composite
def entries(draw: st.DrawFn) -> list[str]:
    plain = draw(st.booleans())
    keys = st.integers(0, 9).map(str) if plain else KEYS
    quoted = draw(st.booleans())
    found = []
    for _ in range(draw(st.integers(0, 4))):
        key, value = draw(keys), str(draw(st.integers(0, 99))) if plain else draw(VALUES)
        key = f'"{key}"' if plain and quoted else key
        found.append(f"{draw(SPACES)}{key}{draw(SPACES)}={draw(SPACES)}{value}{draw(SPACES)}")
    return found


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        inside = draw(entries())
        table = f"{{{','.join(inside)}}}"
        name = draw(st.sampled_from(["a", "b", "a.c", '"0"']))
        lines += draw(st.sampled_from([
            [f"{name} = {table}"], [f"[{name}]", *inside], [f"[[{name}]]", *inside, ""],
            [f"{name} = [{table}, {table}]"], [f"# {table}"], [f"{name} = '{table}'"],
            [f"{name} = '''", "[x]", *inside, "'''"], ["# x", *inside],
            [f"[{name}]", "", *inside, ""],
        ]))  # fmt: skip
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))


def read(reader: Any, text: str) -> object:
    try:
        return list_of(reader(text, parse_float=lambda number: f"the float {number}"))
    except tomllib.TOMLDecodeError as error:
        return str(error)


def list_of(value: Any) -> Any:
    """The value, in which tables are lists: their order counts."""
    if isinstance(value, dict):
        return [(key, list_of(part)) for key, part in value.items()]
    return [list_of(part) for part in value] if isinstance(value, list) else value


@given(text=texts())
@example(text="[a]\n0 = 1\n1 = 2\n[a.0]\n")
@example(text='[a]\n"x\ny" = 1\n')
@example(text="a = {0 = 1, 0 = 2}")
@example(text='a = {9 = "{", "0" = 1, "1" = 2, 8 = "}"}')
@example(text='a = "{" # }\n[b]\n0 = 1 1 = 2\n')
@example(text="[a]\n1 2 = 3\n")
@example(text="[a]\n0 = 1, 1 = 2\n")
@example(text='[a]\n0 = """\n1 = 2\n"""\n')
@example(text="[a]\n0 = 1\r1 = 2\n")
def test_it_is_what_tomllib_reads(text: str) -> None:
    size, large_toml._LARGE = large_toml._LARGE, 2
    try:
        assert read(toml_table, text) == read(tomllib.loads, text)
    finally:
        large_toml._LARGE = size


@pytest.mark.parametrize("text", [
    "a = {{ {0} }}\n[c]\nx = 0.5\n", "[a.counts]\n{1}\n[c]\nx = 0.5\n",
    "[a]\nb = 1\n\n[[a.counts]]\n{1}", "a = {{{2}}}", "[a]\n{3}\n\n\n",
])  # fmt: skip
def test_large_tables_do_not_reach_tomllib(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bare, quoted = ([f"{mark}{k}{mark} = {k % 7}" for k in range(2000)] for mark in ("", '"'))
    text = text.format(", ".join(bare), "\n".join(bare), ",".join(quoted), "\n".join(quoted))
    expected = tomllib.loads(text)
    lengths = []

    def loads(text: str, **options: Any) -> dict[str, Any]:
        lengths.append(len(text))
        return plain(text, **options)

    plain = tomllib.loads
    monkeypatch.setattr(tomllib, "loads", loads)
    assert toml_table(text, float) == expected
    assert max(lengths) < 100
