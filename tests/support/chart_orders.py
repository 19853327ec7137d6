"""Both orders of a question, as charts compare them."""

from __future__ import annotations

from pfverify.decide.charts import order
from pfverify.decide.charts.order import OneOrder
from pfverify.decide.targets import target_of
from pfverify.laws.kinds import forms_of
from pfverify.model.question import Question


def orders_of(item: Question) -> tuple[OneOrder, OneOrder]:
    """The orders of both laws, held to the question's target."""
    return order.orders_of(*forms_of(item), target_of(item))
