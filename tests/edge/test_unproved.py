"""Answers that stand though the kernel takes no certificate of them: told, not as bad input."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pfverify.certificate import build
from pfverify.certificate.checking import CheckResult, run_kernel
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_path

pytestmark = pytest.mark.usefixtures("kernel_here")
Refuse = Callable[[str], None]


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Let the kernel reject every certificate, or those of problems with a text in them."""

    def all_with(text: str) -> None:
        def kernel(path: Path, stated: bytes, proof: bytes, **more: float) -> CheckResult:
            if text.encode() in stated:
                return CheckResult("rejected", "too little is known", 1)
            return run_kernel(path, stated, proof, **more)

        monkeypatch.setattr(build, "run_kernel", kernel)

    return all_with


@pytest.mark.parametrize(("command", "code"), [
    (["certify", "example:census"], 3), (["certify", "example:census", "--scale", "1/2"], 1),
    (["calibrate", "example:census"], 3), (["certify", "example:noisy-max", "--json"], 3),
])  # fmt: skip
def test_the_answer_is_told_and_why_there_is_no_certificate(
    command: list[str], code: int, refuse: Refuse, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert main(command) == (0 if code == 3 else code)
    plain = capsys.readouterr().out
    refuse("")
    proof = tmp_path / "a.cert"
    assert main([*command, "-o", str(proof)]) == code
    out, err = capsys.readouterr()
    assert out == plain
    assert not proof.exists()
    (line,) = [line for line in err.splitlines() if "certificate" in line]
    assert "without a certificate: the kernel does not accept the proof: too little" in line
    assert list(tmp_path.iterdir()) == []


def test_of_several_problems_the_others_are_written(
    refuse: Refuse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, proofs = tmp_path / "problems", tmp_path / "proofs"
    folder.mkdir()
    text = example_path("census").read_text("utf-8")
    (folder / "one.toml").write_text(text, "utf-8")
    (folder / "two.toml").write_text(f"{text}\n# not this one\n", "utf-8")
    refuse("# not this one")
    assert main(["certify", str(folder), "-o", str(proofs)]) == 3
    assert [path.name for path in proofs.iterdir()] == ["one.cert"]
    out, err = capsys.readouterr()
    assert out.count("certified") >= 2
    assert "failed" not in out
    assert err.count("without a certificate") == 1


def test_a_composition_is_told_too(
    refuse: Refuse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refuse("")
    written = ["--write", str(tmp_path / "both.toml"), "-o", str(tmp_path / "both.cert")]
    command = ["compose", "example:census", "example:census", "--fresh", "--epsilon", "9"]
    assert main([*command, *written]) == 3
    out, err = capsys.readouterr()
    assert "certified" in out
    assert "without a certificate" in err
    assert [path.name for path in tmp_path.iterdir()] == ["both.toml"]
