"""Certificates checked: the kernel, in an interpreter of its own, on two files."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from pfverify.certificate.statement import opened
from pfverify.errors import InputError, PfverifyError, UndecidedError, require, shorten, told_at
from pfverify.exact.no_truth import NoTruth
from pfverify.model.named_files import folder_of

KERNEL = Path(__file__).parents[1] / "kernel"
_TIMEOUT = 3600  # seconds for one kernel run


class CertificateError(PfverifyError):
    """A certificate could not be made or read."""


class TooLargeError(CertificateError):
    """The verdict stands, but a check of its certificate is more work than the kernel takes on."""


@dataclass(frozen=True)
class Trusts(NoTruth, ask="use .lines and .files"):
    """What an answer of the kernel rests on.

    `files`: file of the kernel -> its lines of code, without docstrings, comments and blank lines;
    `lines`: their sum; `rules`: rule -> the facts that it used.
    """

    files: dict[str, int]
    lines: int
    rules: dict[str, list[str]]


@dataclass(frozen=True)
class CheckResult(NoTruth, ask="use .accepted, and .certified or .refuted for what was proved"):
    """What the kernel said: `word` (certified, refuted, scales, rejected, malformed), `message`."""

    word: str
    message: str
    code: int
    trusts: Trusts | None = None

    @property
    def valid(self) -> bool:
        """Whether the certificate proves what `word` says."""
        return self.code == 0

    @property
    def accepted(self) -> bool:
        """The same: a refutation, scales or couplings that are proved are accepted too."""
        return self.valid

    @property
    def certified(self) -> bool:
        """Whether the certificate proves that the problem is private."""
        return self.valid and self.word == "certified"

    @property
    def refuted(self) -> bool:
        """Whether the certificate proves that the problem is not private."""
        return self.valid and self.word == "refuted"


def check(
    problem: str | Path, certificate: str | Path, *, trusts: bool = False
) -> CheckResult:
    """Run the kernel in a fresh isolated interpreter on two files.

    The kernel shares no code with the rest of the project and loads no site-packages.
    An in-toto Statement made by ``certify --attest`` is accepted in place of a certificate when
    its one subject has the problem file's name and the digest of its bytes. Each file is read once:
    what is compared is what the kernel sees. With `trusts` the answer also says what it rests on.

    Raises InputError for a file that cannot be read.
    Example: ``check("census.toml", "census.cert").word``.
    """
    for file, name in ((problem, "the problem file"), (certificate, "the certificate")):
        require(file, (str, PurePath), name)
    paths = Path(problem), Path(certificate)
    for path in paths:
        try:
            found = path.is_file()
        except (OSError, ValueError):  # too long for a name, or a null byte in it
            found = False
        if not found:
            remedy = "" if path == paths[0] else "; pfverify certify PROBLEM -o NAME.cert makes one"
            raise InputError(f"{shorten(path, 200)}: there is no such file{remedy}")
    stated, proof = (bytes_of(path) for path in paths)
    with told_at(f"{certificate!s}: "):
        proof = opened(proof, paths[0].name, stated)
    answer = run_kernel(paths[0], stated, proof, trusts=trusts)
    if answer.word == "malformed" and _is_edited(proof):
        # one certificate is one byte string, which the kernel insists on
        why = "an editor has added a byte order mark or other line ends; use the file as written"
        return replace(answer, message=f"{answer.message}; {why}")
    return answer


def _is_edited(proof: bytes) -> bool:
    """Say whether a text has marks that only editors leave."""
    with suppress(UnicodeDecodeError):
        return proof.decode().startswith("\ufeff") or b"\r" in proof
    return False


def run_kernel(
    problem: Path,
    stated: bytes,
    proof: bytes,
    *,
    trusts: bool = False,
    seconds: float | None = None,
) -> CheckResult:
    """The kernel on these bytes; of the problem's path only the suffix counts, and its folder."""
    limit = _TIMEOUT if seconds is None else seconds
    with tempfile.TemporaryDirectory(prefix="pfverify-") as copied:
        suffix = ".json" if problem.suffix.lower() == ".json" else ".toml"
        copies = Path(copied) / f"problem{suffix}", Path(copied) / "certificate.json"
        for copy, data in zip(copies, (stated, proof), strict=True):
            copy.write_bytes(data)
        option = ["--trusts"] if trusts else []
        option += ["--folder", str(folder_of(problem))]
        try:
            run = subprocess.run(
                [sys.executable, "-I", "-S", str(KERNEL), *option, *map(str, copies)],
                capture_output=True,
                text=True,
                timeout=limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UndecidedError(f"the kernel had not finished after {limit:g} s") from None
    answer, _, more = run.stdout.strip().partition("\n")
    word, _, message = answer.partition(": ")
    if run.returncode not in (0, 1, 2) or not word:
        raise CertificateError(f"the kernel stopped with code {run.returncode}")
    return CheckResult(word, message, run.returncode, _trusts(more) if trusts else None)


def _trusts(text: str) -> Trusts:
    """What the kernel's lines after its answer say."""
    files: dict[str, int] = {}
    rules: dict[str, list[str]] = {}
    for line in text.splitlines():
        kind, _, said = line.partition(" ")
        name, _, value = said.partition(": ")
        if kind == "file":
            files[name] = int(value)
        elif kind == "rule":
            rules[name] = [] if value == "no named fact" else value.split(", ")
        elif kind != "total:":
            raise CertificateError(f"the kernel says more than is understood: {shorten(line, 60)}")
    return Trusts(files, sum(files.values()), rules)


def bytes_of(path: Path) -> bytes:
    """Return the bytes of a file; InputError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot read the file: {error.strerror}") from None
