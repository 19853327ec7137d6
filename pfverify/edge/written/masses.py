"""Outputs that can be counted: of a channel, of tuples with dummies, or atoms without noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from pfverify.edge.document import counted
from pfverify.edge.words import brief
from pfverify.edge.written.asked import (
    INTERVALS,
    SENTENCES,
    SHOWN,
    Worst,
    above_delta,
    and_more,
    event_lines,
    of_kind,
    rounded,
    rounding_line,
)
from pfverify.edge.written.tails import Tails
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Raw, raw
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import Number
from pfverify.laws.kinds import form_of, law_of
from pfverify.laws.masses import Masses, PointMasses
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, as_number, folded, text_of, total
from pfverify.model.channels.tupling import Tupling
from pfverify.model.noises.table import TableNoise
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, point_text
from pfverify.model.releases.release import Release

_LONG = 40  # characters of an exact mass that is written as it is, and of a name
_ONE, _NONE = Fraction(1), Fraction(0)
_DOTS = SENTENCES["rounding"]["masses"]
_SAID = SENTENCES["masses"]

Law = Mapping[str, Entry]
"""Output, as it is printed -> its exact mass."""


def lines(worst: Worst) -> list[str]:
    """Return the exact masses of the worst output, input by input; for events those of B."""
    laws = laws_of(worst, worst.item.release)
    if worst.compared.target.bound is Bound.DIVERGENCE:
        return event_lines(worst, _event(worst, laws), f"; {_DOTS}")
    return [*_output(worst, laws), rounding_line("masses")]


def laws_of(worst: Worst, release: Release) -> list[Law]:
    """Return the exact masses of all outputs on both sides; InputError where none are counted."""
    found: list[Law] = []
    for prior in worst.priors:
        if isinstance(prior, Joint):
            points = of_kind(form_of(prior, release).outcomes, PointMasses).masses
            found.append({point_text(x): mass for x, mass in points.items()})
        else:
            law = of_kind(law_of(prior, release), Masses)  # type: ignore[type-abstract]
            named = ((y if isinstance(y, str) else decimal_text(y), y) for y in law.outputs)
            found.append({name: law.masses[y] for name, y in named})
    return found


# ---------------------------------------------------------------- one output


def _output(worst: Worst, laws: Sequence[Law]) -> list[str]:
    place, release = worst.directed.worst_y, worst.item.release
    y = decimal_text(place) if isinstance(place, Fraction) else str(place)
    if worst.compared.target.bound is Bound.EXCESS:
        y = next(iter(_excesses(worst, laws)))
    told = [f"The worst output is y = {_named(y) if release.named else y}, {worst.pair}."]
    match release:
        case Channel():
            told.append(_SAID["channel"])
            told += _table(worst, release, release.outputs.index(y))
        case TableNoise():
            told.append(_SAID["table"])
        case TruncatedDiscreteLaplace() if release.has_size:
            told.append(_SAID["around"].format(noise=Tails(release).said("chance", normal=False)))
        case _:
            told.append(_SAID["bare"])
    told += _compared(worst, "P", [law.get(y, _NONE) for law in laws])
    return [*told, *(worst.undecided() or [SENTENCES["why"]["masses"]])]


def _compared(worst: Worst, letter: str, masses: Sequence[Entry]) -> list[str]:
    """The masses of an output, which go by a letter, and how they compare."""
    target, (first, second) = worst.compared.target, masses
    told = [
        f"{letter}(y | {name}) = {spelled(mass)}"
        for name, mass in zip(worst.names, masses, strict=True)
    ]
    right = _grown(target.epsilon, second)
    told.append(
        f"e^epsilon * {letter}(y | {worst.names[1]}) = {_grown(target.epsilon)} * {exact(second)} "
        f"= {right}"
    )
    if target.bound is Bound.EXCESS:
        bound = target.exp_epsilon() * as_number(second).ball().raw
        right = _dots(bound + target.delta.ball().raw)
        told.append(f"  plus delta = {worst.result.delta}: {right}")
    return [*told, worst.verdict_line(exact(first), right)]


def largest_excess(worst: Worst) -> str:
    """Return the output with the largest p - e^epsilon q."""
    return next(iter(_excesses(worst, laws_of(worst, worst.item.release))))


def _excesses(worst: Worst, laws: Sequence[Law]) -> dict[str, Raw]:
    """Output -> p - e^epsilon q there, the largest first."""
    growth = worst.compared.target.exp_epsilon()
    found = {}
    for y in dict.fromkeys(y for law in laws for y in law):
        p, q = (as_number(law.get(y, _NONE)).ball().raw for law in laws)
        found[y] = p - growth * q
    return dict(sorted(found.items(), key=lambda entry: -float(entry[1].mid())))


def _table(worst: Worst, channel: Channel, column: int) -> list[str]:
    """The inputs, with both priors and the entry of the output, those with a mass first."""
    priors = [of_kind(prior, Finite).support for prior in worst.priors]
    inputs = [x for x in channel.inputs if any(law.get(x) for law in priors)]
    told = []
    for x in inputs[:SHOWN]:
        masses = _under(worst, (brief(str(law.get(x, _NONE))) for law in priors))
        told.append(f"  x = {_named(x)}: prior {masses}; P(y | x) = "
                    f"{spelled(channel.row(x)[column])}")  # fmt: skip
    return [*told, *and_more(inputs, "more input")]


# ---------------------------------------------------------------- events


def _event(worst: Worst, laws: Sequence[Law]) -> list[str]:
    """The outputs of B, with their masses, and what they come to."""
    epsilon, quoted = worst.compared.target.epsilon, worst.problem.release.named
    event = [y for y, excess in _excesses(worst, laws).items() if excess > 0]
    if not event:
        return [SENTENCES["why"]["empty"]]
    told = [f"e^epsilon = {_grown(epsilon)}; the outputs of B:"]
    for y in event[:INTERVALS]:
        masses = _under(worst, (exact(law.get(y, _NONE)) for law in laws))
        told.append(f"  y = {_named(y) if quoted else y}: {masses}")
    if len(event) > INTERVALS:
        told.append(f"  ({counted(len(event) - INTERVALS, 'more output')})")
    whole = [total(law.get(y, _NONE) for y in event) for law in laws]
    told += [f"P(B | {name}) = {exact(x)}" for name, x in zip(worst.names, whole, strict=True)]
    told.append(f"e^epsilon P(B | {worst.names[1]}) = {_grown(epsilon, whole[1])}")
    witness = worst.directed.witness
    return told if witness is None or witness.event else [*told, above_delta(witness)]


# ---------------------------------------------------------------- tuples


def tuple_lines(worst: Worst) -> list[str]:
    """Return the masses of the base's output that makes the worst tuple; for events all of them."""
    channel = of_kind(worst.problem.release, Tupling)
    laws = laws_of(worst, channel.base)
    dummies = "1 dummy" if channel.dummies == 1 else f"{channel.dummies} dummies"
    told = [_SAID["tuples"].format(dummies=dummies, pair=worst.pair), _SAID["tuple"]]
    if worst.compared.target.bound is Bound.DIVERGENCE:
        return [*told, *event_lines(worst, _of_tuples(worst, channel, laws), f"; {_DOTS}")]
    y = str(worst.directed.worst_y)
    told.append(_SAID["worst-tuple"].format(_named(y)))
    return [*told, *_compared(worst, "a", [law[y] for law in laws]), rounding_line("masses")]


def _of_tuples(worst: Worst, channel: Tupling, laws: Sequence[Law]) -> list[str]:
    rows = [
        f"  {_named(o)}: a = {_under(worst, (exact(law[o]) for law in laws))}; nu = {exact(dummy)}"
        for o, dummy in zip(laws[0], channel.dummy, strict=True)
    ]
    told = [_SAID["base"], *rows[:SHOWN], *and_more(rows, "more output")]
    witness = worst.directed.witness
    if witness is not None and witness.growth is not None:
        growth = str(witness.growth)
        above = "" if growth == "inf" else exact(Fraction(growth))
        told.append(_SAID["above" if above else "alone"].format(above))
        told.append(above_delta(witness))
    return [*told, f"e^epsilon = {_grown(worst.compared.target.epsilon)}"]


# ---------------------------------------------------------------- numbers


def _named(name: str) -> str:
    return repr(shorten(name, _LONG))


def _under(worst: Worst, masses: Iterable[str]) -> str:
    """Two masses, each with the secret under which it is one."""
    return ", ".join(
        f"{mass} under {name}" for mass, name in zip(masses, worst.names, strict=True)
    )


def exact(mass: Entry) -> str:
    """Return a mass as a fraction, or rounded down where that is long or it is none."""
    short = isinstance(mass, Fraction) and len(str(mass)) <= _LONG
    return str(mass) if short else _dots(as_number(mass).ball().raw)


def spelled(mass: Entry) -> str:
    """Return a mass as `exact` does, after its own form where that is short and no fraction."""
    text = text_of(mass)
    own = not isinstance(mass, Fraction) and len(text) <= _LONG
    return f"{text} = {exact(mass)}" if own else exact(mass)


def _dots(value: Raw) -> str:
    """A number rounded down, with dots; 0 is exact."""
    return "0" if value == raw(0) else f"{rounded(value)}..."


def _grown(epsilon: Number, mass: Entry = _ONE) -> str:
    """e^epsilon times a mass: a fraction where both are, as for log(3), else rounded down."""
    grown: Entry | None = None
    with suppress(InputError):  # it may be too large to be written
        grown = folded(epsilon.exp())
    if isinstance(grown, Fraction) and isinstance(mass, Fraction):
        return exact(grown * mass)
    return _dots(epsilon.ball().raw.exp() * as_number(mass).ball().raw)
