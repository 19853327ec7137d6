"""A worked example: how to add a release, and what a missing piece leads to.

The toy sends the same draw several times, so that it is neither more nor less private than the
draw; but nothing takes it for the noise alone until the tables say so. Five files are touched:

1. pfverify/model/releases/copied.py: the class below (one job: the release itself);
2. pfverify/model/releases/kinds.py: its row in RELEASES, with its part of the schema;
3. pfverify/laws/kinds.py: a row, by which its law is that of the draw;
4. pfverify/kernel/reader/copied.py: the same for the kernel, as `protocols.Release` asks for;
5. pfverify/kernel/reader/tables.py: its rows in RELEASES, NOISES and SOURCES; core/kinds.py: KINDS.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, ClassVar

import pytest
from support.kernel_run import accepted_certificate

from pfverify import Discrete, InputError, Laplace, Problem, calibrate, certify, loss
from pfverify.answers.grid import grid_certify
from pfverify.edge.views.data import as_data
from pfverify.laws import kinds as laws
from pfverify.model.kinds import read_noise
from pfverify.model.protection import Protection
from pfverify.model.releases import kinds
from pfverify.model.releases.release import Laws, Noise, Release
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import Given

from core import kinds as kernel_kinds  # isort: skip
from reader import tables as kernel_tables  # isort: skip
from core import shapes as kernel_files  # isort: skip
from reader import noise as kernel_noise  # isort: skip

# ------------------------------------------ file 1: model/releases/copied.py


class Copied(Release):
    """X + noise, sent `times` times."""

    kind = "copied"
    named = False
    plain = False
    more_scale = None
    _inner: Noise
    times: int

    def __init__(self, inner: Noise, times: int) -> None:
        self._keep(_inner=inner, times=times, step=inner.step)

    @property
    def noise(self) -> Noise:
        return self._inner

    def notion(self, *, with_priors: bool) -> str:
        return self._inner.notion(with_priors=with_priors)

    def over(self, laws: Laws) -> Laws:
        return self._inner.over(laws)

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        return self._inner.inputs_compared(protection)

    def check_protection(self, protection: Protection) -> None:
        self._inner.check_protection(protection)

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        self._inner.check_priors(beliefs, pairs)

    def released(self, *, bare: bool) -> str:
        return f"{self._inner.released(bare=bare)}, the same draw {self.times} times"

    def tables(self, protection: Protection) -> dict[str, Any]:
        inner = self._inner.tables(protection)
        return inner | {"copied": {"times": self.times, "noise": inner.pop("noise")}}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        inner = self._inner.canonical_tables(protection)
        return inner | {"copied": {"times": self.times, "noise": inner.pop("noise")}}

    def key(self) -> object:
        return self.times, self._inner.key()

    def require_scale(self, what: str) -> None:
        self._inner.require_scale(what)

    def with_scale(self, scale: Any) -> Copied:
        return Copied(self._inner.with_scale(scale), self.times)


class KnownCopied(Copied):
    """The same, once the fact is named by which more noise is as private."""

    more_scale = "F2"


def read(table: Mapping[str, Any], with_priors: bool) -> kinds.StatedRelease:
    del with_priors
    stated = table["copied"]
    return kinds.StatedRelease(
        Copied(read_noise(stated["noise"]), stated["times"]), kinds.noise_protection(table)
    )


def given(value: object) -> Release:
    if type(value) is not Copied:
        raise InputError("copied: expected Copied")
    return value


def schema() -> dict[str, Any]:
    return {
        "type": "object", "required": ["times", "noise"], "additionalProperties": False,
        "properties": {"times": {"type": "integer"}, "noise": kinds.noise_schema()},
    }  # fmt: skip


# ------------------------------------------ file 4: pfverify/kernel/reader/copied.py


class KernelCopied:
    """X + noise, sent several times; what rules ask of it is that of the noise."""

    kind = "copied"
    own: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, noise: Any, times: int) -> None:
        self._noise, self._times = noise, times
        self.also = f"the same draw {times} times, "

    def __getattr__(self, name: str) -> Any:
        return getattr(self._noise, name)

    def at(self, amount: Any) -> Any:
        noise = self._noise.at(amount)
        return KernelCopied(noise, self._times) if amount else noise

    def words(self, notion: Any) -> str:
        return f"copied {self._times} times {self._noise.words(notion)}"

    def canonical(self, notion: Any) -> dict[str, Any]:
        inner = self._noise.canonical(notion)
        return inner | {"copied": {"times": self._times, "noise": inner.pop("noise")}}


def release(value: Any) -> KernelCopied:
    stated = kernel_files.table(value["copied"], "copied", {"times", "noise"})
    times = kernel_files.integer(stated["times"], "times", 1, 1000)
    return KernelCopied(kernel_noise.release(stated), times)


# ------------------------------------------------------------------------------- the pieces


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 2."""
    monkeypatch.setitem(kinds.RELEASES, "copied", kinds.ReleaseTable(read, given, schema))


@pytest.fixture
def routed(registered: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """File 3."""
    for kind in (Copied, KnownCopied):
        row = {Discrete: lambda prior, release: laws.form_of(prior, release.noise)}
        monkeypatch.setitem(laws.MADE, kind, row)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 4."""
    module = ModuleType("copied")
    vars(module)["release"] = release
    monkeypatch.setitem(sys.modules, "copied", module)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """File 5."""
    row = kernel_tables.Row("copied", ("notion", "metric"))
    monkeypatch.setitem(kernel_tables.RELEASES, "copied", row)
    laplace = kernel_tables.NOISES["laplace"]
    monkeypatch.setitem(kernel_tables.NOISES, "copied", laplace._replace(stated=False))
    monkeypatch.setitem(kernel_kinds.KINDS, ("copied", "atoms"), "core.laplace")
    priors = kernel_tables.SOURCES["priors"]
    beside = priors._replace(goes=(*priors.goes, "copied"))
    monkeypatch.setitem(kernel_tables.SOURCES, "priors", beside)


PRIORS = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 2: "3/4"})}


def copied(scale: Any = 3, kind: type[Copied] = Copied, **changes: Any) -> Problem:
    target = {"epsilon": "1/2", "delta": 0, "form": "events"} | changes
    required = Requirement(*target.values(), Protection("distp"))
    return Problem.of(Given.to_one(PRIORS), kind(Laplace(scale), 3), required)


def plain(scale: Any = 3, **changes: Any) -> Problem:
    return Problem(PRIORS, noise=Laplace(scale), **({"epsilon": "1/2"} | changes))


def observed(problem: Problem) -> Any:
    return grid_certify(problem, 5)


def kernel_word(problem: Problem) -> tuple[str, str]:
    """The kernel on the certificate that the same problem has with the noise alone."""
    return accepted_certificate(problem.to_table(), problem, certify(plain(problem.scale())))[1:]


# ------------------------------------------------------------------------------- the tests


def test_what_is_not_registered_is_no_key() -> None:
    with pytest.raises(InputError, match="copied"):
        Problem.from_table(copied().to_table())


@pytest.mark.parametrize("ask", [certify, loss, observed], ids=lambda ask: ask.__name__)
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_a_release_without_a_route_is_refused(ask: Any, delta: Any, form: str) -> None:
    with pytest.raises(InputError, match="no route decides Copied noise with Discrete priors"):
        ask(copied(delta=delta, form=form))


@pytest.mark.usefixtures("routed", "written", "listed")
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_in_five_files_it_is_read_decided_measured_and_proved(delta: Any, form: str) -> None:
    for scale in (3, 1, 0):
        if scale == 0 and form == "pointwise":
            continue
        asked, same = (of(scale, delta=delta, form=form) for of in (copied, plain))
        assert Problem.from_text(asked.to_toml()) == asked != same
        for ask in (certify, loss):
            found, expected = as_data(ask(asked)), as_data(ask(same))
            assumed = found.pop("assumed"), expected.pop("assumed")
            assert assumed[0] == [f"{assumed[1][0]}, the same draw 3 times", *assumed[1][1:]]
            assert found == expected
        word, message = accepted_certificate(asked.to_table(), asked, certify(same))[1:]
        assert (word, "the same draw 3 times" in message) == (certify(asked).verdict, True), message
    assert copied().replaced(scale=2).release.key() == copied(2).release.key()


@pytest.mark.usefixtures("routed")
def test_scales_are_looked_for_only_where_a_fact_is_named() -> None:
    with pytest.raises(InputError, match="calibrate: no fact says that a larger scale of copied"):
        calibrate(copied())
    found, expected = (as_data(calibrate(of())) for of in (known, plain))
    assert found.pop("assumed") != expected.pop("assumed")
    assert found == expected


def known() -> Problem:
    return copied(kind=KnownCopied)


@pytest.mark.usefixtures("routed", "listed")
def test_without_its_module_the_kernel_accepts_nothing() -> None:
    assert kernel_word(copied())[0] == "malformed"


@pytest.mark.usefixtures("routed", "written")
def test_without_its_rows_the_kernel_accepts_nothing() -> None:
    assert kernel_word(copied())[0] == "malformed"


@pytest.mark.usefixtures("routed", "written", "listed")
def test_without_rules_the_kernel_refuses_it_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(kernel_kinds.KINDS, ("copied", "atoms"))
    word, message = kernel_word(copied())
    assert (word, "copied" in message) == ("malformed", True), message


def test_a_release_is_no_noise() -> None:
    with pytest.raises(InputError, match="lattice: copied is more than noise"):
        copied().on_lattice(1)
    assert Fraction(3) == copied().scale().fraction
