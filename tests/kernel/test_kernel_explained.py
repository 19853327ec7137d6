"""Every rule and every fact of the kernel is explained, and nothing that it does not have."""

from __future__ import annotations

from core import couplings, facts, kinds

from pfverify.edge.glossary.entries import entries


def of_family(family: str) -> set[str]:
    return {one.term for one in entries() if one.family == family}


def test_every_rule_of_certificates_has_an_entry_and_no_other() -> None:
    of_more = {"scale", "minimum", "no-scale", "curve"}
    assert of_family("rule of certificates") == {*kinds.STEPS, *couplings.COUPLING, *of_more}


def test_every_fact_has_an_entry_and_no_other() -> None:
    of_couplings = (found for *_, found in couplings.COUPLING.values())
    assert of_family("fact") == {*facts.FACTS}.union(*of_couplings)
