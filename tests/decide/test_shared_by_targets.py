"""What depends on the laws alone is worked out once, whatever target an order is held to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pfverify import Discrete, Laplace, Problem
from pfverify.decide.exponential import pure
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.routes import comparison
from pfverify.exact.number import Number, number
from pfverify.exact.written import written

LAWS = Discrete({0: "1/2", 1: "1/4", 3: "1/4"}), Discrete({0: "1/5", 2: "4/5"})


def test_targets_of_exponential_noise_share_passes_and_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = Counter[str]()

    def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: object) -> Any:
            calls[name] += 1
            return work(*arguments)

        return call

    monkeypatch.setattr(pure, "_candidates", counted("pass", pure._candidates))
    monkeypatch.setattr(Pair, "ball_sides", counted("sums", Pair.ball_sides))
    problem = Problem(priors={"a": LAWS[0], "b": LAWS[1]}, noise=Laplace(1), epsilon=1)
    order = comparison(next(problem.questions()))[0]
    texts = [
        written(order.against(order.target.at_epsilon(Fraction(k, 50))).exceeding(), 12).text
        for k in range(30)
    ]
    assert calls == {"pass": 1, "sums": 1}
    for k in (0, 11, 29):
        alone = comparison(next(problem.replaced(epsilon=Fraction(k, 50)).questions()))[0]
        assert written(alone.exceeding(), 12).text == texts[k]


def test_numbers_keep_their_enclosures(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Counter[str]()
    enclosed = Number.enclosed

    def counted(value: Number) -> Any:
        calls[value.text] += 1
        return enclosed(value)

    monkeypatch.setattr(Number, "enclosed", counted)
    one = number("exp(1)/3")
    assert one.ball() is one.ball()
    assert set(calls.values()) == {1}
