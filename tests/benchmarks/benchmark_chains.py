"""Speed of a verdict on every record of a long chain, from enclosures of its laws."""

from __future__ import annotations

from benchmark_measure import Row, ratio_row, times

from pfverify import Chain, Laplace, Problem, certify

TARGET = 10  # seconds
EXACT = 50  # records of the chain beside it


def _counted(length: int) -> Problem:
    turn = {"0": {"0": "7/10", "1": "3/10"}, "1": {"0": "3/10", "1": "7/10"}}
    chain = Chain(["0", "1"], "stationary", turn, length, "count", "1")
    return Problem(chain=chain, noise=Laplace(3), epsilon=1)


def chain_rows(records: int) -> list[Row]:
    """A whole certify() call on every record, beside a short chain whose laws are exact."""
    long, exact = times(
        lambda: certify(_counted(records)), lambda: certify(_counted(EXACT)), repeats=1
    )
    return [
        ratio_row(
            "every record of a chain, certify()", f"{records:,} records", long,
            f"exact laws, {EXACT} records", exact, f"<= {TARGET} s", long <= TARGET,
        )
    ]  # fmt: skip
