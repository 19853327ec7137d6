"""The benchmark runs on small sizes, so that it cannot rot. Nothing is timed here."""

from __future__ import annotations

import datetime

from benchmark import FloatPass, Sizes, Workload, all_rows, random_problem, report

from pfverify.decide.outcome import Verdict
from pfverify.decide.pure import pure_orders

SMALL = Sizes(
    verdict=(5, 20),
    grid=5,
    grid_points=10,
    minimum=(5,),
    delta=(5,),
    kernel=(5,),
    plan=20,
    plane=8,
    proofs=("N05", "N06"),
    memory=50,
    repeats=1,
    starts=1,
)


def test_the_table_has_every_row() -> None:
    rows = all_rows(SMALL)
    text = report(rows, datetime.date(2000, 1, 1))
    assert len(rows) == 2 * 3 + 1 + 1 + 1 + 1 + 2 + 5 + 1 + 1 + 3
    for row in rows:
        assert f"| {row.work} " in text
    assert "Measured on 2000-01-01" in text


def test_the_float_pass_computes_the_same_losses() -> None:
    problem = random_problem(50)
    work = Workload(problem)
    orders = pure_orders(work.pair, work.rate, problem.epsilon)
    for order, plain in zip(orders, FloatPass(problem).losses(), strict=True):
        assert order.verdict is Verdict.CERTIFIED
        assert abs(float(order.loss.upper) - plain) < 1e-12
