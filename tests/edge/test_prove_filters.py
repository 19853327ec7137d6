"""Which files `pfverify prove` checks: claims, papers, patterns, results."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.proofs import FILES, SOME, loaded

from pfverify.edge.cli import commands, main
from pfverify.errors import InputError
from pfverify.proof.files import declared, declaring, proof_files
from pfverify.proof.loader import ProofFile
from pfverify.proof.outcome import Result

PROOFS = Path(__file__).resolve().parents[2] / "proofs"


def selected(*names: str) -> list[str]:
    return [path.stem for path in proof_files(PROOFS, names)]


def test_a_name_is_a_claim_a_paper_or_a_pattern() -> None:
    assert selected("N09", "G25") == ["N09", "G25"]
    papers = {path.parent.name for path in proof_files(PROOFS, ["design"])}
    assert papers == {"design"}
    assert selected("N0[12]", "N02", "M3?")[:2] == ["N01", "N02"]
    assert len(selected("N*", "noise-reduction")) == len(selected("noise-reduction"))


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("N9", "N"), ("noise-reducton", "noise-reduction"), ("G25*x", "G25"), ("n09", "N09")],
)
def test_an_unknown_name_is_an_error_with_the_nearest(name: str, nearest: str) -> None:
    with pytest.raises(InputError, match=f"did you mean .*{nearest}"):
        proof_files(PROOFS, [name])


def test_only_claims_of_a_result() -> None:
    paths = declaring(proof_files(PROOFS, ["gaussian-priors"]), [Result.NOT_CHECKABLE])
    assert [path.stem for path in paths] == ["G12"]
    with pytest.raises(InputError, match="none of these 1 files declares the result REFUTED"):
        declaring(proof_files(PROOFS, ["N09"]), [Result.REFUTED])


def test_what_a_file_declares_is_read_without_its_terms(tmp_path: Path) -> None:
    """`--result REFUTED` interpreted all 324 files, for 25 s, to check five of 2 s."""
    plain = {path: declared(path) for path in {*FILES[::4], *SOME}}
    assert None not in plain.values()
    one_of_each = {plain[path]: path for path in reversed(SOME)}
    assert len(one_of_each) == len(Result)
    assert all(found is loaded(path).claim.result for found, path in one_of_each.items())
    other = tmp_path / "N01.py"
    for text, found in {
        "Claim(result=PROVED)": Result.PROVED,
        "x = Claim(result=BOTH_READINGS)": Result.BOTH_READINGS,
        "Claim(result=r)": None,
        "Claim(PROVED)": None,
        "Claim(result=PROVED, result2=REFUTED)": Result.PROVED,
        "Claim(result=PROVED)\nClaim(result=REFUTED)": None,
        "C = Claim\nC(result=PROVED)": None,
        "nonsense(": None,
    }.items():
        other.write_text(text, "utf-8")
        assert declared(other) is found, text
    (tmp_path / "N01.py").write_bytes(b"\xff")
    assert declared(other) is None
    with pytest.raises(InputError, match="'REFUTED' is a word of the language"):
        ProofFile("from pfverify.proof.language import *\nREFUTED = PROVED", "N01.py")


def test_a_file_that_cannot_be_read_is_never_left_out(tmp_path: Path) -> None:
    (tmp_path / "N01.py").write_text("nonsense(", "utf-8")
    assert declaring([tmp_path / "N01.py"], [Result.REFUTED])


@pytest.mark.parametrize("words", ["NOT-CHECKABLE", "not checkable", "Not_Checkable"])
def test_results_by_name(words: str) -> None:
    with commands.make_context("pfverify", ["prove", "--result", words]) as context:
        command = commands.commands["prove"].make_context("prove", ["--result", words], context)
        assert command.params["results"] == ("not-checkable",)


def test_every_result_has_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "--result", "REFUTD"]) == 2
    words = ", ".join(f"'{result.name.lower().replace('_', '-')}'" for result in Result)
    assert f"'REFUTD' is not one of {words}" in capsys.readouterr().err


def test_bad_names_end_in_one_line_and_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["N9"], ["N09", "--result", "x"], ["N09", "--result", "REFUTED"]):
        assert main(["prove", "--proofs", str(PROOFS), *arguments]) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_reason_of_what_is_not_checkable_is_printed() -> None:
    command = ["prove", "--proofs", str(PROOFS), "--result", "not-checkable", "G1*"]
    found = CliRunner().invoke(commands, command, standalone_mode=False)
    assert found.return_value == 0
    assert "G12 is not checkable: the means and variances behind the figure" in found.stdout
    assert "1 claim, 1 with the result declared" in found.stdout
