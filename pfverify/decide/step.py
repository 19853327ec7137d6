"""Steps of certificates, and what writes them."""

from __future__ import annotations

from typing import Any

from pfverify.exact.no_truth import NoTruth

Step = dict[str, Any]
"""A step of a certificate as JSON data, without the names of the goal."""


def goal_keys(belief: str, source: str, to: str) -> Step:
    """Return the keys that name a goal in a certificate: an ordered pair of one belief."""
    return {"belief": belief, "from": source, "to": to}


class Evidence(NoTruth, ask="use `is None`"):
    """A rule of the kernel, and what it needs to repeat the inference."""

    rule: str

    def step(self, bits: int) -> Step:
        """Return the certificate step, to be worked out by the kernel at this precision."""
        raise NotImplementedError(f"{type(self).__name__} writes no step")
