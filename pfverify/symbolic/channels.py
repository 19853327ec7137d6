"""Finite channels as statements: the mass of an output given an input, from each definition.

Symbols: epsilon >= 0, the budget; truth, the chance of the true answer; f, q, p, the chances of
RAPPOR; q, p, those of unary encoding; t, the ratio of the geometric law; Delta > 0, the sensitivity
of the scores. Sizes, codes, scores and places are numbers. A channel that is made of others has the
values of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product as tuples
from typing import Any, NamedTuple

import sympy

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.combined import Cascade, ChannelMixture, Composition, Product
from pfverify.model.channels.entries import Entry, as_number
from pfverify.model.channels.exponential import ExponentialMechanism
from pfverify.model.channels.local_hashing import LocalHashing
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.planar import Planar
from pfverify.model.channels.randomized_response import RandomizedResponse
from pfverify.model.channels.rappor import Rappor
from pfverify.model.channels.subset_selection import SubsetSelection
from pfverify.model.channels.truncated_geometric import TruncatedGeometric
from pfverify.model.channels.tupling import Tupling
from pfverify.model.channels.unary import OPTIMISED, SYMMETRIC, Unary
from pfverify.symbolic.statement import (
    EPSILON,
    Statement,
    StatementCondition,
    chance,
    condition,
    latex_text,
)
from pfverify.symbolic.translate import Expr, from_fraction, from_number

TRUTH = sympy.Symbol("truth", nonnegative=True)
FLIP, ONE, ZERO = (sympy.Symbol(name, nonnegative=True) for name in ("f", "q", "p"))
RATIO = sympy.Symbol("t", positive=True)
SENSITIVITY = sympy.Symbol("Delta", positive=True)


class OutputFormula(NamedTuple):
    """The mass of an output: an expression, the values of its symbols, what they must satisfy."""

    expression: Expr
    values: dict[str, Number]
    conditions: tuple[StatementCondition, ...]
    source: str


def channel_mass(channel: Channel, given: str, output: str) -> Statement:
    """State P(output | input) of a channel, with the parameters of a mechanism as symbols.

    `channel_values` has the values that the channel gives them.
    Raises InputError for a name that is no input or output, and for tupling (`tuple_mass`).
    Example: ``channel_mass(channel, "a", "b").value(**channel_values(channel))`` contains 1/4.
    """
    formula = _formula(channel, given, output)
    left = f"P\\left({latex_text(output)} \\mid {latex_text(given)}\\right)"
    name = f"channels/{channel.kind}/{given}/{output}"
    return Statement(name, left, formula.expression, formula.conditions, formula.source)


def channel_values(channel: Channel) -> dict[str, Number]:
    """Return the values of the symbols in `channel_mass`.

    Example: ``channel_values(channel)["truth"].fraction`` is ``3/4``.
    """
    return _formula(channel, channel.inputs[0], channel.outputs[0]).values


def lifted_mass(channel: Channel, masses: Mapping[str, Fraction], output: str) -> Statement:
    """State the mass of an output of A#lambda, where the input has these masses.

    Raises as `channel_mass`. Example: ``lifted_mass(channel, {"a": Fraction(1, 2), "b":
    Fraction(1, 2)}, "a").value(truth="2/3")`` contains 1/2.
    Source: distribution-privacy paper, section 2.1.
    """
    stated = {name: _formula(channel, name, output) for name in masses}
    terms = (from_fraction(masses[name]) * part.expression for name, part in stated.items())
    held = next((part.conditions for part in stated.values()), ())
    left = f"A^{{\\#}}\\lambda\\left({latex_text(output)}\\right)"
    source = "distribution-privacy paper, section 2.1"
    return Statement(f"channels/lifted/{output}", left, sympy.Add(*terms), held, source)


def tuple_mass(mechanism: Tupling, given: str, outputs: Sequence[str]) -> Statement:
    """State the mass of a tuple that the tupling mechanism releases: a mean over the true place.

    Raises InputError for a tuple of another length, or of a name that is no output.
    Example: ``tuple_mass(Tupling(channel, 1), "a", ["a", "b"]).value()`` contains 1/4.
    Source: distribution-privacy paper, section 5; design fact F11.
    """
    if len(outputs) != mechanism.dummies + 1:
        raise InputError(f"the tuple: {len(outputs)} names, expected {mechanism.dummies + 1}")
    dummy = dict(zip(mechanism.base.outputs, mechanism.dummy, strict=True))
    terms = []
    for k, true in enumerate(outputs):
        told = _valued(mechanism.base, given, true)
        others = (_number(dummy[name]) for j, name in enumerate(outputs) if j != k)
        terms.append(sympy.Mul(told, *others))
    mean = sympy.Add(*terms) / len(outputs)
    left = f"P\\left({', '.join(map(latex_text, outputs))} \\mid {latex_text(given)}\\right)"
    name = f"channels/tupling/{given}/{','.join(outputs)}"
    return Statement(name, left, mean, (), "distribution-privacy paper, section 5")


def _formula(channel: Channel, given: str, output: str) -> OutputFormula:
    state = _STATED.get(type(channel))
    if state is None:
        raise InputError(f"no statement of a channel of kind {channel.kind} for single outputs")
    for name, known, what in ((given, channel.inputs, "input"),
                              (output, channel.outputs, "output")):  # fmt: skip
        if name not in known:
            raise InputError(f"{shorten(name, 30)!r} is no {what} of the channel")
    return state(channel, given, output)


def _valued(channel: Channel, given: str, output: str) -> Expr:
    """The mass with the values of its symbols put in."""
    formula = _formula(channel, given, output)
    values = {symbol: from_number(formula.values[symbol.name])
              for symbol in formula.expression.free_symbols}  # fmt: skip
    return formula.expression.subs(values, simultaneous=True)


def _number(value: Entry) -> Expr:
    return from_number(as_number(value))


_BUDGET = (condition(EPSILON, ">=", 0),)


def _matrix(channel: Matrix, given: str, output: str) -> OutputFormula:
    entry = channel.row(given)[channel.outputs.index(output)]
    return OutputFormula(_number(entry), {}, (), "as stated")


def _randomized_response(channel: RandomizedResponse, given: str, output: str) -> OutputFormula:
    others = len(channel.inputs) - 1
    source = "Kairouz, Oh and Viswanath 2016"
    if channel.epsilon is None and channel.truth is not None:
        mass = TRUTH if given == output else (1 - TRUTH) / others
        return OutputFormula(mass, {"truth": channel.truth}, chance(TRUTH), source)
    grown = sympy.exp(EPSILON)
    mass = (grown if given == output else 1) / (grown + others)
    return OutputFormula(mass, _budget(channel.epsilon), _BUDGET, source)


def _budget(epsilon: Number | None) -> dict[str, Number]:
    return {} if epsilon is None else {"epsilon": epsilon}


def _rappor(channel: Rappor, given: str, output: str) -> OutputFormula:
    """A product over the bits: the permanent bit is summed out."""
    code = channel.codes[channel.inputs.index(given)]
    factors = []
    for true, told in zip(code, output, strict=True):
        permanent = 1 - FLIP / 2 if true == "1" else FLIP / 2
        reported = permanent
        if channel.one is not None:
            reported = permanent * ONE + (1 - permanent) * ZERO
        factors.append(reported if told == "1" else 1 - reported)
    values = {"f": channel.flip}
    if channel.one is not None and channel.zero is not None:
        values |= {"q": channel.one, "p": channel.zero}
    used = {"f": FLIP, "q": ONE, "p": ZERO}
    source = "Erlingsson, Pihur and Korolova 2014, section 2"
    held = tuple(one for name in values for one in chance(used[name]))
    return OutputFormula(sympy.Mul(*factors), values, held, source)


def _unary(channel: Unary, given: str, output: str) -> OutputFormula:
    """A product over the bits, of which that of the input is 1."""
    grown = sympy.exp(EPSILON)
    one, zero = {
        None: (ONE, ZERO),
        SYMMETRIC: (1 - 1 / (1 + sympy.exp(EPSILON / 2)), 1 / (1 + sympy.exp(EPSILON / 2))),
        OPTIMISED: (sympy.Rational(1, 2), 1 / (grown + 1)),
    }[channel.variant]
    factors = [
        (one if name == given else zero) if told == "1" else 1 - (one if name == given else zero)
        for name, told in zip(channel.inputs, output, strict=True)
    ]
    source = "Wang, Blocki, Li and Jha 2017"
    if channel.one is not None and channel.zero is not None:
        values, held = {"q": channel.one, "p": channel.zero}, (*chance(ONE), *chance(ZERO))
        return OutputFormula(sympy.Mul(*factors), values, held, source)
    return OutputFormula(sympy.Mul(*factors), _budget(channel.epsilon), _BUDGET, source)


def _subset_selection(channel: SubsetSelection, given: str, output: str) -> OutputFormula:
    k, d, grown = len(channel.inputs), channel.size, sympy.exp(EPSILON)
    below = sympy.binomial(k - 1, d - 1) * grown + sympy.binomial(k - 1, d)
    mass = (grown if output[channel.inputs.index(given)] == "1" else 1) / below
    return OutputFormula(mass, _budget(channel.epsilon), _BUDGET, "Ye and Barg 2018")


def _local_hashing(channel: LocalHashing, given: str, output: str) -> OutputFormula:
    """The chance of the function, and of its value."""
    values, told = output.split(":")
    grown, g = sympy.exp(EPSILON), channel.range
    true = values.split(",")[channel.inputs.index(given)] == told
    mass = (grown if true else 1) / (grown + g - 1) / sympy.Integer(g) ** len(channel.inputs)
    source = "Wang, Blocki, Li and Jha 2017"
    return OutputFormula(mass, _budget(channel.epsilon), _BUDGET, source)


def _truncated_geometric(channel: TruncatedGeometric, given: str, output: str) -> OutputFormula:
    """The geometric law inside, its tail sum at the ends."""
    y, last = int(output), channel.size - 1
    ratio = RATIO if channel.epsilon is None else sympy.exp(-EPSILON)
    near = ratio ** abs(y - int(given)) / (1 + ratio)
    mass = near if y in (0, last) else (1 - ratio) * near
    source = "Ghosh, Roughgarden and Sundararajan 2009"
    if channel.epsilon is None and channel.ratio is not None:
        inside = condition(RATIO, ">", 0), condition(RATIO, "<", 1)
        return OutputFormula(mass, {"t": channel.ratio}, inside, source)
    return OutputFormula(mass, _budget(channel.epsilon), (condition(EPSILON, ">", 0),), source)


def _exponential(channel: ExponentialMechanism, given: str, output: str) -> OutputFormula:
    scores = channel.scores[channel.inputs.index(given)]
    exponents = [EPSILON * _number(score) / (2 * SENSITIVITY) for score in scores]
    values = _budget(channel.epsilon) | {"Delta": as_number(channel.sensitivity)}
    mass = _share(exponents, channel.outputs.index(output))
    held = (*_BUDGET, condition(SENSITIVITY, ">", 0))
    return OutputFormula(mass, values, held, "McSherry and Talwar 2007")


def _planar(channel: Planar, given: str, output: str) -> OutputFormula:
    grid = channel.points if channel.grid is None else channel.grid
    here = channel.points[given]
    exponents = [
        -EPSILON * sympy.sqrt(sympy.Add(*(
            from_fraction(a - b) ** 2 for a, b in zip(here, place, strict=True)
        )))
        for place in grid.values()
    ]  # fmt: skip
    source = "Andres, Bordenabe, Chatzikokolakis and Palamidessi 2013, on a grid"
    mass = _share(exponents, channel.outputs.index(output))
    return OutputFormula(mass, _budget(channel.epsilon), _BUDGET, source)


def _share(exponents: Sequence[Expr], index: int) -> Expr:
    """One power of e among their sum."""
    return sympy.exp(exponents[index]) / sympy.Add(*map(sympy.exp, exponents))


def _of_parts(expression: Expr) -> OutputFormula:
    return OutputFormula(expression, {}, (), "distribution-privacy paper, section 4")


def _composition(channel: Composition, given: str, output: str) -> OutputFormula:
    told = _split(channel.outputs, (part.outputs for part in channel.parts), output)
    return _of_all(channel.parts, [given] * len(told), told)


def _product(channel: Product, given: str, output: str) -> OutputFormula:
    each = _split(channel.inputs, (part.inputs for part in channel.parts), given)
    told = _split(channel.outputs, (part.outputs for part in channel.parts), output)
    return _of_all(channel.parts, each, told)


def _of_all(
    parts: Sequence[Channel], given: Sequence[str], told: Sequence[str]
) -> OutputFormula:
    """What every part tells, each from its own coins."""
    each = zip(parts, given, told, strict=True)
    return _of_parts(sympy.Mul(*(_valued(part, x, y) for part, x, y in each)))


def _cascade(channel: Cascade, given: str, output: str) -> OutputFormula:
    """The sum over all ways from the input to the output."""
    *before, last = channel.parts
    if not before:
        return _of_parts(_valued(last, given, output))
    first = Cascade(before)
    return _of_parts(sympy.Add(*(
        _valued(first, given, name) * _valued(last, name, output) for name in first.outputs
    )))  # fmt: skip


def _mixture(channel: ChannelMixture, given: str, output: str) -> OutputFormula:
    return _of_parts(sympy.Add(*(
        _number(weight) * _valued(part, given, output)
        for part, weight in zip(channel.parts, channel.weights, strict=True)
        if output in part.outputs
    )))  # fmt: skip


def _split(
    joined: tuple[str, ...], parts: Iterable[Sequence[str]], name: str
) -> tuple[str, ...]:
    """The tuple of names that a joined name stands for."""
    return dict(zip(joined, tuples(*parts), strict=True))[name]


_STATED: dict[type[Channel], Callable[[Any, str, str], OutputFormula]] = {
    Matrix: _matrix,
    RandomizedResponse: _randomized_response,
    Rappor: _rappor,
    Unary: _unary,
    SubsetSelection: _subset_selection,
    LocalHashing: _local_hashing,
    TruncatedGeometric: _truncated_geometric,
    ExponentialMechanism: _exponential,
    Planar: _planar,
    Composition: _composition,
    Product: _product,
    Cascade: _cascade,
    ChannelMixture: _mixture,
}
