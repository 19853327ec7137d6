"""Which integrals may have no value: those to infinity, and of what nothing bounds."""

from __future__ import annotations

from typing import Any

import sympy as sp

from pfverify.proof.heads import head_of
from pfverify.proof.terms import INFINITE, Area, Mean, Term


def improper(term: Term) -> set[Term]:
    """Return the integrals in a term that may have no value: a step has to show that they have.

    One of their ends is infinite, or nothing bounds the integrand between the ends.
    """
    found = {a for part in term.args for a in improper(part)}
    if isinstance(term, Area) and ({*term.args[2:]} & {*INFINITE} or may_be_unbounded(term)):
        found.add(term)
    return found


def may_be_unbounded(area: Term) -> bool:
    """Say whether nothing shows that an integral's body is bounded between finite ends.

    What is defined everywhere and continuous is; so are indicators, but not what divides by a term
    that jumps (it may come near 0 and not be 0) or takes its log, nor an unknown function.
    """
    body, variable, *_ = area.args
    return _wild(body, {variable})


def _wild(term: Term, bound: set[Any]) -> bool:
    if not term.free_symbols & bound:
        return False
    inner = bound
    if isinstance(term, Mean):
        return True
    if isinstance(term, Area):
        if {*term.args[2:]} & {*INFINITE}:
            return True  # its dependence on the variable is not known
        inner = bound | {term.args[1]}
    head = head_of(term)
    if head is None and isinstance(term, sp.Function):
        return True  # nothing is known of it
    steep = _is_inverse_power(term) if head is None else head.steep
    return (steep and _jumps(term.args[0], inner)) or any(_wild(part, inner) for part in term.args)


def _is_inverse_power(term: Term) -> bool:
    """Say whether a term is a power that may be unbounded: not with a fixed exponent > 0."""
    return bool(term.is_Pow and not (term.args[1].is_Rational and term.args[1] > 0))


def _jumps(term: Term, bound: set[Any]) -> bool:
    """Say whether a term contains an indicator that depends on bound variables."""
    if isinstance(term, Area):
        bound = bound | {term.args[1]}
    head = head_of(term)
    return bool(term.free_symbols & bound) and (
        (head is not None and head.jumps) or any(_jumps(part, bound) for part in term.args)
    )
