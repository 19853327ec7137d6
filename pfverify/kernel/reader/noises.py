"""What only some kinds of noise ask of a problem: a lattice of atoms, a rational variance, and of
laws that nothing is added to, that they have what the form bounds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from core.enclose import Arithmetic, Undecided
from core.grammar import Malformed, Number, combine
from core.kinds import Beliefs, Enclosed, Mixture, Pairs, law_kind
from core.rules import Rejected
from core.shapes import rational
from core.value import enclose_number, sign
from reader.tables import NOISES


def require_law(kind: str, p: object, q: object) -> None:
    """Rejected where the pointwise form is about a density that two laws have not.

    Without noise atoms have masses, which noise of kind none and discrete Laplace noise bound;
    Laplace and gaussian noise promise densities, and so do priors with densities.
    """
    priors = [prior for prior in (p, q) if isinstance(prior, Mixture)]
    if not priors:
        if NOISES[kind].dense:
            raise Rejected("the priors' atoms have no density without noise")
    elif len(priors) < 2 or any(not v for prior in priors for _, v, _ in prior.components):
        raise Rejected("an atom has no density without noise")


def require_lattice(beliefs: Beliefs, pairs: Pairs, step: Fraction) -> None:
    """Malformed unless the atoms of every pair differ by multiples of the step."""
    for priors in beliefs.values():
        found = {s: p.high if isinstance(p, Enclosed) else p for s, p in priors.items()}
        atoms = {s: _points(prior) for s, prior in found.items()}
        for a, b in pairs:
            if a not in atoms or b not in atoms:
                continue  # impossible under this belief, which says nothing of them
            first = atoms[a][0]
            for point in [*atoms[a], *atoms[b]]:
                places = zip(point, first, strict=True)
                if any(((x - o) / step).denominator != 1 for x, o in places):
                    raise Malformed("atoms of a pair do not differ by multiples of the step")


def require_known_rest(problem: Any) -> None:
    """Malformed where the rest of a system may be any: noise that depends on X, or a choice among
    noisy numbers, then is not that of the user's part, of which Y is not made."""
    system = problem.get("system")
    if type(system) is dict and system.get("rest") == "any":
        raise Malformed("rest = any needs noise that does not depend on X, and no choice after it")


def _points(law: Any) -> list[tuple[Fraction, ...]]:
    """The atoms of a law, by their coordinates."""
    if law_kind(law) == "joint":
        return [x for x, _ in law.rows]
    if not isinstance(law, dict):
        raise Malformed("discrete-laplace noise needs priors of atoms")
    return [(x,) for x in law]


def variance(noise: Any, scale: Number | None) -> Fraction | None:
    """That of gaussian noise, which may be stated instead of its scale."""
    if "variance" not in noise:
        return None if scale is None else _square(scale)
    if noise["kind"] not in ("gaussian", "discrete-gaussian") or scale is not None:
        raise Malformed("a variance is for gaussian noise without a scale")
    found = rational(noise["variance"], "variance")
    if found < 0:
        raise Malformed("the variance must be at least 0")
    return found


def _square(scale: Number) -> Fraction:
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
