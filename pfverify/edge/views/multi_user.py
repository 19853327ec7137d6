"""The view of the multi-user paper's figures as numbers."""

from __future__ import annotations

from pfverify.edge.document import Column, Section, Table, Text, say, title, toned
from pfverify.edge.multi_user import Curves, CurvesResult
from pfverify.edge.multi_user_settings import ABSENCE, TWO_LAWS
from pfverify.edge.views.numbers import rounded_up, times
from pfverify.edge.views.view import View

_PRINTED: dict[tuple[str, ...], tuple[str, str]] = {
    ABSENCE: ("(14)", "(13)"),
    TWO_LAWS: ("Lemma 5", "Lemma 6"),
}
_STATE = {True: "all certified", False: "NOT all certified"}


class CurvesView(View[CurvesResult]):
    """Figures 4, 5, 8 and 9 of the multi-user paper."""

    schema = "multi-user"

    def sections(self) -> list[Section]:
        """Return one table per reading of a figure."""
        first = Section(
            headline=say(title("Figures 4, 5, 8 and 9 of the multi-user paper, as numbers"),
                         level=0, folds=True),
            said=[
                say(
                    "The scale of Laplace noise against epsilon. Every scale was decided exactly, "
                    f"for all outputs and both orders: {_STATE[self.result.all_certified]}. `any "
                    "rest` is the least scale without knowledge of the other users, `minimum` the "
                    "least with it (0: no noise is needed, against exactly these laws; the value "
                    "itself is published), `waste` the printed relaxed scale over that: (13) or "
                    "Lemma 6. (14) and (13) hide whether a user with the law takes part, Lemmas 5 "
                    "and 6 which of two laws a yes/no user has. The paper plots "
                    "curves and prints no numbers; where it does not say which file or codes it "
                    "used, each likely reading is here."
                )
            ],
        )  # fmt: skip
        return [first, *(Section(tables=[_table(one)], apart=True) for one in self.result.curves)]


def _table(data: Curves) -> Table:
    methods = tuple(cell.method for cell in data.rows[0].cells)
    header = ("epsilon", *_PRINTED[methods], "any rest", "minimum", "waste")
    columns = [Column(name, right=True) for name in header]
    rows: list[list[Text]] = [
        [
            (row.epsilon,),
            *((toned(cell.verdict, rounded_up(cell.scale, 4)),) for cell in row.cells),
            (rounded_up(row.any_rest, 4),),
            (rounded_up(row.minimum.upper, 4),),
            (times(row.waste, "no noise"),),
        ]
        for row in data.rows
    ]
    return Table(columns, rows, caption=f"{data.figure}: {data.reading}")
