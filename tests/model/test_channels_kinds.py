"""Every kind of channel against brute force from its definition, and what each refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product as tuples
from math import prod
from random import Random
from typing import Any

import pytest
from support.channel_tables import BUDGET, PLANE, RESPONSE, SCORES, TABLES, TUPLING

from pfverify import Channel, Finite, InputError
from pfverify.exact.number import Number, number
from pfverify.model.channels.combined import Cascade, ChannelMixture, Composition, Product
from pfverify.model.channels.entries import Entry, as_number, sign_of, total
from pfverify.model.channels.exponential import ExponentialMechanism
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.planar import Planar
from pfverify.model.channels.randomized_response import RandomizedResponse
from pfverify.model.channels.rappor import Rappor
from pfverify.model.channels.released import released
from pfverify.model.channels.truncated_geometric import TruncatedGeometric
from pfverify.model.channels.tupling import Tupling

F = Fraction
def names(table: dict[str, Any]) -> str:
    return json.dumps(table)[9:70]


def message(make: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        make()
    text = str(caught.value)
    assert text.splitlines() == [text]
    assert len(text) < 200
    return text


def same(found: Entry, expected: Entry) -> bool:
    return found == expected or (as_number(found) - as_number(expected)).sign() == 0


def random_matrix(rng: Random, inputs: Sequence[str], outputs: Sequence[str]) -> Matrix:
    rows = []
    for _ in inputs:
        weights = [rng.choice([0, 1, 2, 5, 7]) for _ in outputs]
        weights[rng.randrange(len(weights))] += 1
        rows.append([F(weight, sum(weights)) for weight in weights])
    return Matrix(inputs, outputs, rows)


# ---------------------------------------------------------------- every kind


@pytest.mark.parametrize("table", TABLES, ids=names)
def test_rows_sum_to_exactly_one(table: dict[str, Any]) -> None:
    channel = Channel.of(table)
    assert len(channel.rows) == len(channel.inputs)
    for name, row in zip(channel.inputs, channel.rows, strict=True):
        assert len(row) == len(channel.outputs)
        assert all(sign_of(entry) in (0, 1) for entry in row)
        assert sign_of(total([*row, F(-1)])) == 0
        assert channel.row(name) is row
        for entry in row:  # what is rational is a Fraction
            assert isinstance(entry, Fraction) or (
                entry.linear is None or entry.linear.as_rational() is None
            )


@pytest.mark.parametrize("table", [*TABLES, TUPLING, TUPLING | {"dummy": "uniform"},
    TUPLING | {"dummy": {"b": "1", "a": "0"}}], ids=names)  # fmt: skip
def test_a_channel_writes_the_table_that_it_reads(table: dict[str, Any]) -> None:
    channel = Channel.of(table)
    assert channel.to_table() == table
    assert channel.canonical() == table
    again = Channel.of(json.loads(json.dumps(table)))
    assert again == channel
    assert hash(again) == hash(channel)
    assert repr(channel).startswith(type(channel).__name__)


def a_chance(rng: Random) -> str:
    bottom = rng.randint(1, 7)
    return f"{rng.randint(0, bottom)}/{bottom}"


def a_simple_table(rng: Random, inputs: list[str]) -> dict[str, Any]:
    """A rational channel with these inputs."""
    epsilon = f"log({rng.randint(1, 9)})"
    outputs = rng.sample("uvwxyz", rng.randint(1, 3))
    codes = {x: f"{rng.randint(0, 3):02b}" for x in inputs}
    return rng.choice([
        {"kind": "randomized-response", "inputs": inputs, "epsilon": epsilon},
        {"kind": "randomized-response", "inputs": inputs, "truth": a_chance(rng)},
        {"kind": "rappor", "inputs": inputs, "flip": a_chance(rng), "codes": codes},
        {"kind": "rappor", "inputs": inputs, "flip": a_chance(rng), "one": a_chance(rng),
         "zero": a_chance(rng), "codes": codes},
        {"kind": "exponential", "inputs": inputs, "outputs": outputs, "epsilon": epsilon,
         "sensitivity": "1/2", "scores": [[rng.randint(-2, 2) for _ in outputs] for _ in inputs]},
        {"kind": "planar", "points": {x: [k, 0] for k, x in enumerate(inputs)},
         "grid": {y: [rng.randint(-2, 3), 0] for y in outputs}, "epsilon": epsilon},
    ])  # fmt: skip


def a_table(rng: Random, inputs: list[str]) -> dict[str, Any]:
    """The same, perhaps made of two."""
    first, second = a_simple_table(rng, inputs), a_simple_table(rng, inputs[::-1])
    told = sorted(Channel.of(first).outputs)
    after = {"kind": "matrix", "inputs": told, "outputs": ["m"], "rows": [[1]] * len(told)}
    if len(told) > 1:
        after = a_simple_table(rng, told)
    return rng.choice([
        first,
        {"kind": "composition", "parts": [first, second]},
        {"kind": "product", "parts": [first, second]},
        {"kind": "cascade", "parts": [first, after]},
        {"kind": "mixture", "parts": [first, second], "weights": ["1/3", "2/3"]},
    ])  # fmt: skip


@pytest.mark.parametrize("count", [120, pytest.param(400, marks=pytest.mark.long)])
def test_random_channels_are_stochastic_and_come_back(count: int) -> None:
    rng = Random("random channels")
    seen = set()
    for _ in range(count):
        table = a_table(rng, rng.sample("abcde", rng.randint(2, 4)))
        channel = Channel.of(table)
        seen.add(channel.kind)
        for row in channel.rows:
            assert all(type(entry) is Fraction and entry >= 0 for entry in row)
            assert sum(row) == 1  # type: ignore[arg-type]
        again = Channel.of(json.loads(json.dumps(channel.to_table())))
        assert again == channel
        assert again.rows == channel.rows
        assert again.outputs == channel.outputs
    assert len(seen) >= 8


def test_every_kind_is_there() -> None:
    assert {table["kind"] for table in TABLES} | {"tupling"} == set(CHANNELS)


UNSPELLED = "kind", "inputs", "outputs", "codes", "variant"  # no numbers


def spelled(value: Any) -> Any:
    """The same table with its numbers spelled otherwise."""
    if isinstance(value, dict):
        return {key: part if key in UNSPELLED else spelled(part)
                for key, part in value.items()}  # fmt: skip
    if isinstance(value, list):
        return [spelled(part) for part in value]
    if isinstance(value, str) and value != "uniform":
        fraction = number(value).fraction
        if fraction is None:
            return f"({value})" if value.startswith("(") else f" {value}"
        return f"{3 * fraction.numerator}/{3 * fraction.denominator}"
    return value


@pytest.mark.parametrize("table", [*TABLES, TUPLING | {"dummy": {"b": ".5", "a": "2/4"}}],
                         ids=names)  # fmt: skip
def test_the_canonical_form_does_not_know_how_numbers_were_spelled(table: dict[str, Any]) -> None:
    other = spelled(table)
    assert other != table
    assert Channel.of(other).canonical() == Channel.of(table).canonical()


# ---------------------------------------------------------------- each from its definition


@pytest.mark.parametrize("instantaneous", [False, True])
def test_rappor_is_the_sum_over_the_permanent_bits(instantaneous: bool) -> None:
    rng = Random("rappor")
    for _ in range(6):
        length = rng.randint(1, 4)
        codes = {x: "".join(rng.choice("01") for _ in range(length)) for x in "abc"}
        f, q, p = (F(rng.randint(0, 6), 6) for _ in range(3))
        also = {"one": q, "zero": p} if instantaneous else {}
        channel = Rappor(list("abc"), f, **also, codes=codes)
        assert channel.outputs == tuple("".join(bits) for bits in tuples("01", repeat=length))
        for x, code in codes.items():
            for y, found in zip(channel.outputs, channel.row(x), strict=True):
                expected = F(0)
                for permanent in tuples("01", repeat=length):
                    kept = prod(
                        f / 2 + (1 - f if was == now else 0)
                        for was, now in zip(code, permanent, strict=True)
                    )
                    if not instantaneous:
                        expected += kept if "".join(permanent) == y else 0
                        continue
                    one = {"1": q, "0": p}
                    expected += kept * prod(
                        one[bit] if told == "1" else 1 - one[bit]
                        for bit, told in zip(permanent, y, strict=True)
                    )
                assert found == expected


def test_rappor_is_one_hot_in_the_order_of_the_inputs() -> None:
    channel = Rappor(["a", "b", "c"], 0)
    assert channel.codes == ("100", "010", "001")
    for x, code in zip(channel.inputs, channel.codes, strict=True):
        assert dict(zip(channel.outputs, channel.row(x), strict=True))[code] == 1
    assert len(Rappor([str(k) for k in range(12)], "1/2").outputs) == 4096


@pytest.mark.parametrize("size", [2, 3, 6])
@pytest.mark.parametrize("t", ["1/2", "9/10", "1/1000"])
def test_the_truncated_geometric_is_the_geometric_folded_at_the_ends(size: int, t: str) -> None:
    """Of the tails beyond the ends the first `far` terms are summed, and the rest bounded."""
    ratio, far = F(t), 60
    channel = TruncatedGeometric(size, ratio=ratio)
    assert channel.inputs == channel.outputs == tuple(map(str, range(size)))

    def mass(k: int) -> Fraction:
        return (1 - ratio) / (1 + ratio) * ratio ** abs(k)

    rest = ratio ** (far + 1) / (1 + ratio)
    for x, row in enumerate(channel.rows):
        for y in range(1, size - 1):
            assert row[y] == mass(y - x)
        low = sum(mass(k) for k in range(-x - far + x, -x + 1))
        high = sum(mass(k) for k in range(size - 1 - x, far + 1))
        for found, near in ((row[0], low), (row[-1], high)):
            assert isinstance(found, Fraction)
            assert abs(found - near - rest) < ratio**far * far
    columns = zip(*channel.rows, strict=True)
    worst = max(max(column) / min(column) for column in columns)  # type: ignore[type-var,operator]
    assert worst == ratio ** -(size - 1)


def test_the_geometric_by_epsilon_or_by_ratio() -> None:
    assert TruncatedGeometric(4, "log(3)").rows == TruncatedGeometric(4, ratio="1/3").rows
    one, other = TruncatedGeometric(4, "1/2").rows, TruncatedGeometric(4, ratio="exp(-1/2)").rows
    for row, also in zip(one, other, strict=True):
        assert all(same(a, b) for a, b in zip(row, also, strict=True))
    big = TruncatedGeometric(1000, ratio="1/2").rows
    assert big[3][10] == F(1, 3) / 2**7
    assert sum(big[500]) == 1  # type: ignore[arg-type]


def test_the_exponential_mechanism() -> None:
    channel = Channel.of(SCORES)  # sensitivity 2: e**(log(2) u/4)
    for row, scores in zip(channel.rows, [[0, 1, F(1, 2)], [1, -1, 0]], strict=True):
        for found, score in zip(row, scores, strict=True):
            text = "+".join(f"exp(log(2)*({other - score})/4)" for other in scores)
            assert same(found, number(f"1/({text})"))
    assert Channel.of(SCORES | {"sensitivity": 2}).rows == channel.rows
    even = ExponentialMechanism(["a"], ["x", "y"], [["sqrt(2)", "sqrt(2)"]], 5, 1)
    assert even.rows == ((F(1, 2), F(1, 2)),)
    logs = ExponentialMechanism(["a", "b"], ["x", "y"], [["log(2)", 0], [0, "log(3)"]], 2, 1)
    assert logs.rows == ((F(2, 3), F(1, 3)), (F(1, 4), F(3, 4)))
    known = ExponentialMechanism(["a", "b"], ["x", "y"], [["log(2)", 0], [0, "log(3)"]], 2)
    assert known.sensitivity == number("log(3)")


def test_a_place_of_the_grid_may_be_a_point() -> None:
    channel = Planar({"a": ["1/2"], "b": ["3/2"]}, "log(2)", {"x": ["-1/2"], "y": ["1/2"]})
    assert channel.rows == ((F(1, 3), F(2, 3)), (F(1, 3), F(2, 3)))


def test_the_planar_mechanism() -> None:
    channel = Planar(PLANE, "log(2)")
    distances = {"aa": "0", "ab": "5", "ac": "sqrt(2)", "bb": "0", "bc": "sqrt(13)", "cc": "0"}
    for x, row in zip(channel.inputs, channel.rows, strict=True):
        away = {y: distances["".join(sorted((x, y)))] for y in "abc"}
        whole = "+".join(f"exp(-log(2)*{d})" for d in away.values())
        for y, found in zip(channel.outputs, row, strict=True):
            assert same(found, number(f"exp(-log(2)*{away[y]})/({whole})"))
    on_line = Planar({"0": [0], "2": [2]}, "log(3)", {"m": [-1], "n": [4]})
    assert on_line.rows == ((F(27, 28), F(1, 28)), (F(1, 4), F(3, 4)))
    alike = Planar({"o": [0, 0]}, 1, {"n": [0, 1], "e": [1, 0], "w": [-1, 0]})
    assert alike.rows == ((F(1, 3),) * 3,)
    far = Planar({"o": [0, 0]}, "log(2)", {"n": [1, 1], "e": [2, 2]})
    assert same(far.rows[0][0], number("exp(sqrt(2)*log(2))/(1+exp(sqrt(2)*log(2)))"))


# ---------------------------------------------------------------- channels made of channels


def test_composition_product_cascade_and_mixture_are_brute_force() -> None:
    rng = Random("combined")
    for _ in range(40):
        inputs, middle = list("abc")[: rng.randint(1, 3)], list("mno")[: rng.randint(1, 3)]
        one, two = random_matrix(rng, inputs, middle), random_matrix(rng, inputs[::-1], ["x", "m"])
        next_one = random_matrix(rng, middle[::-1], ["x", "y"])

        both = Composition([one, two])
        assert both.inputs == one.inputs
        for x in inputs:
            law = dict(zip(both.outputs, both.row(x), strict=True))
            for (y, p), (z, q) in tuples(zip(one.outputs, one.row(x), strict=True),
                                         zip(two.outputs, two.row(x), strict=True)):  # fmt: skip
                assert law[f"{y},{z}"] == p * q  # type: ignore[operator]

        beside = Product([one, two])
        for x, v in tuples(one.inputs, two.inputs):
            law = dict(zip(beside.outputs, beside.row(f"{x},{v}"), strict=True))
            for (y, p), (z, q) in tuples(zip(one.outputs, one.row(x), strict=True),
                                         zip(two.outputs, two.row(v), strict=True)):  # fmt: skip
                assert law[f"{y},{z}"] == p * q  # type: ignore[operator]

        after = Cascade([one, next_one])
        for x in inputs:
            law = dict(zip(after.outputs, after.row(x), strict=True))
            for k, z in enumerate(next_one.outputs):
                assert law[z] == sum(
                    p * next_one.row(y)[k]  # type: ignore[operator]
                    for y, p in zip(one.outputs, one.row(x), strict=True)
                )

        hidden = ChannelMixture([one, two], ["1/3", "2/3"])
        assert hidden.outputs == tuple(dict.fromkeys([*one.outputs, *two.outputs]))
        for x in inputs:
            law = dict(zip(hidden.outputs, hidden.row(x), strict=True))
            first = dict(zip(one.outputs, one.row(x), strict=True))
            second = dict(zip(two.outputs, two.row(x), strict=True))
            for y, found in law.items():
                assert found == first.get(y, F(0)) / 3 + second.get(y, F(0)) * 2 / 3  # type: ignore[operator]


def test_irrational_parts_fold_where_they_cancel() -> None:
    response = RandomizedResponse(["a", "b"], epsilon="1/2")
    twice = Cascade([response, response])
    p = number("exp(1/2)/(1+exp(1/2))")
    one = Number.of_rational(1)
    assert same(twice.rows[0][0], p * p + (one - p) * (one - p))
    swapped = Matrix(["a", "b"], ["a", "b"], [[0, 1], [1, 0]])
    even = ChannelMixture([response, Cascade([response, swapped])], ["1/2", "1/2"])
    assert all(same(entry, F(1, 2)) for row in even.rows for entry in row)
    assert Cascade([response]).rows == response.rows
    joined = Composition([response, response])
    assert same(total([*joined.rows[0], F(-1)]), F(0))
    assert same(joined.rows[0][1], joined.rows[0][2])


def test_too_many_irrational_entries_are_refused_before_they_are_multiplied_out() -> None:
    line = Planar({str(k): [k * k] for k in range(40)}, 1)
    beside = Product([line, line])
    assert message(lambda: beside.rows) == (
        "parts: 1600 inputs and 1600 outputs are 2560000 entries that are not all rational, at "
        "most 1000000 of these are written out"
    )
    after = Cascade([RandomizedResponse([str(k) for k in range(101)], epsilon=1)] * 2)
    assert message(lambda: after.rows) == (
        "parts: multiplying out takes 1030301 products of entries that are not all rational, at "
        "most 1000000 of these are taken"
    )
    few = Composition([RandomizedResponse([str(k) for k in range(100)], epsilon=1)] * 2)
    assert few.rows[3][7] is few.rows[3][8]  # one number, however many entries


def test_tupling_is_never_written_out() -> None:
    mechanism = Tupling(RandomizedResponse(["a", "b"], truth="3/4"), 20, {"b": "1/3", "a": "2/3"})
    assert mechanism.inputs == ("a", "b")
    assert mechanism.dummies == 20
    assert mechanism.dummy == (F(2, 3), F(1, 3))
    said = ("size: the outputs are the tuples of 21 of 2 names, and at most 4000000 entries are "
            "written out")  # fmt: skip
    assert message(lambda: mechanism.rows) == said
    assert message(lambda: mechanism.outputs) == said
    assert Tupling(Planar(PLANE, 1), 1).dummy == (F(1, 3),) * 3
    assert Tupling(Planar(PLANE, 1), 10**30).dummies == 10**30
    assert message(lambda: Tupling(mechanism, 2)) == (
        "base.kind: tupling is never written out, expected another kind"
    )


# ---------------------------------------------------------------- the law that is released


def test_the_released_law_is_the_mean_of_the_rows() -> None:
    rng = Random("released")
    for _ in range(30):
        inputs = list("abcd")[: rng.randint(1, 4)]
        channel = random_matrix(rng, inputs, list("xyz"))
        prior = Finite(counts={x: rng.randint(0, 3) for x in inputs} | {inputs[0]: 2})
        law = released(channel, prior.mass)
        assert law == tuple(
            sum(mass * channel.row(x)[k] for x, mass in prior.mass.items()) for k in range(3)  # type: ignore[operator]
        )
        assert sum(law) == 1  # type: ignore[arg-type]
    response = RandomizedResponse(["a", "b"], epsilon=1)
    assert released(response, {"a": F(1), "b": F(0)}) == response.rows[0]
    even = released(response, {"a": F(1, 2), "b": F(1, 2)})
    assert all(same(mass, F(1, 2)) for mass in even)
    assert all(type(mass) is Fraction for mass in even)


# ---------------------------------------------------------------- bad input

RAPPOR = {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2"}
GEOMETRIC = {"kind": "truncated-geometric", "size": 3}
PLANAR = {"kind": "planar", "points": PLANE, "epsilon": 1}
PAIR = {"kind": "composition", "parts": [RESPONSE, RESPONSE]}
MIXTURE = {"kind": "mixture", "parts": [RESPONSE, RESPONSE]}
OTHER = {**RESPONSE, "inputs": ["a", "c"]}
COMMA = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["x", "x,x"], "rows": [[1, 0]] * 2}

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "flip": (RAPPOR | {"flip": "3/2"}, "flip: 3/2 is outside [0, 1]"),
    "one": (RAPPOR | {"one": "1/2"}, "zero: missing, expected both of one and zero, or neither"),
    "zero": (RAPPOR | {"zero": "1/2"}, "one: missing, expected both of one and zero, or neither"),
    "one of": (RAPPOR | {"one": "-1/2", "zero": 0}, "one: -1/2 is outside [0, 1]"),
    "no code": (RAPPOR | {"codes": {"a": "01"}}, "codes: 'b' has no code"),
    "no input": (RAPPOR | {"codes": {"a": "01", "b": "10", "c": "11"}},
                 "codes: 'c' is no input of the channel, expected one of a, b"),
    "bits": (RAPPOR | {"codes": {"a": "012", "b": "100"}},
             "codes.a: '012' is no text of bits, as in 0110"),
    "number": (RAPPOR | {"codes": {"a": 10, "b": "10"}},
               "codes.a: '10' is no text of bits, as in 0110"),
    "long": (RAPPOR | {"codes": {"a": "0" * 13, "b": "1" * 13}},
             "codes: codes of 13 bits, at most 12 are written out"),
    "uneven": (RAPPOR | {"codes": {"a": "01", "b": "1"}},
               "codes.b: as many bits as 'a' has, 2, were expected"),
    "no codes": (RAPPOR | {"codes": "01"}, "codes: expected a table input -> bits, got str"),
    "many inputs": ({"kind": "rappor", "inputs": [f"v{k}" for k in range(977)], "flip": 0,
                     "codes": {f"v{k}": "0" * 12 for k in range(977)}},
                    "inputs: 977 inputs and 4096 outputs are 4001792 entries, at most 4000000 are "
                    "written out"),
    "size": (GEOMETRIC | {"size": 1, "ratio": "1/2"}, "size: 1 is no whole number >= 2"),
    "size text": (GEOMETRIC | {"size": "3", "ratio": "1/2"}, "size: 3 is no whole number >= 2"),
    "size true": (GEOMETRIC | {"size": True, "ratio": "1/2"}, "size: True is no whole number >= 2"),
    "size large": (GEOMETRIC | {"size": 10**9, "ratio": "1/2"},
                   "size: 1000000000 inputs and 1000000000 outputs are 1000000000000000000 "
                   "entries, at most 4000000 are written out"),
    "size bits": (GEOMETRIC | {"size": 2000, "ratio": "1e-20"},
                  "size: the entries of 2000 inputs have about 134000 bits at this ratio, at most "
                  "100000 are kept"),
    "powers": ({"kind": "truncated-geometric", "size": 2000, "epsilon": "1e8"},
               "epsilon: exp(-199900000000): the argument must be below 1e9 in size"),
    "ratio": (GEOMETRIC | {"ratio": 1}, "ratio: 1 is outside (0, 1)"),
    "ratio 0": (GEOMETRIC | {"ratio": "0"}, "ratio: 0 is outside (0, 1)"),
    "both": (GEOMETRIC | {"ratio": "1/2", "epsilon": 1},
             "epsilon: expected exactly one of epsilon and ratio, got both"),
    "neither": (GEOMETRIC, "epsilon: expected exactly one of epsilon and ratio, got neither"),
    "epsilon 0": (GEOMETRIC | {"epsilon": "log(4)-2*log(2)"},
                  "epsilon: (log(4)-(2*log(2))) is exactly 0, expected a number > 0"),
    "epsilon": (GEOMETRIC | {"epsilon": -1}, "epsilon: -1 is negative, expected a number >= 0"),
    "alike": (SCORES | {"scores": [[1, 2, 3]] * 2},
              "sensitivity: the scores are the same for all inputs, so there is no default; "
              "expected a number > 0"),
    "sensitivity": (SCORES | {"sensitivity": 0}, "sensitivity: 0 is not > 0"),
    "negative": (SCORES | {"sensitivity": "-exp(1)"}, "sensitivity: (-exp(1)) is not > 0"),
    "scores": (SCORES | {"scores": [[1, 2, 3]]},
               "scores: 1 rows, expected 2, one for each input"),
    "score": (SCORES | {"scores": [[1, 2, 3], [1, 2, "x"]]},
              "scores[1]: cannot read 'x' as a number: unexpected 'x' (expected digits, exp( ), "
              "log( ), sqrt( ), + - * / and parentheses)"),
    "points": (PLANAR | {"points": {"a": ["0"], "b": ["1", "2"]}},
               "points: they have different numbers of coordinates"),
    "no points": (PLANAR | {"points": {}}, "points: there is none, expected at least 1"),
    "empty": (PLANAR | {"points": {"a": []}},
              "points: the lists are empty, expected at least one coordinate"),
    "list": (PLANAR | {"points": ["a"]}, "points: expected a table name -> coordinates, got list"),
    "coordinate": (PLANAR | {"points": {"a": ["sqrt(2)"]}},
                   "points.a: expected a rational number, got sqrt(2)"),
    "irrational": (PLANAR | {"points": {str(k): [k, 0] for k in range(1001)}},
                   "points: 1001 inputs and 1001 outputs are 1002001 entries that are not all "
                   "rational, at most 1000000 of these are written out"),
    "keyed place": (PLANAR | {"points": {"a": {"1": 0}}},
                    "points.a: expected a list of coordinates, got \"{'1': 0}\""),
    "grid": (PLANAR | {"grid": {"x": ["1"]}}, "grid: expected 2 coordinates each, as points have"),
    "parts": (PAIR | {"parts": []}, "parts: the list is empty, expected at least one channel"),
    "no part": (PAIR | {"parts": [RESPONSE, 3]},
                "parts[1]: expected a table of a channel, got int"),
    "no parts": (PAIR | {"parts": "ab"}, "parts: expected a list of channels, got 'ab'"),
    "keyed": (PAIR | {"parts": {"a": 1}},
              "parts: expected a list of channels, got \"{'a': 1}\""),
    "keyed scores": (SCORES | {"scores": [[1, 2, 3], {"1": 1, "2": 2, "3": 3}]},
                     "scores[1]: expected a list of numbers, got \"{'1': 1, '2': 2, '3': 3}\""),
    "in a part": (PAIR | {"parts": [RESPONSE, {**RESPONSE, "truth": 2}]},
                  "parts[1].truth: 2 is outside [0, 1]"),
    "notion": (PAIR | {"parts": [RESPONSE, {**RESPONSE, "notion": "dp"}]},
               "parts[1]: unknown key 'notion'; expected one of kind, inputs, epsilon, truth"),
    "tupling": (PAIR | {"parts": [RESPONSE, TUPLING]},
                "parts[1].kind: tupling is never written out, so that it cannot be part of another "
                "channel"),
    "inputs": (PAIR | {"parts": [RESPONSE, OTHER]},
               "parts[1]: its input 'c' is none of the inputs of the first part"),
    "fewer": (PAIR | {"parts": [{**RESPONSE, "inputs": ["a", "b", "c"]}, RESPONSE]},
              "parts[1]: it has no input 'c', one of the inputs of the first part"),
    "ambiguous": (PAIR | {"parts": [COMMA, COMMA]},
                  "parts: ('x', 'x,x') and ('x,x', 'x') are both called 'x,x,x'; rename a part"),
    "composed": (PAIR | {"parts": [RESPONSE] * 21},
                 "parts: 2 inputs and 2097152 outputs are 4194304 entries, at most 4000000 are "
                 "written out"),
    "product": ({"kind": "product", "parts": [RESPONSE] * 11},
                "parts: 2048 inputs and 2048 outputs are 4194304 entries, at most 4000000 are "
                "written out"),
    "cascade": ({"kind": "cascade", "parts": [RESPONSE, OTHER]},
                "parts[1]: its input 'c' is none of the outputs of parts[0]"),
    "work": ({"kind": "cascade", "parts": [GEOMETRIC | {"size": 400, "ratio": "1/2"}] * 2},
             "parts[1]: multiplying out takes 64000000 products, at most 30000000 are taken"),
    "weights": (MIXTURE | {"weights": ["1/2", "1/3"]},
                "weights: the list sums to 5/6, which is 1/6 less than 1, expected exactly 1"),
    "weight": (MIXTURE | {"weights": ["3/2", "-1/2"]},
               "weights[1]: -1/2 is negative, expected a number >= 0"),
    "few weights": (MIXTURE | {"weights": [1]},
                    "weights: 1 of them, expected 2, one for each part"),
    "dummies": (TUPLING | {"dummies": 0}, "dummies: 0 is no whole number >= 1"),
    "half": (TUPLING | {"dummies": "1/2"}, "dummies: 1/2 is no whole number >= 1"),
    "dummy": (TUPLING | {"dummy": {"a": "1/2"}},
              "dummy: the table sums to 1/2, which is 1/2 less than 1, expected exactly 1"),
    "dummy name": (TUPLING | {"dummy": {"c": 1}},
                   "dummy: 'c' is no output of the channel, expected one of a, b"),
    "dummy less": (TUPLING | {"dummy": {"a": "3/2", "b": "-1/2"}},
                   "dummy.b: -1/2 is negative, expected a number >= 0"),
    "dummy word": (TUPLING | {"dummy": "even"},
                   "dummy: expected uniform or a table output -> mass, got 'even'"),
    "base": (TUPLING | {"base": {**RESPONSE, "truth": 2}}, "base.truth: 2 is outside [0, 1]"),
    "base of base": (TUPLING | {"base": TUPLING},
                     "base.kind: tupling is never written out, expected another kind"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_in_one_line_that_begins_with_the_key(name: str) -> None:
    table, said = BAD[name]
    assert message(lambda: Channel.of(table)) == f"channel.{said}"


@pytest.mark.parametrize("epsilon", ["1e10", "1e4000", "1e10*log(3)"])
@pytest.mark.parametrize("table", [BUDGET, GEOMETRIC, SCORES, PLANAR], ids=lambda t: t["kind"])
def test_huge_exponents_are_told_at_once(table: dict[str, Any], epsilon: str) -> None:
    said = message(lambda: Channel.of(table | {"epsilon": epsilon}))
    assert said.startswith("channel.epsilon: exp(")
    assert "must be below 1e9" in said


def test_channels_are_not_nested_without_end() -> None:
    table: dict[str, Any] = RESPONSE
    for _ in range(19):
        table = {"kind": "cascade", "parts": [table]}
    assert Channel.of(table).rows == Channel.of(RESPONSE).rows
    table = {"kind": "cascade", "parts": [table]}
    assert "more than 20 channels inside each other" in message(lambda: Channel.of(table))
    for _ in range(2000):
        table = {"kind": "cascade", "parts": [table]}
    with pytest.raises(InputError, match=r"nested too deeply|inside each other"):
        Channel.of(table)
    with pytest.raises(InputError, match=r"^parts\[0\]: expected a channel, got dict$"):
        Cascade([RESPONSE])
    with pytest.raises(InputError, match=r"^base: expected a channel, got dict$"):
        Tupling(RESPONSE, 1)
