"""The properties of distribution privacy, each at an instance that shows what its bound is worth.

The instances, and what else the distribution-privacy paper states, are in `distribution.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pfverify.answers.calibrate import scales_of
from pfverify.answers.certify import certify
from pfverify.edge.packaged import load_example
from pfverify.edge.papers.data import enclosed, paper
from pfverify.edge.progress import Report, each
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import Number, rational
from pfverify.model.channels.kinds import Channel
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.scales import distribution as scales
from pfverify.scales.quality import quality_loss
from pfverify.scales.tupling_bound import Reading, in_class, worst_delta


@dataclass(frozen=True)
class Promise(NoTruth, ask="read .epsilon and .delta"):
    """An (epsilon, delta) as text: exact, but a delta that is not rational is rounded up."""

    epsilon: str
    delta: str


@dataclass(frozen=True)
class PropertyRow(NoTruth, ask="compare .holds with True"):
    """A printed property at one instance.

    `exact` is the loss epsilon* and the delta at the published epsilon; `true` the tightest true
    statement that we know, None where nothing can be promised; `event` the outputs that have the
    exact delta (none listed for tuples).
    """

    source: str
    instance: str
    published: Promise
    exact: Promise
    true: Promise | None
    holds: bool
    event: tuple[str, ...]
    proof: str


@dataclass(frozen=True)
class FactRow(NoTruth, ask="compare .holds with True"):
    """A statement at an instance: what is printed, and what is exact there."""

    source: str
    instance: str
    published: str
    exact: str
    holds: bool
    proof: str


@dataclass(frozen=True)
class PropertiesResult(NoTruth, ask="read .rows"):
    """All bounds, how many of them fail as printed, and what else the paper states."""

    rows: list[PropertyRow]
    failing: int
    others: list[FactRow]


def properties(progress: Report | None = None) -> PropertiesResult:
    """Judge Table 1, Theorems 1 to 3, Proposition 1 and (3.3) of the paper at their instances.

    Example: ``properties().failing`` is 8.
    Source: distribution-privacy paper; ledger rows D03 to D16, D18, D19 and D21 to D28.
    """
    cases = paper("distribution")["cases"]
    rows = [_row(**case) for case in each(cases, progress)]
    others = [_fact(**other) for other in paper("distribution")["others"]]
    return PropertiesResult(rows, sum(not row.holds for row in rows), others)


def epsilon_text(growth: Fraction | None) -> str:
    """Return the logarithm of a rational as the grammar writes it, "inf" for None.

    Example: ``epsilon_text(Fraction(4))`` is ``"log(4)"``.
    """
    if growth is None:
        return "inf"
    return "0" if growth == 1 else f"log({growth})"


def _row(*, claim: str, instance: str, **case: Any) -> PropertyRow:
    found = CLAIMS[claim](**_read(case))
    return PropertyRow(
        source=found.source,
        instance=instance,
        published=_promise(found.published),
        exact=Promise(epsilon_text(found.ratio), str(found.delta)),
        true=None if found.true is None else _promise(found.true),
        holds=found.holds,
        event=found.event,
        proof=found.proof,
    )


def _promise(found: scales.Guarantee) -> Promise:
    delta = found.delta if isinstance(found.delta, Fraction) else enclosed(found.delta).upper
    return Promise(epsilon_text(found.growth), str(delta))


def _fact(
    *,
    asks: list[dict[str, Any]],
    exact: str,
    stated: list[str] | None = None,
    falling: bool = False,
    **said: str,
) -> FactRow:
    """A statement, with the answers to what is asked about it."""
    found = [_answer(**ask) for ask in asks]
    answers = [str(answer) for answer in found]
    holds = found == sorted(found, reverse=True) if falling else answers == stated
    return FactRow(exact=exact.format(*answers), holds=holds, **said)


def _answer(*, of: str, **ask: Any) -> Any:
    return ASKED[of](**_read(ask))


def _verdict(problem: Problem, scale: str | None = None) -> str:
    return certify(problem.replaced(scale=scale)).verdict.value


def _least(problem: Problem) -> str:
    return decimal_upper(Fraction(scales_of(problem).minimum.upper), 4)


def _in_class(law: list[Fraction], beta: Fraction) -> str:
    zero = Number.of_rational(0)
    inside = in_class(law, Number.of_rational(beta), zero, Reading.UNIFORM)
    return "in the class" if inside else "not in the class"


CLAIMS: dict[str, Callable[..., scales.Judgement]] = {
    claim.__name__: claim
    for claim in (
        scales.bayes_factor, scales.close_beliefs, scales.extended_channel,
        scales.independent_inputs, scales.post_processing, scales.pre_processing,
        scales.private_channel, scales.same_input, scales.tupled,
    )
}  # fmt: skip
"""The properties that are judged, by name."""
ASKED: dict[str, Callable[..., Any]] = {
    "between": scales.between,
    "calibrate": _least,
    "certify": _verdict,
    "in_class": _in_class,
    "quality_loss": quality_loss,
    "worst_delta": worst_delta,
}
"""What is asked about the other statements, by name."""


def _read(case: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a case, each read by its name."""
    return {name: READERS[name](value) for name, value in case.items()}


def _laws(masses: list[dict[str, Any]]) -> tuple[Finite, ...]:
    return tuple(map(Finite, masses))


def _pairs(pairs: list[list[dict[str, Any]]]) -> tuple[tuple[Finite, ...], ...]:
    return tuple(map(_laws, pairs))


def _numbers(values: list[object]) -> tuple[Fraction, ...]:
    return tuple(map(rational, values))


def _ground(names: list[str]) -> Ground:
    return Ground.of(names, None, None)


READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("alpha", "beta", "chance", "eta", "growth"), rational),
    **dict.fromkeys(("base", "channel", "first", "second", "then"), Channel.of),
    **dict.fromkeys(("beliefs", "pair", "steps"), _laws),
    **dict.fromkeys(("pairs", "promised"), _pairs),
    **dict.fromkeys(("growths", "law"), _numbers),
    **dict.fromkeys(("dummies", "outputs", "scale"), lambda value: value),
    "ground": _ground,
    "masses": lambda masses: Finite(masses).support,
    "problem": load_example,
    "reading": Reading,
    "related": lambda pairs: [(x, z) for x, z in pairs],
    "square": lambda names: _ground(names).square,
}
"""How an argument is read from the file, by its name."""
