"""Channels made of channels: in parallel, side by side, one after the other, or one of several."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from itertools import product as tuples
from math import prod
from operator import mul
from typing import ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.channel import (
    MAX_IRRATIONAL,
    Channel,
    check_irrational_size,
    check_size,
    exact_channel,
    read_channel,
)
from pfverify.model.channels.counted import check_counts, counted_law, counted_names
from pfverify.model.channels.entries import (
    Entry,
    Products,
    Reader,
    check_not_negative,
    check_sum_is_one,
    folded,
    over_one_denominator,
    product,
    total,
)
from pfverify.model.channels.parameters import count_key, texts_of
from pfverify.model.keys import NUMBERS, Key
from pfverify.model.names import joined_names, ordered

MAX_DEPTH = 20
"""Most channels inside each other."""
MAX_PRODUCTS = 30_000_000
"""Most products of entries that a cascade may take."""
_FEW = 1000  # different numbers in the parts, whose products may still be few


def _read_parts(value: object) -> list[Channel]:
    entries = ordered(value, "parts", "a list of channels")
    return [read_channel(f"parts[{k}]", entry) for k, entry in enumerate(entries)]


_PARTS = Key(
    "parts", shape={"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/channel"}},
    needed=True, parse=_read_parts, text=lambda parts: [part.canonical() for part in parts],
)  # fmt: skip


class Combined(Channel):
    """A channel that is made of others. Attribute: `parts`, those channels in order."""

    keys: ClassVar[tuple[Key, ...]] = (_PARTS,)
    parts: tuple[Channel, ...]

    @abstractmethod
    def __init__(self, parts: object) -> None:
        """Keep the parts after checking that they fit."""

    def _keep_parts(self, parts: object) -> None:
        """Keep the parts, and how deep they are."""
        found = ordered(parts, "parts", "a list of channels")
        if not found:
            raise InputError("parts: the list is empty, expected at least one channel")
        for k, part in enumerate(found):
            if not exact_channel(part, f"parts[{k}]").written_out:
                raise InputError(
                    f"parts[{k}].kind: {part.kind} is never written out, so that it cannot be "
                    "part of another channel"
                )
        depth = 1 + max(part.depth for part in found)
        if depth > MAX_DEPTH:
            raise InputError(f"parts: more than {MAX_DEPTH} channels inside each other")
        self._keep(parts=tuple(found), depth=depth)

    def _check_entries(self) -> None:
        """Raise InputError where there are too many entries for those of a part not to be rational.

        Rows of which every entry is the same few numbers are none of these: they are kept once.
        """
        irrational = {
            id(entry) for part in self.parts for row in part.rows for entry in row
            if isinstance(entry, Number)
        }  # fmt: skip
        if len(irrational) > _FEW:
            check_irrational_size(len(self.inputs), len(self.outputs), "parts")

    def _common_inputs(self) -> tuple[str, ...]:
        """The inputs of the first part, which all parts must have, in any order."""
        first = self.parts[0].inputs
        for k, part in enumerate(self.parts):
            _check_same(part.inputs, first, f"parts[{k}]", "the inputs of the first part")
        return first


class Composition(Combined):
    """Channels that all see the same input; what they put out is independent given it.

    The outputs are tuples, their names joined by commas. With `copies` all of it comes so many
    times, each of its own draw, and an output is how often each tuple came, as in "3 x a,21 x b":
    the order says nothing more.
    Raises InputError naming the part.
    Example: ``Composition([channel], 2).rows[0]`` is ``(9/16, 3/8, 1/16)`` for a channel of two
    inputs that tells the truth with chance 3/4.
    """

    kind = "composition"
    keys = (
        _PARTS,
        count_key(
            "copies", "all parts come so often, and each output is counted", least=1, needed=False
        ),
    )
    copies: int | None

    def __init__(self, parts: object, copies: object | None = None) -> None:
        self._keep_parts(parts)
        inputs = self._common_inputs()
        size = prod(len(part.outputs) for part in self.parts)
        check_size(len(inputs), size, "parts")
        self._keep(**self._values(copies=copies))
        if self.copies is not None:
            check_counts(len(inputs), size, self.copies, "copies")
        names = joined_names([part.outputs for part in self.parts], "parts")
        if self.copies is not None:
            names = counted_names(names, self.copies, "copies")
        self._keep(inputs=inputs, _outputs=names)

    def released(self, *, bare: bool) -> str:
        """Return what is published of copies."""
        if self.copies is None:
            return super().released(bare=bare)
        return (
            f"{super().released(bare=bare)}; it is published how often each output came of "
            f"{self.copies} copies, as their order tells nothing more"
        )

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products of the parts' rows for the same input, or the laws of counts."""
        self._check_entries()
        products = Products()
        rows = ([part.row(name) for part in self.parts] for name in self.inputs)
        once = (outer(row, products) for row in rows)
        if self.copies is None:
            return tuple(once)
        return tuple(counted_law(row, self.copies, products) for row in once)


class Product(Combined):
    """Channels side by side, each with an input of its own, independent of the others.

    Inputs and outputs are tuples, their names joined by commas.
    Raises InputError naming the part.
    Example: ``Product([channel, channel]).inputs[1]`` is ``"a,b"``.
    """

    kind = "product"

    def __init__(self, parts: object) -> None:
        self._keep_parts(parts)
        rows = prod(len(part.inputs) for part in self.parts)
        check_size(rows, prod(len(part.outputs) for part in self.parts), "parts")
        self._keep(
            inputs=joined_names([part.inputs for part in self.parts], "parts"),
            _outputs=joined_names([part.outputs for part in self.parts], "parts"),
        )

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the products of the parts' rows for each tuple of inputs."""
        self._check_entries()
        products = Products()
        return tuple(outer(rows, products) for rows in tuples(*(part.rows for part in self.parts)))


class Cascade(Combined):
    """Channels one after the other: the outputs of each are the inputs of the next.

    A first part that is given is pre-processing of the next one, a last part post-processing.
    Raises InputError naming the part.
    Example: ``Cascade([channel, channel]).rows[0]`` is ``(5/8, 3/8)`` for a channel of two inputs
    that tells the truth with chance 3/4.
    """

    kind = "cascade"

    def __init__(self, parts: object) -> None:
        self._keep_parts(parts)
        inputs, outputs = self.parts[0].inputs, self.parts[0].outputs
        for k, part in enumerate(self.parts[1:], 1):
            _check_same(part.inputs, outputs, f"parts[{k}]", f"the outputs of parts[{k - 1}]")
            work = len(inputs) * len(outputs) * len(part.outputs)
            if work > MAX_PRODUCTS:
                raise InputError(
                    f"parts[{k}]: multiplying out takes {work} products, at most {MAX_PRODUCTS} "
                    "are taken"
                )
            outputs = part.outputs
            check_size(len(inputs), len(outputs), f"parts[{k}]")
        self._keep(inputs=inputs, _outputs=outputs)

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the product of the matrices."""
        self._check_entries()
        rows, outputs = self.parts[0].rows, self.parts[0].outputs
        for part in self.parts[1:]:
            rows = multiplied(rows, [part.row(name) for name in outputs])
            outputs = part.outputs
        return rows


class ChannelMixture(Combined):
    """One of several channels, chosen at random; the choice is hidden (a mixture).

    Parameters: `parts`, channels with the same inputs; `weights`, the chance of each, summing to
    exactly 1. The outputs are those of all parts, in the order in which they first appear.
    Raises InputError naming the part or the weight.
    Example: ``ChannelMixture([channel, channel], ["1/3", "2/3"]).rows == channel.rows`` is True.
    """

    kind = "mixture"
    keys = (
        _PARTS,
        Key(
            "weights", "the chance of each part, summing to 1", NUMBERS, needed=True,
            kept="_written", text=texts_of,
        ),
    )  # fmt: skip
    weights: tuple[Entry, ...]

    def __init__(self, parts: object, weights: object = ()) -> None:
        self._keep_parts(parts)
        inputs = self._common_inputs()
        names = tuple(dict.fromkeys(name for part in self.parts for name in part.outputs))
        check_size(len(inputs), len(names), "parts")
        given = ordered(weights, "weights", "a list of numbers")
        if len(given) != len(self.parts):
            count = len(self.parts)
            raise InputError(f"weights: {len(given)} of them, expected {count}, one for each part")
        reader = Reader()
        written = tuple(reader.read(weight, f"weights[{k}]") for k, weight in enumerate(given))
        for k, weight in enumerate(written):
            check_not_negative(weight, f"weights[{k}]")
        check_sum_is_one(written, "weights", "the list")
        self._keep(
            inputs=inputs, _outputs=names, weights=tuple(map(folded, written)), _written=written
        )

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the weighted sums of the parts' rows."""
        self._check_entries()
        place = {name: k for k, name in enumerate(self.outputs)}
        places = [[place[name] for name in part.outputs] for part in self.parts]
        rows = []
        for name in self.inputs:
            terms: list[list[Entry]] = [[] for _ in self.outputs]
            for weight, part, where in zip(self.weights, self.parts, places, strict=True):
                for k, entry in zip(where, part.row(name), strict=True):
                    if entry and weight:
                        terms[k].append(product(weight, entry))
            rows.append(tuple(map(total, terms)))
        return tuple(rows)

    _written: tuple[Entry, ...]


def outer(rows: Sequence[tuple[Entry, ...]], products: Products) -> tuple[Entry, ...]:
    """Return the products of one entry of each row, the last row changing fastest.

    Example: ``outer([(Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3),)], Products())`` is
    ``(1/6, 1/6)``.
    """
    found = rows[0]
    for row in rows[1:]:
        found = tuple(products.of(one, other) for one in found for other in row)
    return found


def multiplied(
    rows: Sequence[Sequence[Entry]], others: Sequence[Sequence[Entry]]
) -> tuple[tuple[Entry, ...], ...]:
    """Return the product of two matrices, in whole numbers where both are rational.

    Raises InputError where they are not and it would take too long.
    Example: ``multiplied([[Fraction(1, 2), Fraction(1, 2)]], [[Fraction(1)], [Fraction(1, 2)]])``
    is ``((3/4,),)``.
    """
    columns = list(zip(*others, strict=True))
    left, right = [list(map(over_one_denominator, lines)) for lines in (rows, columns)]
    whole_left = [row for row in left if row is not None]
    whole_right = [column for column in right if column is not None]
    if len(whole_left) == len(left) and len(whole_right) == len(right):
        return tuple(
            tuple(
                Fraction(sum(map(mul, tops, others_tops)), bottom * others_bottom)
                for others_tops, others_bottom in whole_right
            )
            for tops, bottom in whole_left
        )
    work = len(rows) * len(others) * len(columns)
    if work > MAX_IRRATIONAL:
        raise InputError(
            f"parts: multiplying out takes {work} products of entries that are not all rational, "
            f"at most {MAX_IRRATIONAL} of these are taken"
        )
    products = Products()
    return tuple(
        tuple(total(products.of(a, b) for a, b in zip(row, column, strict=True) if a and b)
              for column in columns)
        for row in rows
    )  # fmt: skip


def _check_same(found: Sequence[str], expected: Sequence[str], where: str, what: str) -> None:
    """Raise InputError unless the inputs of a part are these names, in any order."""
    known = set(expected)
    for name in found:
        if name not in known:
            raise InputError(f"{where}: its input {shorten(name, 30)!r} is none of {what}")
    missing = known - set(found)
    if missing:
        name = next(name for name in expected if name in missing)
        raise InputError(f"{where}: it has no input {shorten(name, 30)!r}, one of {what}")
