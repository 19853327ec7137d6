"""The oracle: exact answers for other people's code, enclosed or correctly rounded.

Example::

    from pfverify import Discrete, Laplace, oracle

    prior = Discrete(counts={0: 376, 1: 204})
    oracle.density(prior, Laplace("51/25"), [0, 1, 2], nearest=True)
"""

from pfverify.oracle.answers import Enclosures
from pfverify.oracle.densities import cdf, density, log_ratio, mass
from pfverify.oracle.losses import delta, epsilon, loss
from pfverify.oracle.scales import Scales, scales
from pfverify.oracle.tradeoff import tradeoff

__all__ = [
    "Enclosures",
    "Scales",
    "cdf",
    "delta",
    "density",
    "epsilon",
    "log_ratio",
    "loss",
    "mass",
    "scales",
    "tradeoff",
]


def __dir__() -> list[str]:
    return sorted(__all__)
