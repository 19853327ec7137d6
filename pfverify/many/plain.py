"""Results as plain data and back: what another process found, as the objects that it had.

Only what cannot be read off the problem is taken from data, and what is made of it must give the
same data again; anything else is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from pfverify.answers.calibrate_steps import said_of_scales
from pfverify.answers.certify import verdict_on
from pfverify.answers.dummies import DummiesResult, LeastDummies, dummies_result
from pfverify.answers.loss import DirectedLoss, LossResult, losses_of
from pfverify.answers.methods import (
    CalibrateResult,
    Method,
    MethodWitness,
    Minimum,
    MinimumMethod,
)
from pfverify.answers.outcome import CertifyResult, Directed, Witness, place
from pfverify.answers.stated import stated
from pfverify.decide.evidence import KeptStep
from pfverify.decide.verdict import Verdict
from pfverify.errors import PfverifyError
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number
from pfverify.exact.published import Real, extended, real
from pfverify.many.question import Command, Data, PairRange
from pfverify.model.channels.tupling import Tupling
from pfverify.model.problem import Problem
from pfverify.outward import outward

Result = CertifyResult | LossResult | CalibrateResult | DummiesResult
Pairs = Sequence[Directed] | Sequence[DirectedLoss]


class ForeignAnswerError(PfverifyError):
    """Data that no answer of this version to this question consists of."""


def plain_result(result: Result) -> Data:
    """Return a result as plain data, with what proves a verdict."""
    found = {"result": _plain(result)}
    return found | _proofs(result.pairs) if isinstance(result, CertifyResult) else found


def plain_pairs(pairs: Pairs) -> Data:
    """Return the answers about some pairs as plain data, with what proves verdicts."""
    return {"pairs": _plain(list(pairs))} | _proofs(pairs)


def _plain(value: object) -> Any:
    return outward("as_data")(value)


def _proofs(pairs: Pairs) -> Data:
    """The steps that prove verdicts, null for undecided ones; nothing about losses."""
    verdicts = [pair for pair in pairs if isinstance(pair, Directed)]
    if not verdicts:
        return {}
    return {"proofs": [None if one.proof is None else one.proof.step(0) for one in verdicts]}


def result_of(
    command: Command, problem: Problem, answers: Sequence[tuple[PairRange | None, Data]]
) -> Result:
    """Return the result about a problem from the answers to all the questions about it.

    Raises ForeignAnswerError for anything else.
    """
    try:
        return _result_of(command, problem, answers)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        said = f"{type(error).__name__}: {error}"
        raise ForeignAnswerError(f"an answer is not what this version writes: {said}") from None


def _result_of(
    command: Command, problem: Problem, answers: Sequence[tuple[PairRange | None, Data]]
) -> Result:
    whole = answers[0][1] if answers[0][0] is None else None
    match command:
        case "certify":
            made: Result = verdict_on(problem, _joined(problem, _directed, answers))
        case "loss":
            made = losses_of(problem, _joined(problem, _directed_loss, answers))
        case "calibrate":
            if whole is None:
                raise ForeignAnswerError("scales are never found pair by pair")
            tupled = isinstance(problem.release, Tupling)
            made = (_dummies if tupled else _calibrated)(problem, whole["result"])
    if whole is not None and _plain(made) != whole["result"]:
        raise ForeignAnswerError("its numbers do not agree with each other or with the problem")
    return made


def _joined(
    problem: Problem,
    read: Callable[..., Any],
    answers: Sequence[tuple[PairRange | None, Data]],
) -> list[Any]:
    """The ordered pairs of all parts, which have to be those of the problem, each once."""
    items = list(problem.questions())
    goals = [
        (item.belief, *names)
        for item in items
        for names in ((item.first, item.second), (item.second, item.first))
    ]
    found: dict[tuple[str, str, str], Any] = {}
    for part, answer in answers:
        rows = answer["result"]["pairs"] if part is None else answer["pairs"]
        mine = goals if part is None else goals[2 * part.first - 2 : 2 * part.last]
        proofs = answer.get("proofs", [None] * len(rows))
        named = problem.release.named
        made = [read(row, proof, named=named) for row, proof in zip(rows, proofs, strict=True)]
        if part is not None and _plain(made) != rows:
            raise ForeignAnswerError("its numbers are written in another way")
        names = {(one.belief, one.from_, one.to): one for one in made}
        if len(rows) != len(mine) or names.keys() != set(mine):
            raise ForeignAnswerError("its pairs are other ones than those of the question")
        found |= names
    if found.keys() != set(goals):
        raise ForeignAnswerError("there are pairs that no answer is about")
    if answers[0][0] is None:  # equally bad ones stay in the order of the answer
        return list(found.values())
    return [found[goal] for goal in goals]


def _directed(row: Data, proof: object, *, named: bool) -> Directed:
    rule = row["rule"]
    if proof is not None and not (isinstance(proof, dict) and proof.get("rule") == rule):
        raise ForeignAnswerError("a proof is by another rule than its verdict")
    return Directed(
        belief=row["belief"],
        from_=row["from"],
        to=row["to"],
        verdict=Verdict(row["verdict"]),
        loss=_if_any(_enclosure, row["loss"]),
        delta=_if_any(_enclosure, row["delta"]),
        tie=row["tie"],
        worst_y=place(row["worst_y"], named=named),
        witness=_if_any(lambda data: Witness(**data), row["witness"]),
        reason=row["reason"],
        rule=rule,
        ties=tuple(Fraction(tie) for tie in row["ties"]),
        epsilon=_if_any(_real, row.get("epsilon")),
        proof=None if proof is None else KeptStep(rule, proof),
    )


def _directed_loss(row: Data, proof: object, *, named: bool) -> DirectedLoss:
    if proof is not None:
        raise ForeignAnswerError("a loss has no proof")
    return DirectedLoss(
        belief=row["belief"],
        from_=row["from"],
        to=row["to"],
        epsilon_star=_enclosure(row["epsilon_star"]),
        delta=_enclosure(row["delta"]),
        epsilon_at_delta=_if_any(_enclosure, row["epsilon_at_delta"]),
        y=place(row["y"], named=named),
        epsilon=_if_any(_real, row.get("epsilon")),
        epsilon_star_per_unit=_if_any(_enclosure, row.get("epsilon_star_per_unit")),
    )


def _calibrated(problem: Problem, data: Data) -> CalibrateResult:
    return CalibrateResult(
        methods={name: _method(row) for name, row in data["methods"].items()},
        minimum=Minimum(**data["minimum"]),
        not_applicable=data["not_applicable"],
        pairs_decided=data["pairs_decided"],
        pairs_bounded=data["pairs_bounded"],
        estimate=_if_any(lambda row: Minimum(**row), data.get("estimate")),
        **said_of_scales(problem, data["methods"]),
        **stated(problem),
    )


def _method(row: Data) -> Method:
    known: Data = {
        "scale": extended(row["scale"]),
        "exact": row["exact"],
        "verdict": Verdict(row["verdict"]),
        "waste": _if_any(extended, row["waste"]),
        "sd": extended(row["sd"]),
        "mean_abs": extended(row["mean_abs"]),
        "witness": _if_any(_method_witness, row["witness"]),
        "bound": _if_any(extended, row.get("bound")),
    }
    if "lower" not in row:
        return Method(**known)
    lower, upper = extended(row["lower"]), extended(row["upper"])
    return MinimumMethod(**known, lower=lower, upper=upper, reason=row["reason"])


def _method_witness(data: Data) -> MethodWitness:
    return MethodWitness(**{"from_" if key == "from" else key: part for key, part in data.items()})


def _dummies(problem: Problem, data: Data) -> DummiesResult:
    return dummies_result(problem, LeastDummies(**data["dummies"]))


Read = TypeVar("Read")


def _if_any(read: Callable[[Any], Read], data: Any) -> Read | None:
    return None if data is None else read(data)


def _enclosure(data: Data) -> Enclosure:
    return Enclosure(data["lower"], data["upper"])


def _real(text: str) -> Real:
    return real(number(text))
