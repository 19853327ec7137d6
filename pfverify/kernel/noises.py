"""What only some kinds of noise ask of a problem: a lattice of atoms, a rational variance."""

from __future__ import annotations

from fractions import Fraction

from enclose import Arithmetic, Undecided
from grammar import Malformed, Number, combine
from kinds import Beliefs, Enclosed
from value import enclose_number, sign


def require_lattice(beliefs: Beliefs, pairs: list[tuple[str, str]], step: Fraction) -> None:
    """Malformed unless the atoms of every pair differ by multiples of the step."""
    for priors in beliefs.values():
        found = {s: p.high if isinstance(p, Enclosed) else p for s, p in priors.items()}
        atoms = {s: list(prior) for s, prior in found.items() if isinstance(prior, dict)}
        if len(atoms) < len(priors):
            raise Malformed("discrete-laplace noise needs priors of atoms")
        for a, b in pairs:
            first = atoms[a][0]
            if any(((x - first) / step).denominator != 1 for x in [*atoms[a], *atoms[b]]):
                raise Malformed("atoms of a pair do not differ by multiples of the step")


def rational_square(scale: Number) -> Fraction:
    """scale^2, which must be a rational: of an irrational scale it is guessed, then proved."""
    square = combine("*", scale, scale)
    if isinstance(square, Fraction):
        return square
    try:
        low, _, e = enclose_number(square, Arithmetic(512))
        if -600 < e < 600:
            guess = (low * Fraction(2) ** e).limit_denominator(10**60)
            if sign(combine("-", square, guess)) == 0:
                return guess
    except Undecided:
        pass
    raise Malformed("the square of the scale of gaussian noise must be rational: give its variance")
