"""What a table of noise states, and what it may not."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import kernel_builder as kb  # noqa: F401  (puts the kernel on the path)
import pytest
from core.grammar import Malformed
from reader.noise import Noise, release

Table = dict[str, Any]
ONLY_GAUSSIAN = "a variance is for gaussian noise without a scale"


@pytest.mark.parametrize(
    ("table", "amount"),
    [
        ({"kind": "gaussian", "scale": 2}, 4),
        ({"kind": "gaussian", "scale": "1/3"}, Fraction(1, 9)),
        ({"kind": "gaussian", "scale": "sqrt(2)"}, 2),
        ({"kind": "gaussian", "scale": "exp(log(3)/2)"}, 3),
        ({"kind": "gaussian", "scale": "sqrt(1/1000003)"}, Fraction(1, 1000003)),
        ({"kind": "gaussian", "scale": "1e40*sqrt(2)"}, 2 * Fraction(10) ** 80),
        ({"kind": "gaussian", "variance": "0"}, 0),
        ({"kind": "gaussian", "variance": "5/2"}, Fraction(5, 2)),
        ({"kind": "gaussian"}, None),
        ({"kind": "laplace", "scale": 2}, 2),
        ({"kind": "laplace"}, None),
        ({"kind": "none"}, None),
    ],
    ids=str,
)
def test_the_amount_of_noise(table: Table, amount: Fraction | None) -> None:
    found = release({"noise": table})
    assert (found.kind, found.amount, found.step) == (table["kind"], amount, None)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"kind": "laplace", "variance": 2}, ONLY_GAUSSIAN),
        ({"kind": "laplace", "scale": 1, "variance": 2}, ONLY_GAUSSIAN),
        ({"kind": "gaussian", "scale": 1, "variance": 1}, ONLY_GAUSSIAN),
        ({"kind": "discrete-laplace", "step": 1, "variance": 1}, ONLY_GAUSSIAN),
        ({"kind": "gaussian", "variance": "-1/100"}, "the variance must be at least 0"),
        ({"kind": "gaussian", "variance": "sqrt(2)"}, "variance must be rational"),
        ({"kind": "gaussian", "scale": "exp(1)"}, "must be rational: give its variance"),
        ({"kind": "gaussian", "scale": "sqrt(2)+1"}, "must be rational: give its variance"),
        ({"kind": "gaussian", "step": 1}, "other noise has none"),
        ({"kind": "laplace", "step": 1}, "other noise has none"),
        ({"kind": "discrete-laplace"}, "discrete-laplace noise needs a step"),
        ({"kind": "discrete-laplace", "step": 0}, "the step must be positive"),
        ({"kind": "discrete-laplace", "step": "-1"}, "the step must be positive"),
        ({"kind": "none", "scale": 1}, "noise of kind none has no scale, step or variance"),
        ({"kind": "none", "variance": 1}, "noise of kind none has no scale, step or variance"),
        ({"kind": "none", "step": 1}, "noise of kind none has no scale, step or variance"),
    ],
    ids=str,
)
def test_tables_that_state_no_noise(table: Table, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        release({"noise": table})


@pytest.mark.parametrize("noise", [["kind"], "kind", {}, {"scale": 1}, None])
def test_noise_is_a_table_with_a_kind(noise: Any) -> None:
    with pytest.raises(Malformed) as refused:
        release({"noise": noise})
    assert str(refused.value) == "the noise must be a table with a kind"


def test_the_sign_of_an_irrational_scale_is_decided_before_it_is_squared() -> None:
    """Of another kind a goal decides it, when it is judged."""
    for text in ("-sqrt(2)", "sqrt(2)-2", "sqrt(2)*sqrt(3)-sqrt(6)"):
        with pytest.raises(Malformed) as refused:
            release({"noise": {"kind": "gaussian", "scale": text}})
        assert str(refused.value) == "the scale must be positive, or written as 0"
        assert release({"noise": {"kind": "laplace", "scale": text}}).amount is not None
    with pytest.raises(Malformed, match="the scale must be positive"):
        release({"noise": {"kind": "laplace", "scale": "-1"}})


def test_only_an_unusual_notion_is_told() -> None:
    noise = Noise("laplace", Fraction(1), None)
    usual: Any = SimpleNamespace(name="distp", words=lambda: "usual")
    other: Any = SimpleNamespace(name="xdistp", words=lambda: "another notion")
    assert noise.words(usual) == "noise=laplace"
    assert noise.words(other) == "noise=laplace another notion"
