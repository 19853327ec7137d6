"""Notions, relations, distances and metrics of channels, and what is said of bad ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from contract.channel_cases import law

from pfverify import Channel, Discrete, Finite, InputError, Laplace, Problem, Protection, certify
from pfverify.decide.targets import distance, target_of
from pfverify.model.digest import problem_digest
from pfverify.model.places import Ground
from pfverify.model.toml import toml_text

RESPONSE = {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}
MASSES = {"home": {"kind": "finite", "mass": {"a": "1/2", "b": "1/2"}},
          "out": {"kind": "finite", "mass": {"a": "1", "b": "0"}}}  # fmt: skip
NUMBERS = {"kind": "randomized-response", "inputs": ["0", "3"], "truth": "3/4"}


def table(channel: dict[str, Any], priors: dict[str, Any] | None = None, **top: Any) -> Any:
    made: dict[str, Any] = {"schema": "pfverify/problem/1", "epsilon": "1", **top}
    return made | {"channel": channel} | ({} if priors is None else {"priors": priors})


BAD = {
    "a notion there is not": (table({**RESPONSE, "notion": "ldp"}), "channel.notion: 'ldp' is unk"),
    "priors with dp": (table({**RESPONSE, "notion": "dp"}, MASSES), "priors: the notion dp comp"),
    "no priors with distp": (table({**RESPONSE, "notion": "distp"}), "a problem takes exactly one"),
    "pairs with dp": (table(RESPONSE, pairs=[["a", "b"]]), "pairs: not with a notion of inputs"),
    "a relation with distp": (
        table({**RESPONSE, "inputs_related": "all"}, MASSES),
        "channel.inputs_related: not with the notion distp",
    ),
    "a metric with dp": (
        table({**RESPONSE, "metric": "distance"}), "channel.metric: not with the notion dp",
    ),
    "points with dp": (
        table({**RESPONSE, "points": {"a": [0], "b": [1]}}),
        "channel.points: not with the notion dp",
    ),
    "inputs without places": (
        table({**RESPONSE, "notion": "xdp"}), "channel.distance: the input 'a' is no number",
    ),
    "an input without a point": (
        table({**RESPONSE, "notion": "xdp", "points": {"a": [0, 1]}}),
        "channel.points: the input 'b' has no point",
    ),
    "a point of no input": (
        table({**RESPONSE, "notion": "xdp", "points": {"a": [0], "b": [1], "c": [2]}}),
        "channel.points: 'c' is no input of the channel",
    ),
    "points of two spaces": (
        table({**RESPONSE, "notion": "xdp", "points": {"a": [0], "b": [1, 2]}}),
        "channel.points: they have different numbers",
    ),
    "a pair without a distance": (
        table({**RESPONSE, "inputs": ["a", "b", "c"], "notion": "xdp",
               "distance": [["a", "b", 1], ["a", "c", 1]]}),
        "distance: no distance of 'b' and 'c'",
    ),
    "a negative distance": (
        table({**RESPONSE, "notion": "xdp", "metric": [["a", "b", -1]]}),
        "channel.metric: a, b: -1, expected a number >= 0",
    ),
    "a distance twice": (
        table({**RESPONSE, "notion": "xdp", "metric": [["a", "b", 1], ["b", "a", 1]]}),
        "channel.metric: the pair 'b', 'a' occurs twice",
    ),
    "a distance of a thing to itself": (
        table({**RESPONSE, "notion": "xdp", "metric": [["a", "a", 1]]}),
        "channel.metric: 'a' is paired with itself",
    ),
    "a metric of unknown names": (
        table({**RESPONSE, "notion": "xdp", "metric": [["a", "b", 1], ["a", "c", 1]]}),
        "metric: 'c' is none of the names compared",
    ),
    "the other notion's metric": (
        table({**RESPONSE, "notion": "xdp", "metric": "winf"}), "channel.metric: 'winf' is unknown",
    ),
    "an unknown input related": (
        table({**RESPONSE, "inputs_related": [["a", "z"]]}),
        "channel.inputs_related: 'z' is no input",
    ),
    "an uncovered input": (
        table({**RESPONSE, "inputs": ["a", "b", "c"]}, MASSES),
        "priors: no prior covers the input 'c'",
    ),
    "a prior of an unknown input": (
        table({**RESPONSE, "inputs": ["a", "c"]}, MASSES), "prior of 'home': 'b' is no input",
    ),
    "noise and channel": (
        table(RESPONSE, noise={"kind": "none"}), "top level: expected exactly one of noise and ch",
    ),
    "a notion beside the channel": (
        table(RESPONSE, notion="dp"), "notion: a channel has its own",
    ),
    "a system": (
        table({**RESPONSE, "notion": "distp"},
              system={"user": {"p": {"point": 1}, "q": {"point": 2}}}),
        "system: a channel takes priors over its inputs",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_that_names_the_key(name: str) -> None:
    given, message = BAD[name]
    with pytest.raises(InputError) as caught:
        Problem.from_table(given)
    assert str(caught.value).startswith(message), str(caught.value)
    assert "\n" not in str(caught.value)


def test_finite_priors_need_a_channel() -> None:
    with pytest.raises(InputError, match="over the inputs of a channel, and the problem has none"):
        Problem({"a": Finite({"x": 1}), "b": Finite({"y": 1})}, noise=Laplace(1), epsilon=1)
    with pytest.raises(InputError, match="takes priors over its named inputs"):
        Problem(
            {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, channel=Channel.of(RESPONSE), epsilon=1
        )


def test_inputs_are_compared_where_there_are_no_priors() -> None:
    problem = Problem(channel=Channel.of(RESPONSE), epsilon=1)
    assert problem.protection.notion == "dp"
    assert problem.pairs == (("a", "b"),)
    assert certify(problem).refuted  # log 3 > 1
    assert certify(problem.replaced(epsilon="log(3)")).certified


def test_extended_notions_multiply_epsilon() -> None:
    held = Protection("xdp", inputs=["0", "3"])
    problem = Problem(channel=Channel.of(NUMBERS), protection=held, epsilon="log(3)/3")
    (item,) = problem.questions()
    assert target_of(item).epsilon.text == "((log(3)/3)*3)"
    result = certify(problem)
    assert result.certified
    assert [pair.tie for pair in result.pairs] == [True, True]
    with pytest.raises(InputError, match="differs from pair to pair"):
        assert problem.requirement.one_target


def test_w_infinity_of_finite_priors_against_all_thresholds() -> None:
    """The least threshold within which Hall's condition holds, by enumeration of sets."""
    rng, names = Random("w infinity"), ["p", "q", "r"]
    points = {"p": [0, 0], "q": [2, 1], "r": ["1/2", 3]}
    ground = Ground.of(names, points, None)
    channel = Channel.of({"kind": "randomized-response", "inputs": names, "truth": "1/2"})
    for _ in range(30):
        laws = [dict(zip(names, law(rng, 3), strict=True)) for _ in range(2)]
        problem = Problem(
            {"a": Finite(laws[0]), "b": Finite(laws[1])}, channel=channel, epsilon=1,
            protection=Protection("xdistp", inputs=names, points=points),
        )  # fmt: skip
        (item,) = problem.questions()
        found = distance(item)
        assert found is not None
        squares = sorted({ground.square(x, y) for x, y in product(names, names)})
        least = next(s for s in squares if _carries(laws[0], laws[1], ground, s))
        assert (found * found).ball().midpoint() == pytest.approx(float(least))


def _carries(
    p: dict[str, Fraction], q: dict[str, Fraction], ground: Ground, square: Fraction
) -> bool:
    for bits in range(1, 8):
        chosen = [x for k, x in enumerate(p) if bits >> k & 1]
        near = {y for y in q for x in chosen if ground.square(x, y) <= square}
        if sum(p[x] for x in chosen) > sum(q[y] for y in near):
            return False
    return True


def test_problem_files_keep_what_is_protected() -> None:
    for given in (
        table({**RESPONSE, "notion": "xdp", "metric": [["a", "b", "sqrt(2)"]]}),
        table({**RESPONSE, "notion": "xdistp", "points": {"a": ["0.5"], "b": [2]}}, MASSES),
        table({**RESPONSE, "inputs_related": [["b", "a"]]}, delta="1/100"),
        table(RESPONSE, MASSES),
    ):
        problem = Problem.from_table(given)
        again = Problem.from_text(toml_text(problem.to_table()))
        assert again == problem
        assert problem_digest(again) == problem_digest(problem)
        assert hash(again) == hash(problem)


def test_what_is_protected_is_part_of_the_digest() -> None:
    plain = Problem.from_table(table(NUMBERS))
    assert problem_digest(plain) != problem_digest(
        Problem.from_table(table({**NUMBERS, "notion": "xdp"}))
    )
    noise = {"schema": "pfverify/problem/1", "epsilon": 1, "noise": {"kind": "laplace", "scale": 1},
             "priors": {"a": {"kind": "discrete", "mass": {"0": 1}},
                        "b": {"kind": "discrete", "mass": {"2": 1}}}}  # fmt: skip
    extended = Problem.from_table({**noise, "notion": "xdistp"})
    assert problem_digest(Problem.from_table(noise)) != problem_digest(extended)
    assert certify(Problem.from_table(noise)).refuted
    assert certify(extended).certified


def test_views_that_are_about_noise_say_so() -> None:
    problem = Problem(channel=Channel.of(RESPONSE), epsilon=1)
    with pytest.raises(InputError, match="scale: the problem releases through a channel"):
        problem.replaced(scale=2)
    with pytest.raises(InputError, match="certify: the problem releases through a channel"):
        problem.release.require_scale("certify")
