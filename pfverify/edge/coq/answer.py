"""What Coq says of the theorems of a certificate, and all that they may rest on."""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.exact.no_truth import NoTruth

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
