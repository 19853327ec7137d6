"""Releases with Laplace noise of one X whose laws have densities: as in `many` and `smooth`."""

from core.kinds import EVENTS, Rule
from core.many import KIND as MANY
from core.normals import KIND as SMOOTH

KIND = SMOOTH._replace(
    certified={name: Rule("core.many", EVENTS) for name in SMOOTH.certified},
    refuted={"one-refuted": MANY.refuted["one-refuted"]},
    other=MANY.other,
    laws=MANY.laws,
    hopeless={},
)
