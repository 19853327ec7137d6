"""How near each other the bounds of many releases are to be: what a caller asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import rational

GAP = Fraction(1, 1000)
"""Of a divergence, between its two bounds."""
BESIDE = Fraction(1, 10**9)
"""Of delta: what is less need not be known so well."""
_LEAST = Fraction(1, 10**9)
_BESIDE: ContextVar[Fraction] = ContextVar("beside", default=BESIDE)
_ASKED: ContextVar[Fraction] = ContextVar("gap", default=GAP)


def asked_gap() -> Fraction:
    """Return the gap that is asked for here. Example: ``asked_gap() == GAP``."""
    return _ASKED.get()


def asked_beside() -> Fraction:
    """Return what share of delta need not be known well. Example: ``asked_beside() == BESIDE``."""
    return _BESIDE.get()


@contextmanager
def roughly(gap: Fraction) -> Iterator[None]:
    """Ask for bounds that only propose, of this gap where a divergence is not small beside delta.

    Example: ``roughly(Fraction(1, 50))``.
    """
    token = _BESIDE.set(gap)
    try:
        with within(gap):
            yield
    finally:
        _BESIDE.reset(token)


@contextmanager
def within(gap: AnyNumber | None) -> Iterator[None]:
    """Ask for bounds of this gap inside a ``with`` block; None: as outside.

    Raises InputError unless it is a rational number from 1e-9 to less than 1.
    """
    if gap is None:
        yield
        return
    found = rational(gap, "gap")
    if not _LEAST <= found < 1:
        raise InputError(f"gap: {shorten(gap)} is not from 1e-9 to less than 1")
    token = _ASKED.set(found)
    try:
        yield
    finally:
        _ASKED.reset(token)
