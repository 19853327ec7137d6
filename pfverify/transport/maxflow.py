"""Exact maximum flow between two laws: Dinic's algorithm on integers, sparse and restartable."""

from __future__ import annotations

from collections.abc import Sequence


class Flow:
    """A flow from rows with a supply to columns with a demand, along allowed edges.

    Integer capacities sit on the rows and columns; allowed edges carry any amount. A flow may
    be continued after edges are added: it stays a flow. Attributes: `left`, the supply not yet
    sent, per row; `open`, the demand not yet met, per column; `sent`, per column a table
    row -> amount > 0; `reached`, after `fill`, the rows and columns that augmenting paths from
    unsent supply can reach (a minimum cut).

    Source: Dinic 1970; design fact F10.
    """

    def __init__(self, supply: Sequence[int], demand: Sequence[int]) -> None:
        self.left = list(supply)
        self.open = list(demand)
        self.sent: list[dict[int, int]] = [{} for _ in demand]
        self.reached: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())

    def copy(self) -> Flow:
        """Return an independent copy."""
        other = Flow(self.left, self.open)
        other.sent = [dict(column) for column in self.sent]
        other.reached = self.reached
        return other

    @property
    def unsent(self) -> int:
        """The supply that is not sent."""
        return sum(self.left)

    def edges(self) -> tuple[tuple[int, int, int], ...]:
        """Return (row, column, amount > 0), sorted."""
        return tuple(
            sorted((i, j, amount) for j, rows in enumerate(self.sent) for i, amount in rows.items())
        )

    def fill(self, allowed: Sequence[Sequence[int]]) -> None:
        """Make the flow maximum; `allowed[i]` lists the columns that row i may send to."""
        while True:
            rows, columns, open_column = self._levels(allowed)
            if not open_column:
                self.reached = (
                    tuple(i for i, level in enumerate(rows) if level >= 0),
                    tuple(j for j, level in enumerate(columns) if level >= 0),
                )
                return
            _Block(self, allowed, rows, columns).run()

    def _levels(self, allowed: Sequence[Sequence[int]]) -> tuple[list[int], list[int], bool]:
        rows = [0 if left else -1 for left in self.left]
        columns = [-1] * len(self.open)
        frontier = [i for i, left in enumerate(self.left) if left]
        depth, found = 0, False
        while frontier and not found:
            seen = []
            for i in frontier:
                for j in allowed[i]:
                    if columns[j] < 0:
                        columns[j] = depth
                        seen.append(j)
                        found = found or self.open[j] > 0
            depth += 1
            frontier = []
            if not found:
                for j in seen:
                    for i in self.sent[j]:
                        if rows[i] < 0:
                            rows[i] = depth
                            frontier.append(i)
        return rows, columns, found


class _Block:
    """One blocking flow: depth-first along rising levels, each arc looked at once."""

    def __init__(
        self, flow: Flow, allowed: Sequence[Sequence[int]], rows: list[int], columns: list[int]
    ) -> None:
        self.flow, self.allowed = flow, allowed
        self.rows, self.columns = rows, columns
        self.next_column = [0] * len(rows)
        self.next_row = [0] * len(columns)
        self.back: list[list[int] | None] = [None] * len(columns)

    def run(self) -> None:
        flow = self.flow
        for start in range(len(self.rows)):
            while flow.left[start] and self.rows[start] == 0:
                path = self._path(start)
                if path is None:
                    break
                self._send(*path)

    def _path(self, start: int) -> tuple[list[int], list[int]] | None:
        """Return rows and columns of a path from a row to an open column, or None."""
        rows, columns = [start], list[int]()
        while rows:
            if len(rows) > len(columns):
                i = rows[-1]
                here, level, k = self.allowed[i], self.rows[i], self.next_column[i]
                while k < len(here) and self.columns[here[k]] != level:
                    k += 1
                self.next_column[i] = k
                if k < len(here):
                    columns.append(here[k])
                    continue
                rows.pop()
                if columns:
                    self.next_row[columns[-1]] += 1
                continue
            j = columns[-1]
            if self.flow.open[j]:
                return rows, columns
            i = self._row_after(j)
            if i >= 0:
                rows.append(i)
                continue
            columns.pop()
            self.next_column[rows[-1]] += 1
        return None

    def _row_after(self, j: int) -> int:
        """Return the next row that sends to column j and lies one level deeper, or -1."""
        known = self.back[j]
        if known is None:
            known = self.back[j] = list(self.flow.sent[j])
        level, k = self.columns[j] + 1, self.next_row[j]
        sent = self.flow.sent[j]
        while k < len(known) and (self.rows[known[k]] != level or known[k] not in sent):
            k += 1
        self.next_row[j] = k
        return known[k] if k < len(known) else -1

    def _send(self, rows: list[int], columns: list[int]) -> None:
        flow = self.flow
        amount = min(flow.left[rows[0]], flow.open[columns[-1]])
        for j, i in zip(columns, rows[1:], strict=False):
            amount = min(amount, flow.sent[j][i])
        flow.left[rows[0]] -= amount
        flow.open[columns[-1]] -= amount
        for i, j in zip(rows, columns, strict=True):
            flow.sent[j][i] = flow.sent[j].get(i, 0) + amount
        for j, i in zip(columns, rows[1:], strict=False):
            flow.sent[j][i] -= amount
            if not flow.sent[j][i]:
                del flow.sent[j][i]
