"""Mixtures of normal laws that are fitted to records."""

from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from pfverify.errors import InputError
from pfverify.records import mixtures


def test_starts_are_drawn_by_a_seed() -> None:
    """Without one, two runs need not give the same bytes."""
    assert mixtures.SETTINGS["random_state"] == 0


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.mixture", None)
    with pytest.raises(InputError, match=r"\[fit\]"):
        mixtures.fitted([1, 2, 3], 3, 1 / 12)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([1 / 3, 1 / 3, 1 / 3], ["0.3334", "0.3333", "0.3333"]),
        ([0.5, 0.25, 0.25], ["0.5", "0.25", "0.25"]),
        ([0.48414, 0.44443, 0.07143], ["0.4842", "0.4444", "0.0714"]),
    ],
)
def test_rounded_weights_sum_to_exactly_1(weights: list[float], expected: list[str]) -> None:
    found = mixtures.whole(weights)
    assert sum(found) == 1
    assert [Fraction(w) for w in found] == [Fraction(w) for w in expected]
