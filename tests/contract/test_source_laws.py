"""The laws of every source: whatever states the laws of X, the answers are those of the laws."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from support import tally
from support.kernel_run import accepted_certificate, certificate_of, kernel_digest

from contract.source_cases import MAKERS, cases
from pfverify import Problem, certify, loss
from pfverify.certificate.statement import canonical_text
from pfverify.edge.views.data import as_data
from pfverify.model.digest import problem_digest
from pfverify.model.sources.correlated import MODELS
from pfverify.model.sources.source import DEFAULT_BELIEF

import checker  # isort: skip  # the kernel's

CASES = 5


def test_every_table_of_records_that_depend_has_a_maker() -> None:
    assert set(MAKERS) == set(MODELS)


@pytest.mark.parametrize("name", MAKERS)
def test_answers_are_those_of_the_laws_typed_as_priors(name: str) -> None:
    counts: Counter[str] = Counter()
    for problem, typed in cases(name, "typed", CASES):
        assert problem != typed
        assert {**problem.source.laws[DEFAULT_BELIEF]} == {**typed.source.laws[DEFAULT_BELIEF]}
        for ask in (certify, loss):
            found, expected = as_data(ask(problem)), as_data(ask(typed))
            found.pop("assumed"), expected.pop("assumed")
            assert found == expected
        counts[certify(problem).verdict] += 1
    tally.reached(counts, "certified", "refuted")


@pytest.mark.parametrize("name", MAKERS)
def test_a_file_is_read_back_and_both_readers_have_one_digest(name: str) -> None:
    for problem, _ in cases(name, "read", CASES):
        table = problem.to_table()
        for same in (
            Problem.from_table(table), Problem.from_text(problem.to_toml()),
            Problem.from_text(json.dumps(table), json_format=True),
        ):  # fmt: skip
            assert same == problem
            assert problem_digest(same) == problem_digest(problem) == kernel_digest(table)


@pytest.mark.parametrize("name", MAKERS)
def test_the_kernel_accepts_the_verdict_and_no_other_source(name: str) -> None:
    counts: Counter[str] = Counter()
    for problem, typed in cases(name, "kernel", CASES):
        result = certify(problem)
        assert set(problem.source.assumed()) <= set(result.assumed)
        data = json.dumps(problem.to_table()).encode()
        _, word, message = accepted_certificate(problem.to_table(), problem, result)
        assert word == result.verdict, message
        counts[word] += 1
        certificate = certificate_of(typed, certify(typed), 512)  # of the same laws
        other, _ = checker.check_bytes(data, True, canonical_text(certificate).encode())
        assert other not in ("certified", "refuted")
    tally.reached(counts, "certified", "refuted")


@pytest.mark.parametrize("name", MAKERS)
def test_pairs_are_of_possible_secrets_in_both_orders(name: str) -> None:
    for problem, typed in cases(name, "pairs", CASES):
        orders = {(one.from_, one.to) for one in certify(problem).pairs}
        assert {(b, a) for a, b in orders} == orders
        assert {secret for pair in orders for secret in pair} <= set(typed.source.laws["default"])
