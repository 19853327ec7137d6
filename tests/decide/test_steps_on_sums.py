"""Steps after the noise on sums over users and on chains: as on the same laws, typed by hand."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from support import chains
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Problem, certify, loss
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest

STEPS: list[list[dict[str, Any]]] = [
    [{"round": {"to": "1"}}], [{"threshold": {"at": "2"}}, {"round": {"to": "2"}}],
    [{"clamp": ["0", "3"]}], [{"bins": {"edges": ["1", "3"]}}], [{"threshold": {"at": "1"}}],
]  # fmt: skip


def stated(draw: Random) -> dict[str, Any]:
    """A system, a chain or a network, under a key of its own."""
    kind = draw.choice(("system", "chain", "network"))
    if kind == "chain":
        return {"chain": {**chains.table(draw, hidden=False, longest=4), "release": "sum"}}
    if kind == "network":
        return {"network": chains.network_table(draw, 4)}
    others = [{"bernoulli": f"{draw.randint(1, 8)}/9", "count": draw.randint(1, 3)}]
    return {"system": {"others": others, "user": {
        "yes": {"point": 1}, "no": {"point": 0}, "law": {"bernoulli": f"{draw.randint(1, 4)}/5"},
    }, "release": draw.choice(("sum", "mean"))}}  # fmt: skip


@pytest.mark.long
def test_they_are_those_of_typed_laws() -> None:
    met: Counter[str] = Counter()
    for seed in range(40):
        draw = Random(seed)
        source = stated(draw)
        if "chain" in source:
            source["chain"].pop("count", None)
            source["chain"].pop("weights", None)
        noise = draw.choice(({"kind": "laplace", "scale": "2"}, {"kind": "gaussian", "scale": "2"}))
        table = {"schema": "pfverify/problem/1", "epsilon": "1/2", "delta": "1/20",
                 "noise": noise, "post": draw.choice(STEPS), **source}  # fmt: skip
        try:
            whole = Problem.from_table(table)
        except InputError as error:
            assert "told apart" in str(error), seed  # noqa: PT017
            continue
        typed = Problem(
            beliefs={b: dict(of) for b, of in whole.beliefs.items()}, noise=whole.release.noise,
            post=table["post"], epsilon="1/2", delta="1/20", pairs=whole.pairs,
        )  # fmt: skip
        found, same = certify(whole), certify(typed)
        assert (found.verdict, found.pairs) == (same.verdict, same.pairs), seed
        assert loss(whole).delta == loss(typed).delta
        assert problem_digest(whole) == kernel_digest(table)
        assert problem_digest(whole) != problem_digest(typed)
        assert accepted_certificate(table, whole, found)[1] == found.verdict, seed
        met[next(iter(source))] += 1
        met[found.verdict] += 1
    assert all(met[name] >= 4 for name in ("system", "chain", "network")), met
    assert min(met["certified"], met["refuted"]) >= 5, met
