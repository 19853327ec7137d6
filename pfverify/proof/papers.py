"""The papers whose claims are checked: reference, and the numbered items that their text has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper: its reference, and the numbers (as printed) that claims may name."""

    reference: str
    numbers: frozenset[str]


def _items(*texts: str) -> frozenset[str]:
    return frozenset(texts)


PAPERS: dict[str, Paper] = {
    "noise-reduction": Paper(
        "Yang, Ding, Zhang, Sun, Sun, An, Li, Lin, Wu, Liu, Zhu: Noise Reduction for Pufferfish "
        "Privacy: A Practical Noise Calibration Method",
        _items(
            *(f"({k})" for k in range(1, 27)),
            "(1)-(3)", "(5)-(7)", "(9), (11)", "(11), (12)", "(20), (21), (24), (25)",
            "Abstract", "Section 2", "Section 3.1", "Section 3.2", "Section 4.1", "Section 6.2",
            "display between (5) and (6)", "footnote 2", "footnote 3", "Assumption 3.1",
            "Figure 1", "Figure 2", "Figure 3", "Figure 4",
            "Proposition 3.2", "Proposition 3.2, proof", "Proposition 3.3",
            "Proposition 3.3 (1)", "Proposition 3.3 (2)", "Algorithm 1",
            "Theorem 4.1", "Theorem 4.1 (1)", "Theorem 4.1 (2)", "Theorem 4.1, proof",
            "Lemma 4.2 (1)", "Lemma 4.2 (2)", "Proposition 5.1 (1)", "Proposition 5.1 (2)",
            "Remark 5.2", "Table 1", "Table 2", "Table 3", "Table 4",
        ),
    ),
    "design": Paper(
        "Facts that pfverify itself rests on",
        _items(*(f"F{k}" for k in range(1, 13)), "F4b"),
    ),
}
