"""What is written out: the worst pair of a verdict, with its laws, its target and its numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.resources import files
from typing import TypeVar

from pfverify.answers.certify import outcome_of
from pfverify.answers.outcome import CertifyResult, Directed, Witness
from pfverify.decide.comparison import Comparison
from pfverify.decide.targets import distance
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import counted
from pfverify.edge.names import distinct
from pfverify.edge.ordered import against
from pfverify.edge.words import plain
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, Raw, raw
from pfverify.exact.decimals import decimal_text, enclosure_text
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import real
from pfverify.exact.written import round_inside
from pfverify.model.notion import Bound
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.release import Release
from pfverify.model.sources.prepared import Prepared
from pfverify.results import DEFAULT_DIGITS

SHOWN = 12
"""Terms that are written out; the rest is given as one sum."""
DIGITS = 10
"""Of a number that is rounded down."""
_FAR = 10_000  # an exponent from which a decimal is taken as it is
INTERVALS = 6
"""Of an event that are written out."""

SENTENCES: dict[str, dict[str, str]] = tomllib.loads(
    (files("pfverify.edge.written") / "sentences.toml").read_text("utf-8")
)
"""What is said of a kind of release: topic -> kind -> sentence."""

_RELATIONS = {
    Verdict.CERTIFIED: "<=",
    Verdict.REFUTED: ">",
    Verdict.UNDECIDED: "against",
}
Kind = TypeVar("Kind")
Term = tuple[Raw, Callable[[], str]]
"""A number, and how it comes about where that is asked for."""


class TooWide(Exception):  # noqa: N818
    """A number is not known to enough digits at the working precision."""


@dataclass(frozen=True)
class Worst:
    """The ordered pair that a verdict names first, and what its order was decided with.

    `writes` writes out what it comes down to, by the route of that.
    """

    problem: Problem
    item: Question
    result: CertifyResult
    directed: Directed
    compared: Comparison
    writes: Callable[[Worst], list[str]]

    @property
    def lines(self) -> list[str]:
        """The pair, written out."""
        return self.writes(self)

    @property
    def priors(self) -> tuple[Prior, Prior]:
        """The priors on the left and on the right of the inequality."""
        sides = self.item.first_prior, self.item.second_prior
        return sides if self.directed.from_ == self.item.first else sides[::-1]

    @property
    def names(self) -> tuple[str, str]:
        """What to print for the secrets on the left and on the right."""
        found = self.directed
        named = distinct([found.belief, found.from_, found.to])
        return named[found.from_], named[found.to]

    @property
    def pair(self) -> str:
        """Both secrets in words, with the belief where there are several."""
        return f"from {against(self.directed, self.result.pairs)}"

    @property
    def relation(self) -> str:
        """How the left side stands to the bound: the sign of the verdict."""
        return "=" if self.directed.tie else _RELATIONS[self.directed.verdict]

    @property
    def limit(self) -> str | None:
        """The tail in whose limit the ratio is largest, "inf" or "-inf"; None for an output."""
        place = str(self.directed.worst_y)
        return place if place in ("inf", "-inf") else None

    @property
    def y(self) -> Fraction:
        """The worst output as a number; InputError where it is none."""
        return of_kind(self.directed.worst_y, Fraction)

    def under(self, release: Release, order: Comparison) -> Worst:
        """Return the same pair under another release, held to what the order is held to."""
        found = self.directed
        names = found.from_, found.to
        told = outcome_of(
            order, found.belief, names, found.epsilon, DEFAULT_DIGITS, named=False
        )
        return replace(
            self, problem=self.problem.under(release), item=self.item.under(release),
            compared=order, directed=told,
            result=replace(self.result, delta=real(order.target.delta)),
        )  # fmt: skip

    def prepared(self) -> list[str]:
        """Return the line about steps that act on X first, if there are any."""
        source = self.problem.source
        if not isinstance(source, Prepared):
            return []
        steps = "; ".join(step.words for step in source.steps)
        return [f"X goes through steps first ({steps}); x and the priors are after them."]

    def own_epsilon(self) -> list[str]:
        """Return the line about an epsilon that is per unit of distance, if it is."""
        factor = distance(self.item)
        if factor is None:
            return []
        return [
            f"epsilon is {plain(self.result.epsilon)} per unit of distance, and the distance of "
            f"the pair {plain(factor.text)}: epsilon = {plain(self.compared.target.epsilon.text)}."
        ]

    def bounded(self, value: Raw) -> tuple[Raw, list[str]]:
        """Return the bound that the right side's value gives, and the lines that work it out."""
        target = self.compared.target
        growth = target.exp_epsilon()
        bound = growth * value
        told = [f"e^epsilon * p(y | {self.names[1]}) = {rounded(growth)} * {rounded(value)} "
                f"= {rounded(bound)}"]  # fmt: skip
        if target.bound is Bound.EXCESS:
            bound = bound + target.delta.ball().raw
            told.append(f"  plus delta = {self.result.delta}: {rounded(bound)}")
        return bound, told

    def compared_lines(self, values: Sequence[Raw]) -> list[str]:
        """Return how the values of both sides compare under the bound, and the verdict."""
        bound, told = self.bounded(values[1])
        return [*told, self.verdict_line(rounded(values[0]), rounded(bound))]

    def limit_lines(self, ratio: str) -> list[str]:
        """Return what the ratio of the densities tends to, how it compares, and the verdict."""
        (one, two), growth = self.names, rounded(self.compared.target.exp_epsilon())
        heads = [f"p(y | {one})/p(y | {two}) -> {ratio}", f"e^epsilon = {growth}"]
        return [*heads, self.verdict_line(ratio, growth)]

    def same_lines(self, said: str) -> list[str]:
        """Return the verdict of two laws that are the same, after what is said of the pair."""
        sides = {
            Bound.RATIO: ("p(y)", "e^epsilon q(y)"),
            Bound.EXCESS: ("p(y)", "e^epsilon q(y) + delta"),
            Bound.DIVERGENCE: ("0", f"delta = {self.result.delta}"),
        }[self.compared.target.bound]
        return [said.format(pair=self.pair), self.verdict_line(*sides)]

    def sums(
        self, of: str, sides: Iterable[Sequence[Term]], none: str = "there is no row"
    ) -> tuple[list[str], list[Raw]]:
        """Return a number of either side as a sum of terms, in lines, and both sums.

        `none` says why a side has no terms.
        """
        told, values = list[str](), list[Raw]()
        for name, terms in zip(self.names, sides, strict=True):
            shown, total = sum_lines(terms)
            values.append(total)
            if terms:
                told += [f"{of} | {name}) is the sum of", *shown, f"  = {rounded(total)}"]
            else:
                told.append(f"{of} | {name}) = 0: {none}")
        return told, values

    def grown_line(self, mass: Raw) -> str:
        """Return what the event's mass on the right becomes under the bound."""
        growth = self.compared.target.exp_epsilon()
        grown = f"{rounded(growth)} * {rounded(mass)} = {rounded(growth * mass)}"
        return f"e^epsilon P(B | {self.names[1]}) = {grown}"

    def undecided(self) -> list[str]:
        """Return the line that says why nothing was decided, if nothing was."""
        found = self.directed
        return [f"Undecided: {found.reason}."] if found.undecided else []

    def why(self, kind: str) -> list[str]:
        """Return why nothing is worse, one output is enough, or nothing is decided."""
        said = SENTENCES["why"]["refuted" if self.directed.refuted else kind]
        return self.undecided() or [said]

    def verdict_line(self, left: str, right: str) -> str:
        """Return how both sides compare, and the verdict."""
        return f"So {left} {self.relation} {right}: {self.directed.verdict.value} here."


def of_kind(found: object, kind: type[Kind]) -> Kind:
    """Return what is of the kind that a writer is about; InputError where it is not."""
    if not isinstance(found, kind):
        raise InputError(f"--explain: {type(found).__name__} is written out otherwise")
    return found


# ---------------------------------------------------------------- numbers


def enclosed(value: Raw) -> tuple[str, str]:
    """Return decimals around a number. Raises TooWide where the ball does not say."""
    found = enclosure_text(Ball(value), DIGITS)
    if found is None:
        raise TooWide
    return str(found[0]), str(found[1])


def rounded(value: Raw) -> str:
    """Return a number rounded down, or the decimal that it is next to on both sides.

    0.1, not 0.0999999999. Raises TooWide where the ball does not say.
    """
    found = enclosed(value)
    near = None if any(map(_is_far, found)) else round_inside(Enclosure(*found))
    return found[0] if near is None else decimal_text(near, DIGITS)


def _is_far(text: str) -> bool:
    """Whether a decimal has an exponent with which nobody compares it to a short one."""
    return abs(int(text.partition("e")[2] or 0)) > _FAR


# ---------------------------------------------------------------- sums


def and_more(items: Sized, what: str) -> list[str]:
    """Return the line about what is not among the first items; `what` is the name of one."""
    more = len(items) - SHOWN
    return [f"  ({counted(more, what)})"] if more > 0 else []


def sum_lines(terms: Iterable[Term]) -> tuple[list[str], Raw]:
    """Return terms in lines, the largest first and those beyond the first ones counted; the sum."""
    ordered = _ordered(terms)
    shown = [f"  {text()}" for _, text in ordered[:SHOWN]]
    return [*shown, *and_more(ordered, "smaller term")], sum((x for x, _ in ordered), raw(0))


def summed(terms: Iterable[Term]) -> tuple[str, Raw]:
    """Return the same on one line."""
    ordered = _ordered(terms)
    shown, more = [text() for _, text in ordered[:SHOWN]], len(ordered) - SHOWN
    if more > 0:
        shown.append(f"({counted(more, 'smaller term')})")
    return " + ".join(shown), sum((x for x, _ in ordered), raw(0))


def _ordered(terms: Iterable[Term]) -> list[Term]:
    return sorted(terms, key=lambda term: -Ball(term[0]).midpoint())


# ---------------------------------------------------------------- events


def event_lines(
    worst: Worst, inside: list[str], rounding: str, *, shown: bool = True
) -> list[str]:
    """Return all lines of a bound on events.

    They are the divergence of the worst order, the event where it is refuted (if it is `shown`),
    what is inside it, how the divergence compares with delta, and how numbers are rounded, which
    ends so.
    """
    found = worst.directed
    loss = found.delta.text if found.delta is not None else "not enclosed"
    lines = [
        f"The worst order is {worst.pair}.",
        "The worst event B is where p(y) > e^epsilon q(y); there P(B) - e^epsilon Q(B) is the "
        f"divergence: {loss}.",
    ]
    if shown and found.witness is not None and found.witness.event:
        lines.append(f"B: {intervals(found.witness.event)}")
        lines.append(above_delta(found.witness))
    compared = f"So {loss} {worst.relation} delta = {worst.result.delta}: {found.verdict.value}."
    return [*lines, *inside, compared, f"{rounding_line('events')}{rounding}"]


def rounding_line(kind: str) -> str:
    """Return the last line, about numbers of a kind that `sentences.toml` knows."""
    return f"Rounding: {SENTENCES['rounding'][kind]}"


def above_delta(witness: Witness) -> str:
    """Return by how much the event of a witness is above delta."""
    return f"P(B) - e^epsilon Q(B) - delta >= {witness.margin} > 0"


def intervals(event: Sequence[Sequence[object]]) -> str:
    """Return intervals of outputs in words."""
    shown = " or ".join(f"{low} <= Y <= {high}" for low, high in event[:INTERVALS])
    more = len(event) - INTERVALS
    return f"{shown} or {counted(more, 'more interval')}" if more > 0 else shown
