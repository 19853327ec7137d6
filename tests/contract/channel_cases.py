"""Small random problems about finite channels, from a maker per kind of channel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from pfverify.model.channels.channel import Channel
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.model.protection import Protection

EPSILONS = ["0", "1/20", "1/3", "log(2)", "1", "log(3)", "2"]
DELTAS = ["0", "0", "1/100", "1/8", "1/4"]


def law(rng: Random, size: int, zeros: float = 0.2) -> list[Fraction]:
    """Random masses with small denominators; some are 0."""
    weights = [0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(size)]
    if not any(weights):
        weights[rng.randrange(size)] = 1
    return [Fraction(w, sum(weights)) for w in weights]


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{k}" for k in range(count)]


def matrix(rng: Random, inputs: list[str], outputs: list[str]) -> dict[str, Any]:
    rows = [[str(mass) for mass in law(rng, len(outputs))] for _ in inputs]
    return {"kind": "matrix", "inputs": inputs, "outputs": outputs, "rows": rows}


def _matrix(rng: Random) -> dict[str, Any]:
    return matrix(rng, names("x", rng.randint(2, 4)), names("y", rng.randint(2, 4)))


def _response(rng: Random) -> dict[str, Any]:
    inputs = names("x", rng.randint(2, 4))
    how = rng.choice([{"truth": "2/3"}, {"epsilon": "1"}, {"epsilon": "log(3)"}, {"truth": "1"}])
    return {"kind": "randomized-response", "inputs": inputs, **how}


def _rappor(rng: Random) -> dict[str, Any]:
    more = rng.choice([{}, {"one": "3/4", "zero": "1/2"}])
    return {"kind": "rappor", "inputs": names("x", rng.randint(2, 3)), "flip": "1/2", **more}


def _unary(rng: Random) -> dict[str, Any]:
    how = rng.choice([
        {"one": "3/4", "zero": "1/2"}, {"epsilon": "log(3)", "variant": "optimised"},
        {"epsilon": "2*log(2)", "variant": "symmetric"}, {"epsilon": "1", "variant": "symmetric"},
    ])  # fmt: skip
    return {"kind": "unary", "inputs": names("x", rng.randint(2, 3)), **how}


def _subsets(rng: Random) -> dict[str, Any]:
    inputs = names("x", rng.randint(2, 4))
    more = rng.choice([{}, {"size": rng.randint(1, len(inputs) - 1)}])
    return {"kind": "subset-selection", "inputs": inputs, **more,
            "epsilon": rng.choice(["log(2)", "1", "log(9)", "3"])}  # fmt: skip


def _hashing(rng: Random) -> dict[str, Any]:
    inputs = names("x", rng.randint(2, 3))
    more = rng.choice([{}, {"range": 2}])
    return {"kind": "local-hashing", "inputs": inputs, **more,
            "epsilon": rng.choice(["0", "log(2)", "1/3"])}  # fmt: skip


def _geometric(rng: Random) -> dict[str, Any]:
    how = rng.choice([{"ratio": "1/2"}, {"epsilon": "1/2"}])
    return {"kind": "truncated-geometric", "size": rng.randint(2, 4), **how}


def _exponential(rng: Random) -> dict[str, Any]:
    inputs, outputs = names("x", 2), names("y", rng.randint(2, 3))
    scores = [[str(rng.randint(0, 2) + 3 * i * j) for j, _ in enumerate(outputs)]
              for i, _ in enumerate(inputs)]  # fmt: skip
    return {"kind": "exponential", "inputs": inputs, "outputs": outputs, "scores": scores,
            "epsilon": rng.choice(["1", "log(2)"])}  # fmt: skip


def _planar(rng: Random) -> dict[str, Any]:
    places = rng.sample([(a, b) for a in range(3) for b in range(3)], rng.randint(2, 3))
    points = {f"x{k}": [str(a), str(b)] for k, (a, b) in enumerate(places)}
    return {"kind": "planar", "points": points, "epsilon": "1/2"}


def _composition(rng: Random) -> dict[str, Any]:
    inputs = names("x", rng.randint(2, 3))
    return {"kind": "composition",
            "parts": [matrix(rng, inputs, names("y", 2)), matrix(rng, inputs, names("z", 2))]}


def _product(rng: Random) -> dict[str, Any]:
    return {"kind": "product", "parts": [matrix(rng, names("a", 2), names("y", 2)),
                                         matrix(rng, names("b", 2), names("z", 2))]}


def _cascade(rng: Random) -> dict[str, Any]:
    middle = names("m", rng.randint(2, 3))
    return {"kind": "cascade", "parts": [matrix(rng, names("x", rng.randint(2, 3)), middle),
                                         matrix(rng, middle, names("y", 2))]}


def _mixture(rng: Random) -> dict[str, Any]:
    inputs = names("x", rng.randint(2, 3))
    parts = [matrix(rng, inputs, names("y", 2)), matrix(rng, inputs, names("y", 3))]
    return {"kind": "mixture", "parts": parts, "weights": ["1/3", "2/3"]}


def _tupling(rng: Random) -> dict[str, Any]:
    base = matrix(rng, names("x", rng.randint(2, 3)), names("y", rng.randint(2, 3)))
    return {"kind": "tupling", "base": base, "dummies": rng.randint(1, 3)}


MAKERS: dict[str, Callable[[Random], dict[str, Any]]] = {
    "matrix": _matrix,
    "randomized-response": _response,
    "rappor": _rappor,
    "unary": _unary,
    "subset-selection": _subsets,
    "local-hashing": _hashing,
    "truncated-geometric": _geometric,
    "exponential": _exponential,
    "planar": _planar,
    "composition": _composition,
    "product": _product,
    "cascade": _cascade,
    "mixture": _mixture,
    "tupling": _tupling,
}


def channel(rng: Random, kind: str) -> Channel:
    """A small random channel of a kind."""
    return Channel.of(MAKERS[kind](rng))


def problem(rng: Random, kind: str) -> Problem:
    """Two priors over the inputs of a random channel of a kind, held to a random target."""
    made = channel(rng, kind)
    priors = {
        name: Finite(dict(zip(made.inputs, law(rng, len(made.inputs)), strict=True)))
        for name in ("a", "b")
    }
    form = "events" if kind == "tupling" or rng.random() < 0.7 else "pointwise"
    return Problem(
        priors,
        channel=made,
        protection=Protection("distp"),
        epsilon=rng.choice(EPSILONS),
        delta=rng.choice(DELTAS),
        form=form,
    )


def problems(kind: str, why: str, count: int) -> Iterator[Problem]:
    """Random problems about a kind of channel; the same for the same reason."""
    rng = Random(f"channels {kind} {why}")
    return (problem(rng, kind) for _ in range(count))


KINDS = list(CHANNELS)
