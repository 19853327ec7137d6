"""What names that the files of a paper share look like in that paper: z as x', E as e^epsilon.

A file's own `symbols` come first. A paper's notation is used for a name of the kind that it is
meant for, and only where nothing else in the file would look the same: otherwise the name stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy.core.function import AppliedUndef

from pfverify.proof.claim import Claim, Proved
from pfverify.proof.notation import sign_of, sign_of_name
from pfverify.proof.terms import (
    Constant,
    Draw,
    IndexConstant,
    Term,
    Variable,
    is_positive,
    pieces_of,
)

NUMBER, POSITIVE, INDEX, DRAW = "number", "positive number", "index", "draw"
FUNCTION = "function"


@dataclass(frozen=True)
class Usual:
    """A notation of a paper for a name of one of the kinds, where `beside` is a name as well."""

    name: str
    notation: str
    kinds: tuple[str, ...]
    beside: str = ""


_GROWTH = Usual("E", "e^epsilon", (POSITIVE,))
_MOVED = (
    Usual("z", "x'", (INDEX, NUMBER), beside="x"),
    Usual("z1", "x'_1", (INDEX, NUMBER), beside="z2"),
    Usual("z2", "x'_2", (INDEX, NUMBER), beside="z1"),
)
PAPER_NOTATION: dict[str, tuple[Usual, ...]] = {
    "noise-reduction": (_GROWTH, *_MOVED),
    "multi-user": (_GROWTH, *_MOVED),
    "design": (_GROWTH, *_MOVED),
    "distribution-privacy": (
        _GROWTH,
        Usual("P", "lambda_0", (FUNCTION,), beside="Q"),
        Usual("Q", "lambda_1", (FUNCTION,), beside="P"),
        Usual("x", "x_0", (INDEX,), beside="z"),
        Usual("z", "x_1", (INDEX,), beside="x"),
    ),
    "gaussian-priors": (
        _GROWTH,
        *(Usual(f"{name}_{index}", f"{letter}_{index}", (NUMBER, POSITIVE))
          for name, letter in (("m", "mu"), ("s", "sigma")) for index in "ij"),
        Usual("mu", "mu_i", (NUMBER, FUNCTION), beside="nu"),
        Usual("nu", "mu_j", (NUMBER, FUNCTION), beside="mu"),
        Usual("s", "sigma_i", (FUNCTION,), beside="t"),
        Usual("t", "sigma_j", (FUNCTION,), beside="s"),
        Usual("alpha", "alpha_i", (FUNCTION,), beside="beta"),
        Usual("beta", "alpha_j", (FUNCTION,), beside="alpha"),
        Usual("s", "sigma", (FUNCTION,), beside="mu"),
        Usual("Z", "X'", (FUNCTION,), beside="X"),
        Usual("z", "x'", (DRAW,), beside="Z"),
    ),
}  # fmt: skip


def symbols_of(claim: Claim) -> dict[str, str]:
    """Return the notation of the names of a claim: its own table, and its paper's where it fits.

    For a claim of "design" with the indices x and z it is {"z": "x'"}.
    """
    kinds, sets = kinds_of(claim)
    table = dict(claim.symbols)
    for usual in PAPER_NOTATION.get(claim.source.paper, ()):
        if usual.name in table or kinds.get(usual.name) not in usual.kinds:
            continue
        if (not usual.beside or usual.beside in kinds) and _is_clear(usual, kinds, sets, table):
            table[usual.name] = usual.notation
    return table


def _is_clear(
    usual: Usual, kinds: Mapping[str, str], sets: set[str], table: Mapping[str, str]
) -> bool:
    """Say whether nothing else looks the same; nor is e^epsilon clear beside an epsilon."""
    sign = sign_of(usual.notation)
    others = {sign_of_name(name, table) for name in kinds if name != usual.name}
    return sign not in others | {sign_of_name(s, {}) for s in sets} and sign.upper not in kinds


def pieces(claim: Claim) -> Iterator[Term]:
    """Yield the terms, and the terms inside these, of what a claim says and of its steps."""
    for _, part in claim.parts():
        formulas = [*part.formulas(), *claim.meaning]
        formulas += [step.formula for step in part.all_steps()] if isinstance(part, Proved) else []
        yield from pieces_of(*formulas)


def kinds_of(claim: Claim) -> tuple[dict[str, str], set[str]]:
    """Return the kind of each name of a claim, and its domains and laws."""
    kinds: dict[str, str] = {}
    sets: set[str] = set()
    for piece in pieces(claim):
        if isinstance(piece, AppliedUndef):
            kinds[piece.func.__name__] = FUNCTION
        elif piece.is_Symbol:
            kinds[piece.name] = _kind(piece)
            sets |= {piece.domain} if isinstance(piece, Variable | IndexConstant) else set()
    return kinds, sets


def _kind(symbol: Any) -> str:
    if isinstance(symbol, Draw):
        return DRAW
    if isinstance(symbol, IndexConstant) or (isinstance(symbol, Variable) and symbol.domain):
        return INDEX
    if isinstance(symbol, Variable | Constant):
        return POSITIVE if is_positive(symbol) else NUMBER
    raise TypeError(f"{symbol} is no symbol of a proof file")
