"""Speed with a noise table of a statistics office, and with chains and networks of records."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmark_measure import Row, ratio_row, seconds_text, times
from synthetic_chains import counted

from pfverify import Channel, Laplace, Network, Problem, certify
from pfverify.exact.grid import Grid
from pfverify.model.networks.elimination import NetworkLaws
from pfverify.model.protection import Protection
from pfverify.records.ptable import ptable_problem
from pfverify.scales.minimum import minimum_scale

TABLE_TARGET, CHAIN_TARGET, NETWORK_TARGET = 3, 1, 1  # seconds
FARTHEST = 5  # that a count is moved
PLACES = 10**6  # the probabilities of a file are decimals of six places
PARENTS = 3  # of a node: those just before it, which makes the treewidth


@dataclass(frozen=True)
class CorrelatedSizes:
    """Counts of a noise table; chances of a synthetic chain to stay, and its records; nodes."""

    counts: int = 750
    chances: int = 9
    records: int = 100
    nodes: int = 30


def noise_rows(counts: int) -> dict[int, dict[int, Fraction]]:
    """Random perturbations of each count 0 .. n-1, all of them possible and none below 0."""
    rng, found = Random(counts), {}
    for count in range(counts):
        moves = range(-min(count, FARTHEST), FARTHEST + 1)
        cuts = sorted(rng.sample(range(1, PLACES), len(moves) - 1))
        ends = zip([0, *cuts], [*cuts, PLACES], strict=True)
        found[count] = {
            v: Fraction(high - low, PLACES) for v, (low, high) in zip(moves, ends, strict=True)
        }
    return found


def as_table(rows: dict[int, dict[int, Fraction]]) -> Problem:
    """What `pfverify table` makes of the file of a statistics office."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ptable.csv")
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow("ivp")
            writer.writerows(
                (i, v, float(p)) for i in list(rows)[:-1] for v, p in rows[i].items()
            )
        return ptable_problem(path).problem


def as_matrix(rows: dict[int, dict[int, Fraction]]) -> Problem:
    """The same release as a matrix channel, typed by hand."""
    outputs = range(len(rows) + FARTHEST)
    names = [str(count) for count in rows]
    return Problem(
        channel=Channel.of({
            "kind": "matrix", "inputs": names, "outputs": [str(y) for y in outputs],
            "rows": [[str(row.get(y - count, 0)) for y in outputs] for count, row in rows.items()],
        }),
        protection=Protection("dp", inputs=names, inputs_related=list(pairwise(names))), epsilon=1,
    )  # fmt: skip


def grown(rng: Random, depth: int) -> dict[str, Any]:
    """Random chances of yes and no, given those of so many parents."""
    if depth:
        return {state: grown(rng, depth - 1) for state in ("yes", "no")}
    k = rng.randint(1, 9)
    return {"yes": f"{k}/10", "no": f"{10 - k}/10"}


def binary_network(nodes: int) -> Network:
    """Binary nodes, each with the three before it as its parents; the number of yes is summed."""
    rng = Random(nodes)
    return Network({
        f"n{k}": {
            "parents": [f"n{j}" for j in range(max(0, k - PARENTS), k)], "value": {"yes": 1},
            "table": grown(rng, min(k, PARENTS)),
        }
        for k in range(nodes)
    })  # fmt: skip


def correlated_rows(sizes: CorrelatedSizes, repeats: int) -> list[Row]:
    """The rows, each from what is stated: laws are derived anew."""
    return [
        table_row(sizes.counts), chains_row(sizes.chances, sizes.records),
        network_row(sizes.nodes, repeats),
    ]  # fmt: skip


def table_row(counts: int) -> Row:
    """The verdict on a table with a law per count, all neighbours compared, both orders."""
    rows = noise_rows(counts - 1)
    rows[counts - 1] = rows[counts - 2]  # the last one is that of all larger counts
    table, matrix = as_table(rows), as_matrix(rows)
    ours, typed = times(lambda: certify(table), lambda: certify(matrix), repeats=1)
    return ratio_row(
        f"certify, noise table with {counts - 1} pairs", f"{counts} counts", ours,
        "the same as a typed matrix", typed, f"<= {TABLE_TARGET} s", ours <= TABLE_TARGET,
    )  # fmt: skip


def chains_row(chances: int, records: int) -> Row:
    """The minimum of each synthetic chain, every record secret: the slowest of them.

    Each is worked out once, cold, so that the seconds are those of the processor.
    """
    stay = [Fraction(k, chances + 1) for k in range(1, chances + 1)]
    found = []
    for p, q in product(stay, repeat=2):
        start = process_time()
        minimum_scale(counted(p, q, records), Grid(12))
        found.append(process_time() - start)
    return Row(
        f"minimum scale, 12 digits: the slowest of {len(found)} binary chains",
        f"{records} records", seconds_text(max(found)), "the median one",
        seconds_text(median(found)), f"{max(found) / median(found):,.1f}",
        f"<= {CHAIN_TARGET} s", max(found) <= CHAIN_TARGET,
    )  # fmt: skip


def network_row(nodes: int, repeats: int) -> Row:
    """The verdict on a network of treewidth 3, every node secret."""
    network = binary_network(nodes)

    def laws() -> None:
        found = NetworkLaws(network)
        for name in found:
            found[name]

    def decided() -> None:
        certify(Problem(network=network, noise=Laplace(5), epsilon=1))

    ours, alone = times(decided, laws, repeats=repeats)
    return ratio_row(
        "certify, binary network of treewidth 3", f"{nodes} nodes", ours, "its laws alone", alone,
        f"<= {NETWORK_TARGET} s", ours <= NETWORK_TARGET,
    )  # fmt: skip
