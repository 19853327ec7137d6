"""How laws on a line are judged.  As in `line`."""

from __future__ import annotations

from functools import partial
from typing import Any

from core.kinds import EVENTS, POINTWISE, Kind, Prior, Rule
from core.line import NOTHING, WHOLE, Noisy
from core.on_line import OnLine


def with_noise(p: Prior, q: Prior, release: Any) -> tuple[Noisy, Noisy]:
    """Laws of atoms, of which all of the line keeps its density."""
    return Noisy(p, NOTHING, release, WHOLE, {}), Noisy(q, NOTHING, release, WHOLE, {})


ATOMS = Kind(
    {
        "pure": Rule("core.calculus:signs", measures=True),
        "delta-upper": Rule("core.calculus:area", EVENTS, measures=True),
        "delta-tie": Rule("core.line_ties", EVENTS),
        "pointwise": Rule("core.calculus:signs", POINTWISE, measures=True),
    },
    {
        "pure-refuted": Rule("core.calculus:place", measures=True),
        "event-refuted": Rule("core.calculus:event", measures=True),
        "pointwise-refuted": Rule("core.calculus:place", measures=True),
    },
    "the rule is for priors with densities, or gaussian noise",
    laws=with_noise,
    unscaled={"no-noise": Rule("core.every_scale")},
    no_scale="every_scale",
    difference=OnLine,
)
KEPT = Kind(
    {"kept": Rule("core.calculus:area", EVENTS)},
    {"event-refuted": Rule("core.calculus:event", EVENTS)},
    "the rule is not for densities that steps keep in part",
    difference=partial(OnLine, decided=True),
)
CELLS = Kind(
    {"channel": Rule("core.calculus:area", EVENTS)},
    {
        "output-refuted": Rule("core.calculus:place", EVENTS),
        "outputs-refuted": Rule("core.calculus:event", EVENTS),
    },
    "the rule is not for what these steps release",
    difference=partial(OnLine, decided=True),
)
