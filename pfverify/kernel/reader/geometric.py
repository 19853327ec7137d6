"""Two-sided geometric noise: k steps have a mass in proportion to (1-p)^|k|.

That is discrete Laplace noise of scale step/log(1/(1-p)), truncated where there is a bound, and is
read as it.
"""

from __future__ import annotations

from typing import Any

from core.grammar import Malformed, canonical
from core.shapes import rational, table


def restated(noise: dict[str, Any], several: set[str]) -> dict[str, Any]:
    """The table of that noise; `several`: the keys about more than one release."""
    by_coordinate = {"scale"} if type(noise.get("scale")) is list and "p" not in noise else set()
    table(noise, "noise", {"kind"}, {"p", "step", "bound"} | several | by_coordinate)
    kind = "truncated-discrete-laplace" if "bound" in noise else "discrete-laplace"
    found = {"step": 1, **noise, "kind": kind}
    if "p" in found:
        p, step = rational(found.pop("p"), "p"), rational(found["step"], "step")
        if not 0 < p < 1:
            raise Malformed("p must lie between 0 and 1")
        found["scale"] = f"{canonical(step)}/log({canonical(1 / (1 - p))})"
    return found
