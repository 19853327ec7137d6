"""A worked example: how to add a kind of noise, and what happens where a piece is left out.

The toy is the difference of two independent exponential variables with the same mean. It has the
law of Laplace noise, so that the routes and the rules of the kernel for Laplace noise are right for
it; but nothing takes it for Laplace noise until the tables say so. Four files are touched:

1. pfverify/model/noises/exponential_difference.py: the class below (one job: the noise itself);
2. pfverify/model/kinds.py: the class in NOISES. Files, the schema, digests and `calibrate`'s sd
   come with that;
3. pfverify/laws/kinds.py: a row of ADDED, the normal form of each kind of prior with it. What no
   form holds gets a class in laws/, its own folder in decide/ and a row of ROUTES;
4. pfverify/kernel/reader/tables.py: a row of NOISES, and in core/kinds.py one of KINDS for each
   kind of priors. A noise of
   another law gets its own module of rules.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from support.kernel_run import accepted_certificate, checker

from pfverify import Discrete, InputError, Laplace, Problem, calibrate, certify, loss
from pfverify.answers.grid import grid_certify
from pfverify.edge.views.data import as_data
from pfverify.exact.ball import Raw, raw
from pfverify.laws import kinds as laws
from pfverify.model import kinds
from pfverify.model.noises.scale import scale_key
from pfverify.model.releases.release import Noise, every_prior

from core import kinds as kernel_kinds  # isort: skip
from reader import tables as kernel_tables  # isort: skip

KIND = "exponential-difference"


# ------------------------------------------ file 1: model/noises/exponential_difference.py


class ExponentialDifference(Noise):
    """E - E', independent and exponential with mean `scale`."""

    kind = KIND
    exponential = True
    more_scale = "F2"
    keys = (scale_key("the mean of either variable"),)
    size_name = "scale"
    variance_text = "2*scale**2"

    def __init__(self, scale: object | None = None) -> None:
        self._keep(**self._values(scale=scale))

    def sd(self, scale: Fraction) -> Raw:
        return raw(2).sqrt() * raw(scale)

    def mean_abs(self, scale: Fraction) -> Fraction:
        return scale

    check_priors = every_prior


PRIORS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 2: "3/4"})}


def toy(scale: Any = 3, **keys: Any) -> Problem:
    return Problem(priors=PRIORS, noise=ExponentialDifference(scale), epsilon="1/2", **keys)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2: the class in NOISES."""
    monkeypatch.setitem(kinds.NOISES, KIND, ExponentialDifference)


@pytest.fixture
def routed(registered: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """File 3: a row."""
    monkeypatch.setitem(laws.ADDED, ExponentialDifference, laws.ADDED[Laplace])


@pytest.fixture
def judged(routed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """File 4: the noise in both tables of the kernel."""
    monkeypatch.setitem(kernel_tables.NOISES, KIND, kernel_tables.NOISES["laplace"])
    exponential = kernel_kinds.KINDS["laplace", "atoms"]
    monkeypatch.setitem(kernel_kinds.KINDS, (KIND, "atoms"), exponential)


def observed(problem: Problem) -> Any:
    """What a grid shows, which is no verdict; Laplace densities are no other noise's."""
    return grid_certify(problem, 5)


def kernel_word(problem: Problem) -> tuple[str, str]:
    """The kernel on the certificate that the same problem has with Laplace noise."""
    return accepted_certificate(problem.to_table(), problem, certify(problem))[1:]


# ------------------------------------------------------------------------------- the tests


def test_what_is_not_registered_is_no_noise() -> None:
    with pytest.raises(InputError, match=r"^noise: expected Laplace, .* got ExponentialDiff"):
        toy()


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    "ask", [certify, loss, calibrate, observed], ids=lambda ask: ask.__name__
)
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_a_noise_without_a_route_is_refused(ask: Any, delta: Any, form: str) -> None:
    with pytest.raises(InputError, match="no route decides ExponentialDifference noise") as found:
        ask(toy(delta=delta, form=form))
    assert "\n" not in str(found.value)
    assert "expected" in str(found.value)
    assert "Laplace" in str(found.value)


@pytest.mark.usefixtures("registered")
def test_a_noise_of_a_made_up_class_is_not_its_parent() -> None:
    class Louder(Laplace):
        """A subclass with the name of its parent in files."""

    with pytest.raises(InputError, match="got Louder"):
        Problem(priors=PRIORS, noise=Louder(3), epsilon="1/2")


@pytest.mark.usefixtures("routed")
def test_the_kernel_refuses_what_only_the_package_knows() -> None:
    for scale in (3, 1):
        word, message = kernel_word(toy(scale))
        assert (word, KIND in message) == ("malformed", True)


@pytest.mark.usefixtures("routed")
def test_a_kernel_that_reads_a_noise_but_has_no_rules_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(kernel_tables.NOISES, KIND, kernel_tables.NOISES["laplace"])
    for scale in (3, 1):
        word, message = kernel_word(toy(scale))
        assert (word, KIND in message) == ("malformed", True)


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_in_four_files_it_is_decided_measured_calibrated_and_proved(delta: Any, form: str) -> None:
    for scale in (3, 1):
        asked = toy(scale, delta=delta, form=form)
        same = Problem(
            priors=PRIORS, noise=Laplace(scale), epsilon="1/2", delta=delta, form=form
        )
        for ask in (certify, loss, calibrate):
            found, expected = as_data(ask(asked)), as_data(ask(same))
            assert found.pop("noise") == KIND
            assert expected.pop("noise") == "laplace"
            assert found == expected
        word, message = kernel_word(asked)
        assert word == certify(asked).verdict, message
    assert Problem.from_table(json.loads(json.dumps(toy().to_table()))) == toy()
    assert toy() != Problem(priors=PRIORS, noise=Laplace(3), epsilon="1/2")


def test_the_kernel_that_was_patched_is_the_one_that_answers() -> None:
    assert checker.check_bytes(b"", True, b"")[0] == "malformed"
    assert KIND not in kernel_tables.NOISES
