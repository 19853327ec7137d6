"""What noise on a lattice asks of priors: atoms, those of a pair in one coset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm

from pfverify.errors import InputError, shorten
from pfverify.exact.number import printable
from pfverify.model.families.family import Family
from pfverify.model.keys import Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import by_coordinate
from pfverify.model.priors.prior import Prior
from pfverify.model.ranges import positive


def step_key(description: str) -> Key:
    """Return the key of a step, which noise on a lattice has.

    Example: ``step_key("> 0").read("1/2")`` is ``1/2``.
    """
    return Key("step", description, needed=True, what="the lattice step", read=_step)


def _step(value: object) -> Fraction:
    return positive(printable(value, "step"), "step")


def check_on_lattice(
    beliefs: Mapping[str, Mapping[str, Prior]],
    pairs: Iterable[tuple[str, str]],
    step: Fraction,
    noise: str,
) -> None:
    """Raise InputError unless all priors are atoms, those of a pair multiples of a step apart.

    `noise` is what the message calls the noise.
    Example: ``check_on_lattice({}, [], Fraction(1), "discrete Laplace noise")`` is None.
    """
    compared = list(pairs)
    tables = [
        {secret: _atoms(secret, prior, noise) for secret, prior in table.items()}
        for belief in beliefs.values() for table in by_coordinate(belief)
    ]  # fmt: skip
    for table in tables:
        for first, second in compared:
            if first not in table or second not in table:
                continue  # impossible under this belief
            origin = table[first].atoms[0]
            for secret in (first, second):
                _check_coset(secret, table[secret], origin, step, noise)


def _atoms(secret: str, prior: Prior, noise: str) -> Discrete:
    if isinstance(prior, Family):
        raise InputError(
            f"prior of {shorten(secret)!r}: a {prior.kind} on the whole line is on no lattice; "
            f"{noise} needs one, so give it an alphabet, or expect laplace noise"
        )
    if not isinstance(prior, Discrete):
        raise InputError(
            f"prior of {shorten(secret)!r}: it has a density (a positive variance); "
            f"{noise} needs atoms on a lattice, expected laplace or "
            "gaussian noise"
        )
    return prior


def _check_coset(
    secret: str, prior: Discrete, origin: Fraction, step: Fraction, noise: str
) -> None:
    start, every = origin * prior.denominator, step * prior.denominator
    common = lcm(start.denominator, every.denominator)  # from here on in integers
    first, steps = int(start * common), int(every * common)
    for point in prior.points:
        if (point * common - first) % steps:
            atom = Fraction(point, prior.denominator)
            raise InputError(
                f"prior of {secret!r}: atom {shorten(atom)} is not a multiple of the "
                f"step {shorten(step)} away from atom {shorten(origin)}; {noise} "
                "needs all atoms of a pair on one lattice"
            )
