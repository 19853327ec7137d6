"""How atoms with (discrete) Laplace noise are judged.  As in `sweep`."""

from __future__ import annotations

from typing import Any

from core.kinds import EVENTS, POINTWISE, Kind, Prior, Rule
from core.line import Noisy, noisy
from core.on_line import OnLine


def with_noise(p: Prior, q: Prior, release: Any) -> tuple[Noisy, Noisy]:
    """Laws of atoms, of which all of the line keeps its density."""
    return noisy(p, release), noisy(q, release)


KIND = Kind(
    {
        "pure": Rule("signs", measures=True),
        "delta-upper": Rule("area", EVENTS, measures=True),
        "delta-tie": Rule("tie", EVENTS),
        "pointwise": Rule("signs", POINTWISE, measures=True),
    },
    {
        "pure-refuted": Rule("place", measures=True),
        "event-refuted": Rule("event", measures=True),
        "pointwise-refuted": Rule("place", measures=True),
    },
    "the rule is for priors with densities, or gaussian noise",
    laws=with_noise,
    unscaled={"no-noise": Rule("every-scale")},
    no_scale="INJ",
    difference=OnLine,
)
