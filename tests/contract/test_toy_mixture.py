"""A worked example: how to add a noise that is a mixture of known ones.

The toy is Laplace noise around one of two places, each by a fair coin. That is X with the coin,
then Laplace noise: `resolved` says so, and everything that is decided, lost and calibrated follows.
One file is touched, pfverify/model/noises/two_sided.py (the class below), and one row,
pfverify/model/kinds.py; no route, no law, no search.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from support.kernel_run import accepted_certificate

from pfverify import Discrete, InputError, Laplace, Problem, calibrate, certify, loss
from pfverify.edge.views.data import as_data
from pfverify.exact.ball import Raw, raw
from pfverify.model import kinds
from pfverify.model.noises.scale import scale_key
from pfverify.model.noises.table import TableNoise
from pfverify.model.releases.release import Laws, Noise, Release, every_prior

KIND = "two-sided-laplace"
COIN = TableNoise({-1: "1/2", 1: "1/2"})


# ------------------------------------------------------- the file: model/noises/two_sided.py


class TwoSidedLaplace(Noise):
    """Laplace noise around 1 or -1, each with probability 1/2."""

    kind = KIND
    more_scale = "F2"  # what is added to X first has no scale
    keys = (scale_key("theta or b"),)
    size_name = "scale"
    variance_text = "1 + 2*scale**2"

    def __init__(self, scale: object | None = None) -> None:
        self._keep(**self._values(scale=scale))

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        del single
        around = {
            belief: {
                secret: COIN.convolved(law) if isinstance(law, Discrete) else law
                for secret, law in table.items()
            }
            for belief, table in laws.items()
        }
        return Laplace(self.scale), around

    def sd(self, scale: Fraction) -> Raw:
        return (1 + 2 * raw(scale) * raw(scale)).sqrt()

    def mean_abs(self, scale: Fraction) -> Raw:
        return 1 + raw(scale) * (-1 / raw(scale)).exp()

    check_priors = every_prior


PRIORS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 2: "3/4"})}
WITH_COIN = {secret: COIN.convolved(law) for secret, law in PRIORS.items()}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one row."""
    monkeypatch.setitem(kinds.NOISES, KIND, TwoSidedLaplace)


def test_what_is_not_registered_is_no_noise() -> None:
    with pytest.raises(InputError, match=r"^noise: expected Laplace, .* got TwoSidedLaplace"):
        Problem(PRIORS, noise=TwoSidedLaplace(3), epsilon="1/2")


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_by_one_row_it_is_decided_measured_and_calibrated(delta: Any, form: str) -> None:
    verdicts = set()
    for scale in (5, 3, 1, "1/3"):
        target = {"epsilon": "1/2", "delta": delta, "form": form}
        asked = Problem(PRIORS, noise=TwoSidedLaplace(scale), **target)
        same = Problem(WITH_COIN, noise=Laplace(scale), **target)
        for ask in (certify, loss, calibrate):
            found, expected = as_data(ask(asked)), as_data(ask(same))
            assert found.pop("noise") == KIND
            assert expected.pop("noise") == "laplace"
            if ask is not calibrate:
                assert found == expected
            else:  # the recipes know the noise by its name, and the minimum by its questions
                assert found["minimum"] == expected["minimum"]
        verdicts.add(certify(asked).verdict)
        assert Problem.from_table(asked.to_table()) == asked
    assert len(verdicts) == 2


@pytest.mark.usefixtures("registered")
def test_the_kernel_refuses_what_only_the_package_knows() -> None:
    asked = Problem(PRIORS, noise=TwoSidedLaplace(5), epsilon="1/2")
    word, message = accepted_certificate(asked.to_table(), asked, certify(asked))[1:]
    assert (word, KIND in message) == ("malformed", True)
