"""The view of mechanisms on grids of places at equal privacy."""

from __future__ import annotations

from pfverify.edge.document import Column, Section, Table, Text, say, title
from pfverify.edge.locations import LocationRow, LocationsResult
from pfverify.edge.views.numbers import ends, rounded_up
from pfverify.edge.views.view import Row, View

_HEADER = ("mechanism", "parameter", "places sent", "epsilon", "epsilon, delta = 0", "quality loss")


class LocationsView(View[LocationsResult]):
    """Quality loss against epsilon, mechanism by mechanism."""

    schema = "locations"
    exact = ("delta",)
    exact_columns = ("delta",)

    def sections(self) -> list[Section]:
        """Return one table per grid."""
        sides = sorted({row.side for row in self.result.rows})
        first = Section(
            headline=say(title("Hiding in which part of a grid somebody is"), level=0, folds=True),
            said=[
                say(
                    "Two laws of the place, in the west and in the east. `epsilon` is the least "
                    f"at delta = {self.result.delta}, exact and rounded up; `quality loss` the "
                    "mean distance from the place to the nearest one that is sent. Compare rows "
                    "of about equal epsilon.",
                    folds=True,
                )
            ],
        )
        return [first, *(Section(tables=[self._table(side)], apart=True) for side in sides)]

    def _table(self, side: int) -> Table:
        columns = [Column(name, right=k > 1) for k, name in enumerate(_HEADER)]
        rows = [_cells(row) for row in self.result.rows if row.side == side]
        return Table(columns, rows, caption=f"{side} x {side} places, one apart")

    def rows(self) -> list[Row]:
        """Return one row per mechanism and grid."""
        return [
            {
                "side": row.side,
                "mechanism": row.mechanism,
                "parameter": row.parameter,
                "sent": row.sent,
                "delta": self.result.delta,
                **ends("epsilon", row.epsilon),
                **ends("epsilon_star", row.epsilon_star),
                **ends("quality_loss", row.quality_loss),
            }
            for row in self.result.rows
        ]


def _cells(row: LocationRow) -> list[Text]:
    numbers = (row.epsilon.upper, row.epsilon_star.upper, row.quality_loss.upper)
    return [
        (row.mechanism,),
        (row.parameter,),
        (str(row.sent),),
        *((rounded_up(number, 4),) for number in numbers),
    ]
