"""The published schema of certificates describes what the kernel reads."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import kernel_builder as kb
import pytest
from core.couplings import COUPLING
from core.kinds import CERTIFYING, STEPS

SCHEMA = json.loads(
    files("pfverify.certificate").joinpath("certificate.schema.json").read_text("utf-8")
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
# the kernel asks more than a shape in these: order, lowest terms, a step that fits its place
NOT_SHAPES = {
    "chain-at-no-time",  # nor is the problem one
    "chart-cell-touching-backwards",
    "chart-points-repeated",
    "components-index",
    "components-twice",
    "event-refuted-normal-point",
    "bare-refuted-twice",
    "product-parts-refuted-inner",
    "bare-refuted-upside-down",
    "bare-rule-at-a-scale",
    "bare-rule-with-noise",
    "composed-backwards",
    "composed-coupled-negative",
    "composed-coupled-twice",
    "composed-grid-0",
    "composed-part-named",
    "composed-refuted-unsorted",
    "composed-window-empty",
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
    "channel-pure",
    "minimum-lower-0-with-step",
    "moment-log-0",
    "moment-log-1",
    "moment-log-negative",
    "moment-none",
    "no-noise-mixed-scale",
    "pure-ties-decreasing",
    "pure-ties-repeated",
    "scale-no-noise-at-positive-scale",
    "scale-verdict-flipped",
    "any-rest-refuted-text",
    "any-rest-refuted-two",
    "grid-event-refuted-one",
    "grid-tie-short",
    "grid-ties-order",
    "grid-upper-cut",
    "grid-upper-cuts",
    "grid-upper-own",
    "one-refuted-second",
    "product-short",
    "fresh-grid-one",
    "grid-refuted-off-lattice",
    "grid-ties-twice",
    "grid-upper-line-twice",
    "part-refuted-total",
    "product-large-delta",
    "product-negative",
    "product-negative-delta",
    "steps-another-scale",
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
    assert found == {name: asked.keys for name, asked in COUPLING.items()}
    bare_atoms = SCHEMA["$defs"]["bare-atoms"]
    assert bare_atoms["properties"]["rule"]["const"] == "no-noise"
    assert STEPS["no-noise"] == pair
    for name, keys in STEPS.items():
        if name != "no-noise":
            described = SCHEMA["$defs"][name]
            common = goal if described["$ref"] == "#/$defs/goal" else pair
            assert common | set(described.get("required", [])) == keys | {"rule"}, name
    offered = [d["$ref"].rpartition("/")[2] for d in SCHEMA["$defs"]["certified"]["items"]["oneOf"]]
    without = {"bare-atoms", "tupling"}  # for releases without noise only
    assert set(offered) - without == CERTIFYING[False]
    assert set(offered) - CERTIFYING[False] == without
    assert {"no-noise", *(without - {"bare-atoms"})} == CERTIFYING[True] - CERTIFYING[False]


SMOOTH = [
    kb.step("chart", density=[["-inf", "1/2", 0, 0], ["1/2", "inf", 64, 3]], points=["-1"]),
    kb.step("chart", density=[], points=[]),
    {"rule": "components", "belief": "b", "from": "s", "to": "t", "plan": [[0, 1, "1/2"]]},
    {"rule": "equal", "belief": "b", "from": "s", "to": "t"},
]


def test_the_shapes_of_steps_about_densities() -> None:
    whole = {"schema": "pfverify/certificate/1", "problem": "", "produced_by": {}}
    whole["result"] = "certified"
    assert VALIDATOR.is_valid({**whole, "steps": SMOOTH})
    cell = ["0", "1", 4, 0]
    for i, key, wrong in (
        (0, "density", [cell[:3]]),
        (0, "density", [[*cell, 0]]),
        (0, "density", [["inf", "1", 0, 0]]),
        (0, "density", [["0", "1", 65, 0]]),
        (0, "density", [["0", "1", "4", 0]]),
        (0, "density", [["0", "1", 4, -1]]),
        (0, "density", {}),
        (0, "points", [1]),
        (0, "points", ["0.5"]),
        (0, "bits", 31),
        (2, "plan", [[0, "0", "1"]]),
        (2, "plan", [[0, 0, 1]]),
        (2, "bits", 64),
        (3, "bits", 64),
        (3, "ties", []),
    ):
        assert not VALIDATOR.is_valid({**whole, "steps": [{**SMOOTH[i], key: wrong}]}), (key, wrong)
