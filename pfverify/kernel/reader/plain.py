"""What a problem has not beside several numbers, or many releases."""

from __future__ import annotations

from typing import Any

from core.grammar import Malformed
from core.shapes import number
from core.value import decided_sign, require_range


def require_plain(value: Any, what: str) -> None:
    """Malformed where steps, or densities with a delta, stand beside such numbers or releases."""
    for key in ("post", "pre", "channel"):
        if key in value:
            raise Malformed(f"{key} is not known beside {what}")
    if value.get("form", "events") != "events":
        delta = number(value.get("delta", 0), "delta")
        require_range("delta", delta, decide=True)
        if decided_sign(delta, "delta") != 0:
            raise Malformed(f"the pointwise form with a delta is not known beside {what}")
