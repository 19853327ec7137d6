"""Frozen laws of scipy.stats as priors: those that are exactly one of ours, others by name.

Parameters are read as the shortest decimals that print as them: ``bernoulli(0.3)`` has the chance
3/10. scipy itself is not imported: an object says of which law it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from pfverify.bridges.steps import exact
from pfverify.errors import InputError, shorten
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.priors.prior import Prior

_MOST = 1000  # values of a law, whose chances are worked out exactly


def prior_of_frozen(law: Any) -> Prior:
    """Return the prior that a law of scipy.stats is; InputError naming one that is not known.

    A frozen law (``norm(0, 2)``, ``binom(5, 0.3)``), ``rv_discrete(values=...)``, or `Normal` and
    `Mixture` of scipy 1.15.
    Example: ``prior_of_frozen(3)`` raises an InputError.
    """
    made = _OBJECTS.get(type(law).__name__)
    if made is not None:
        return made(law)
    dist = getattr(law, "dist", None)
    if dist is None or not hasattr(dist, "_parse_args"):
        raise InputError(f"a {type(law).__name__} of scipy is not known, expected {_KNOWN}")
    try:
        shapes, loc, scale = dist._parse_args(*law.args, **law.kwds)
    except Exception as error:  # whatever its shapes make of arguments
        raise InputError(f"{shorten(dist.name)}: {shorten(error, 100)}") from None
    at = exact(loc, "loc")
    if type(dist).__name__ == "rv_sample":
        return _discrete(_sampled(dist), at)
    if dist.name == "norm":
        return _normal(at, exact(scale, "scale"))
    if dist.name not in _DISCRETE:
        why = _WHY.get(dist.name, "its chances are not exactly those of a prior here")
        raise InputError(f"{shorten(dist.name)}: {why}, expected {_KNOWN}")
    return _discrete(_DISCRETE[dist.name](*shapes), at)


def _normal(mean: Fraction, sd: Fraction) -> Gaussian:
    if sd <= 0:
        raise InputError(f"norm: the scale {shorten(sd)} is not > 0")
    return Gaussian(mean, sd=sd)


def _discrete(masses: Mapping[Fraction, Fraction], at: Fraction) -> Discrete:
    return Discrete({at + x: mass for x, mass in masses.items() if mass})


def _whole(value: object, what: str, most: int | None = None) -> int:
    found = exact(value, what)
    if found.denominator != 1 or (most is not None and not 0 <= found <= most):
        wanted = "a whole number" if most is None else f"a whole number from 0 to {most}"
        raise InputError(f"{what}: {shorten(value)} is not {wanted}")
    return found.numerator


def _chance(value: object) -> Fraction:
    found = exact(value, "p")
    if not 0 <= found <= 1:
        raise InputError(f"p: {shorten(value)} is outside [0, 1]")
    return found


def _binom(n: object, p: object) -> Mapping[Fraction, Fraction]:
    times, chance = _whole(n, "n", _MOST), _chance(p)
    return {
        Fraction(k): comb(times, k) * chance**k * (1 - chance) ** (times - k)
        for k in range(times + 1)
    }


def _bernoulli(p: object) -> Mapping[Fraction, Fraction]:
    return _binom(1, p)


def _randint(low: object, high: object) -> Mapping[Fraction, Fraction]:
    first, end = _whole(low, "low"), _whole(high, "high")
    if not 1 <= end - first <= _MOST:
        raise InputError(f"randint: {end - first} values, expected 1 to {_MOST}")
    return {Fraction(x): Fraction(1, end - first) for x in range(first, end)}


def _hypergeom(total: object, good: object, drawn: object) -> Mapping[Fraction, Fraction]:
    m, n, k = (_whole(x, name, _MOST) for x, name in ((total, "M"), (good, "n"), (drawn, "N")))
    if max(n, k) > m:
        raise InputError(f"hypergeom: {max(n, k)} of {m}, expected at most as many")
    return {
        Fraction(x): Fraction(comb(n, x) * comb(m - n, k - x), comb(m, k))
        for x in range(max(0, k - (m - n)), min(n, k) + 1)
    }


def _sampled(law: Any) -> Mapping[Fraction, Fraction]:
    values, chances = ([exact(x, "values") for x in _listed(part)] for part in (law.xk, law.pk))
    if len(values) > _MOST or len({*values}) < len(values):
        raise InputError(f"rv_discrete: {len(values)} values, expected at most {_MOST}, each once")
    if sum(chances) != 1:
        raise InputError(
            f"rv_discrete: the chances sum to {shorten(sum(chances))}, expected exactly 1 as "
            "decimals; Discrete(counts=...) or fractions as texts are exact"
        )
    return dict(zip(values, chances, strict=True))


def _listed(part: Any) -> Sequence[object]:
    found = part.tolist() if hasattr(part, "tolist") else part
    return found if isinstance(found, list) else [found]


def _normal_object(law: Any) -> Gaussian:
    return _normal(exact(law.mu, "mu"), exact(law.sigma, "sigma"))


def _mixture(law: Any) -> Mixture:
    for one in law.components:
        if type(one).__name__ not in _NORMALS:
            raise InputError(f"Mixture: of a {type(one).__name__}, expected Normal alone")
    parts = zip(_listed(law.weights), law.components, strict=True)
    return Mixture([
        {"weight": exact(weight, "weights"), "mean": exact(one.mu, "mu"),
         "sd": exact(one.sigma, "sigma")}
        for weight, one in parts
    ])  # fmt: skip


_NORMALS = ("Normal", "StandardNormal")
_OBJECTS: Mapping[str, Callable[[Any], Prior]] = {
    **dict.fromkeys(_NORMALS, _normal_object),
    "Mixture": _mixture,
    "rv_sample": lambda law: _discrete(_sampled(law), Fraction(0)),
}
_DISCRETE: Mapping[str, Callable[..., Mapping[Fraction, Fraction]]] = {
    "bernoulli": _bernoulli,
    "binom": _binom,
    "randint": _randint,
    "hypergeom": _hypergeom,
}
_ENDLESS = "it has infinitely many values, and a prior has finitely many or is normal"
_DENSITY = "a prior with a density is normal, or a mixture of normal ones"
_WHY: Mapping[str, str] = {
    **dict.fromkeys(("poisson", "geom", "nbinom", "logser", "zipf", "dlaplace"), _ENDLESS),
    **dict.fromkeys(("uniform", "laplace", "expon", "t", "gamma", "beta", "lognorm"), _DENSITY),
    "multivariate_normal": "it is of several numbers",
}
_KNOWN = "norm, bernoulli, binom, randint, hypergeom or rv_discrete(values=...)"
