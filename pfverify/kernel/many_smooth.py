"""Releases with Laplace noise of one X whose laws have densities: as in `many` and `smooth`."""

from kinds import EVENTS, Rule
from many import KIND as MANY
from smooth import KIND as SMOOTH

KIND = SMOOTH._replace(
    certified={name: Rule("many", EVENTS) for name in SMOOTH.certified},
    refuted={"one-refuted": MANY.refuted["one-refuted"]},
    other=MANY.other,
    hopeless={},
)
