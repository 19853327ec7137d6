"""One budget of work for all rules, which the arithmetic charges and the sizes of the files bound.

A unit is about a quarter of a microsecond of one core.  The steps of a check cost their number
times the size of their numbers; so does everything that a file may make large.  The bound is
linear in the bytes of both files: no small input can ask for long work, but where many losses are
summed, of which files say little: that may cost FOR_SUMS more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from math import isqrt
from typing import Any

AT_LEAST = 16_000_000  # units, about four seconds
PER_BYTE = 2_000  # further units for each byte of the two files
FOR_SUMS = 240_000_000  # further units for a check in which losses are summed, about a minute


class TooMuchWork(Exception):  # noqa: N818
    """The check would take longer than the sizes of its files allow."""


class Check:
    """One check: what it may spend and has spent, by which facts each of its rules held, and what
    a rule keeps from one goal to the next; the folder of the problem, and files that it names."""

    __slots__ = ("allowed", "files", "folder", "kept", "rules", "spent", "sums")

    def __init__(self, size: int, folder: str = "") -> None:
        """Of two files with so many bytes."""
        self.folder, self.files = folder, set[str]()
        self.allowed, self.spent, self.sums = AT_LEAST + PER_BYTE * size, 0, False
        self.rules: dict[str, set[str]] = {}
        self.kept: list[Any] = []

    def held(self, rule: str, facts: Set[str]) -> None:
        """Note that a rule held by these facts."""
        self.rules.setdefault(rule, set()).update(facts)


# the check that whatever is called here is a part of; outside of one nothing is charged
_CHECK: ContextVar[Check | None] = ContextVar("check", default=None)


@contextmanager
def checking(size: int, folder: str = "") -> Iterator[Check]:
    """A check of so many bytes, which all that is called inside charges."""
    check = Check(size, folder)
    before = _CHECK.set(check)
    try:
        yield check
    finally:
        _CHECK.reset(before)


def spend(units: int) -> None:
    """Charge the check; TooMuchWork when it may spend no more."""
    check = _CHECK.get()
    if check is None:
        return
    check.spent += units
    if check.spent > check.allowed:
        more = f", and {FOR_SUMS} for sums of losses" if check.sums else ""
        raise TooMuchWork(
            f"too much work for files of this size: more than {check.allowed} units, which is "
            f"{AT_LEAST} and {PER_BYTE} for each byte{more}"
        )


def allow_sums() -> None:
    """Let the check spend what sums of losses may cost; once."""
    check = _CHECK.get()
    if check is not None and not check.sums:
        check.sums, check.allowed = True, check.allowed + FOR_SUMS


def under_way() -> Check | None:
    """The check that whatever is called here is a part of."""
    return _CHECK.get()


def table_of(keys: Iterable[Fraction | int]) -> int:
    """Charge a table with these keys, which compares each with all of its hash: modulo 2^61 - 1,
    many fractions may have one.  The greatest number of keys with one hash is returned."""
    keys = [*keys]
    counts = Counter(hash(x.numerator if x.denominator == 1 else x) for x in keys)
    if len(counts) < len(keys):  # some are alike
        counts = Counter({f"{x.numerator:x}/{x.denominator:x}": hash(x) for x in keys}.values())
    spend(16 * sum(c * c for c in counts.values()))
    return max(counts.values(), default=0)


def price(bits: int) -> int:
    """The units of a quotient, root or greatest common divisor of numbers so long."""
    return 1 + (bits * bits >> 17)


def product(bits: int) -> int:
    """The units of a product of numbers so long (Karatsuba's, a little more than measured)."""
    return 1 + (bits * isqrt(bits) >> 12)
