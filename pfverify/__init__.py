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
    from pfverify.answers.calibrate import calibrate
    from pfverify.answers.certify import certify
    from pfverify.answers.curves.curve import curve
    from pfverify.answers.curves.result import CurveResult
    from pfverify.answers.dummies import DummiesResult
    from pfverify.answers.largest_radius import LargestRadiusResult, largest_radius
    from pfverify.answers.least_size import LeastSizeResult, least_size
    from pfverify.answers.loss import DirectedLoss, LossResult, loss
    from pfverify.answers.methods import CalibrateResult, Method, Minimum
    from pfverify.answers.most_releases import MostReleasesResult, most_releases
    from pfverify.answers.outcome import CertifyResult, Directed, Witness
    from pfverify.certificate.checking import CheckResult, check
    from pfverify.decide.verdict import Verdict
    from pfverify.errors import InputError, PfverifyError, UndecidedError
    from pfverify.exact.argument import Number
    from pfverify.exact.enclosure import Enclosure
    from pfverify.model.chains.chain import Chain
    from pfverify.model.channels.kinds import Channel
    from pfverify.model.families.balls import TotalVariationBall, WInfinityBall
    from pfverify.model.families.confidence import Confidence
    from pfverify.model.families.intervals import MassIntervals
    from pfverify.model.families.listed import AnyOf, Polytope
    from pfverify.model.networks.network import Network
    from pfverify.model.noises.bounded_laplace import BoundedLaplace
    from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
    from pfverify.model.noises.discrete_laplace import DiscreteLaplace
    from pfverify.model.noises.exponential import Exponential
    from pfverify.model.noises.gaussian import GaussianNoise
    from pfverify.model.noises.gumbel import Gumbel
    from pfverify.model.noises.laplace import Laplace
    from pfverify.model.noises.none import NoNoise
    from pfverify.model.noises.table import TableNoise
    from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
    from pfverify.model.noises.truncated_laplace import TruncatedLaplace
    from pfverify.model.priors.discrete import Discrete
    from pfverify.model.priors.finite import Finite
    from pfverify.model.priors.joint import Joint
    from pfverify.model.priors.mixture import Gaussian, Mixture
    from pfverify.model.priors.nothing import Nothing
    from pfverify.model.problem import Problem
    from pfverify.model.protection import Protection
    from pfverify.model.releases.coordinates import Coordinates
    from pfverify.model.releases.repeated import Budget, Repeated
    from pfverify.model.systems.system import System
    from pfverify.sampling.sample import SampleResult, sample

_HOMES = {
    "AnyOf": "pfverify.model.families.listed",
    "Budget": "pfverify.model.releases.repeated",
    "CalibrateResult": "pfverify.answers.methods",
    "CertifyResult": "pfverify.answers.outcome",
    "Chain": "pfverify.model.chains.chain",
    "BoundedLaplace": "pfverify.model.noises.bounded_laplace",
    "Channel": "pfverify.model.channels.kinds",
    "CheckResult": "pfverify.certificate.checking",
    "Confidence": "pfverify.model.families.confidence",
    "CurveResult": "pfverify.answers.curves.result",
    "Coordinates": "pfverify.model.releases.coordinates",
    "Directed": "pfverify.answers.outcome",
    "DirectedLoss": "pfverify.answers.loss",
    "Discrete": "pfverify.model.priors.discrete",
    "DiscreteGaussian": "pfverify.model.noises.discrete_gaussian",
    "DiscreteLaplace": "pfverify.model.noises.discrete_laplace",
    "DummiesResult": "pfverify.answers.dummies",
    "Enclosure": "pfverify.exact.enclosure",
    "Exponential": "pfverify.model.noises.exponential",
    "Finite": "pfverify.model.priors.finite",
    "Gaussian": "pfverify.model.priors.mixture",
    "GaussianNoise": "pfverify.model.noises.gaussian",
    "Gumbel": "pfverify.model.noises.gumbel",
    "InputError": "pfverify.errors",
    "MassIntervals": "pfverify.model.families.intervals",
    "Joint": "pfverify.model.priors.joint",
    "Laplace": "pfverify.model.noises.laplace",
    "LargestRadiusResult": "pfverify.answers.largest_radius",
    "LeastSizeResult": "pfverify.answers.least_size",
    "LossResult": "pfverify.answers.loss",
    "Method": "pfverify.answers.methods",
    "Minimum": "pfverify.answers.methods",
    "Mixture": "pfverify.model.priors.mixture",
    "MostReleasesResult": "pfverify.answers.most_releases",
    "Network": "pfverify.model.networks.network",
    "NoNoise": "pfverify.model.noises.none",
    "Nothing": "pfverify.model.priors.nothing",
    "Number": "pfverify.exact.argument",
    "PfverifyError": "pfverify.errors",
    "Polytope": "pfverify.model.families.listed",
    "Problem": "pfverify.model.problem",
    "Protection": "pfverify.model.protection",
    "Repeated": "pfverify.model.releases.repeated",
    "SampleResult": "pfverify.sampling.sample",
    "System": "pfverify.model.systems.system",
    "TableNoise": "pfverify.model.noises.table",
    "TotalVariationBall": "pfverify.model.families.balls",
    "TruncatedDiscreteLaplace": "pfverify.model.noises.truncated_discrete_laplace",
    "TruncatedLaplace": "pfverify.model.noises.truncated_laplace",
    "UndecidedError": "pfverify.errors",
    "Verdict": "pfverify.decide.verdict",
    "WInfinityBall": "pfverify.model.families.balls",
    "Witness": "pfverify.answers.outcome",
    "calibrate": "pfverify.answers.calibrate",
    "certify": "pfverify.answers.certify",
    "check": "pfverify.certificate.checking",
    "curve": "pfverify.answers.curves.curve",
    "largest_radius": "pfverify.answers.largest_radius",
    "least_size": "pfverify.answers.least_size",
    "loss": "pfverify.answers.loss",
    "most_releases": "pfverify.answers.most_releases",
    "sample": "pfverify.sampling.sample",
}

__all__ = [
    "AnyOf",
    "BoundedLaplace",
    "Budget",
    "CalibrateResult",
    "CertifyResult",
    "Chain",
    "Channel",
    "CheckResult",
    "Confidence",
    "Coordinates",
    "CurveResult",
    "Directed",
    "DirectedLoss",
    "Discrete",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "DummiesResult",
    "Enclosure",
    "Exponential",
    "Finite",
    "Gaussian",
    "GaussianNoise",
    "Gumbel",
    "InputError",
    "Joint",
    "Laplace",
    "LargestRadiusResult",
    "LeastSizeResult",
    "LossResult",
    "MassIntervals",
    "Method",
    "Minimum",
    "Mixture",
    "MostReleasesResult",
    "Network",
    "NoNoise",
    "Nothing",
    "Number",
    "PfverifyError",
    "Polytope",
    "Problem",
    "Protection",
    "Repeated",
    "SampleResult",
    "System",
    "TableNoise",
    "TotalVariationBall",
    "TruncatedDiscreteLaplace",
    "TruncatedLaplace",
    "UndecidedError",
    "Verdict",
    "WInfinityBall",
    "Witness",
    "__version__",
    "calibrate",
    "certify",
    "check",
    "curve",
    "largest_radius",
    "least_size",
    "loss",
    "most_releases",
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
