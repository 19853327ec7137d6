"""pfverify decides and proves whether a release is pufferfish private, in exact arithmetic.

Example::

    from pfverify import Discrete, Laplace, Problem, certify

    problem = Problem(
        priors={"yes": Discrete(counts={0: 376, 1: 204}), "no": Discrete(counts={0: 34, 1: 35})},
        noise=Laplace("51/25"),
        epsilon="1/2",
    )
    certify(problem).verdict
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pfverify.version import __version__

if TYPE_CHECKING:
    from pfverify.certificate.checking import check
    from pfverify.decide.certify import certify
    from pfverify.decide.loss import loss
    from pfverify.edge.sampled import sample
    from pfverify.errors import InputError, PfverifyError
    from pfverify.model.channels.kinds import Channel
    from pfverify.model.noises.discrete_laplace import DiscreteLaplace
    from pfverify.model.noises.gaussian import GaussianNoise
    from pfverify.model.noises.laplace import Laplace
    from pfverify.model.noises.none import NoNoise
    from pfverify.model.priors.discrete import Discrete
    from pfverify.model.priors.finite import Finite
    from pfverify.model.priors.mixture import Gaussian, Mixture
    from pfverify.model.problem import Problem
    from pfverify.model.protection import Protection
    from pfverify.model.systems.system import System
    from pfverify.scales.calibrate import calibrate

_HOMES = {
    "Channel": "pfverify.model.channels.kinds",
    "Discrete": "pfverify.model.priors.discrete",
    "DiscreteLaplace": "pfverify.model.noises.discrete_laplace",
    "Finite": "pfverify.model.priors.finite",
    "Gaussian": "pfverify.model.priors.mixture",
    "GaussianNoise": "pfverify.model.noises.gaussian",
    "InputError": "pfverify.errors",
    "Laplace": "pfverify.model.noises.laplace",
    "Mixture": "pfverify.model.priors.mixture",
    "NoNoise": "pfverify.model.noises.none",
    "PfverifyError": "pfverify.errors",
    "Problem": "pfverify.model.problem",
    "Protection": "pfverify.model.protection",
    "System": "pfverify.model.systems.system",
    "calibrate": "pfverify.scales.calibrate",
    "certify": "pfverify.decide.certify",
    "check": "pfverify.certificate.checking",
    "loss": "pfverify.decide.loss",
    "sample": "pfverify.edge.sampled",
}

__all__ = [
    "Channel",
    "Discrete",
    "DiscreteLaplace",
    "Finite",
    "Gaussian",
    "GaussianNoise",
    "InputError",
    "Laplace",
    "Mixture",
    "NoNoise",
    "PfverifyError",
    "Problem",
    "Protection",
    "System",
    "__version__",
    "calibrate",
    "certify",
    "check",
    "loss",
    "sample",
]


def __getattr__(name: str) -> Any:
    """Import the public names on first use, so that ``import pfverify`` stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pfverify' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
