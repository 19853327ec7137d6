"""Answers as plain data: every number as the number it is, and nothing that runs code."""

from __future__ import annotations

import io
import struct
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pfverify.crosscheck.calling import KEYWORDS, replied
from pfverify.crosscheck.plain import NoNumberError, read, written
from pfverify.crosscheck.reply import End, reply_of
from pfverify.workers import wire
from pfverify.workers.loading import SignatureError, said, taken


class Array:
    """As arrays of other libraries are."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([0.5, 2.0], dtype=np.float32)


THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.1, 0.1), (np.float64(0.1), 0.1), (np.float32(0.1), float(np.float32(0.1))), (3, 3.0),
        (np.int8(-3), -3.0), (2**53 + 1, Fraction(2**53 + 1)), (10**400, Fraction(10**400)),
        (THIRD, THIRD), (Decimal("0.1"), Fraction(1, 10)), (Decimal("-Infinity"), -np.inf),
        (np.array(2.5), 2.5), (np.array(2**60 + 1), Fraction(2**60 + 1)),
        (np.longdouble(1) / 3, Fraction(*(np.longdouble(1) / 3).as_integer_ratio())),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)), (-0.0, 0.0), (np.inf, np.inf),
        ([THIRD, 0.5, 1], [THIRD, 0.5, 1.0]), ([[0, 1, THIRD]], [[0.0, 1.0, THIRD]]),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_number_is_read_as_it_was_written(value: object, expected: object) -> None:
    found = read(*written(value))
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 0.5], [1.0, 0.5]), ((np.float32(2), Decimal("0.25")), [2.0, 0.25]),
        ([[0, 1, 0.5], (1, 1, 0.5)], [[0, 1, 0.5], [1, 1, 0.5]]), (Array(), [0.5, 2.0]),
        ([np.array([1, 2]), np.array([3, 4])], [[1, 2], [3, 4]]), (np.zeros((0, 3)), []),
        (np.arange(6).reshape(2, 3).T, [[0, 3], [1, 4], [2, 5]]), ([], []),
        (np.array([1, THIRD * 3], dtype=object), [1.0, 1.0]), ([np.array(1.5)], [1.5]),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_numbers_in_rows_are_floats_where_they_can_be(value: object, expected: object) -> None:
    found = read(*written(value))
    assert getattr(found, "tolist", lambda: found)() == expected


def test_nan_stays_nan() -> None:
    for value in (np.nan, Decimal("NaN"), np.longdouble("nan")):
        assert np.isnan(read(*written(value)))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None, which is no number"), (True, "a truth value"), ("1", "a str"),
        (np.bool_(True), "a truth value"), (1j, "a complex"), (b"1", "a bytes"), ({}, "a dict"),
        ([[1], [2, 3]], "rows of different lengths"), ([1, [2]], "rows of different lengths"),
        (np.zeros((1, 1, 1)), "numbers in 3 dimensions"), (np.array(["1"]), "an array of <U1"),
        (np.array([True]), "an array of bool"), ([True], "a truth value"), (min, "a builtin"),
        (2**30000, "more than 5000 bits"), (Decimal("1e999999"), "too large an exponent"),
        (iter([1.0]), "a list_iterator"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_is_no_number_is_said_to_be_none(value: object, words: str) -> None:
    with pytest.raises(NoNumberError, match=words):
        written(value)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ({}, b""), ({"numbers": "float64"}, b""), ({"numbers": "float64", "shape": []}, b"1234"),
        ({"numbers": "float64", "shape": [-1]}, b""), ({"numbers": "pickle", "shape": []}, b""),
        ({"numbers": "float64", "shape": [True]}, b"12345678"),
        ({"numbers": "float64", "shape": [1, 1, 1]}, b"12345678"),
        ({"numbers": "exact", "shape": []}, b"1/0"), ({"numbers": "exact", "shape": []}, b"1"),
        ({"numbers": "exact", "shape": []}, b"f" * 6000 + b"/1"),
        ({"numbers": "exact", "shape": [2]}, b"1/1"), ({"numbers": "exact", "shape": []}, b"\xff"),
        ({"raised": 3}, b""), ({"memory": None}, b""),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_forged_answer_is_none(head: dict[str, Any], body: bytes) -> None:
    with pytest.raises(wire.BrokenFrameError):
        reply_of(head, body)


def frame(head: bytes, body: bytes = b"", more: int = 0) -> bytes:
    return struct.pack(">II", len(head), len(body) + more) + head + body


@pytest.mark.parametrize(
    "data",
    [b"\x00", frame(b"{}")[:-1], frame(b"{}", b"1", 1), frame(b"["), frame(b"[]"), frame(b"\xff"),
     frame(b"[" * 9000), struct.pack(">II", 2, 2**31), struct.pack(">II", 2**31, 0) + b"{}",
     frame(b"9" * 9000)],
    ids=lambda data: repr(data[:12]),
)  # fmt: skip
def test_what_is_no_frame_is_not_read(data: bytes) -> None:
    with pytest.raises(wire.BrokenFrameError):
        wire.read(io.BytesIO(data))


def test_a_frame_is_read_as_it_was_written() -> None:
    stream = io.BytesIO()
    wire.write(stream, {"a": [1]}, b"\x00\x01")
    wire.write(stream, {})
    stream.seek(0)
    assert [wire.read(stream), wire.read(stream), wire.read(stream)] == [
        ({"a": [1]}, b"\x00\x01"), ({}, b""), None,
    ]  # fmt: skip
    for head, body in (({"a": "x" * wire.HEAD_MOST}, b""), ({}, bytes(wire.BODY_MOST + 1))):
        with pytest.raises(wire.BrokenFrameError, match="too long"):
            wire.write(stream, head, body)


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("hostile")


def raising(error: BaseException) -> Any:
    def function() -> None:
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "end", "words"),
    [
        (raising(ValueError("no\nroot")), End.RAISED, "ValueError: no root"),
        (raising(SystemExit()), End.RAISED, "SystemExit"),
        (raising(KeyboardInterrupt()), End.RAISED, "KeyboardInterrupt"),
        (raising(UnprintableError()), End.RAISED, "UnprintableError"),
        (raising(MemoryError()), End.MEMORY, "MemoryError"),
        (raising(ValueError("\x1b[31m\ud800")), End.RAISED, "ValueError: ?[31m?"),
        (raising(RuntimeError("x" * 10**6)), End.RAISED, "RuntimeError: xxx"),
        (lambda: object(), End.NO_NUMBER, "an object, which is no number"),
    ],
)
def test_what_comes_of_a_call(function: Any, end: End, words: str) -> None:
    found = reply_of(*replied(function, [], {}))
    assert (found.end, found.answer) == (end, None)
    assert found.words.startswith(words)
    assert len(found.words) <= 300


def test_only_what_is_to_be_caught_is() -> None:
    with pytest.raises(KeyboardInterrupt):
        replied(raising(KeyboardInterrupt()), [], {}, (Exception,))
    assert said(UnprintableError()) == "UnprintableError"


def test_the_optional_keyword_is_given_where_there_is_a_place_for_it() -> None:
    names = ["atoms", "p", "q", "epsilon"]
    assert taken(lambda atoms, p, q, epsilon: 0, names, KEYWORDS) == ()
    assert taken(lambda a, b, c, d, delta=0.0: 0, names, KEYWORDS) == ("delta",)
    assert taken(lambda *values, **named: 0, names, KEYWORDS) == ("delta",)
    assert taken(lambda a, b, c, d, *, delta=0.0: 0, names, KEYWORDS) == ("delta",)
    for wrong in (lambda: 0, lambda a, b, c, d, e: 0, lambda a, b, c, d, *, delta: 0,
                  lambda p, q, epsilon, delta=0.0: 0):  # fmt: skip
        with pytest.raises(SignatureError, match="it is called as"):
            taken(wrong, names, KEYWORDS)
