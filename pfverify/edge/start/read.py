"""How an answer is read: by kind, from text to the text that is kept; one line where it is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import number, rational
from pfverify.model.words import meant

Reader = Callable[[str, Sequence[str]], str]

_MOST_TIMES, _MOST_NAMES = 1_000_000, 100
_LONGEST_NAME, _LARGEST = 60, 10**12


def whole(text: str) -> int:
    """Return a whole number from 1 on. Raises InputError. Example: ``whole("52")`` is ``52``."""
    plain = text.replace("_", "").strip()
    if not (plain.isascii() and plain.isdecimal() and len(plain) <= len(str(_MOST_TIMES))):
        raise InputError(f"expected a whole number from 1 to {_MOST_TIMES}, got {shorten(text)!r}")
    if not 1 <= int(plain) <= _MOST_TIMES:
        raise InputError(f"expected a whole number from 1 to {_MOST_TIMES}, got {plain}")
    return int(plain)


def bounds(text: str) -> tuple[Fraction, Fraction]:
    """Return two numbers with a comma, the smaller first. Raises InputError.

    Example: ``bounds("0,100")[1] == 100``.
    """
    low, comma, high = text.partition(",")
    if not comma:
        raise InputError(f"expected two numbers with a comma, as 0,100, got {shorten(text)!r}")
    found = rational(low.strip(), "the first bound"), rational(high.strip(), "the second bound")
    if not found[0] < found[1]:
        raise InputError(f"expected the smaller number first, got {shorten(text)!r}")
    if any(max(abs(one.numerator), one.denominator) > _LARGEST for one in found):
        raise InputError(f"expected bounds of at most 12 digits, got {shorten(text)!r}")
    return found


def names(text: str) -> list[str]:
    """Return names that are separated by commas, two or more. Raises InputError.

    Example: ``names("yes, no")`` is ``['yes', 'no']``.
    """
    found = [name.strip() for name in text.split(",")]
    if not all(found):
        raise InputError(f"expected names with commas between them, got {shorten(text)!r}")
    if len(set(found)) != len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise InputError(f"{shorten(twice)!r} stands there twice, expected every name once")
    if not 2 <= len(found) <= _MOST_NAMES:
        raise InputError(f"expected from 2 to {_MOST_NAMES} names, got {len(found)}")
    wrong = next((x for x in found if len(x) > _LONGEST_NAME or not x.isprintable()), None)
    if wrong is not None:
        raise InputError(
            f"{shorten(wrong)!r}: expected a name of at most {_LONGEST_NAME} characters that can "
            "be printed"
        )
    return found


def rate(text: str) -> Fraction:
    """Return a chance above 0. Raises InputError. Example: ``rate("0.01") == Fraction(1, 100)``."""
    found = rational(text, "the chance")
    if not 0 < found <= 1:
        raise InputError(f"expected a chance above 0 and at most 1, got {shorten(text)!r}")
    return found


def target(text: str) -> tuple[str, str]:
    """Return epsilon and delta, which is 0 where it is not said. Raises InputError.

    Example: ``target("1, 1e-6")`` is ``('1', '1e-6')``.
    """
    epsilon, comma, delta = (part.strip() for part in text.partition(","))
    if number(epsilon, "epsilon").sign() != 1:
        raise InputError(f"epsilon: expected a number above 0, got {shorten(epsilon)!r}")
    if not comma:
        return epsilon, "0"
    value = rational(delta, "delta")
    if not 0 <= value < 1:
        raise InputError(f"delta: expected a number from 0 to less than 1, got {shorten(delta)!r}")
    return epsilon, delta if value else "0"


def steps(text: str) -> list[tuple[str, list[Fraction]]]:
    """Return what is done after the noise: words, each with its numbers. Raises InputError.

    Example: ``steps("round=1")`` is ``[('round', [Fraction(1, 1)])]``.
    """
    return [_step(part.strip()) for part in text.split(";")]


def _step(text: str) -> tuple[str, list[Fraction]]:
    word, _, numbers = (part.strip() for part in text.partition("="))
    _read_choice(word, [*_STEPS])
    found = [rational(one.strip(), word) for one in numbers.split(",")] if numbers else []
    count, example = _STEPS[word]
    if len(found) != count:
        raise InputError(f"{word}: expected it as {example}, got {shorten(text)!r}")
    if word == "round" and found[0] <= 0:
        raise InputError(f"round: expected a number above 0, got {shorten(numbers)!r}")
    if word == "clamp" and not found[0] < found[1]:
        raise InputError(f"clamp: expected the smaller number first, got {shorten(numbers)!r}")
    return word, found


_STEPS = {
    "nothing": (0, "nothing"), "round": (1, "round=1"), "clamp": (2, "clamp=0,1000"),
    "threshold": (1, "threshold=5"), "suppress": (0, "suppress"),
}  # fmt: skip
"""Word -> how many numbers it has, and how it is written."""


_WHERE = " (one count, once, where it is the secret whether one record exists)"


def _read_choice(text: str, choices: Sequence[str]) -> str:
    if text not in choices:
        near = meant(text, choices)
        hint = f"; did you mean {near!r}?" if near else ""
        raise InputError(f"{shorten(text)!r} is none of {', '.join(choices)}{hint}")
    return text


def _read_steps(text: str, choices: Sequence[str]) -> str:
    found = steps(text)
    words, allowed = [word for word, _ in found], {one.partition("=")[0] for one in choices}
    for word in words:
        if word not in allowed:
            where = _WHERE if word == "suppress" else ""
            raise InputError(f"{word}: not here{where}; expected {', '.join(choices)}")
        if word in ("nothing", "suppress") and len(words) > 1:
            raise InputError(f"{word}: expected it alone, got {shorten(text)!r}")
    return ";".join(
        word + ("=" if numbers else "") + ",".join(map(decimal_text, numbers))
        for word, numbers in found
    )


READERS: dict[str, Reader] = {
    "choice": _read_choice,
    "whole": lambda text, _: str(whole(text)),
    "bounds": lambda text, _: ",".join(map(decimal_text, bounds(text))),
    "names": lambda text, _: ",".join(names(text)),
    "rate": lambda text, _: decimal_text(rate(text)),
    "steps": _read_steps,
    "target": lambda text, _: ",".join(x for x in target(text) if x != "0"),
}
"""Kind of a question -> what reads an answer to it, given its choices, and returns what is kept."""
