"""``pfverify demo --distribution``: the ledger's instances, and their numbers once more by hand."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import product

import pytest

from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.edge.papers.data import paper
from pfverify.edge.papers.distribution import (
    PropertiesResult,
    PropertyRow,
    epsilon_text,
    properties,
)
from pfverify.model.priors.finite import Finite
from pfverify.scales.distribution import (
    bayes_factor,
    close_beliefs,
    extended_channel,
    independent_inputs,
    post_processing,
    pre_processing,
    private_channel,
    same_input,
    tupled,
)

FUNCTIONS = (bayes_factor, close_beliefs, extended_channel, independent_inputs, post_processing,
             pre_processing, private_channel, same_input, tupled)  # fmt: skip


@pytest.fixture(scope="module")
def found() -> PropertiesResult:
    return properties()


def of(found: PropertiesResult, proof: str) -> list[PropertyRow]:
    return [row for row in found.rows if row.proof == proof]


def test_every_property_has_an_instance(found: PropertiesResult) -> None:
    assert len({row.source for row in found.rows}) == len(FUNCTIONS)


def test_those_that_fail_as_printed_have_counterexamples(found: PropertiesResult) -> None:
    failing = {row.proof for row in found.rows if not row.holds}
    assert failing == {"D07", "D08", "D11", "D23", "D24"}
    assert found.failing == 8
    tuples = [row for row in found.rows if not row.holds and not row.event]
    assert [row.proof for row in tuples] == ["D23", "D24"]  # events of tuples


def test_the_values_of_the_ledger(found: PropertiesResult) -> None:
    """Each worked out on paper, from the definitions."""
    shown = [(r.published.epsilon, r.exact.epsilon, r.exact.delta) for r in of(found, "D08")]
    assert shown == [("log(4)", "log(5)", "1/16"), ("0", "log(2)", "1/2"), ("0", "inf", "1")]
    assert [row.exact.delta for row in of(found, "D22")] == ["0", "1/1458"]
    assert [row.published.delta for row in of(found, "D22")] == ["0.61138", "0.0995742"]
    (eta,) = of(found, "D23")
    assert (eta.published.epsilon, eta.exact.delta) == ("log(29/14)", "2/3")
    assert Fraction("0.334004") < Fraction(eta.published.delta) < Fraction("0.334006")
    (released,) = of(found, "D24")
    assert (released.exact.delta, released.true) == ("121/144", None)
    (beliefs, promised) = of(found, "D07")
    assert (beliefs.published.epsilon, beliefs.true) == ("log(27/8)", None)
    assert promised.exact.epsilon == "log(3)"
    for row in of(found, "D14") + of(found, "D16"):
        assert row.true is not None
        assert (row.published.delta, row.true.delta) == ("1", "1/2")


def test_true_statements_hold(found: PropertiesResult) -> None:
    for row in found.rows:
        if row.true is not None and row.true.epsilon == row.published.epsilon:
            assert Fraction(row.exact.delta) <= Fraction(row.true.delta)


def test_what_else_is_stated(found: PropertiesResult) -> None:
    """Three statements fail; the numbers of dummies once more from every tuple."""
    assert [row.proof for row in found.others if not row.holds] == ["D18", "D21", "D26"]
    by_row = {row.proof: row for row in found.others}
    assert "0.9103" in by_row["D18"].exact
    first, second = (1, 1, 0), (0, 1, 1)  # halves
    near = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    deltas, losses = [], []
    for places in (2, 3, 4):
        delta, loss = Fraction(0), Fraction(0)
        for shown in product(range(3), repeat=places):
            p, q = (sum(law[y] for y in shown) for law in (first, second))
            delta += max(Fraction(p - 2 * q, 2 * places * 3 ** (places - 1)), Fraction(0))
            chance = sum(near[y] for y in shown) / places / 3 ** (places - 1)
            loss += chance * min(shown)
        deltas.append(str(delta))
        losses.append(str(loss))
    assert by_row["D27"].exact == f"delta {', '.join(deltas)} with 1, 2, 3"
    assert by_row["D28"].exact == f"loss {', '.join(losses)} with 1, 2, 3"


def test_the_first_statement_is_about_the_example_that_it_names() -> None:
    (fact,) = (other for other in paper("distribution")["others"] if other["proof"] == "D04")
    (ask,) = fact["asks"]
    (item,) = load_example("largest-move").questions()
    assert [Finite(law) for law in ask["pair"]] == [item.first_prior, item.second_prior]


def test_epsilons_are_texts_of_the_grammar() -> None:
    growths = None, Fraction(1), Fraction(5, 2)
    assert [epsilon_text(growth) for growth in growths] == ["inf", "0", "log(5/2)"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["demo", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_words_json_and_csv_say_the_same(
    capsys: pytest.CaptureFixture[str], found: PropertiesResult
) -> None:
    code, out, err = run(capsys, "--distribution")
    assert (code, err) == (0, "")
    assert out.count("(!)") == 8 + 3 + 1  # bounds, statements, and once in the words above
    data = json.loads(run(capsys, "--distribution", "--json")[1])
    assert [row["exact"]["delta"] for row in data["rows"]] == [r.exact.delta for r in found.rows]
    table = list(csv.DictReader(io.StringIO(run(capsys, "--distribution", "--csv")[1])))
    assert [row["published_epsilon"] for row in table] == [r.published.epsilon for r in found.rows]
    assert [row["holds"] == "yes" for row in table] == [r.holds for r in found.rows]


@pytest.mark.parametrize("options", [["--csv"], ["--distribution", "--multi-user"],
                                     ["--distribution", "--csv", "--json"]])  # fmt: skip
def test_what_does_not_go_together_is_one_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    code, out, err = run(capsys, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
