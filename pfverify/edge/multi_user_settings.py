"""Figures 4, 5, 8 and 9 of the multi-user paper: who the user is in each, as numbers with sources.

Where the paper does not say which file, rows or codes it used, each likely reading is a setting.

Sources: Ding, multi-user paper, Tables 2 and 3. Counts from the UCI Machine Learning Repository
(CC BY 4.0): Adult, B. Becker and R. Kohavi, 1996, DOI 10.24432/C5XW20; Student Performance,
P. Cortez, 2008, DOI 10.24432/C5TG7T; Bank Marketing, S. Moro, P. Rita and P. Cortez, 2012,
DOI 10.24432/C5K306.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

ABSENCE = ("user_largest", "user_moment")
"""The scales (14) and (13) of Theorem 3."""
TWO_LAWS = ("user_two_points", "user_relaxed")
"""Lemma 5 and Lemma 6."""
TENTHS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")
HUNDREDTHS = ("0.005", "0.01", "0.015", "0.02", "0.025", "0.03", "0.035", "0.04")


@dataclass(frozen=True)
class Setting:
    """One reading of one figure: the protected user's laws, the others, and the printed scales."""

    figure: str
    reading: str
    user: dict[str, Any]
    methods: tuple[str, str]
    epsilons: tuple[str, ...] = TENTHS
    others: tuple[dict[str, Any], ...] = ()


def _coded(counts: str) -> dict[str, Any]:
    """A law from its counts, for the codes 1, 2, 3, ..."""
    return {"counts": {str(k): int(count) for k, count in enumerate(counts.split(), 1)}}


def _binary(zero: int, one: int) -> dict[str, Any]:
    return {"counts": {"0": zero, "1": one}}


def _against_absence(figure: str, reading: str, law: dict[str, Any]) -> Setting:
    return Setting(figure, reading, {"present": law, "absent": "absent"}, ABSENCE)


def _two(figure: str, reading: str, p: dict[str, Any], q: dict[str, Any]) -> Setting:
    return Setting(figure, reading, {"P": p, "Q": q}, TWO_LAWS)


_OTHERS = (
    {"mass": {"1": "0.01", "2": "0.04", "3": "0.1", "4": "0.2", "5": "0.65"}},
    {"mass": {"1": "0.7", "2": "0.2", "3": "0.05", "4": "0.04", "5": "0.01"}},
    {"mass": {"1": "0.2", "2": "0.2", "3": "0.2", "4": "0.2", "5": "0.2"}},
)
_NUM, _ALPHABET = "coded by education-num", "coded in alphabetical order"
_DATA, _BOTH = "adult.data, 32561 rows", "adult.data and adult.test, 48842 rows"
_POR, _MAT = "student-por.csv, 649 rows", "student-mat.csv, 395 rows"
_MARRIED = "husbands and wives are 1"

SETTINGS = (
    Setting(
        "Figure 4", "user 4 of Table 2 has the law P4 of Table 3",
        {"P4": {"mass": {"1": "0.4", "2": "0.1", "4": "0.1", "5": "0.4"}}, "absent": "absent"},
        ABSENCE, others=_OTHERS,
    ),
    _against_absence("Figure 5(a)", f"education of race = White, {_NUM}, {_DATA}", _coded(
        "38 134 279 553 403 762 977 335 8904 6207 1207 915 4682 1537 514 369")),
    _against_absence("Figure 5(a)", f"education of race = White, {_NUM}, {_BOTH}", _coded(
        "61 196 415 818 611 1158 1485 515 13387 9289 1803 1368 7034 2348 748 526")),
    _against_absence("Figure 5(a)", f"education of race = White, {_ALPHABET}, {_DATA}", _coded(
        "762 977 335 134 279 553 403 915 1207 4682 369 8904 1537 38 514 6207")),
    _against_absence("Figure 5(a)", f"education of race = White, {_ALPHABET}, {_BOTH}", _coded(
        "1158 1485 515 196 415 818 611 1368 1803 7034 526 13387 2348 61 748 9289")),
    _against_absence("Figure 5(b)", f"romantic of higher = yes, coded 1 and 2, {_POR}",
                     _coded("376 204")),
    _against_absence("Figure 5(b)", f"romantic of higher = yes, coded 1 and 2, {_MAT}",
                     _coded("254 121")),
    _against_absence("Figure 5(c)", "marital of loan = yes, divorced 1, married 2, single 3",
                     _coded("921 4660 1663")),
    Setting(
        "Figure 8", "user 4 of Table 2 is Bernoulli(0.2) or Bernoulli(0.9)",
        {"P": {"bernoulli": "0.2"}, "Q": {"bernoulli": "0.9"}}, TWO_LAWS, HUNDREDTHS, _OTHERS,
    ),
    _two("Figure 9(a)", f"relationship, race Asian-Pac-Islander against Amer-Indian-Eskimo; "
         f"{_MARRIED}; {_DATA}", _binary(560, 479), _binary(200, 111)),
    _two("Figure 9(a)", f"relationship, race Asian-Pac-Islander against Amer-Indian-Eskimo; "
         f"{_MARRIED}; {_BOTH}", _binary(827, 692), _binary(307, 163)),
    _two("Figure 9(b)", f"romantic, freetime 5 against 2, {_POR}", _binary(38, 30),
         _binary(62, 45)),
    _two("Figure 9(b)", f"romantic, freetime 5 against 2, {_MAT}", _binary(27, 13),
         _binary(39, 25)),
    _two("Figure 9(c)", "loan, job blue-collar against management", _binary(8048, 1684),
         _binary(8205, 1253)),
)  # fmt: skip
"""In the order of the figures."""
