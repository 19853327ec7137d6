"""Formulas and terms as MathML, written from the same terms as their LaTeX.

What is returned is markup: every name goes through `notation` or is escaped. A term that is not in
the language has no notation and is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import sympy as sp
from sympy.core.function import AppliedUndef

from pfverify.proof.heads import AtLeastZero, NormalCdf, Spread
from pfverify.proof.notation import sign_of_name
from pfverify.proof.terms import (
    Area,
    Connective,
    Formula,
    Mean,
    Predicate,
    Relation,
    Term,
    Total,
    Verdict,
    joined,
)

Chunks = list[str]
"""A line of a formula, in parts between which it may be broken."""

_SUM, _PRODUCT, _ATOM = range(3)  # what may stand in a place without parentheses
_SIGNS = {"<=": "≤", "<": "&lt;", "=": "=", "!=": "≠"}
_WORDS = {"or": "or", "and": "and"}
_MINUS = "<mo>&#x2212;</mo>"
_BETWEEN = ('<mo form="infix">+</mo>', '<mo form="infix">&#x2212;</mo>')  # where a line breaks
_BEGINS_WITH_A_NUMBER = re.compile("(<(msup|mrow|mfrac)>)*<mn>")
_WORD = re.compile("<mi>[A-Za-z]{2,}</mi>$")  # a name of letters that would run into the next
_BEGINS_WITH_A_WORD = re.compile("(<mrow>)*<mi>[A-Za-z]{2,}</mi>(?!<mo>&#x2061;)")
_OPEN, _CLOSE = (f'<mo fence="true" stretchy="false" form="{form}">{sign}</mo>'
                 for form, sign in (("prefix", "("), ("postfix", ")")))  # fmt: skip
_E = '<mi mathvariant="normal">e</mi>'  # upright: the number, not a letter of a paper
_TIMES, _APPLY = "<mo>&#x2062;</mo>", "<mo>&#x2061;</mo>"


def lines(formula: Formula, symbols: Mapping[str, str]) -> list[Chunks]:
    """Return a formula line by line: a line for each of the formulas that `and` joins.

    `symbols` gives names another notation. Raises TypeError for what has no notation.
    """
    write = _Writer(symbols)
    parts = joined(formula)
    alone = len(parts) == 1
    return [write.chunks(part) if alone else write.apart(part) for part in parts]


def term_markup(term: Term, symbols: Mapping[str, str]) -> str:
    """Return a term in one piece. Raises TypeError for what has no notation."""
    return _Writer(symbols).term(term)


def term_chunks(term: Term, symbols: Mapping[str, str]) -> Chunks:
    """Return a term in parts, as `lines` does. Raises TypeError for what has no notation."""
    return _Writer(symbols).addends(term)


def width(markup: str) -> float:
    """Return about how many characters wide a formula is: a fraction as wide as its wider part."""
    return _width(ElementTree.fromstring(f"<mrow>{markup}</mrow>"))


def _width(element: ElementTree.Element) -> float:
    parts = [_width(part) for part in element]
    if element.tag in ("mfrac", "munder"):
        return max(parts)
    if element.tag in ("msub", "msup", "msubsup"):
        return parts[0] + 0.7 * max(parts[1:])
    return sum(parts) + len((element.text or "").strip("\u2061\u2062"))


def _run_together(before: str, text: str) -> bool:
    """Whether two factors would be read as one number, or as one name."""
    if before.endswith("</mn>"):
        return bool(_BEGINS_WITH_A_NUMBER.match(text))
    word = before.endswith("</mi>") and _BEGINS_WITH_A_WORD.match(text)
    return bool(word or _WORD.search(before))


def _joins(formula: Formula) -> bool:
    return isinstance(formula, Connective) and formula.op != "not"


def _row(*parts: str) -> str:
    return f"<mrow>{''.join(parts)}</mrow>"


def _mo(sign: str) -> str:
    return f"<mo>{sign}</mo>"


def _fenced(inside: str, left: str = "(", right: str = ")") -> str:
    return _row(
        f'<mo fence="true" form="prefix">{left}</mo>', inside,
        f'<mo fence="true" form="postfix">{right}</mo>',
    )  # fmt: skip


def _words(text: str) -> str:
    return f"<mtext>{escape(text)}</mtext>"


def _reaches_on(term: Term) -> bool:
    """Sums and integrals take what follows them for a part of theirs."""
    return term.func in (Total, Area)


class _Writer:
    def __init__(self, symbols: Mapping[str, str]) -> None:
        self._symbols = symbols
        self._heads: dict[Any, Callable[[Term, bool], str]] = {
            sp.exp: self._exponential, sp.log: self._function("log"), sp.Max: self._function("max"),
            sp.Min: self._function("min"), sp.Abs: self._absolute, AtLeastZero: self._indicator,
            NormalCdf: self._function("Φ"), Total: self._total, Mean: self._mean,
            Area: self._area,
        }  # fmt: skip

    # ------------------------------------------------------------ formulas

    def chunks(self, formula: Formula) -> Chunks:
        if isinstance(formula, Relation):
            left, right = self.addends(formula.left), self.addends(formula.right)
            return [*left, _mo(_SIGNS[formula.op]) + right[0], *right[1:]]
        if isinstance(formula, Predicate):
            return [self.term(formula.term) + _words(f"\u00a0is {formula.name}")]
        if isinstance(formula, Verdict):
            return [_words(f"the problem “{formula.problem}” is {formula.word}")]
        if not isinstance(formula, Connective):
            raise TypeError(f"{formula} has no notation")
        if formula.op == "not":
            return [_mo("¬") + _fenced(self._whole(formula.parts[0]))]
        if formula.op == "implies":
            guard, then = formula.parts
            first = [*self.chunks(guard)] if isinstance(guard, Relation) else [self._inner(guard)]
            rest = self.apart(then)
            return [*first, _mo("⟹") + rest[0], *rest[1:]]
        found: Chunks = []
        for k, part in enumerate(formula.parts):
            link = _words(f"\u00a0{_WORDS[formula.op]}\u00a0") if k else ""
            found.append(link + self._inner(part))
        return found

    def apart(self, formula: Formula) -> Chunks:
        """The parts of a formula beside others: in parentheses if it joins formulas itself."""
        found = self.chunks(formula)
        if not _joins(formula):
            return found
        return [_OPEN + found[0], *found[1:-1], found[-1] + _CLOSE] if found[1:] else [
            _OPEN + found[0] + _CLOSE]  # fmt: skip

    def _whole(self, formula: Formula) -> str:
        return _row(*self.chunks(formula))

    def _inner(self, formula: Formula) -> str:
        whole = self._whole(formula)
        return _fenced(whole) if _joins(formula) else whole

    # ------------------------------------------------------------ terms

    def term(self, term: Term, place: int = _SUM, small: bool = False) -> str:
        """A term; in a `small` place (an exponent) fractions are written with a stroke."""
        kind, text = self._kind_and_text(term, small)
        return _fenced(text) if kind < place else text

    def _kind_and_text(self, term: Term, small: bool) -> tuple[int, str]:
        if isinstance(term, Spread):
            return self._kind_and_text(term.args[0], small)
        if term.is_Integer and term >= 0:
            return _ATOM, f"<mn>{term}</mn>"
        if term.is_Rational:
            return _SUM, self._product(term, small)
        if term.is_Symbol:
            return _ATOM, sign_of_name(term.name, self._symbols).mathml()
        constants = {sp.E: _E, sp.pi: '<mi mathvariant="normal">π</mi>', sp.oo: "<mi>∞</mi>",
                     -sp.oo: "<mi>&#x2212;∞</mi>"}  # fmt: skip
        if term in constants:
            return _ATOM, constants[term]
        if term.is_Add:
            return _SUM, self._sum(term, small)
        if term.is_Mul:
            return (_SUM if term.could_extract_minus_sign() else _PRODUCT), self._product(
                term, small)  # fmt: skip
        if term.is_Pow:
            return self._power(term, small)
        if isinstance(term, AppliedUndef):
            name = sign_of_name(term.func.__name__, self._symbols).mathml()
            return _ATOM, _row(name, _APPLY, _fenced(self._listed(term.args, small)))
        if term.func not in self._heads:
            raise TypeError(f"the term {term} has no notation")
        kind = _PRODUCT if _reaches_on(term) else _ATOM
        return kind, self._heads[term.func](term, small)

    def _listed(self, terms: Any, small: bool) -> str:
        return _mo(",").join(self.term(t, small=small) for t in terms)

    def addends(self, term: Term) -> Chunks:
        """What a term adds, each with its sign."""
        return self._signed(term, small=False) if term.is_Add else [self.term(term)]

    def _sum(self, term: Term, small: bool) -> str:
        return _row(*self._signed(term, small))

    def _signed(self, term: Term, small: bool) -> Chunks:
        ordered = term.as_ordered_terms()
        ordered.sort(key=lambda t: bool(t.could_extract_minus_sign()))  # what is added comes first
        found = []
        for k, part in enumerate(ordered):
            minus = bool(part.could_extract_minus_sign())
            text = self.term(-part if minus else part, _PRODUCT, small)
            found.append((_BETWEEN[minus] if k else _MINUS * minus) + text)
        return found

    def _product(self, term: Term, small: bool) -> str:
        if term.could_extract_minus_sign():
            return _row(_MINUS, self.term(-term, _PRODUCT, small))
        above, below = [], []
        for factor in term.as_ordered_factors() if term.is_Mul else [term]:
            if factor.is_Rational:
                above += [sp.Integer(factor.p)] if factor.p != 1 else []
                below += [sp.Integer(factor.q)] if factor.q != 1 else []
            elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
                below.append(factor.base ** -factor.exp)
            else:
                above.append(factor)
        if not below:
            return self._factors(above, small)
        if not small:
            top, bottom = self._factors(above, False), self._factors(below, False)
            return f"<mfrac>{_row(top)}{_row(bottom)}</mfrac>"
        bottom = self._factors(below, True)
        single = len(below) == 1 and not (below[0].is_Add or below[0].is_Mul)
        top = self._factors(above, True) if above[1:] else self.term(
            above[0] if above else sp.Integer(1), _PRODUCT, True)  # fmt: skip
        return _row(top, _mo("/"), bottom if single else _fenced(bottom))

    def _factors(self, factors: list[Term], small: bool) -> str:
        if not factors:
            return "<mn>1</mn>"
        if len(factors) == 1:
            return self.term(factors[0], small=small)
        factors = sorted(factors, key=_reaches_on)
        places = [_ATOM if _reaches_on(f) else _PRODUCT for f in factors[:-1]]
        texts = [self.term(f, place, small)
                 for f, place in zip(factors, [*places, _PRODUCT], strict=True)]  # fmt: skip
        joined = texts[0]
        for before, text in pairwise(texts):
            joined += (_mo("·") if _run_together(before, text) else _TIMES) + text
        return _row(joined)

    def _power(self, term: Term, small: bool) -> tuple[int, str]:
        base, exponent = term.args
        if exponent.is_Rational and exponent < 0:
            return _PRODUCT, self._product(term, small)
        if exponent == sp.Rational(1, 2):
            return _ATOM, f"<msqrt>{self.term(base)}</msqrt>"
        if base.is_Symbol and (sign := sign_of_name(base.name, self._symbols)).is_power_of_e:
            return _ATOM, sign.mathml(self.term(exponent, _PRODUCT, small=True) + _TIMES)
        text = self.term(base, _ATOM, small)
        if base.is_Pow or isinstance(base, sp.exp) or text.startswith(("<msup>", "<msubsup>")):
            text = _fenced(text)
        return _ATOM, f"<msup>{_row(text)}{_row(self.term(exponent, small=True))}</msup>"

    def _exponential(self, term: Term, small: bool) -> str:
        return f"<msup>{_E}{_row(self.term(term.args[0], small=True))}</msup>"

    def _function(self, name: str) -> Callable[[Term, bool], str]:
        def written(term: Term, small: bool) -> str:
            return _row(f"<mi>{name}</mi>", _APPLY, _fenced(self._listed(term.args, small)))

        return written

    def _absolute(self, term: Term, small: bool) -> str:
        return _fenced(self.term(term.args[0], small=small), "|", "|")

    def _indicator(self, term: Term, small: bool) -> str:
        parts = sp.Add.make_args(term.args[0])
        less = [-p for p in parts if p.could_extract_minus_sign()]
        more = [p for p in parts if not p.could_extract_minus_sign()]
        left, right = (sp.Add(*side, evaluate=False) if side else sp.Integer(0)
                       for side in (more, less))  # fmt: skip
        inside = self.term(left, small=small) + _mo("≥") + self.term(right, small=small)
        return _row("<mn>&#x1D7CF;</mn>", _fenced(inside, "[", "]"))

    def _total(self, term: Term, small: bool) -> str:
        body, indices = term, []
        while body.func is Total:
            body, index = body.args
            indices.append(self.term(index))
        under = _row(_mo(",").join(reversed(indices)))
        return _row(f"<munder>{_mo('∑')}{under}</munder>", self.term(body, _PRODUCT, small))

    def _mean(self, term: Term, small: bool) -> str:
        body, draw = term.args
        law = sign_of_name(draw.domain, self._symbols).mathml()
        under = _row(self.term(draw), _mo("&#x223C;"), law)
        inside = _fenced(self.term(body, small=small), "[", "]")
        return _row(f'<msub><mi mathvariant="normal">E</mi>{under}</msub>', inside)

    def _area(self, term: Term, small: bool) -> str:
        body, variable, low, high = term.args
        ends = _row(self.term(low, small=True)) + _row(self.term(high, small=True))
        d = _row("<mi>d</mi>", self.term(variable))
        inside = self.term(body, _PRODUCT, small)
        return _row(f"<msubsup>{_mo('∫')}{ends}</msubsup>", inside, _TIMES, d)
