"""The exact law of a release: a discrete prior convolved with Laplace or discrete Laplace noise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import sympy

from pfverify.errors import InputError, require, shorten
from pfverify.exact.argument import Number
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.scale import positive_scale
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Mixture
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.symbolic.statement import (
    THETA,
    Statement,
    StatementCondition,
    Y,
    condition,
    latex_text,
)
from pfverify.symbolic.translate import Expr, from_fraction, from_number

_MAX_ATOMS = 200  # a Piecewise of n atoms has about n**2 terms


class Segment(NamedTuple):
    """On low <= y <= high the law is rising * e**(y/theta) + falling * e**(-y/theta).

    `low` and `high` are neighbouring atoms, None at the two ends; the coefficients are exact
    sympy expressions >= 0 (rising is 0 right of all atoms, falling left of them).
    """

    low: Fraction | None
    high: Fraction | None
    rising: Expr
    falling: Expr


def laplace_segments(prior: Discrete, scale: object | None = None) -> tuple[Segment, ...]:
    """Return the atom-free pieces of the density, from left to right (n + 1 for n atoms).

    `scale` is an exact number > 0 in the unit of the atoms; None keeps it as the symbol theta.
    Raises InputError for a scale that is not > 0, and beyond 200 atoms.
    Example: ``laplace_segments(Discrete({0: 1}), 1)[0].rising`` is ``1/2``.
    Source: noise-reduction paper, (2) and (3); design fact F1.
    """
    theta = _scale(scale)
    return _segments(prior, theta, 1 / (2 * theta))


def laplace_density(prior: Discrete, scale: object | None = None, y: Expr = Y) -> Expr:
    """Return the density of the release as a Piecewise over the atom-free segments.

    Each piece is A e**(y/theta) + B e**(-y/theta) with exact coefficients; at an atom both
    neighbours agree. `scale` as in `laplace_segments`; `y` is the symbol of the output. Unit:
    1/unit of the atoms. Raises InputError as `laplace_segments`.
    Example: ``laplace_density(Discrete({0: 1}), 1)`` is
    ``Piecewise((exp(y)/2, y < 0), (exp(-y)/2, True))``.
    Source: noise-reduction paper, (2) and (3).
    """
    theta = _scale(scale)
    return _piecewise(_segments(prior, theta, 1 / (2 * theta)), theta, y)


def laplace_density_by_atoms(prior: Discrete, scale: object | None = None, y: Expr = Y) -> Expr:
    """Return the same density as the sum over atoms P(x) e**(-|y-x|/theta) / (2 theta).

    Equal to `laplace_density` everywhere, with n terms instead of about n**2.
    Example: ``laplace_density_by_atoms(Discrete({0: 1}), 1)`` is ``exp(-Abs(y))/2``.
    Source: noise-reduction paper, (2).
    """
    theta = _scale(scale)
    return _by_atoms(prior, theta, 1 / (2 * theta), y)


def discrete_laplace_mass(
    prior: Discrete, scale: Number | None = None, step: Number = 1, y: Expr = Y
) -> Expr:
    """Return the mass of the release under discrete Laplace noise, as a Piecewise.

    The pieces of `laplace_density` with the front (1-t)/(1+t), t = e**(-step/theta), in place of
    1/(2 theta). It is the mass only where y lies a multiple of the step away from the atoms;
    `density` states that condition.
    Raises InputError as `DiscreteLaplace`, and where the atoms are not on one lattice.
    Example: ``discrete_laplace_mass(Discrete({0: 1}), "1/log(2)", y=sympy.Integer(0))`` is ``1/3``.
    Source: design fact F12.
    """
    noise = DiscreteLaplace(scale, step)
    _check_lattice(prior, noise)
    theta = _scale(scale)
    return _piecewise(_segments(prior, theta, _front(noise, theta)), theta, y)


def density(
    problem: Problem, secret: str, belief: str | None = None, *, by_atoms: bool = False
) -> Statement:
    """State the exact law of the release of a problem given one secret.

    The density for Laplace noise (unit: 1/unit of the atoms), the mass on the lattice for
    discrete Laplace noise. `belief` may be left out where the problem has one. The scale is the
    problem's own; without one it stays the symbol theta. With `by_atoms` the expression is the
    sum over atoms instead of the Piecewise over segments.

    Raises InputError for an unknown secret or belief, or more than 200 atoms without `by_atoms`.
    Example: ``density(problem, "a").value(y="1/2")`` contains 0.19470..., which is p(1/2).
    Source: noise-reduction paper, (2); design fact F12.
    """
    require(problem, Problem, "the problem")
    require(secret, str, "secret")
    prior = _prior(problem, secret, belief)
    noise = problem.noise
    if not (isinstance(prior, Discrete) and isinstance(noise, Laplace | DiscreteLaplace)):
        found = "the prior has a density" if isinstance(prior, Mixture) else f"{noise.kind} noise"
        raise InputError(
            f"secret {shorten(secret)!r}: {found}, expected a discrete prior with Laplace or "
            "discrete Laplace noise"
        )
    if isinstance(noise, DiscreteLaplace):
        _check_lattice(prior, noise)
    theta = _scale(noise.scale)
    front = _front(noise, theta)
    if by_atoms:
        expression = _by_atoms(prior, theta, front, Y)
    else:
        expression = _piecewise(_segments(prior, theta, front), theta, Y)
    discrete = isinstance(noise, DiscreteLaplace)
    given = f"y \\mid {latex_text(secret)}"
    return Statement(
        name=f"{'mass' if discrete else 'density'} of the release given {secret}",
        left=f"P_{{Y \\mid S}}({given})" if discrete else f"p_{{Y \\mid S}}({given})",
        expression=expression,
        conditions=_conditions(prior, noise),
        source="noise-reduction paper, (2)" + ("; design fact F12" if discrete else " and (3)"),
    )


def _conditions(prior: Discrete, noise: Noise) -> tuple[StatementCondition, ...]:
    found = []
    if noise.scale is None:
        found.append(condition(THETA, ">", 0))
    if isinstance(noise, DiscreteLaplace):
        origin, step = prior.atoms[0], noise.step
        found.append(
            StatementCondition(
                f"y is {origin} plus a multiple of the step {step}",
                sympy.Contains((Y - from_fraction(origin)) / from_fraction(step), sympy.S.Integers),
            )
        )
    return tuple(found)


def _scale(scale: object | None) -> Expr:
    """Return the scale as an expression; without one, the symbol theta."""
    if scale is None:
        return THETA
    positive = positive_scale(scale, "scale (without noise the release has no density)")
    return from_number(positive)


def _front(noise: Laplace | DiscreteLaplace, theta: Expr) -> Expr:
    """Return the factor in front of e**(-|z|/theta)."""
    if isinstance(noise, Laplace):
        return 1 / (2 * theta)
    t = sympy.exp(-from_fraction(noise.step) / theta)
    return (1 - t) / (1 + t)


def _segments(prior: Discrete, theta: Expr, front: Expr) -> tuple[Segment, ...]:
    atoms = prior.atoms
    if len(atoms) > _MAX_ATOMS:
        raise InputError(
            f"the prior has {len(atoms)} atoms, expected at most {_MAX_ATOMS} for a formula by "
            "segments; ask for the sum over atoms"
        )
    weighted = [(from_fraction(x), from_fraction(mass)) for x, mass in prior.mass.items()]
    rising = [mass * sympy.exp(-x / theta) for x, mass in weighted]
    falling = [mass * sympy.exp(x / theta) for x, mass in weighted]
    ends = [None, *atoms, None]
    return tuple(
        Segment(
            ends[k],
            ends[k + 1],
            front * sympy.Add(*rising[k:]),
            front * sympy.Add(*falling[:k]),
        )
        for k in range(len(atoms) + 1)
    )


def _piecewise(segments: tuple[Segment, ...], theta: Expr, y: Expr) -> Expr:
    pieces = []
    for segment in segments:
        value = segment.rising * sympy.exp(y / theta) + segment.falling * sympy.exp(-y / theta)
        inside = sympy.true if segment.high is None else y < from_fraction(segment.high)
        pieces.append((value, inside))
    return sympy.Piecewise(*pieces)


def _by_atoms(prior: Discrete, theta: Expr, front: Expr, y: Expr) -> Expr:
    return front * sympy.Add(
        *(
            from_fraction(mass) * sympy.exp(-sympy.Abs(y - from_fraction(x)) / theta)
            for x, mass in prior.mass.items()
        )
    )


def _check_lattice(prior: Discrete, noise: DiscreteLaplace) -> None:
    origin = prior.atoms[0]
    for atom in prior.atoms:
        if ((atom - origin) / noise.step).denominator != 1:
            raise InputError(
                f"atom {shorten(atom)} is not a multiple of the step {shorten(noise.step)} away "
                f"from atom {shorten(origin)}, expected all atoms on one lattice"
            )


def _prior(problem: Problem, secret: str, belief: str | None) -> Prior:
    beliefs = problem.beliefs
    if belief is None:
        if len(beliefs) > 1:
            raise InputError(f"belief: missing, the problem has several; {_expected(beliefs)}")
        belief = next(iter(beliefs))
    if belief not in beliefs:
        raise InputError(f"belief: {shorten(belief)!r} is unknown, {_expected(beliefs)}")
    table = beliefs[belief]
    if secret not in table:
        raise InputError(f"secret: {shorten(secret)!r} has no prior, {_expected(table)}")
    return table[secret]


def _expected(table: Mapping[str, object]) -> str:
    return f"expected one of {', '.join(shorten(name, 24) for name in table)}"
