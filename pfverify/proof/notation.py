"""How the names of a proof file look on paper: "theta" as a letter, "z" as x', "E" as e^epsilon.

A notation is written as one word: a letter or a Greek name, then perhaps marks ('), a lower index
after _ and an upper one after ^. A name without an entry in the file's table is read the same way,
its last digits as a lower index.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pfverify.errors import InputError, shorten

_SMALL = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
GREEK = dict(zip(_SMALL, "αβγδεζηθικλμνξπρστυφχψω", strict=True)) | {
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
_PRIME = "\u2032"
_NOTATION = re.compile(r"([A-Za-z]+)('*)(?:_([A-Za-z0-9]+))?(?:\^([A-Za-z0-9]+|\*))?('*)")
_NAME = re.compile(r"([A-Za-z]+?)(?:_([A-Za-z0-9]+)|(\d+))?('*)")
_PIECE = re.compile(rf"{'|'.join(sorted(GREEK, key=len, reverse=True))}|\d+|[A-Za-z*]")


@dataclass(frozen=True)
class Sign:
    """A name as it is set: its letter, marks, lower and upper index."""

    base: str
    marks: int = 0
    lower: str = ""
    upper: str = ""

    @property
    def text(self) -> str:
        """The sign as plain text, with Greek letters."""
        text = GREEK.get(self.base, self.base) + _PRIME * self.marks
        text += f"_{''.join(map(_letter, _pieces(self.lower)))}" if self.lower else ""
        return text + (f"^{''.join(map(_letter, _pieces(self.upper)))}" if self.upper else "")

    def latex(self) -> str:
        """Return the sign in LaTeX."""
        text = _latex(self.base) + "'" * self.marks
        text += f"_{{{' '.join(map(_latex, _pieces(self.lower)))}}}" if self.lower else ""
        return text + (f"^{{{' '.join(map(_latex, _pieces(self.upper)))}}}" if self.upper else "")

    @property
    def is_power_of_e(self) -> bool:
        """Whether it is a power of the number e, such as e^epsilon."""
        return self.base == "e" and bool(self.upper)

    def mathml(self, times: str = "") -> str:
        """Return the sign in MathML, with a factor before its upper index."""
        variant = ' mathvariant="normal"' if self.is_power_of_e else ""  # upright, as in formulas
        base = f"<mi{variant}>{GREEK.get(self.base, self.base)}</mi>"
        if self.marks:  # not inside <mi>, which is upright where it has several characters
            base = f'<mrow>{base}<mo lspace="0" rspace="0">{_PRIME * self.marks}</mo></mrow>'
        lower = "".join(map(_mathml, _pieces(self.lower)))
        upper = times + "".join(map(_mathml, _pieces(self.upper)))
        if lower and upper:
            return f"<msubsup>{base}<mrow>{lower}</mrow><mrow>{upper}</mrow></msubsup>"
        if lower:
            return f"<msub>{base}<mrow>{lower}</mrow></msub>"
        return f"<msup>{base}<mrow>{upper}</mrow></msup>" if upper else base


def sign_of(notation: str) -> Sign:
    """Return the sign of a notation. Raises InputError for what is none.

    Example: ``sign_of("e^epsilon").text`` is ``"e^ε"``.
    """
    match = _NOTATION.fullmatch(notation)
    if not match:
        raise InputError(f"{shorten(notation)!r} is no notation, such as x', e^epsilon or mu_i")
    base, marks, lower, upper, more = match.groups()
    return Sign(base, len(marks) + len(more), lower or "", upper or "")


def sign_of_name(name: str, symbols: Mapping[str, str]) -> Sign:
    """Return the sign of a name of a proof file, by its table of symbols if it is there."""
    if name in symbols:
        return sign_of(symbols[name])
    match = _NAME.fullmatch(name)
    if not match:
        return Sign(name)
    base, lower, digits, marks = match.groups()
    return Sign(base, len(marks), lower or digits or "")


def _pieces(text: str) -> list[str]:
    return _PIECE.findall(text)


def _letter(piece: str) -> str:
    return GREEK.get(piece, piece)


def _latex(piece: str) -> str:
    if piece in GREEK:
        return rf"\{piece}"
    whole = piece.replace("_", r"\_")
    return piece if len(piece) == 1 or piece.isdigit() else rf"\mathit{{{whole}}}"


def _mathml(piece: str) -> str:
    if piece == "*":
        return "<mo>*</mo>"
    return f"<mn>{piece}</mn>" if piece.isdigit() else f"<mi>{_letter(piece)}</mi>"
