"""What the kernel says about a certificate, and Coq, against what was expected of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from pfverify.certificate.checking import Trusts, check
from pfverify.edge.leave import EXIT_REFUTED
from pfverify.exact.no_truth import NoTruth
from pfverify.results import WHERE_SAID

AXIOMS = (
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
)
"""All that a theorem may rest on: what Coq's real numbers are built from."""


@dataclass(frozen=True)
class Confirmed(NoTruth, ask="use .accepted"):
    """Whether Coq accepts the theorems of a certificate, and the axioms that they rest on.

    `theorems`: name -> the statement in words; `theory`: the folder whose definitions they are
    about, `definitions`: the files there that define their words; `taken`: what they take from
    pfverify's Python as it is. Attributes are the JSON keys.
    """

    accepted: bool
    theorems: dict[str, str]
    axioms: list[str]
    theory: str
    definitions: list[str]
    taken: list[str]


@dataclass(frozen=True)
class Checked(NoTruth, ask="use .ok"):
    """The kernel's word and message; `ok`: it proves something, and what was expected.

    `code` is the exit code; `coq`: what Coq says, where it was asked. Attributes are the JSON keys.
    Where the digest differs, `changed` says what changed since, as far as the certificate notes it,
    and `remedy` what to run. `trusts`: the files of the kernel and the facts that the answer rests
    on, where that was asked.
    """

    result: str
    message: str
    valid: bool
    expected: str | None
    ok: bool
    code: int = field(metadata={"json": False})
    changed: list[str] | None = field(default=None, kw_only=True, metadata=WHERE_SAID)
    remedy: str | None = field(default=None, kw_only=True, metadata=WHERE_SAID)
    coq: Confirmed | None = field(default=None, kw_only=True, metadata=WHERE_SAID)
    trusts: Trusts | None = field(default=None, kw_only=True, metadata=WHERE_SAID)


def checked(
    problem: Path, certificate: str | Path, expected: str | None = None, *, trusts: bool = False
) -> Checked:
    """Run the kernel on a certificate and compare its word with the expected one, if any.

    One that is valid and proves something else is not ok. With `trusts` the answer also says what
    it rests on.

    Raises InputError for a file that cannot be read.
    Example: ``checked(Path("census.toml"), "census.cert", "certified").ok``.
    """
    found = check(problem, certificate, trusts=trusts)
    message, code = found.message, found.code
    if found.valid and expected is not None and found.word != expected:
        code = EXIT_REFUTED
        message = f"expected {expected}, but the certificate proves: {message}"
    ok = code == 0
    return Checked(found.word, message, found.valid, expected, ok, code, trusts=found.trusts)


def with_coq(answer: Checked, found: Confirmed) -> Checked:
    """Return an answer that is ok with what Coq says; what rests on other axioms is rejected."""
    if found.accepted:
        return replace(answer, coq=found)
    others = ", ".join(sorted(set(found.axioms) - set(AXIOMS)))
    message = (
        f"IN COQ IT RESTS ON {others}, and not on the axioms of the reals alone: something was "
        f"added to the theory (the kernel: {answer.message})"
    )
    return replace(answer, result="rejected", message=message, valid=False, ok=False,
                   code=EXIT_REFUTED, coq=found)  # fmt: skip
