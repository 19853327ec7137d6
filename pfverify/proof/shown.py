"""What a reader is shown of a claim beside its formulas: who its symbols are, what a step rests on,
which numbers a counterexample gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from sympy import Expr, log
from sympy.core.function import AppliedUndef, UndefinedFunction

from pfverify.exact.number import Number
from pfverify.proof.claim import Part, Proved, Refuted, Step
from pfverify.proof.heads import AtLeastZero, NormalCdf
from pfverify.proof.instantiate import Maps, Theorem
from pfverify.proof.mathml import Chunks, lines, term_chunks, term_markup
from pfverify.proof.meaning import Instance, value
from pfverify.proof.notation import sign_of_name
from pfverify.proof.numbers import NoMeaning
from pfverify.proof.refuted import falsified
from pfverify.proof.rules import Certificate, Cite, Rule, Use
from pfverify.proof.terms import (
    Constant,
    Draw,
    Formula,
    IndexConstant,
    Mean,
    Relation,
    Term,
    Variable,
    atoms_of,
    is_mass,
    is_positive,
    terms_of,
)

_SAMPLES = 120
Symbols = Mapping[str, str]


def names_of(part: Part) -> dict[str, str]:
    """Return what each name of a part stands for, in words, in order of appearance."""
    found: dict[str, str] = {}
    for piece in _pieces(part):
        if isinstance(piece, AppliedUndef):
            words = "a function, never negative" if is_mass(piece) else "a function"
            found.setdefault(piece.func.__name__, words)
        elif piece.is_Symbol:
            found.setdefault(piece.name, _stands_for(piece))
    return found


def masses_of(part: Part) -> set[str]:
    """Return the functions of a part that are never negative: 0 where a table has no row."""
    return {piece.func.__name__ for piece in _pieces(part) if is_mass(piece)}


def functions_of(part: Part) -> dict[str, str]:
    """Return what the functions of the language that a part uses stand for, by their markup."""
    used = {piece.func for piece in _pieces(part)}
    return {markup: words for kind, markup, words in _FUNCTIONS if kind in used}


_FUNCTIONS = (
    (AtLeastZero, "<mn>&#x1D7CF;</mn><mo>[</mo><mo>…</mo><mo>]</mo>",
     "1 where the relation in the brackets holds, else 0"),
    (NormalCdf, "<mi>Φ</mi>", "the distribution function of the standard normal law"),
    (Mean, '<mi mathvariant="normal">E</mi><mo>[</mo><mo>…</mo><mo>]</mo>',
     "the mean over what is drawn from the law named below it"),
    (log, "<mi>log</mi>", "the natural logarithm"),
)  # fmt: skip


def _pieces(part: Part) -> Iterator[Term]:
    """Yield every part of every term of the formulas, in one order: it is that of a page."""
    formulas: list[Formula] = [*part.given.values(), part.statement]
    if isinstance(part, Proved):
        formulas += [step.formula for step in part.all_steps()]
    for formula in formulas:
        for term in terms_of(formula):
            yield from _inside(term)


def _inside(term: Any) -> Iterator[Term]:
    """A term and those inside it, each before what is inside it.

    sympy's own walk takes the members of a maximum in the order of a set, another one every run.
    """
    yield term
    for part in term.args:
        yield from _inside(part)


def inner_steps(step: Step) -> tuple[Step, ...]:
    """Return the steps that the rule of a step was given, or made, and checks itself."""
    return tuple(step.rule.inner)


def _stands_for(symbol: Any) -> str:
    if isinstance(symbol, Draw):
        return f"a value drawn from the law {symbol.domain}, any law on the line"
    if isinstance(symbol, Variable):
        return f"any member of a finite set {symbol.domain}" if symbol.domain else "any real number"
    if isinstance(symbol, IndexConstant):
        return f"a member of the finite set {symbol.domain}"
    if not isinstance(symbol, Constant):
        raise TypeError(f"{symbol} is no symbol of a proof file")
    return "a number > 0" if is_positive(symbol) else "a real number"


# ---------------------------------------------------------------- what a step rests on


@dataclass(frozen=True)
class Grounds:
    """What a rule was given: earlier facts with values for their variables, and other arguments.

    `theorem` is another file and its part, `cited` a theorem of the literature. Values are markup,
    those of facts in parts between which they may be broken, other arguments line by line.
    """

    facts: list[tuple[str, list[tuple[str, Chunks]]]]
    others: list[tuple[str, list[Chunks]]]
    theorem: tuple[str, str] | None = None
    cited: str = ""


def grounds_of(rule: Rule, symbols: Symbols) -> Grounds:
    """Return what a rule was given, in the notation of a file."""
    facts: list[tuple[str, list[tuple[str, Chunks]]]] = []
    others: list[tuple[str, list[Chunks]]] = []
    about = {"id", "part", "theorem", "problem", "steps", "by", "term"}
    for part in fields(rule):
        item = getattr(rule, part.name)
        if part.name in ("fact", "using", "chain", "base"):
            facts += [_fact(one, symbols) for one in (item if isinstance(item, tuple) else (item,))]
        elif part.name not in about and item not in ((), None, {}, 1):
            others.append((part.name, _argument(item, symbols)))
    theorem = (rule.id, rule.part) if isinstance(rule, Theorem) else None
    return Grounds(facts, others, theorem, rule.theorem if isinstance(rule, Cite) else "")


def _fact(used: str | Use, symbols: Symbols) -> tuple[str, list[tuple[str, Chunks]]]:
    if isinstance(used, Use):
        put = [(markup_of(k, symbols), term_chunks(v, symbols)) for k, v in used.binding.items()]
        return used.name, put
    return used, []


def _argument(item: Any, symbols: Symbols) -> list[Chunks]:
    """An argument of a rule, a line for each name that it gives a value."""
    if isinstance(item, Mapping):
        return [["<mo>:=</mo>".join(markup_of(one, symbols) for one in pair)]
                for pair in item.items()]  # fmt: skip
    if isinstance(item, Expr):
        return [term_chunks(item, symbols)]
    text = markup_of(item, symbols)
    return [[text]] if text else []


def is_shown(item: Any) -> bool:
    """Say whether a value of a proof file is a formula or a term."""
    return isinstance(item, Formula | Expr)


def markup_of(item: Any, symbols: Symbols) -> str:
    """An argument of a rule as markup, whatever it is made of."""
    comma = "<mo>,</mo>"
    if isinstance(item, Maps):
        names = comma.join(markup_of(a, symbols) for a in item.arguments)
        return f"<mrow>{names}<mo>↦</mo>{term_markup(item.term, symbols)}</mrow>"
    if isinstance(item, UndefinedFunction):
        return sign_of_name(item.__name__, symbols).mathml()
    if isinstance(item, Formula):
        return "<mo>∧</mo>".join("".join(line) for line in lines(item, symbols))
    if isinstance(item, tuple | list):
        return f"<mrow>{comma.join(markup_of(i, symbols) for i in item)}</mrow>"
    if isinstance(item, str):
        return sign_of_name(item, {}).mathml() if item.isidentifier() else ""
    return term_markup(item, symbols)


def problems_of(part: Part) -> list[Mapping[str, Any]]:
    """Return the problems that the kernel decides for a part."""
    if isinstance(part, Refuted):
        return [] if part.problem is None else [part.problem]
    return [s.rule.problem for s in part.steps if isinstance(s.rule, Certificate)]


# ---------------------------------------------------------------- numbers of a counterexample


@dataclass(frozen=True)
class Compared:
    """A relation at a counterexample: both sides as markup, exact, and near; whether it holds."""

    sign: str
    left: tuple[str, str, float]
    right: tuple[str, str, float]
    holds: bool


def where_false(part: Refuted) -> tuple[Instance, dict[Any, Number]] | None:
    """Return an instance and values of variables where a part is false, None without numbers."""
    try:
        return falsified(part)
    except NoMeaning:
        return None


def compared(part: Refuted, symbols: Symbols) -> list[Compared]:
    """Return the relations of a refuted statement with their numbers, [] where they have none."""
    found = where_false(part)
    if found is None:
        return []
    try:
        return [_compared(r, *found, symbols) for r in atoms_of(part.statement)
                if isinstance(r, Relation)]
    except NoMeaning:
        return []


def _compared(
    relation: Relation, instance: Instance, at: Mapping[Any, Number], symbols: Symbols
) -> Compared:
    left, right = (value(side, instance, at) for side in (relation.left, relation.right))
    sign = (right - left).sign()
    holds = {"<=": sign in (0, 1), "<": sign == 1, "=": sign == 0, "!=": sign in (-1, 1)}
    sides = [(term_markup(side, symbols), number.text, number.ball().midpoint())
             for side, number in ((relation.left, left), (relation.right, right))]  # fmt: skip
    return Compared(relation.op, sides[0], sides[1], holds[relation.op])


def curves(part: Refuted) -> tuple[str, float, list[list[tuple[float, float]]]] | None:
    """Return both sides of a refuted relation as functions of its one real variable, to be drawn.

    The result is the variable, where the relation fails, and the points of each side; None where
    the statement is no relation that has one.
    """
    found = where_false(part)
    if found is None or not isinstance(part.statement, Relation):
        return None
    instance, at = found
    real = [v for v in at if isinstance(v, Variable) and not v.domain]
    if len(real) != 1:
        return None
    (variable,) = real
    middle = at[variable].fraction
    if middle is None:
        return None
    half = max(Fraction(2), abs(middle))

    def side(term: Term) -> list[tuple[float, float]]:
        return [(float(x), y) for x, y in _sampled(
            lambda n: value(term, instance, {**at, variable: n}), middle - half, 2 * half)]

    drawn = [side(part.statement.left), side(part.statement.right)]
    return (variable.name, float(middle), drawn) if all(drawn) else None


def _sampled(
    function: Callable[[Number], Number], low: Fraction, width: Fraction
) -> Iterator[tuple[Fraction, float]]:
    for k in range(_SAMPLES + 1):
        x = low + width * Fraction(k, _SAMPLES)
        try:
            yield x, function(Number.of_rational(x)).ball().midpoint()
        except NoMeaning:
            continue
