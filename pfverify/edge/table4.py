"""Table 4 of the noise-reduction paper: the printed scales, as numbers with their source.

Source: Yang et al., Noise Reduction for Pufferfish Privacy, Table 4 (epsilon = 0.1 ... 1.0).
"""

from __future__ import annotations

from dataclasses import dataclass

EPSILONS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0")


@dataclass(frozen=True)
class PublishedRows:
    """The printed rows of one data set; `example` is the packaged problem with its priors."""

    title: str
    example: str
    l1: tuple[str, ...]
    wasserstein: tuple[str, ...]
    relaxed: tuple[str, ...]


def _row(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_ONE = _row("10.00 5.00 3.33 2.50 2.00 1.67 1.43 1.25 1.11 1.00")
_TWO = _row("20.00 10.00 6.67 5.00 4.00 3.33 2.86 2.50 2.22 2.00")
_THREE = _row("30.00 15.00 10.00 7.50 6.00 5.00 4.29 3.75 3.33 3.00")
_EIGHT = _row("80.00 40.00 26.67 20.00 16.00 13.33 11.43 10.00 8.89 8.00")

TABLE_4 = (
    PublishedRows(
        "Simulation (Figure 2b)",
        "simulation-1",
        _ONE,
        _ONE,
        _row("0.78 0.54 0.44 0.39 0.35 0.33 0.31 0.29 0.28 0.26"),
    ),
    PublishedRows(
        "Simulation (Figure 3b)",
        "simulation-2",
        _THREE,
        _THREE,
        _row("10.00 5.00 3.33 2.50 2.00 1.67 1.43 1.25 1.11 1.00"),
    ),
    PublishedRows(
        "Student Performance",
        "student",
        _ONE,
        _ONE,
        _row("3.39 1.84 1.31 1.04 0.88 0.77 0.68 0.62 0.57 0.53"),
    ),
    PublishedRows(
        "Census Income",
        "census",
        _EIGHT,
        _TWO,
        _row("10.00 5.00 3.33 2.50 2.05 1.76 1.54 1.38 1.25 1.15"),
    ),
    PublishedRows(
        "Bank Marketing",
        "bank",
        _TWO,
        _ONE,
        _row("2.53 1.42 1.04 0.84 0.72 0.64 0.58 0.53 0.49 0.46"),
    ),
)
