"""Masses of intervals under noise on a line, enclosed.  As in `sweep`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from core.enclose import ONE, ZERO, Arithmetic, Interval
from core.line import NOTHING, Lines, Noisy
from core.spans import SUPPRESSED, Span
from core.sweep import sweep, turns
from core.zero import enclose_sum, exp_form


def whole_of(law: Noisy, ar: Arithmetic) -> Interval:
    """All mass, in the unit of masses."""
    if law.noise.step is None:
        return enclose_sum(law.whole(), ar)
    return ar.add(_kappa_less_2(law, ar), ar.of(Fraction(2)))


def _kappa_less_2(law: Noisy, ar: Arithmetic) -> Interval:
    """kappa - 2 = (1 - r)^2 / r with r = e^(-step rho / 2)."""
    if law.noise.step is None:
        return ZERO
    r = exp_form(law.noise.decay(law.noise.step / 2), ar)
    rest = ar.sub(ONE, r)
    return ar.div(ar.mul(rest, rest), r)


def between(law: Noisy, cuts: Sequence[Fraction], ar: Arithmetic) -> list[Interval]:
    """The masses between neighbours of increasing cuts, -infinity and infinity, without no row.
    All summands are positive, so that intervals keep relative precision."""
    jumps = {x: ar.of(m) for x, m in law.atoms.items()}
    places = turns(law.noise, law.atoms, cuts)
    pieces, steady = sweep(law.noise, places, jumps, ar).pieces, _kappa_less_2(law, ar)
    found, ends = [ZERO], [*reversed(cuts)]
    for x, piece in zip([None, *places], pieces, strict=True):
        if ends and x == ends[-1]:
            found.append(ZERO)
            ends.pop()
        elif steady != ZERO and x in jumps:
            found[-1] = ar.add(found[-1], ar.mul(steady, jumps[x]))
        found[-1] = ar.add(found[-1], piece.mass(ar))
    return found


def masses(law: Noisy, ar: Arithmetic) -> list[Interval]:
    """The masses of all parts."""
    if ar.bits not in law.known:
        found = between(law, [part.high for part in law.parts if part.high is not None], ar)
        for k, part in enumerate(law.parts if law.nothing else ()):
            if part.output == SUPPRESSED:
                found[k] = ar.add(found[k], ar.mul(ar.of(law.nothing), whole_of(law, ar)))
        law.known[ar.bits] = found
    return law.known[ar.bits]


def measured(
    goal: Lines, spans: Sequence[Span], ar: Arithmetic, *, hidden: bool
) -> tuple[Interval, Interval]:
    """P and Q of increasing spans that do not meet, with no row if that is `hidden` in them."""
    cuts = [x for span in spans for x in span if x is not None]
    first = 0 if spans[0][0] is None else 1

    def of(law: Noisy) -> Interval:
        mass = total(between(law, cuts, ar)[first::2], ar)
        no_row = law.nothing if hidden else NOTHING
        return ar.add(mass, ar.mul(ar.of(no_row), whole_of(law, ar)))

    return of(goal.P), of(goal.Q)


def total(terms: Iterable[Interval], ar: Arithmetic) -> Interval:
    """Their sum."""
    found = ZERO
    for x in terms:
        found = ar.add(found, x)
    return found


def joined(spans: Sequence[Span]) -> list[Span]:
    """Increasing spans, of which those that touch are one."""
    found = list[Span]()
    for low, high in spans:
        if found and low is not None and found[-1][1] == low:
            low = found.pop()[0]
        found.append((low, high))
    return found
