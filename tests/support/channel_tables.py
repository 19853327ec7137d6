"""Tables of channels of every kind that is written out, and of tupling."""

from __future__ import annotations

from typing import Any

RESPONSE: dict[str, Any] = {
    "kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4",
}  # fmt: skip
BUDGET: dict[str, Any] = {
    "kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1/2",
}  # fmt: skip
SWAP: dict[str, Any] = {
    "kind": "matrix", "inputs": ["b", "a"], "outputs": ["a", "b"], "rows": [["1", "0"]] * 2,
}  # fmt: skip
PLANE = {"a": ["0", "0"], "b": ["3", "4"], "c": ["1", "1"]}
SCORES: dict[str, Any] = {
    "kind": "exponential", "inputs": ["a", "b"], "outputs": ["x", "y", "z"],
    "scores": [["0", "1", "1/2"], ["1", "-1", "0"]], "epsilon": "log(2)",
}  # fmt: skip
TUPLING: dict[str, Any] = {"kind": "tupling", "base": RESPONSE, "dummies": 3}

TABLES: list[dict[str, Any]] = [
    SWAP,
    RESPONSE,
    BUDGET,
    {"kind": "rappor", "inputs": ["a", "b", "c"], "flip": "1/2"},
    {"kind": "rappor", "inputs": ["a", "b"], "flip": "exp(-1)", "one": "3/4", "zero": "1/4"},
    {"kind": "rappor", "inputs": ["a", "b", "c"], "flip": "1/3",
     "codes": {"a": "0110", "b": "1000", "c": "0110"}},
    {"kind": "unary", "inputs": ["a", "b", "c"], "epsilon": "log(3)", "variant": "optimised"},
    {"kind": "unary", "inputs": ["a", "b"], "epsilon": "1/2", "variant": "symmetric"},
    {"kind": "unary", "inputs": ["a", "b"], "one": "3/4", "zero": "exp(-1)"},
    {"kind": "subset-selection", "inputs": ["a", "b", "c"], "epsilon": "log(2)"},
    {"kind": "subset-selection", "inputs": ["a", "b", "c", "d"], "epsilon": "1", "size": 2},
    {"kind": "local-hashing", "inputs": ["a", "b"], "epsilon": "log(2)"},
    {"kind": "local-hashing", "inputs": ["a", "b", "c"], "epsilon": "1/2", "range": 2},
    {"kind": "truncated-geometric", "size": 5, "ratio": "1/3"},
    {"kind": "truncated-geometric", "size": 4, "epsilon": "log(2)"},
    {"kind": "truncated-geometric", "size": 4, "epsilon": "1/2"},
    {"kind": "truncated-geometric", "size": 2, "ratio": "(sqrt(2)/2)"},
    SCORES,
    SCORES | {"epsilon": "1/3", "sensitivity": "4"},
    {"kind": "planar", "points": PLANE, "epsilon": "1"},
    {"kind": "planar", "points": PLANE, "epsilon": "log(2)"},
    {"kind": "planar", "points": {"a": ["0"], "b": ["5/2"]}, "grid": {"x": ["-1"], "y": ["1"]},
     "epsilon": "(2*log(3))"},
    {"kind": "composition", "parts": [RESPONSE, SWAP, RESPONSE]},
    {"kind": "product", "parts": [RESPONSE, BUDGET]},
    {"kind": "cascade", "parts": [RESPONSE, SWAP, BUDGET]},
    {"kind": "mixture", "parts": [RESPONSE, SWAP, {**SWAP, "outputs": ["z", "b"]}],
     "weights": ["1/2", "1/3", "1/6"]},
    {"kind": "mixture", "parts": [BUDGET, RESPONSE], "weights": ["exp(-1)", "(1-exp(-1))"]},
]  # fmt: skip
