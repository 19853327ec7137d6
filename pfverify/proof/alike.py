"""Names that would look like something else, in text or on paper: refused, so that readers are not
told another claim than the one that is checked."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from pfverify.proof.claim import Claim
from pfverify.proof.heads import HEADS
from pfverify.proof.notation import Sign, sign_of_name
from pfverify.proof.outcome import PartFails
from pfverify.proof.paper_notation import FUNCTION, kinds_of, pieces

_HEADS = frozenset({head.kind.__name__ for head in HEADS} | {"max", "min", "Φ"})
"""How the functions of the language are written, in text or on paper."""
_NUMBERS = {type(sp.E): ("E", "e"), sp.exp: ("", "e"), type(sp.pi): ("pi", "π")}
"""How terms that are numbers, or powers of e, are written: in text and on paper."""

TAKEN = _HEADS | {text for pair in _NUMBERS.values() for text in pair}
"""What no other name may look like."""


def require_clear(claim: Claim) -> None:
    """Raise PartFails where a table of symbols is not about the claim, or two things look alike."""
    kinds, _ = kinds_of(claim)
    if unknown := {*claim.symbols} - {*kinds}:
        raise PartFails("the file", f"symbols: the claim has no {min(unknown)!r}")
    signs = {name: sign_of_name(name, claim.symbols) for name in kinds}
    _require_apart(signs)
    numbers = {_NUMBERS[piece.func] for piece in pieces(claim) if piece.func in _NUMBERS}
    for name, sign in signs.items():
        if kinds[name] == FUNCTION:  # it is written with its arguments, as those of the language
            alike = bool({name, sign.text} & _HEADS)
        else:
            alike = any(name == text or sign.text == shown for text, shown in numbers)
        if alike:
            raise PartFails("the file", f"the name {name!r} stands for two things")


def _require_apart(signs: Mapping[str, Sign]) -> None:
    shown = [*signs.values()]
    for sign in shown:
        if shown.count(sign) > 1:
            raise PartFails("the file", f"symbols: two names are shown as {sign.text}")
        if sign.upper.isdigit() or sign.upper in signs:
            raise PartFails("the file", f"symbols: {sign.text} looks like a power")
