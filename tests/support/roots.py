"""Texts of exponential sums with square roots in their exponents, each in two writings."""

from __future__ import annotations

from fractions import Fraction
from random import Random

SQUAREFREE = (2, 3, 5, 6, 7, 10, 13, 30, 53 * 59, 53 * 61)
LOGARITHMS = (2, 3, 6, Fraction(3, 2), Fraction(5, 12))


def _number(value: Fraction) -> str:
    return f"({value})"


def _root(rng: Random, n: int) -> str:
    """The square root of n, written in one of many ways."""
    k = rng.randint(2, 9)
    m = rng.choice(SQUAREFREE)
    return rng.choice(
        [
            f"sqrt({n})",
            f"sqrt({n * k * k})/{k}",
            f"{n}*sqrt(1/{n})",
            f"{k}*sqrt({n}/{k * k})",
            f"exp(log({n})/2)",
            f"sqrt({n * m})/sqrt({m})",
            f"sqrt({m})*sqrt({n}/{m})",
            f"1/(sqrt({n})+{k})*({n - k * k})+{k}" if n != k * k else f"sqrt({n})",
        ]
    )


def _exponent(rng: Random, parts: dict[object, Fraction]) -> str:
    """q + sum of r sqrt(n) + sum of s log(m), in any order."""
    terms = []
    for key, value in parts.items():
        if key is None:
            terms.append(_number(value))
        elif isinstance(key, tuple):
            terms.append(f"{_number(value)}*log({key[0]})")
        else:
            assert isinstance(key, int)
            terms.append(f"{_number(value)}*({_root(rng, key)})")
    rng.shuffle(terms)
    return "+".join(terms) or "0"


def _power(rng: Random, parts: dict[object, Fraction], c: Fraction) -> str:
    """c e**(the exponent): whole, in two factors, or with c in the exponent."""
    kind = rng.random()
    if kind < 0.4:
        return f"{_number(c)}*exp({_exponent(rng, parts)})"
    if kind < 0.6 and c > 0:
        return f"exp({_exponent(rng, parts)}+log({c}))"
    extra = {rng.choice(SQUAREFREE): Fraction(rng.randint(-3, 3), 2), None: Fraction(1, 3)}
    rest = {key: parts.get(key, Fraction(0)) - extra.get(key, 0) for key in {**parts, **extra}}
    return f"{_number(c)}*exp({_exponent(rng, extra)})*exp({_exponent(rng, rest)})"


def parts(rng: Random) -> dict[object, Fraction]:
    """The rational parts of a random exponent: None for 1, n for sqrt(n), (m,) for log(m)."""
    def value() -> Fraction:
        return Fraction(rng.randint(-3, 3), rng.randint(1, 4))

    found: dict[object, Fraction] = {None: value()}
    for n in rng.sample(SQUAREFREE, rng.randint(0, 2)):
        found[n] = value()
    if rng.random() < 0.5:
        found[(rng.choice(LOGARITHMS),)] = value()
    return found


def identity(rng: Random) -> str:
    """A sum of powers of e less the same sum in another writing: it is 0."""
    terms = [(parts(rng), Fraction(rng.choice((-3, -2, -1, 1, 2, 5)), rng.randint(1, 3)))
             for _ in range(rng.randint(1, 3))]
    texts = [[_power(rng, exponent, sign * c) for exponent, c in terms] for sign in (1, -1)]
    both = [*texts[0], *texts[1]]
    rng.shuffle(both)
    return "+".join(both)


def near_identity(rng: Random) -> str:
    """As `identity`, with one of its numbers moved by less than 1e-20: it is not 0."""
    tiny = f"1e-{rng.randint(20, 60)}"
    if rng.random() < 0.5:
        return f"{identity(rng)}{rng.choice('+-')}{tiny}"
    exponent = parts(rng)
    moved = _exponent(rng, exponent)
    by = rng.choice([tiny, f"{tiny}*sqrt(11)", f"{tiny}*log(7)", f"{tiny}*sqrt(11)*sqrt(2)"])
    return f"{identity(rng)}+exp({moved})-exp({_exponent(rng, exponent)}{rng.choice('+-')}{by})"
