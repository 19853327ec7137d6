"""The papers whose claims are checked: reference, and the numbered items that their text has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper: its reference, the numbers (as printed) that claims may name, the claims' ids."""

    reference: str
    numbers: frozenset[str]
    claims: frozenset[str] = frozenset()


def _claims(letter: str, last: int, *more: str) -> frozenset[str]:
    return frozenset({f"{letter}{k:02}" for k in range(1, last + 1)} | {*more})


def _items(*texts: str) -> frozenset[str]:
    return frozenset(texts)


PAPERS: dict[str, Paper] = {
    "noise-reduction": Paper(
        "Yang, Ding, Zhang, Sun, Sun, An, Li, Lin, Wu, Liu, Zhu: Noise Reduction for Pufferfish "
        "Privacy: A Practical Noise Calibration Method",
        _items(
            *(f"({k})" for k in range(1, 27)),
            "(1)-(3)", "(5)-(7)", "(9), (11)", "(11), (12)", "(20), (21), (24), (25)",
            "Abstract", "Section 2", "Section 3.1", "Section 3.2", "Section 3.3",
            "Section 4.1", "Section 6.2",
            "display between (5) and (6)", "footnote 2", "footnote 3", "Assumption 3.1",
            "Figure 1", "Figure 2", "Figure 3", "Figure 4",
            "Proposition 3.2", "Proposition 3.2, proof", "Proposition 3.3",
            "Proposition 3.3 (1)", "Proposition 3.3 (2)", "Algorithm 1",
            "Theorem 4.1", "Theorem 4.1 (1)", "Theorem 4.1 (2)", "Theorem 4.1, proof",
            "Lemma 4.2 (1)", "Lemma 4.2 (2)", "Proposition 5.1 (1)", "Proposition 5.1 (2)",
            "Remark 5.2", "Table 1", "Table 2", "Table 3", "Table 4",
        ),
        _claims("N", 49, "N14b"),
    ),
    "multi-user": Paper(
        "Ding, Lu, Yang, Zhang: Multi-user Pufferfish Privacy",
        _items(
            *(f"({k})" for k in range(1, 29)),
            "(2), (3)", "(7)-(9)", "(16), (17)", "(22), (24)", "(23)", "(26), (27)",
            "Abstract", "Section 2.1", "Section 3", "Section 3.1", "Section 4", "Section 4.1",
            "Section 4.2", "Section 4.3", "Section 4.4", "Section 4.4.1",
            "Appendix A", "Appendix A.1",
            "Proposition 1", "Proposition 2", "Lemma 1", "Lemma 5", "Lemma 5, proof", "Lemma 6",
            "Lemma 6, proof", *(f"Theorem {k}" for k in range(1, 5)), "Theorem 2, proof",
            "Remark 1", "Remark 2", *(f"Table {k}" for k in range(1, 7)),
            *(f"Figure {k}" for k in range(1, 10)),
        ),
        _claims("M", 49, "M17b", "M29b", "M32b"),
    ),
    "distribution-privacy": Paper(
        "Kawamoto, Murakami: Local Obfuscation Mechanisms for Hiding Probability Distributions",
        _items(
            *(f"Definition {k}" for k in range(1, 12)), "Example 1", "Example 2", "Table 1",
            "Figure 1", "Algorithm 1", "Proposition 1", *(f"Theorem {k}" for k in range(1, 4)),
            "Abstract", "Section 1", "Section 2.3", "Section 2.5", "Section 3.2", "Section 3.3",
            "Section 3.4", "Section 4", "Section 5.1", "Section 5.2", "Section 5.2.1",
            "Section 5.2.2", "Section 6.1", "Section 6.2", "Section 6.3",
        ),
        _claims("D", 28, "D08b"),
    ),
    "gaussian-priors": Paper(
        "Ding: Approximation of Pufferfish Privacy for Gaussian Priors",
        _items(
            *(f"({k})" for k in range(1, 36)),
            "(7), (8)", "(17), (18)", "(17)-(19)", "before (19)", "(24), (25)", "(25)-(30)",
            "(25)-(27), (29), (30)", "(28)", "(31)-(33)",
            "Abstract", "Section I", "Section I-A", "Section I-B", "Section II", "Section II-A",
            "Section II-B", "Section III", "Section III-A", "Section III-B", "Section IV",
            "Section V", "Section VI", "Section VI-A", "Section VI-B", "Section VII",
            *(f"Appendix {k}" for k in "ABCDE"), *(f"footnote {k}" for k in range(1, 10)),
            "Definition 1", "Remark 1", "Theorem 1", "Theorem 1, proof", "Theorem 2",
            "Theorem 2, proof", "Corollary 1", "Corollary 1 (a)", "Corollary 1 (b)",
            "Corollary 1, proof", "Corollary 2", "Corollary 2, proof",
            *(f"Figure {k}" for k in range(1, 6)), "Figure 1 (a)", "Figure 1 (b)",
            "Figure 1 (c)", "Figure 3, Figure 4",
        ),
        _claims("G", 44, "G08b"),
    ),
    "design": Paper(
        "Facts that pfverify itself rests on",
        _items(
            *(f"F{k}" for k in (*range(1, 39), *range(40, 53), *range(60, 64), *range(70, 78))),
            "F80", "F81", "F82", "F83", "F84", "F86", "F87",
            *(f"F{k}" for k in (*range(90, 105), *range(106, 114), *range(115, 119), 120, 121)),
            "F4b", "DPI", "F2G", "F4L", "INJ", "MGF", "MIX", "TAIL",
        ),
    ),
}
