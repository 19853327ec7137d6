"""Formulas in LaTeX, instances in text and LaTeX: for readers, nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from pfverify.exact.number import Number
from pfverify.proof.heads import AtLeastZero, NormalCdf, Spread
from pfverify.proof.meaning import Instance
from pfverify.proof.notation import sign_of_name
from pfverify.proof.terms import Area, Connective, Formula, Mean, Relation, Term, Total

_SIGNS = {"and": r"\wedge", "or": r"\vee", "implies": r"\Rightarrow", "<=": r"\le", "!=": r"\ne"}


def _total(printer: Any, term: Term) -> str:
    body, index = term.args
    return rf"\sum_{{{printer._print(index)}}} {_factor(printer, body)}"


def _mean(printer: Any, term: Term) -> str:
    body, draw = (printer._print(a) for a in term.args)
    law = printer._print(sp.Symbol(term.args[1].domain))
    return rf"\mathbb{{E}}_{{{draw}\sim {law}}}\left[{body}\right]"


def _area(printer: Any, term: Term) -> str:
    variable, low, high = (printer._print(a) for a in term.args[1:])
    return rf"\int_{{{low}}}^{{{high}}} {_factor(printer, term.args[0])}\,d{variable}"


def _factor(printer: Any, body: Term) -> str:
    text = printer._print(body)
    return rf"\left({text}\right)" if body.is_Add else str(text)


def _applied(left: str, right: str) -> Callable[..., str]:
    """A function's argument between two texts, to a power if there is one."""

    def write(printer: Any, term: Term, exp: str = "") -> str:
        text = left + printer._print(term.args[0]) + right
        return f"{text}^{{{exp}}}" if exp else text

    return write


_WRITE: dict[Any, Callable[..., str]] = {
    Total: _total, Mean: _mean, Area: _area,
    AtLeastZero: _applied(r"\mathbf{1}[", r"\ge 0]"),
    Spread: _applied(r"\left(", r"\right)"),
    NormalCdf: _applied(r"\Phi\left(", r"\right)"),
}  # fmt: skip


def _printer(symbols: Mapping[str, str]) -> Any:
    """sympy's printer with our sums, integrals and functions, names as a table says."""
    printer = LatexPrinter()
    printer._print_Symbol = lambda s, style="": sign_of_name(s.name, symbols).latex()
    printer._hprint_Function = lambda name: sign_of_name(name, symbols).latex()
    plain = printer.parenthesize

    def parenthesize(item: Term, level: int, **more: Any) -> str:
        text = str(plain(item, level, **more))  # what follows a sum would be read as its part
        open_ended = item.func in (Total, Area) and level > PRECEDENCE["Mul"]
        return rf"\left({text}\right)" if open_ended else text

    printer.parenthesize = parenthesize
    for kind, write in _WRITE.items():
        setattr(printer, f"_print_{kind.__name__}", partial(write, printer))
    return printer


def latex(formula: Formula, symbols: Mapping[str, str] | None = None) -> str:
    """Return the formula in LaTeX, names in the notation of a table of symbols."""
    return _latex(formula, _printer(symbols or {}))


def _latex(formula: Formula, printer: Any) -> str:
    if isinstance(formula, Relation):
        sign = _SIGNS.get(formula.op, formula.op)
        return rf"{printer.doprint(formula.left)} {sign} {printer.doprint(formula.right)}"
    if isinstance(formula, Connective):
        parts = [rf"\left({_latex(part, printer)}\right)" for part in formula.parts]
        return rf"\neg{parts[0]}" if formula.op == "not" else f" {_SIGNS[formula.op]} ".join(parts)
    return rf"\text{{{formula}}}"


def described(instance: Instance, at: Mapping[Any, Number] | None = None) -> str:
    """Return an instance and values of variables as text."""
    parts = [f"{k} = {v.text}" for k, v in instance.values.items()]
    parts += [f"{k} = {{{', '.join(map(str, v))}}}" for k, v in instance.domains.items()]
    for name, table in instance.tables.items():
        rows = [f"({', '.join(map(str, k))}): {v.text}" for k, v in table.items()]
        rows += [f"else: {instance.elsewhere[name].text}"] if name in instance.elsewhere else []
        parts.append(f"{name} = {{{', '.join(rows)}}}")
    for name, law in instance.laws.items():
        parts.append(f"{name}: {', '.join(f'{k} with mass {v.text}' for k, v in law.items())}")
    return "; ".join([*parts, *(f"{k} = {v.text}" for k, v in (at or {}).items())])


def instance_latex(instance: Instance, symbols: Mapping[str, str] | None = None) -> str:
    """Return an instance in LaTeX, names in the notation of a table of symbols."""
    table = symbols or {}

    def named(name: str) -> str:
        return sign_of_name(name, table).latex()

    parts = [f"{named(k)} = {_in_latex(v.text)}" for k, v in instance.values.items()]
    parts += [rf"{named(k)} = \{{{', '.join(map(str, v))}\}}" for k, v in instance.domains.items()]
    for name, rows in instance.tables.items():
        parts += [
            f"{named(name)}({', '.join(map(str, k))}) = {_in_latex(v.text)}"
            for k, v in rows.items()
        ]
        if name in instance.elsewhere or not rows:
            other = instance.elsewhere[name].text if name in instance.elsewhere else "0"
            parts.append(rf"{named(name)} = {_in_latex(other)} \text{{ elsewhere}}")
    parts += [
        rf"{named(name)}\{{{k}\}} = {_in_latex(v.text)}"
        for name, law in instance.laws.items() for k, v in law.items()
    ]
    return r";\ ".join(parts)


def _in_latex(text: str) -> str:
    """A number's text: upright where it is more than a number."""
    return text if text.lstrip("-").isdigit() else rf"\mathtt{{{text}}}"
