"""The problems that a claim names, as proof files write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from pfverify.errors import InputError


def plain(value: Any) -> Any:
    """Return problem data with sympy numbers as text (fractions) or ints."""
    if isinstance(value, Mapping):
        return {str(plain(k)): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, sp.Integer):
        return int(value)
    if isinstance(value, sp.Rational):
        return f"{value.p}/{value.q}"
    return value


def normal_prior(mean: Any, sd: Any = None, variance: Any = None) -> dict[str, Any]:
    """A normal law as a prior of a problem: its mean, and its standard deviation or variance."""
    spread = {"sd": plain(sd), "variance": plain(variance)}
    return {"kind": "gaussian", "mean": plain(mean),
            **{key: value for key, value in spread.items() if value is not None}}  # fmt: skip


def mixture_prior(
    weights: Mapping[Any, Any], means: Mapping[Any, Any], sds: Mapping[Any, Any]
) -> dict[str, Any]:
    """A mixture of normal laws as a prior of a problem; the three tables have the same keys."""
    if not {*weights} == {*means} == {*sds}:
        raise InputError("mixture_prior: weights, means and sds are tables of the same components")
    return {"kind": "mixture", "components": [
        {"weight": plain(weights[k]), "mean": plain(means[k]), "sd": plain(sds[k])}
        for k in weights]}  # fmt: skip


def problem(p: Mapping[Any, Any], q: Mapping[Any, Any], **target: Any) -> dict[str, Any]:
    """A problem with two secrets a (prior p) and b (prior q), and Laplace noise or a channel.

    A prior is a table of masses, `normal_prior(...)` or `mixture_prior(...)`. `epsilon`, `scale`,
    `delta`, `form`; `step` makes the noise discrete Laplace, `noise="gaussian"` Gaussian (`scale`
    is then its standard deviation, or give `variance`), "truncated-laplace" has a `bound`, too.
    `channel` is a table as in a problem file, whose inputs the priors name, `post` a list of steps
    after the noise.
    """
    # with a channel
    kind, noise, amounts = "finite", dict[str, Any](), {"scale", "step", "variance", "bound"}
    if "channel" not in target:
        laplace = "discrete-laplace" if "step" in target else "laplace"
        kind, noise = "discrete", {"kind": target.pop("noise", laplace)}
    made: dict[str, Any] = {"schema": "pfverify/problem/1"}
    for key, item in target.items():
        if key not in {"epsilon", "delta", "form", "channel", "post", *amounts}:
            raise InputError(f"problem: unknown key {key!r}")
        (noise if key in amounts else made)[key] = plain(item)
    made["priors"] = {secret: plain(prior if "kind" in prior else {"kind": kind, "mass": prior})
                      for secret, prior in (("a", p), ("b", q))}  # fmt: skip
    return {**made, "noise": noise} if noise else made
