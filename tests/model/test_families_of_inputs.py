"""Families of priors over the inputs of a channel: by output, or by all extreme laws."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from support import tally

from pfverify import (
    Channel,
    Confidence,
    Finite,
    MassIntervals,
    Problem,
    TotalVariationBall,
    certify,
)
from pfverify.certificate.build import kernel_word
from pfverify.model.families import expanded as expansion
from pfverify.model.priors.prior import Prior

INPUTS = ["i", "j", "k", "l", "m"]


def drawn(source: Random, size: int) -> list[Fraction]:
    weights = [source.randint(0, 6) for _ in range(size)]
    weights[source.randrange(size)] += 1
    return [Fraction(w, sum(weights)) for w in weights]


def channel(source: Random, inputs: list[str], outputs: int) -> Channel:
    rows = [[str(x) for x in drawn(source, outputs)] for _ in inputs]
    names = [f"out {k}" for k in range(outputs)]
    return Channel.of({"kind": "matrix", "inputs": inputs, "outputs": names, "rows": rows})


def family(source: Random, inputs: list[str]) -> Prior:
    centre = dict(zip(inputs, drawn(source, len(inputs)), strict=True))
    match source.randrange(3):
        case 0:
            return TotalVariationBall(centre, Fraction(source.randint(0, 6), 10))
        case 1:
            counts = {name: source.randint(0, 40) for name in inputs} | {inputs[0]: 7}
            return Confidence(counts, "9/10")
        case _:
            width = Fraction(source.randint(0, 3), 10)
            return MassIntervals({
                name: [str(max(m - width, Fraction(0))), str(min(m + width, Fraction(1)))]
                for name, m in centre.items()
            })  # fmt: skip


def test_members_by_output_have_the_worst_ratio_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    source, counts = Random(5), Counter[str]()
    for _ in range(40):
        inputs = INPUTS[: source.choice([2, 3])]
        asked = Problem(
            {"a": family(source, inputs), "b": family(source, inputs)},
            channel=channel(source, inputs, source.choice([2, 3])),
            epsilon=Fraction(source.randint(1, 12), 8),
        )
        every = certify(asked)
        monkeypatch.setattr(expansion, "FEW", 0)
        few = certify(asked.replaced(epsilon=asked.epsilon))
        again = certify(Problem.from_table(asked.to_table()))
        monkeypatch.undo()
        assert " at out " in again.pairs[0].belief
        assert every.verdict is few.verdict is again.verdict
        top = [max(pair.loss.upper for pair in one.pairs if pair.loss is not None)
               for one in (every, again)]  # fmt: skip
        assert top[0] == top[1]
        assert kernel_word(asked.to_table()) == every.verdict
        counts[str(every.verdict)] += 1
    tally.reached(counts, "certified", "refuted", least=5)


def test_many_inputs_are_decided_by_output_with_a_certificate() -> None:
    source, counts = Random(6), Counter[str]()
    for _ in range(12):
        asked = Problem(
            {"a": family(source, INPUTS), "b": Finite(dict.fromkeys(INPUTS, "1/5"))},
            channel=channel(source, INPUTS, 4), epsilon=Fraction(source.randint(1, 9), 6),
        )  # fmt: skip
        other = Problem(
            {"a": family(source, INPUTS), "b": family(source, INPUTS)}, channel=asked.release,  # type: ignore[arg-type]
            epsilon=asked.epsilon,
        )  # fmt: skip
        for problem in (asked, other):
            result = certify(problem)
            counts["by output"] += " at out " in result.pairs[0].belief
            assert kernel_word(problem.to_table()) == result.verdict
            counts[str(result.verdict)] += 1
    tally.reached(counts, "by output", "certified", "refuted", least=2)
