"""The view of the properties of distribution privacy: published, exact, true."""

from __future__ import annotations

from pfverify.edge.distribution import Promise, PropertiesResult, PropertyRow
from pfverify.edge.document import Column, Section, Table, Text, Tone, Toned, bad, say, title
from pfverify.edge.views.view import Row, View


class PropertiesView(View[PropertiesResult]):
    """Published bound, exact value and true statement, side by side."""

    schema = "distribution"
    exact = (
        "rows.published.epsilon", "rows.published.delta", "rows.exact.epsilon", "rows.exact.delta",
        "rows.true.epsilon", "rows.true.delta",
    )
    exact_columns = (
        "published_epsilon", "published_delta", "exact_epsilon", "exact_delta", "true_epsilon",
        "true_delta",
    )

    def sections(self) -> list[Section]:
        """Return a table of the bounds, and one of what else is stated."""
        count, failing = len(self.result.rows), self.result.failing
        columns = [Column("printed in"), Column("instance"), *(
            Column(name, whole=True) for name in ("published", "exact", "true", "proof")
        )]  # fmt: skip
        return [
            Section(
                headline=say(title("Distribution privacy: what is printed, exact and true"),
                             level=0, folds=True),
                said=[
                    say(
                        "Each row is (epsilon, delta) for one law against another, worked out "
                        "exactly. `published` is what the paper promises; `exact` the privacy "
                        "loss, and the delta at the published epsilon; `true` the tightest true "
                        "statement that we know ("
                        f"{_NOTHING}: nothing can be promised); `proof` the file under proofs.",
                        folds=True,
                    ),
                    say(
                        bad("(!)"), f" marks a published bound that fails: {failing} of {count} "
                        "instances are counterexamples. A delta of 1 or more promises nothing.",
                        folds=True,
                    ),
                ],
                tables=[Table(columns, [_cells(row) for row in self.result.rows])],
            ),
            Section(tables=[self._others()], apart=True),
        ]  # fmt: skip

    def _others(self) -> Table:
        header = ("printed in", "instance", "published", "exact", "proof")
        rows: list[list[Text]] = [
            [(row.source,), (row.instance,), (row.published, *_mark(row.holds)),
             (Toned(row.exact, Tone.GOOD if row.holds else Tone.BAD),), (row.proof,)]
            for row in self.result.others
        ]  # fmt: skip
        return Table([Column(name) for name in header], rows, "What else is stated")

    def rows(self) -> list[Row]:
        """Return one row per instance of a bound."""
        return [
            {
                "source": row.source,
                "instance": row.instance,
                **_two("published", row.published),
                **_two("exact", row.exact),
                **_two("true", row.true),
                "holds": "yes" if row.holds else "no",
                "event": " ".join(row.event),
                "proof": row.proof,
            }
            for row in self.result.rows
        ]


_NOTHING = "-"


def _two(name: str, promise: Promise | None) -> Row:
    return {
        f"{name}_epsilon": "" if promise is None else promise.epsilon,
        f"{name}_delta": "" if promise is None else promise.delta,
    }


def _cells(row: PropertyRow) -> list[Text]:
    tone = Tone.GOOD if row.holds else Tone.BAD
    return [
        (row.source,),
        (row.instance,),
        (_text(row.published), *_mark(row.holds)),
        (Toned(_text(row.exact), tone),),
        (_text(row.true),),
        (row.proof,),
    ]


def _mark(holds: bool) -> Text:
    return () if holds else (" ", bad("(!)"))


def _text(promise: Promise | None) -> str:
    return _NOTHING if promise is None else f"({promise.epsilon}, {promise.delta})"
