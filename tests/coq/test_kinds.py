"""Every kind of claim as a theorem: Coq accepts it, and all that it says and rests on is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support import coq
from support.coq_globs import defining

from pfverify import Problem
from pfverify.edge.cli import main
from pfverify.edge.coq.text import coq_text

pytestmark = pytest.mark.coq

LAWS = {"a": {"0": "1/2", "1": "1/2"}, "b": {"0": "1/4", "3/2": "3/4"}}
NEAR = {"a": {"0": "1/2", "1": "1/2"}, "b": {"0": "1/3", "1": "2/3"}}
LATTICE = {"kind": "discrete-laplace", "scale": 2, "step": "1/2"}
VALUES = {"yes": {"point": 1}, "no": {"point": 0}, "away": "absent"}
REPORTS = {"often": {"bernoulli": "2/3"}, "seldom": {"bernoulli": "1/3"}}
ABSENCE = {"often": {"bernoulli": "2/3"}, "away": "absent"}
OTHERS = [{"bernoulli": "1/2", "count": 3}, {"mass": {"0": "1/5", "2": "4/5"}}]


def users(user: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"system": {"others": OTHERS, "user": user} | more}


RESTS = ("that the tables are the laws of what the independent users release in sum",)
ALONE = ("that what the protected user alone adds to the release decides",)
CHANCE = ("that a user who is there with a chance reports 0",)
TIMES = ("that the epsilon of each pair is that of the problem times the distance",)
EACH = {"others": OTHERS, "protect": "each", "pair_set": "values"}
# name -> command, the problem (but for its defaults), what is taken from Python, in part
KINDS: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "certified": ("certify", {}, ()),
    "refuted": ("certify", {"scale": "1/9"}, ()),
    "scales": ("calibrate", {}, ()),
    "lattice": ("certify", {"noise": LATTICE}, ()),
    "lattice, scales": ("calibrate", {"noise": LATTICE}, ()),
    "events": ("certify", {"scale": "1/9", "delta": "9/10"}, ()),
    "events, refuted": ("certify", {"scale": "1/9", "delta": "1/100"}, ()),
    "events, scales": ("calibrate", {"delta": "1/100"}, ()),
    "pointwise": ("certify", {"scale": "1/2", "delta": "1/2", "form": "pointwise"}, ()),
    "pointwise, refuted": (
        "certify", {"scale": "1/9", "delta": "1/100", "form": "pointwise"}, ()
    ),
    "pointwise, scales": ("calibrate", {"delta": "1/100", "form": "pointwise"}, ()),
    "no noise": ("certify", {"noise": {"kind": "none"}, "laws": NEAR}, ()),
    "scale 0": ("certify", {"scale": 0, "laws": NEAR}, ()),
    "no noise, refuted": ("certify", {"noise": {"kind": "none"}}, ()),
    "no noise, pointwise, refuted": (
        "certify", {"noise": {"kind": "none"}, "form": "pointwise"}, ()
    ),
    "scale 0, refuted": ("certify", {"scale": 0}, ()),
    "every scale": ("calibrate", {"laws": NEAR}, ()),
    "no scale": ("calibrate", {"laws": NEAR, "epsilon": 0}, ()),
    "no scale of a lattice": ("calibrate", {"noise": LATTICE, "laws": NEAR, "epsilon": 0}, ()),
    "values": ("certify", users(VALUES), ()),
    "values, refuted": ("certify", {"scale": "1/2", **users(VALUES)}, ()),
    "values, scales": ("calibrate", users(VALUES, release="mean"), ()),
    "with a chance": (
        "certify", users(VALUES, presence_model="independent"), CHANCE
    ),
    "laws": ("certify", users(REPORTS), ()),
    "laws, refuted": ("certify", {"scale": "1/99", "epsilon": "1/9", **users(REPORTS)}, ()),
    "laws, scales": ("calibrate", {"epsilon": "1/9", **users(ABSENCE)}, ()),
    "laws, scales with 0": ("calibrate", {"epsilon": "1/9", **users(REPORTS)}, RESTS),
    "any rest": ("certify", users(REPORTS, rest="any", release="mean"), ()),
    "any rest, refuted": (
        "certify", {"scale": "1/99", "epsilon": "1/9", **users(REPORTS, rest="any")}, ()
    ),
    "any rest, scales": ("calibrate", users(VALUES, rest="any", release="mean"), ()),
    "any rest, no noise": ("certify", {"scale": 0, **users(REPORTS, rest="any")}, ALONE),
    "events of users": ("certify", {"delta": "1/3", "scale": "3/4", **users(VALUES)}, RESTS),
    "each user": ("certify", {"scale": 3, "system": EACH}, RESTS),
    "distances": ("certify", {"notion": "xdistp"}, TIMES),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_claim_is_proved_and_says_what_it_rests_on(
    theory: Path, tmp_path: Path, kind: str
) -> None:
    command, more, taken = KINDS[kind]
    laws = more.get("laws", LAWS)
    table = {"epsilon": 1, "noise": {"kind": "laplace", "scale": more.get("scale", 2)}}
    if "system" not in more:
        table["priors"] = {name: {"kind": "discrete", "mass": law} for name, law in laws.items()}
    table |= {key: value for key, value in more.items() if key not in ("scale", "laws")}
    asked = Problem.from_table({"schema": "pfverify/problem/1", **table})
    asked.save(tmp_path / "a.toml")
    code = main([command, str(tmp_path / "a.toml"), "-o", str(tmp_path / "a.cert")])
    assert code == (1 if "refuted" in kind else 0)
    found = coq_text(asked, tmp_path / "a.toml", tmp_path / "a.cert", "t", "claim.v")
    done = coq.run(tmp_path, found.text)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for statement in found.text.split("Theorem ")[1:]:
        if "Proof. exact " not in statement.split("Qed.")[0] or "ltac:" in statement:
            assert "probability" in statement
            assert "defined epsilon" in statement
    assert {Path(name).stem for name in found.definitions} == defining(tmp_path, theory)
    assert len(found.taken) == len(taken)
    comment = " ".join(found.text.split("*)")[1].split())
    for whole, part in zip(found.taken, taken, strict=True):
        assert part in whole
        assert f"Taken from pfverify, not proved here: {whole}." in comment
    assert ("Systems" in found.modules) == ("system" in more and taken in ((), CHANCE))
