"""Numbers of a problem in their ranges, and the pairs that it asks about."""

from __future__ import annotations

from typing import Any

import kernel_builder as kb
import pytest
from core.grammar import Malformed
from core.shapes import parse
from core.value import require_range
from reader import reader

NOTHING = "log(4)-2*log(2)"


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("epsilon", "0"),
        ("epsilon", "1e-30"),
        ("epsilon", "log(2)"),
        ("epsilon", NOTHING),
        ("epsilon", "1e30"),
        ("delta", "0"),
        ("delta", "1"),
        ("delta", "exp(-1)"),
        ("delta", NOTHING),
        ("delta", f"1-({NOTHING})"),
        ("delta", "1-exp(-70)"),
        ("scale", "0"),
        ("scale", "1/1000"),
        ("scale", "log(2)"),
    ],
)
def test_numbers_in_their_ranges(what: str, text: str) -> None:
    for decide in (False, True):
        require_range(what, parse(text), decide=decide)


@pytest.mark.parametrize(
    ("what", "text", "said"),
    [
        ("epsilon", "-1e-30", "epsilon must be at least 0"),
        ("epsilon", "-1", "epsilon must be at least 0"),
        ("epsilon", "log(99/100)", "epsilon must be at least 0"),
        ("delta", "-1e-30", "delta must lie in"),
        ("delta", "1.0000000000001", "delta must lie in"),
        ("delta", "2", "delta must lie in"),
        ("delta", "1+exp(-70)", "delta must lie in"),
        ("delta", "-exp(-70)", "delta must lie in"),
        ("scale", "-1", "scale"),
        ("scale", "log(1/2)", "scale"),
        ("scale", NOTHING, "scale"),
        ("delta", "log(-exp(1))", "delta: logarithm of a number that is not positive"),
        ("epsilon", f"1/({NOTHING})", "epsilon: division by zero"),
    ],
)
def test_numbers_out_of_their_ranges(what: str, text: str, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        require_range(what, parse(text), decide=True)
    value = kb.problem({"0": 1}, {"0": 1}, 1, 0, 1)
    if what == "scale":
        value["noise"]["scale"] = text
    else:
        value[what] = text
    try:
        identity = kb.digest(value)
    except Malformed:  # a fraction: seen at once
        return
    cert = kb.certificate(kb.problem({"0": 1}, {"0": 1}, 1, 0, 1), "certified", kb.both("pure"))
    word, message = kb.run(value, {**cert, "problem": identity})
    assert word == "malformed"
    assert said in message


def asked(pairs: Any, secrets: str = "abc", other: str | None = None) -> reader.Problem:
    prior = {"kind": "discrete", "counts": {"0": 1}}
    names = {"k": secrets} | ({} if other is None else {"l": other})
    beliefs = {k: {"priors": dict.fromkeys(s, prior)} for k, s in names.items()}
    value = kb.problem({"0": 1}, {"0": 1}, 1, 0, 1) | {"beliefs": beliefs}
    del value["priors"]
    return reader.problem_of(value if pairs is None else value | {"pairs": pairs})


def test_pairs_are_each_of_two_secrets_once() -> None:
    assert asked(None).pairs == [("a", "b"), ("a", "c"), ("b", "c")]
    assert asked([["b", "a"], ["a", "b"], ["c", "a"]]).pairs == [("b", "a"), ("c", "a")]
    assert asked([["a", "b"]], other="bad").pairs == [("a", "b")]
    for pairs, other, said in (
        ([], None, "no pairs: nothing to decide"),
        ([["a", "a"]], None, "a pair must name two different secrets"),
        ([["a"]], None, "a pair must name two different secrets"),
        ([["a", "b", "c"]], None, "a pair must name two different secrets"),
        ([["a", "z"]], None, 'belief "k" has no secret "z"'),
        ([["a", "c"]], "ab", 'belief "l" has no secret "c"'),
        (None, "ab", "every belief must have the same secrets"),
    ):
        with pytest.raises(Malformed, match=said):
            asked(pairs, other=other)


def test_so_many_pairs_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_PAIRS", 6)
    four = ["ab", "ac", "ad", "bc", "bd", "cd"]
    assert len(asked([list(pair) for pair in four], "abcd").pairs) == 6
    monkeypatch.setattr(reader, "MAX_PAIRS", 5)
    with pytest.raises(Malformed, match="too many pairs"):
        asked([list(pair) for pair in four], "abcd")
    with pytest.raises(Malformed, match="too many pairs"):
        asked(None, "abcd")
    monkeypatch.setattr(reader, "MAX_PAIRS", 8)  # 4^2 is twice that
    assert len(asked(None, "abcd").pairs) == 6
    with pytest.raises(Malformed, match="too many pairs"):
        asked(None, "abcde")
