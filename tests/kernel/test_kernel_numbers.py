"""Both readers of numbers, the package's and the kernel's: same texts, same numbers, same signs."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed, canonical
from core.irrational import sum_of
from core.shapes import parse
from core.value import enclose_number, require_defined, sign

from pfverify.errors import InputError
from pfverify.exact.ball import precision, raw
from pfverify.exact.number import Number

_LEAVES = ["1", "2", "3", "1/2", "7/4", "9/4", "0.04", "log(3)", "exp(1)", "log(9/4)", "2e-3"]


def random_text(rng: random.Random, depth: int = 3) -> str:
    """A text of the grammar, undefined ones (1/0, sqrt(-1)) included."""
    kind = rng.random()
    if depth == 0 or kind < 0.2:
        return rng.choice(_LEAVES)
    inside = random_text(rng, depth - 1)
    if kind < 0.5:
        return f"{rng.choice(['sqrt', 'sqrt', 'sqrt', 'log', 'exp'])}({inside})"
    if kind < 0.55:
        return f"-({inside})"
    other = random_text(rng, depth - 1)
    # a product with a rational 0 is folded by one reader only
    zero = "0" in (read_by_ours(inside), read_by_ours(other))
    return f"({inside}){rng.choice('+-' if zero else '+-*/')}({other})"


def read_by_ours(text: str) -> str:
    """The canonical text by the package's reader, "" where it is refused."""
    try:
        return Number.parse(text).text
    except InputError:
        return ""


def read(text: str) -> tuple[str, str]:
    """The canonical text by each reader, "" where it is refused."""
    try:
        x = parse(text)
        require_defined(x)
        theirs = canonical(x)
    except Malformed:
        theirs = ""
    return read_by_ours(text), theirs


def test_random_texts_are_the_same_number_to_both_readers() -> None:
    """Read, refused, canonical text, enclosure and sign agree; canonical texts read back."""
    rng = random.Random(11)
    counts = {"read": 0, "refused": 0, "with a root": 0, "zero": 0}
    for _ in range(400):
        text = random_text(rng)
        if rng.random() < 0.2:
            text = f"(({text})+1)/({text})-1/({text})-1"
        ours, theirs = read(text)
        assert ours == theirs, text
        if not ours:
            counts["refused"] += 1
            continue
        counts["read"] += 1
        counts["with a root"] += "sqrt" in ours
        assert read(ours) == (ours, ours)
        found, x = Number.parse(text), parse(text)
        with precision(200):
            ball = found.ball().raw
        low, high, e = enclose_number(x, Arithmetic(200))
        with precision(400):
            span = raw(low * Fraction(2) ** e).union(raw(high * Fraction(2) ** e))
        assert ball.overlaps(span), text
        try:
            theirs_sign = sign(x)
        except Undecided:
            continue
        if (ours_sign := found.sign()) is not None:
            assert ours_sign == theirs_sign, text
            counts["zero"] += ours_sign == 0
    assert counts["read"] > 200
    assert counts["refused"] > 30
    assert counts["with a root"] > 100
    assert counts["zero"] > 15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sqrt(2)*sqrt(2)-2", 0),
        ("sqrt(8)-2*sqrt(2)", 0),
        ("sqrt(3)*sqrt(5)-sqrt(15)", 0),
        ("sqrt(7/4)-exp(log(7/4)/2)", 0),
        ("(1+sqrt(7))/2-(1/2+exp(log(7/4)*(1/2)))", 0),
        ("1/(sqrt(2)-1)-sqrt(2)-1", 0),
        ("log(sqrt(3))-log(3)/2", 0),
        ("sqrt(exp(1))-exp(1/2)", 0),
        ("sqrt(3+2*sqrt(2))*sqrt(3+2*sqrt(2))-3-2*sqrt(2)", 0),
        ("sqrt(2)-1.4142135623730950488", 1),
        ("sqrt(2)-1.4142135623730950489", -1),
        ("sqrt(log(2))", 1),
    ],
)
def test_signs_with_roots(text: str, expected: int) -> None:
    x = parse(text)
    require_defined(x)
    assert sign(x) == expected
    assert Number.parse(text).sign() == expected


@pytest.mark.parametrize(
    "text",
    ["sqrt(-1)", "sqrt(log(1))", "sqrt(sqrt(8)-2*sqrt(2))",
     "sqrt(log(1/2))", "sqrt(1-sqrt(2))", "1/sqrt(0)", "log(sqrt(0))", "1/sqrt(log(1))",
     "log(sqrt(2)-sqrt(2))", "1/(sqrt(8)-2*sqrt(2))", "sqrt", "sqrt()", "sqrt 2", "sqr(2)"],
)  # fmt: skip
def test_roots_that_are_refused(text: str) -> None:
    assert read(text) == ("", "")


def test_a_negative_root_is_named_in_one_line() -> None:
    with pytest.raises(InputError, match=r"sqrt\(-2\): the argument must be >= 0"):
        Number.parse("sqrt(-2)")
    with pytest.raises(Malformed, match="square root of a number that is not positive"):
        require_defined(parse("sqrt(-2)"))


def test_a_deep_root_is_read_quickly() -> None:
    """Nested roots do not double the work at every level."""
    text = "sqrt(1+" * 60 + "2" + ")" * 60
    x = parse(text)
    require_defined(x)
    sum_of(x)
    assert Number.parse(text).text == canonical(x)


_NINES = "9" * 101


@pytest.mark.parametrize(
    "text",
    ["0", "7", "007", "0/1", "6/4", "06/004", "1/0", "1/00", "/2", "1/", "1/2/3", "1/-2", "-1/2",
     "1 / 2", " 12", "12 ", "12\n", "\u0663", "\u0663/2", "1_0", "+1", "1e2", "1e-2", "1.50e2",
     ".5e1", "5.e-1", "12e+0", "1e00002", _NINES, f"{_NINES}/7", f"7/{_NINES}", _NINES[1:],
     f"{_NINES[1:]}/{_NINES[2:]}", f"1/{'0' * 5000}1", f"1/{'0' * 101}", f"{'0' * 5000}1"],
)  # fmt: skip
def test_a_fraction_is_read_at_once_as_the_grammar_reads_it(text: str) -> None:
    """Whatever is written short is the number of the same text in parentheses, or refused."""
    plain = read(text)
    assert plain == read(f"({text})")
    assert plain[0] == plain[1]
