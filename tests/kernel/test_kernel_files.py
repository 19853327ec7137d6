"""Files that the kernel reads: how large, how deep and how long, and what is written once."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core import shapes
from core.grammar import Malformed
from reader import files


def test_a_file_of_64_mebibytes_is_read_and_a_larger_one_is_not(tmp_path: Path) -> None:
    most = 64 * 1024 * 1024
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(most)
    assert len(files.read_bytes(str(path))) == most
    with path.open("ab") as file:
        file.write(b" ")
    with pytest.raises(Malformed, match=f"is larger than {most} bytes"):
        files.read_bytes(str(path))


@pytest.mark.parametrize("path", ["no such file", "a\0b"])
def test_what_cannot_be_read_is_malformed(path: str) -> None:
    with pytest.raises(Malformed, match="cannot read"):
        files.read_bytes(path)


def deep(levels: int, kind: str) -> bytes:
    opening, closing = {"[": ("[", "]"), "{": ('{"a":', "}")}[kind]
    return (opening * levels + "1" + closing * levels).encode()


@pytest.mark.parametrize("kind", ["[", "{"])
def test_brackets_are_nested_64_deep_at_most(kind: str) -> None:
    assert files.parse_json(deep(64, kind), decimals=False)
    with pytest.raises(Malformed, match="nested deeper than 64"):
        files.parse_json(deep(65, kind), decimals=False)


def test_only_brackets_that_are_open_count() -> None:
    flat = [[[]], {"a": {}}, "[[[[", '"[', "\\"] * 200
    assert files.parse_json(json.dumps(flat).encode(), decimals=False) == flat
    with pytest.raises(Malformed, match="nested deeper"):
        files.parse_json(b'["' + b"[" * 99 + b'", ' + b"[" * 64, decimals=False)
    with pytest.raises(Malformed, match="nested deeper"):  # what was closed counts once
        files.parse_json(b"[" + b"[], " * 99 + b"[" * 64, decimals=False)
    with pytest.raises(Malformed, match="nested deeper"):  # before anything is read of it
        files.parse_json(b"[" * 10**6, decimals=False)


def test_an_integer_of_4300_digits_is_read_and_a_longer_one_is_not() -> None:
    assert files.parse_json(b"9" * 4300, decimals=False) == 10**4300 - 1
    with pytest.raises(Malformed, match="more than 4300 digits"):
        files.parse_json(b"9" * 4301, decimals=False)


def test_a_number_of_10000_characters_is_read_and_a_longer_one_is_not() -> None:
    assert shapes.parse("(" + "1" + " " * 9997 + ")") == 1
    with pytest.raises(Malformed, match="more than 10000 characters"):
        shapes.parse("(" + "1" + " " * 9998 + ")")


def test_a_certificate_is_one_byte_string() -> None:
    text = b'{"a":[1,"\\u00e9"],"b":"2"}'
    assert files.parse_certificate(text) == {"a": [1, "é"], "b": "2"}
    assert files.parse_certificate(text + b"\n") == {"a": [1, "é"], "b": "2"}
    for other in (
        b'{"a":[1,"\xc3\xa9"],"b":"2"}', b'{"b":"2","a":[1,"\\u00e9"]}', b'{"a": 1}',
        b'{"a":1,"a":1}', text + b"\n\n",
    ):  # fmt: skip
        with pytest.raises(Malformed):
            files.parse_certificate(other)
    for decimal in (b'{"a":1.5}', b'{"a":1e3}', b'{"a":NaN}', b'{"a":-Infinity}'):
        with pytest.raises(Malformed, match="is not an integer"):
            files.parse_certificate(decimal)


def test_decimals_of_a_problem_are_their_text() -> None:
    (value,) = files.parse_file(b"\xef\xbb\xbf[0.10]", is_json=True)
    assert (type(value), value) == (files.Decimal, "0.10")
    assert files.parse_file(b"\xef\xbb\xbfa = +1_0.50", is_json=False)["a"] == "10.50"


def test_a_common_denominator_is_the_least_and_bounded() -> None:
    assert shapes.common_denominator([], "here") == 1
    assert shapes.common_denominator([Fraction(1, 6), Fraction(1, 4), Fraction(2)], "here") == 12
    assert shapes.common_denominator([Fraction(1, 3), Fraction(1, 3)], "here") == 3
    most = 2 ** (2**18 - 1)  # of 2**18 bits
    assert shapes.common_denominator([Fraction(1, most)], "here") == most
    with pytest.raises(Malformed, match="here: a common denominator that is too long"):
        shapes.common_denominator([Fraction(1, 2 * most)], "here")
    values = [Fraction(1, 6), Fraction(1, 4), Fraction(-1, 3)]
    assert shapes.exact_sum(values, "x") == Fraction(1, 12)


def test_margins_are_tiny_at_most_to_40000_places() -> None:
    assert shapes.margin("1e-40000") > 0
    with pytest.raises(Malformed):
        shapes.margin("1e-40001")
