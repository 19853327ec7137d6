"""The masses of cells under (discrete, or truncated) Laplace noise around an atom, for `outputs`.

Noise that comes again after every period L is e^(-d rho) + e^(-(L-d) rho) over 1 - e^(-L rho) at d
behind an atom: as noise around that atom and one L further, between these.
"""

from __future__ import annotations

from fractions import Fraction

from core.grammar import Malformed
from core.kinds import Mass
from core.line import NOTHING, all_mass, noisy
from core.line_exact import exact_mass
from core.quotients import quotient
from core.sides import LESS
from core.spans import End
from core.work import spend
from core.zero import NIL, add, multiply
from reader.noise import Noise
from reader.steps import ONE


def mass_around(noise: Noise, period: Fraction | None, low: End, high: End) -> Mass:
    """The mass between two ends around 0, with what comes after every period again."""
    atoms, spans, law = {NOTHING: ONE}, [(low, high)], noisy({}, noise)
    whole = all_mass(law)
    spend(256)
    if period is not None:
        if low is None or high is None or noise.bound is not None:
            raise Malformed("a cell without end does not come again")
        first = low - low % period
        end = first + period - (noise.step or NOTHING) / 2
        atoms, spans = {first: ONE, first + period: ONE}, [(low, min(high, end))]
        if high > end:  # the cell is at most a period long
            spans.insert(0, (end - period, high - period))
        whole = multiply(whole, add({NIL: ONE}, {noise.decay(period): ONE}, LESS))
    return quotient(exact_mass(law._replace(atoms=atoms), law, spans, NIL, hidden=False), whole)
