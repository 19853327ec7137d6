"""Every edit that a file lists fails at the step it names, and where it says it is then false."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.proofs import FILES as ALL
from support.proofs import PROOFS, loaded

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.proof.claim import Break
from pfverify.proof.exercises import Noticed, notice
from pfverify.proof.instances import as_instance
from pfverify.proof.loader import ProofFile
from pfverify.proof.run import prove_changed

N09 = PROOFS / "noise-reduction" / "N09.py"
FILES = [path for path in ALL if "breaks=" in path.read_text("utf-8")]  # 16 s faster than loading
WITH_BREAKS = {"N09", "G25", "F1", "M41", "D02"}
SLOW = {"D11", "F1", "F37", "F60d", "F63f", "G25", "M32b", "M41"}  # seconds, F1 ten and more


def test_the_files_that_are_read_first_have_exercises() -> None:
    assert {path.stem for path in FILES} >= WITH_BREAKS


def _sliced() -> list[Any]:
    """Every sixteenth file, and those read first; the slow ones and the rest in the batteries."""
    now = {path.stem for path in FILES[::16]} | WITH_BREAKS
    return [
        pytest.param(path, marks=() if path.stem in now - SLOW else pytest.mark.long)
        for path in FILES
    ]


@pytest.mark.parametrize("path", _sliced(), ids=lambda p: p.stem)
def test_every_break_fails_at_its_step(path: Path) -> None:
    found = [notice((path, entry)) for entry in loaded(path).claim.breaks]
    assert found
    for one in found:
        assert one.failure == "", one.entry.change
        assert one.step == one.entry.step
        assert one.why
        assert one.entry.where is None or "is false at" in one.shows


def of_n09(change: str, step: str, **where: object) -> Noticed:
    instance = as_instance(**where) if where else None
    return notice((N09, Break(change, step, instance)))


MASSES = {"X": [0, 1], "pi": {(0, 1): 1}}


def test_an_entry_that_is_wrong_is_named() -> None:
    assert "not at 'triangle'" in of_n09("drop columns", "triangle").failure
    assert "still checks" in of_n09("grow = exp(abs(x - z) / theta)", "triangle").failure
    assert "expected 'drop NAME'" in of_n09("nonsense", "triangle").failure


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ({"theta": 1, "E": 2, "X": [0, 1], "pi": {(0, 1): "1/2"}}, "of the meaning: sum"),
        ({"theta": 1, "E": "1/2", **MASSES}, "hypothesis 'of the meaning: 1 < E"),
        ({"theta": -1, "E": 2, **MASSES}, "declared positive"),
        ({"theta": 1, "E": 2, "X": [0, 1], "pi": {(0, 1): 2, (0, 0): -1}}, "negative"),
        ({"theta": 1, "E": 2, **MASSES}, "nothing is seen to be false"),
    ],
)  # fmt: skip
def test_a_counterexample_is_inside_the_meaning(where: dict[str, object], why: str) -> None:
    assert why in of_n09("drop columns", "column bound", **where).failure


def test_a_counterexample_keeps_the_other_hypotheses() -> None:
    where = as_instance(theta=1, E=2, **MASSES)
    entry = Break("tangent = 3 / E - grow / E**2 <= shrink", "tangent", where)
    assert "the hypothesis 'columns' does not hold" in notice((N09, entry)).failure


def test_a_counterexample_is_at_members() -> None:
    where = as_instance(theta=1, E=4, X=[0, 1], pi={(0, 1): "1/2", (1, 0): "1/2"})
    x = loaded(N09).names["x"]
    inside = Break("triangle = x <= 0", "triangle", where, {x: Number.of_rational(1)})
    assert notice((N09, inside)).failure == ""
    outside = Break("triangle = x <= 1", "triangle", where, {x: Number.of_rational(2)})
    assert "nothing is seen to be false" in notice((N09, outside)).failure


@pytest.mark.parametrize("names", ["xz", "zx"])
def test_values_stand_in_the_order_of_the_file(names: str) -> None:
    """They were in the order of a set: two books of one folder differed."""
    known, zero = loaded(N09).names, Number.of_rational(0)
    where = as_instance(theta=1, E=2, X=[0, 1], pi={(0, 0): 1})
    change = "tangent = 3 / E - grow / E**2 <= shrink"
    found = notice((N09, Break(change, "tangent", where, {known[name]: zero for name in names})))
    assert (found.failure, [*found.at]) == ("", [*names])


START = """from pfverify.proof.language import *
y, z = variables("y z")
Claim(id="F1", source=paper("design", "F1"), result=NOT_CHECKABLE, words="w", not_checkable="n",
      %s)
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("breaks=[1]", "expected a list of edit"), ('breaks=[edit("drop a", 1)]', "expected text"),
        ('breaks=[edit("drop a", "b", 1)]', "expected instance"), ("meaning=[1]", "a formula"),
        ('symbols={"y": "<b>"}', "no notation"), ('symbols={"y": 1}', "expected text"),
    ],
)  # fmt: skip
def test_bad_entries_are_errors(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        ProofFile(START % text, "F1.py")


@pytest.mark.parametrize(
    ("symbols", "why"),
    [({"q": "x"}, "the claim has no 'q'"), ({"z": "y"}, "two names are shown as y")],
)
def test_a_table_of_symbols_is_about_the_claim(symbols: dict[str, str], why: str) -> None:
    from dataclasses import replace

    from pfverify.proof.check import check_claim

    claim = replace(loaded(N09).claim, symbols=symbols)
    assert why in check_claim(claim, lambda _: "").failure


PSI = "((1 - {}(p, q)) * {} + {}(p, q)) / abs(p - q)"
WRONG_PSI = {
    "the ratio dropped": "minimum(p, q) / abs(p - q)",
    "the ratio upside down": PSI.format("maximum", "before / at_k", "minimum"),
    "largest and smallest exchanged": PSI.format("minimum", "at_k / before", "maximum"),
    "the smallest twice": PSI.format("minimum", "at_k / before", "minimum"),
    "not divided": PSI.format("maximum", "at_k / before", "minimum").removesuffix(" / abs(p - q)"),
}


# each wrong psi in the file that notices it soonest; in the others it takes up to nine seconds
SOONEST = {
    "the ratio dropped": "M32b", "largest and smallest exchanged": "M38",
    "the smallest twice": "M32", "not divided": "M32b",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "psi"),
    [pytest.param(name, psi, marks=() if SOONEST.get(psi, name) == name else pytest.mark.long)
     for psi in WRONG_PSI for name in ("M32", "M32b", "M37", "M38")],
)  # fmt: skip
def test_a_mistranscribed_psi_of_21_is_noticed(name: str, psi: str) -> None:
    path = PROOFS / "multi-user" / f"{name}.py"
    assert prove_changed(path, f"psi = {WRONG_PSI[psi]}").failure
    assert loaded(path).settings.keys() == {"settings/bernoulli.py", "settings/lemma_6.py"}


@pytest.mark.parametrize("name", ["M28", "M29", "M29b", "M30"])
def test_psi_is_where_it_is_used(name: str) -> None:
    assert "psi" not in loaded(PROOFS / "multi-user" / f"{name}.py").names
