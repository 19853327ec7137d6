"""One canonical byte string per problem, and its digest."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pfverify.model.noise import GaussianNoise, Noise, NoNoise
from pfverify.model.priors import Discrete, Prior
from pfverify.model.problem import Problem


def canonical_problem(problem: Problem) -> dict[str, Any]:
    """Return the problem as plain data: numbers as canonical text, secrets in file order."""
    return {
        "schema": "pfverify/problem/1",
        "epsilon": problem.epsilon.text,
        "delta": problem.delta.text,
        "form": problem.form,
        "noise": _noise(problem.noise),
        "beliefs": [
            [
                belief,
                [[secret, _prior(prior)] for secret, prior in table.items()],
            ]
            for belief, table in problem.beliefs.items()
        ],
        "pairs": [list(pair) for pair in problem.pairs],
    }


def _noise(noise: Noise) -> dict[str, Any]:
    if isinstance(noise, GaussianNoise):  # a scale and its square are one noise: one text
        variance = None if noise.variance is None else str(noise.variance)
        return {"kind": noise.kind, "scale": None, "step": None, "variance": variance}
    if isinstance(noise, NoNoise):  # it was given no number
        return {"kind": noise.kind, "scale": None, "step": None}
    return {
        "kind": noise.kind,
        "scale": None if noise.scale is None else noise.scale.text,
        "step": None if noise.step is None else str(noise.step),
    }


def _prior(prior: Prior) -> list[list[str]]:
    """Atoms as [atom, mass]; a prior with a density as [mean, variance, weight]."""
    if isinstance(prior, Discrete):
        return [[str(atom), str(mass)] for atom, mass in prior.mass.items()]
    return [[str(mean), str(variance), str(weight)] for weight, mean, variance in prior.components]


def problem_digest(problem: Problem) -> str:
    """Return the sha256 (hex) of the canonical JSON of a problem.

    Example: two files that write 0.5 and "1/2" have the same digest.
    """
    text = json.dumps(
        canonical_problem(problem), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(text.encode()).hexdigest()
