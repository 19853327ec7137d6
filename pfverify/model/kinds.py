"""The kinds of noise and of priors, and their tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pfverify.errors import InputError, shorten
from pfverify.model.mixture import Gaussian, Mixture
from pfverify.model.noise import DiscreteLaplace, GaussianNoise, Laplace, Noise, NoNoise
from pfverify.model.priors import Discrete, Prior

T = TypeVar("T")


def read_noise(table: Mapping[str, Any]) -> Noise:
    """Return the noise of a table; InputError that begins with "noise"."""
    return _at("noise", _noise, table)


def _noise(table: Mapping[str, Any]) -> Noise:
    kind, scale = table["kind"], table.get("scale")
    if kind == "none":
        for key in table:
            if key != "kind":
                raise InputError(f"{key}: noise of kind none has no {key}, expected kind alone")
        return NoNoise()
    if kind == "gaussian":
        if "step" in table:
            raise InputError("step: only discrete-laplace noise has a step")
        return GaussianNoise(scale, table.get("variance"))
    if "variance" in table:
        what = "2*scale**2" if kind == "laplace" else "another than scale**2"
        raise InputError(
            f"variance: only gaussian noise is given by its variance ({kind} noise has {what}); "
            "did you mean 'scale'?"
        )
    if kind == "laplace":
        if "step" in table:
            raise InputError("step: only discrete-laplace noise has a step")
        return Laplace(scale)
    if kind != "discrete-laplace":
        raise InputError(f"kind: {shorten(kind)!r} is unknown")
    if "step" not in table:
        raise InputError("step: missing, expected the lattice step of discrete-laplace noise")
    return DiscreteLaplace(scale, table["step"])


def read_priors(where: str, table: Mapping[str, Any]) -> dict[str, Prior]:
    """Return the priors of a table secret -> prior; InputError that begins with its place."""
    return {
        secret: _at(f"{where}.{shorten(secret, 30)}", _prior, entry)
        for secret, entry in table.items()
    }


def _prior(entry: Mapping[str, Any]) -> Prior:
    if entry["kind"] == "gaussian":
        return Gaussian(entry["mean"], entry.get("variance"), entry.get("sd"))
    if entry["kind"] == "mixture":
        return Mixture(entry["components"])
    return Discrete(mass=entry.get("mass"), counts=entry.get("counts"))


def _at(where: str, read: Callable[[Mapping[str, Any]], T], table: Mapping[str, Any]) -> T:
    try:
        return read(table)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
