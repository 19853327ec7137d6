"""The published schema of certificates describes what the kernel reads."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import kernel_builder as kb
import pytest
from couplings import COUPLING
from rules import CERTIFIED, REFUTED

SCHEMA = json.loads(
    files("pfverify.certificate").joinpath("certificate.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
# the kernel asks more than a shape in these: order, lowest terms, a step that fits its place
NOT_SHAPES = {
    "coupling-long-sum",
    "cost-potential-short",
    "coupling-edge-twice",
    "lines-do-not-fit-short",
    "no-coupling-order",
    "event-refuted-decreasing",
    "event-refuted-overlap",
    "event-refuted-repeated",
    "event-refuted-touching",
    "event-refuted-upside-down",
    "minimum-lower-0-with-step",
    "pure-ties-decreasing",
    "pure-ties-repeated",
    "scale-no-noise-at-positive-scale",
    "scale-verdict-flipped",
}


def certificates(folder: str) -> dict[str, Any]:
    """The certificates of a folder of the corpus, those that are stored as JSON values."""
    found = {}
    for path in sorted((kb.CORPUS / folder).glob("*.json")):
        value = json.loads(path.read_text())["certificate"]
        if not isinstance(value, str):
            found[path.stem] = value
    return found


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("folder", ["accept", "reject"])
def test_what_the_kernel_reads_fits_the_schema(folder: str) -> None:
    cases = certificates(folder)
    assert len(cases) > 40
    assert {name: str(e) for name, v in cases.items() for e in VALIDATOR.iter_errors(v)} == {}


def test_malformed_certificates_do_not_fit() -> None:
    tried = 0
    for name, value in certificates("malformed").items():
        if not name.startswith("problem-"):
            assert VALIDATOR.is_valid(value) is (name in NOT_SHAPES), name
            tried += 1
    assert tried > 40


def test_every_rule_is_described_with_its_keys() -> None:
    goal = set(SCHEMA["$defs"]["goal"]["required"])
    pair = set(SCHEMA["$defs"]["pair"]["required"])
    found = {
        d["properties"]["rule"]["const"]: pair | set(d["required"])
        for d in SCHEMA["$defs"]["about-couplings"]["oneOf"]
    }
    assert found == {name: keys for name, (_, keys) in COUPLING.items()}
    for name, (_, keys) in (CERTIFIED | REFUTED).items():
        described = SCHEMA["$defs"][name]
        assert goal | set(described.get("required", [])) == keys | {"rule"}, name
