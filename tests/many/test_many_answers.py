"""Questions and answers as plain data: what comes back is what was found, or an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from support.questions import asking, many_pairs

from pfverify import Laplace, Problem, calibrate, certify, loss
from pfverify.answers.dummies import calibrate_dummies
from pfverify.edge.packaged import example_names
from pfverify.errors import PfverifyError
from pfverify.many import question
from pfverify.many.answering import answer
from pfverify.many.plain import ForeignAnswerError, Result, result_of
from pfverify.many.question import COMMANDS, Command, CommandQuestion

QUICK = [
    "census", "dummies", "home-and-out", "tie-delta", "theorem-2-fails", "wrong-prior",
    "each-alone-nothing", "ten-releases",
]  # fmt: skip


def travelled(data: Any) -> Any:
    return json.loads(json.dumps(data))


def here(command: Command, problem: Problem) -> Result | PfverifyError:
    if command == "calibrate" and problem.release.kind == "tupling":
        return calibrate_dummies(problem)
    asked: dict[Command, Callable[[Problem], Result]] = {
        "certify": certify, "loss": loss, "calibrate": calibrate,
    }  # fmt: skip
    try:
        return asked[command](problem)
    except PfverifyError as error:
        return error


def compare(name: str) -> None:
    problem = Problem.load(f"example:{name}")
    for command in COMMANDS:
        asked = asking(command, problem)
        answers = [(one.part, travelled(answer(travelled(one.data())))) for one in asked]
        alone = here(command, problem)
        if isinstance(alone, PfverifyError):
            assert answers == [(None, {"error": str(alone), "kind": "input"})]
            continue
        back = result_of(command, problem, answers)
        assert json.dumps(back.to_dict()) == json.dumps(alone.to_dict())
        assert (repr(back), back._repr_html_()) == (repr(alone), alone._repr_html_())


@pytest.mark.parametrize("name", QUICK)
def test_answers_that_travelled_are_those_of_one_call(name: str) -> None:
    compare(name)


@pytest.mark.long
@pytest.mark.parametrize("name", example_names())
def test_so_are_those_about_every_packaged_problem(name: str) -> None:
    compare(name)


@pytest.mark.long
@pytest.mark.parametrize("name", example_names())
def test_so_are_those_about_single_pairs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "_PAIRS", 1)
    compare(name)


def test_a_question_travels_as_json() -> None:
    for one in asking("certify", many_pairs(8)):
        assert CommandQuestion.of_data(travelled(one.data())) == one


def test_many_pairs_are_asked_about_in_parts_whatever_becomes_of_them() -> None:
    problem = many_pairs(8)  # 28 pairs
    asked = asking("loss", problem)
    assert [(q.part.first, q.part.last, q.part.of) for q in asked if q.part] == [
        (1, 16, 28), (17, 28, 28),
    ]  # fmt: skip
    answers = [(q.part, travelled(answer(q.data()))) for q in asked]
    assert result_of("loss", problem, answers[::-1]).to_dict() == loss(problem).to_dict()
    with pytest.raises(ForeignAnswerError, match="no answer is about"):
        result_of("loss", problem, answers[:1])
    with pytest.raises(ForeignAnswerError, match="other ones"):
        result_of("loss", problem, [(answers[0][0], answers[1][1]), answers[1]])


def test_a_part_says_nothing_of_the_whole() -> None:
    (first, *_) = asking("certify", many_pairs(8))
    assert answer(first.data()).keys() == {"pairs", "proofs"}


def test_scales_are_never_found_pair_by_pair() -> None:
    assert [q.part for q in asking("calibrate", many_pairs(8))] == [None]


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"versions": {"pfverify": "0.0.1", "python-flint": "0.1"}}, "versions"),
        ({"versions": None}, "versions"),
        ({"digest": "0" * 64}, "internal"),
        ({"part": {"first": 1, "last": 1, "of": 2}}, "internal"),
        ({"command": "sample"}, "internal"),
        ({"digits": 0}, "input"),
        ({"stated": {"text": "x", "is_json": True, "changes": [None] * 3}}, "input"),
    ],
    ids=str,
)
def test_a_question_that_is_not_understood_has_no_answer(
    changed: dict[str, Any], kind: str
) -> None:
    (one,) = asking("certify", many_pairs(2))
    found = answer(one.data() | changed)
    assert found.keys() == {"error", "kind"}
    assert found["kind"] == kind


def altered(data: Any, path: str, value: Any) -> Any:
    data = deepcopy(data)
    *inside, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    at = data
    for key in inside:
        at = at[key]
    at[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("result.verdict", "certified"),
        ("result.epsilon", "1"),
        ("result.pairs.0.verdict", "certified"),
        ("result.pairs.0.verdict", "true"),
        ("result.pairs.0.from", "other"),
        ("result.pairs.0.loss.upper", "nan"),
        ("result.pairs.0.witness", {}),
        ("result.pairs.0.rule", "no-noise"),
        ("result.pairs", []),
        ("proofs", []),
        ("proofs.0", {"rule": "no-noise"}),
        ("proofs.0", "x"),
        ("result", None),
    ],
)
def test_an_altered_answer_is_refused(path: str, value: Any) -> None:
    problem = many_pairs(3, noise=Laplace("1/10"))
    (one,) = asking("certify", problem)
    found = travelled(answer(one.data()))
    assert result_of("certify", problem, [(None, found)]).to_dict() == certify(problem).to_dict()
    with pytest.raises(ForeignAnswerError):
        result_of("certify", problem, [(None, altered(found, path, value))])


def test_a_proof_that_travelled_writes_the_same_steps_at_every_precision() -> None:
    for name in ("census", "gaussian-pair", "tie-delta"):
        problem = Problem.load(f"example:{name}")
        alone = certify(problem)
        (one,) = asking("certify", problem)
        back = result_of("certify", problem, [(None, travelled(answer(one.data())))])
        for one, other in zip(alone.pairs, back.pairs, strict=True):
            assert one.proof is not None
            for bits in (128, 512, 1 << 14):
                assert one.proof.step(bits) == other.proof.step(bits)
