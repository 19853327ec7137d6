"""Reports: true numbers and sentences, escaped names, one file, opened in a browser."""

from __future__ import annotations

import ast
import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from html import unescape
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from support.browser import Browser, chromium

from pfverify import (
    Channel,
    Confidence,
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Joint,
    Laplace,
    Problem,
    System,
    TruncatedLaplace,
    calibrate,
)
from pfverify.answers.certify import certify
from pfverify.answers.curves.alarms import above, below
from pfverify.answers.error_bar import error_bar
from pfverify.answers.methods import Method, Minimum
from pfverify.answers.profile import Known, band, merged, turned
from pfverify.certificate.checking import CheckResult
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_names, example_path, load_example
from pfverify.edge.pages import Report
from pfverify.edge.render.html import html_of
from pfverify.edge.render.markdown import markdown_of
from pfverify.edge.report import drawings, pdf, sentences
from pfverify.edge.report.action import action
from pfverify.edge.report.commands import check_commands
from pfverify.edge.report.facts import (
    CheckFacts,
    Facts,
    Missing,
    ScalesFacts,
    gathered,
    largest_loss,
)
from pfverify.edge.report.labels import Names
from pfverify.edge.report.laws import drawn_laws
from pfverify.edge.report.odds import growth, stated_meaning
from pfverify.edge.report.report import check_place, report, save_report, written
from pfverify.edge.report.sections import lead_of
from pfverify.edge.report.sentences import entry
from pfverify.errors import PfverifyError
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.number import number
from pfverify.exact.published import extended
from pfverify.model.provenance import Provenance

SLOW = {"students-mean"}  # many seconds: 649 users with masses of thousands of digits


@cache
def made(name: str) -> Report:
    """The report of a packaged problem."""
    return written(f"example:{name}", load_example(name))


def facts_of(problem: Problem) -> Facts:
    return gathered("p", problem, None, lambda done, total: None)


def words_of(page: str) -> str:
    """The text of a page, without markup, style and pictures."""
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", text)))


# ---------------------------------------------------------------- numbers


def test_numbers_on_the_page_are_those_of_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    page = words_of(html_of(made("census")))
    answers = {}
    for command in ("certify", "calibrate", "loss"):
        assert main([command, "example:census", "--json"]) == 0
        answers[command] = json.loads(capsys.readouterr().out)
    for pair in answers["certify"]["pairs"]:
        brief = decimal_upper(Fraction(pair["loss"]["upper"]), 3)
        assert f"{pair['from']} {pair['to']} {pair['verdict']} {brief}" in page
        ends = f"{pair['loss']['lower']} to {pair['loss']['upper']}"
        assert f"{pair['from']} {pair['to']} {ends}" in page
    minimum = answers["calibrate"]["minimum"]
    assert f"above {minimum['lower']} (refuted) and at most {minimum['upper']}" in page
    for name, row in answers["calibrate"]["methods"].items():
        scale = math.ceil(Fraction(row["scale"]) * 10**4) / 10**4
        assert f" {name} {scale:.4f} {row['verdict']} {float(row['waste']):.2f}x" in page
    star = decimal_upper(Fraction(answers["loss"]["epsilon_star"]["upper"]), 3)
    assert f"the loss is at most {star} (rounded up;" in page
    assert answers["certify"]["digest"] in page
    for words in answers["certify"]["assumed"]:
        assert words[1:] in page


@pytest.mark.parametrize(
    ("text", "factor"),
    [("0", "1"), ("1/2", "1.65"), ("1", "2.72"), ("log(3)", "3"), ("log(13/5)", "2.6"),
     ("2*log(2)", "4"), ("1e-9", "1.01")],
)  # fmt: skip
def test_the_factor_is_rounded_up_and_exact_where_it_is_short(text: str, factor: str) -> None:
    assert growth(number(text)) == Fraction(factor)


def outside(noise: object, scale: float, far: float) -> float:
    """P(|N| > far), in floats."""
    if isinstance(noise, Laplace):
        return math.exp(-far / scale)
    if isinstance(noise, GaussianNoise):
        return math.erfc(far / scale / math.sqrt(2))
    if isinstance(noise, TruncatedLaplace):
        end = math.exp(-float(noise.bound) / scale)
        return (math.exp(-far / scale) - end) / (1 - end)
    assert isinstance(noise, DiscreteLaplace | DiscreteGaussian)
    step = float(noise.step)
    if isinstance(noise, DiscreteGaussian):
        bells = [math.exp(-((k * step / scale) ** 2) / 2) for k in range(200)]
        whole = 2 * sum(bells) - 1
        return 2 * sum(bells[round(far / step) + 1:]) / whole
    t = math.exp(-step / scale)
    steps = round(far / step)
    return 1 - sum((1 - t) / (1 + t) * t ** abs(k) for k in range(-steps, steps + 1))


NOISES = [
    Laplace("51/25"), Laplace("1/649"), Laplace("1/log(2)"), GaussianNoise(3),
    GaussianNoise(variance=2), DiscreteLaplace("5/2", step=1), DiscreteLaplace("1/100", step=1),
    DiscreteLaplace(100, step="1/3"), DiscreteGaussian(3), DiscreteGaussian("1/9", step="1/3"),
    TruncatedLaplace("5/2", bound=4), TruncatedLaplace(1, bound="1/100"),
]  # fmt: skip


@pytest.mark.parametrize("noise", NOISES, ids=repr)
def test_95_of_100_are_inside_the_error_bar_and_hardly_more(noise: Laplace) -> None:
    assert noise.scale is not None
    scale = noise.scale.ball().midpoint()
    far = Fraction(error_bar(noise, noise.scale).within)
    assert outside(noise, scale, float(far)) <= 0.05
    step = 0 if noise.step is None else noise.step
    before = float(far - step) if step else float(far) * 0.998
    assert before < 0 or outside(noise, scale, before) > 0.05


# ---------------------------------------------------------------- proved curves


def truth(p: list[Fraction], q: list[Fraction], gamma: Fraction) -> Fraction:
    return sum((max(a - gamma * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def least(p: list[Fraction], q: list[Fraction], alarm: Fraction) -> Fraction:
    """The least miss at a chance of false alarm, by Neyman and Pearson's lemma."""
    order = sorted(zip(p, q, strict=True), key=lambda m: -(m[0] / m[1]) if m[1] else -10**9)
    power, left = Fraction(0), alarm
    for a, b in order:
        part = Fraction(1) if b <= left else left / b
        power, left = power + part * a, left - part * b
    return 1 - power


@pytest.mark.parametrize("seed", range(20))
def test_the_true_curves_lie_between_the_bounds(seed: int) -> None:
    rng = random.Random(seed)
    p, q = ([Fraction(rng.randrange(0, 9)) for _ in range(6)] for _ in range(2))
    p[0] += 1
    q[1] += 1
    p, q = ([mass / sum(law) for mass in law] for law in (p, q))
    off = Fraction(1, 10**6)

    def known(first: list[Fraction], second: list[Fraction], gamma: Fraction) -> Known:
        value = truth(first, second, gamma)
        return Known(gamma, value - off * rng.random().__round__(), value + off)

    gammas = [1 + Fraction(k, 3) for k in range(7)]
    forward = [known(p, q, gamma) for gamma in gammas]
    backward = [turned(known(q, p, gamma)) for gamma in gammas]
    found = merged(forward, backward)
    assert [one.gamma for one in found] == sorted({one.gamma for one in found})
    for k in range(61):
        gamma = Fraction(k, 20)
        low, high = band(found, gamma)
        assert low <= truth(p, q, gamma) <= high
    low, high = below(found), above(found)
    for k in range(101):
        alarm = Fraction(k, 100)
        assert low.at(alarm) == max(0, *(1 - one.upper - one.gamma * alarm for one in found))
        assert low.at(alarm) <= least(p, q, alarm) <= high.at(alarm)


def test_bounds_are_tight_where_much_is_known() -> None:
    facts = facts_of(load_example("census"))
    assert not isinstance(facts.curves, Missing)
    known = facts.curves.known(0)
    low, high = below(known), above(known)
    gaps = [high.at(alarm) - low.at(alarm) for alarm in (Fraction(k, 100) for k in range(101))]
    assert 0 <= min(gaps) <= max(gaps) < Fraction(1, 200)


def test_dots_of_the_curve_are_the_losses_of_the_command() -> None:
    from pfverify import loss

    facts = facts_of(load_example("tie-delta"))
    assert not isinstance(facts.curves, Missing)
    growth = next(one for one in facts.curves.found[0] if one > 1)
    lower, upper = (
        max(getattr(order[growth], end) for order in facts.curves.found)
        for end in ("lower", "upper")
    )
    found = loss(load_example("tie-delta").replaced(epsilon=f"log({growth})")).delta
    assert lower <= Fraction(str(found.upper))
    assert Fraction(str(found.lower)) <= upper


# ---------------------------------------------------------------- drawn laws


@pytest.mark.parametrize("noise", [Laplace(2), GaussianNoise("3/2")], ids=repr)
def test_drawn_densities_are_the_densities(noise: Laplace) -> None:
    first = Discrete({0: "1/4", 3: "3/4"})
    second = Gaussian(1, variance=4)
    laws = drawn_laws(noise, first, second, Fraction(3))
    ys = np.array(laws.y)
    inner = np.linspace(-25, 27, 200_001)
    kernel = (lambda z: np.exp(-abs(z) / 2) / 4) if isinstance(noise, Laplace) else (
        lambda z: np.exp(-z * z / 4.5) / math.sqrt(4.5 * math.pi))  # fmt: skip
    normal = np.exp(-((inner - 1) ** 2) / 8) / math.sqrt(8 * math.pi)
    for k in range(0, len(ys), 57):
        exact = 0.25 * kernel(ys[k]) + 0.75 * kernel(ys[k] - 3)
        assert math.exp(laws.first[k]) == pytest.approx(exact, rel=1e-9)
        mixed = float(np.trapezoid(kernel(ys[k] - inner) * normal, inner))
        assert math.exp(laws.second[k]) == pytest.approx(mixed, rel=1e-5)


def test_drawn_masses_sum_to_one() -> None:
    noise = DiscreteLaplace(1, step="1/2")
    laws = drawn_laws(noise, Discrete({0: 1}), Discrete({2: 1}), "inf")
    assert sum(map(math.exp, laws.first)) == pytest.approx(1, abs=1e-2)
    assert laws.masses


# ---------------------------------------------------------------- sentences


def small(
    delta: object = 0, form: object = "events", noise: object = None, **more: object
) -> Problem:
    priors = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/4", 1: "3/4"})}
    return Problem(priors, noise=noise or Laplace(2), epsilon="1/2", delta=delta, form=form, **more)


def page_of(problem: Problem) -> str:
    return words_of(html_of(report(problem)))


def test_sentences_say_what_is_true_of_each_target() -> None:
    pure = page_of(small())
    assert "change by at most a factor e ε = 1.65 (rounded up), up or down" in pure
    assert "a chance of 50 % ends between 37.7 % and 62.3 %" in pure
    assert "with a chance of δ" not in pure
    events = page_of(small(delta="1/100"))
    assert "plus δ = 0.01" in events
    assert "by more than 3.3 is at most 0.02" in events
    assert "Odds of 1 to 1" not in events
    density = page_of(small(delta="1/100", form="pointwise"))
    assert "(a density, per unit of the output)" in density
    assert "nor about odds" in density
    assert "Bounded at single outputs, which alone is no privacy: this release meets" in density
    assert "Private:" not in density
    mass = page_of(small(delta="1/100", form="pointwise", noise=DiscreteLaplace(2, step=1)))
    assert "The probability of every single output" in mass
    assert "In terms of odds" not in page_of(small(delta="1/2"))
    empty = page_of(small(delta=1))
    assert "certified This target keeps nothing private: with δ = 1 every release" in empty
    assert "Private:" not in empty


def test_what_was_not_worked_out_is_said() -> None:
    channel = words_of(html_of(made("dummies")))
    for words in ("The error bar: not worked out.", "The picture: not worked out. An output is a",
                  "The plan: not worked out."):  # fmt: skip
        assert words in channel
    bare = page_of(small(noise=Laplace(0)))
    assert "not worked out. No noise is added: the published number is the true one." in bare
    assert "The number X itself is published" in bare
    assert "The problem file does not say." in bare


def test_where_nothing_is_known_of_the_others_no_law_of_x_is_claimed() -> None:
    def mean(rest: str) -> str:
        others, user = [{"bernoulli": "1/2", "count": 3}], {"yes": {"point": 1}, "no": {"point": 0}}
        system = System(others=others, user=user, release="mean", rest=rest)
        return page_of(Problem(system=system, noise=Laplace("1/4"), epsilon=1))

    unknown, known = mean("any"), mean("known")
    assert "the law of what the user adds to X if that secret is true" in unknown
    assert "knows what all of them add, which is taken as 0; nobody sees more." in unknown
    assert "the law of X if that secret is true" in known
    assert "taken as 0" not in known


def test_verdicts_and_limits() -> None:
    refuted = page_of(small(noise=Laplace("1/10")).replaced(epsilon="1/100"))
    assert "refuted Not private: this release does not meet ε = 0.01 and δ = 0. At the" in refuted
    assert "Whatever is published" not in refuted
    never = page_of(Problem(
        {"a": Gaussian(0, 1), "b": Gaussian(1, 1)}, noise=GaussianNoise(1), epsilon=1,
    ))  # fmt: skip
    assert "has no bound" in never
    assert "works" in never
    tie = page_of(Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, epsilon="log(3127)*log(2)",
        noise=Laplace("1/(log(53)*log(2)+log(59)*log(2))"),
    ))  # fmt: skip
    assert "undecided Not decided: it is neither proved nor disproved that this" in tie
    assert "The reason: the loss may equal epsilon exactly" in tie
    assert "Where it is a tie, or close to one, change the noise a little" in tie
    assert "Whatever is published" not in tie
    assert "pfverify check" not in tie
    same = page_of(Problem(
        {"a": Discrete({0: 1}), "b": Discrete({0: 1})}, noise=Laplace(1), epsilon=0,
    ))  # fmt: skip
    assert "a factor e ε = 1 (rounded up)" in same
    assert "both secrets have the same law" in same.lower()


def test_a_refuted_verdict_is_in_words_before_it_is_a_formula() -> None:
    noise = Laplace("1/10")
    point = page_of(small(noise=noise).replaced(epsilon="1/100"))
    assert re.search(
        r"At the output y = \S+, the density under “\w+” exceeds what the target allows "
        r"\(e\^ε times that under “\w+”\): the logarithm of their ratio exceeds ε by (\S+)\. "
        r"In symbols: log ratio above epsilon by \1\.", point)
    event = page_of(small(noise=noise, delta="1/1000").replaced(epsilon="1/100"))
    assert re.search(
        r"For the event B = [^:]*, the probability under “\w+” exceeds what the target allows "
        r"\(e\^ε times that under “\w+”, plus δ\) by (\S+)\. "
        r"In symbols: P\(B\) - e\^epsilon Q\(B\) above delta by \1\.", event)
    steps = small(noise=DiscreteLaplace("1/10", step=1), delta="1/1000", form="pointwise")
    assert "the probability under “" in page_of(steps.replaced(epsilon="1/100"))


def test_each_belief_is_named() -> None:
    page = page_of(Problem(
        beliefs={
            "low": {"a": Discrete({0: 1}), "b": Discrete({1: 1})},
            "high": {"a": Discrete({0: 1}), "b": Discrete({2: 1})},
        },
        noise=Laplace(2), epsilon=1,
    ))  # fmt: skip
    said = "in both orders of its one pair of secrets, “a” and “b”, under each of 2 beliefs."
    assert said in page
    assert "who holds one of the 2 beliefs of this report" in page
    assert "“a” against “b” under belief “high”" in page
    for belief in ("low", "high"):
        assert f" {belief} a b certified" in page


def test_where_the_numbers_come_from_is_told_and_escaped(tmp_path: Path) -> None:
    long = "Priors are an <b>assumption</b>. " * 99
    path = tmp_path / "p.toml"
    path.write_text(small().to_toml() + f"""
[provenance]
data = "<i>people.csv"
release = "mean"
where = "age > 1\\nand age < 9 {long}"
rows_read = 30
dropped = {{ "<u>no age" = 2 }}
smallest_cell = {{ records = 1, secret = "a", value = "0" }}
warning = "{long}"
""")
    page = html_of(report(path))
    text = words_of(page)
    assert "<i>" not in page
    assert "<u>" not in page
    assert "<b>" not in page
    assert "What is released: the mean over all records" in text
    assert f"Rows taken: 'age > 1\\nand age < 9 {long}'" in text
    for words in ("Data: <i>people.csv", "Rows read: 30", "<u>no age 2", "records 1", long.strip()):
        assert words in text


def test_all_that_a_file_tells_of_its_numbers_has_a_place() -> None:
    places = {*entry("data.labels"), *entry("data.tables")}
    assert places == {one.name for one in fields(Provenance)}


def test_every_sentence_is_used_and_no_other_one_is_asked_for() -> None:
    folder = Path(sentences.__file__).parent
    trees = [ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    begun = {
        node.values[0].value for node in nodes
        if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant)
    } - {""}  # fmt: skip
    asked = [
        node.args[0].value for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id in ("sentence", "paragraph", "words")
        and isinstance(node.args[0], ast.Constant)
    ]  # fmt: skip
    assert len(asked) > 60
    assert all(isinstance(entry(name), str) for name in asked)
    names = [*names_of(sentences.SENTENCES, "")]
    for start in begun:
        dotted = re.fullmatch(r"[a-z]+\.[a-z.-]*", start)
        assert dotted is None or any(name.startswith(start) for name in names), start
    for name in names:
        parents = {name[:k] for k, mark in enumerate(name) if mark == "."}
        assert texts & {name, *parents} or any(map(name.startswith, begun)), name


def names_of(table: dict[str, Any], before: str) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from names_of(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def test_every_pair_is_there_once_it_is_asked_for() -> None:
    priors = {f"s{k}": Discrete({0: f"{10 + k}/40", 1: f"{30 - k}/40"}) for k in range(5)}
    page = page_of(Problem(priors, noise=Laplace(2), epsilon=1))
    assert "... and 10 more ordered pairs" in page
    assert "All 20 ordered pairs" in page
    for a in priors:
        for b in priors:
            assert (f" {a} {b} certified" in page) == (a != b)


def test_of_very_many_pairs_the_recipes_are_those_of_one() -> None:
    priors = {f"s{k}": Discrete({0: f"{10 + k}/40", 1: f"{30 - k}/40"}) for k in range(12)}
    problem = Problem(priors, noise=Laplace(2), epsilon="1/20")
    page = page_of(problem)
    assert "That is of all 66 pairs. The recipes, and their waste, are shown for the" in page
    minimum = calibrate(problem).minimum
    assert f"above {minimum.lower} (refuted) and at most {minimum.upper} (certified)" in page


def test_the_ladder_shows_each_recipe_or_says_why_not() -> None:
    def shown(*scales: str) -> str:
        methods = {
            f"r{k}": Method(extended(scale), None, Verdict.CERTIFIED, None, *[extended(0)] * 2)
            for k, scale in enumerate(scales)
        }
        found = replace(calibrate(small()), methods=methods, minimum=Minimum("0", "0", None))
        picture = drawings.ladder(found, "scale")
        assert picture is not None
        return f"{picture.title}. {picture.description} {picture.caption}"

    assert "smallest first: r1 0, private; r0 2, private." in shown("2", "0")
    assert "Not drawn" not in shown("2", "0")
    assert "smallest first: r0 0, private; r1 0, private." in shown("0", "0")
    wide = shown("2", "0", "100", "inf")
    assert "smallest first: r0 2, private; r2 100, private." in wide
    assert "Not drawn: r1 (a logarithmic axis has no 0); r3 (no finite scale)." in wide


@pytest.mark.parametrize("values", [(10**18, 10**18), (0, 0), ("1e-200", "2e-200")], ids=str)
def test_pictures_of_extreme_values_have_places(values: tuple[Any, Any]) -> None:
    priors = {name: Discrete({value: 1}) for name, value in zip("ab", values, strict=True)}
    page = html_of(report(Problem(priors, noise=Laplace(values[1] or 1), epsilon=1)))
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) >= 4
    assert not any(re.search(r"[\" ,M]-?(nan|inf)\b", one) for one in pictures)


@pytest.mark.parametrize("noise", [Laplace("1e321"), GaussianNoise("1e321")], ids=["l", "g"])
def test_values_beyond_floats_are_not_drawn_and_the_page_says_so(noise: Any) -> None:
    priors = {"a": Discrete({0: 1}), "b": Discrete({"1e320": "1/2", 0: "1/2"})}
    page = words_of(html_of(report(Problem(priors, noise=noise, epsilon=1, delta="1e-9"))))
    for what in ("picture", "plan"):
        said = f"The {what}: not worked out. Values are further from 0 than what a float holds."
        assert said in page


def test_extreme_targets_and_losses() -> None:
    wide = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace("1/1000"), epsilon=1000
    )
    page = page_of(wide)
    assert "a factor e ε (above 10^26, which is no protection), up or down" in page
    assert "more than a factor e to the loss; the loss is at most 1000." in page
    assert "Odds of 1 to 1" not in page
    far = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({100: 1})}, noise=GaussianNoise("1/100"), epsilon=1,
        delta="1/2",
    )  # fmt: skip
    assert "has no bound" in page_of(far)


# ---------------------------------------------------------------- text of others


HEBREW = "\u05e9\u05dc\u05d5\u05dd"
HOSTILE = ["<script>alert(1)</script>", "x" * 5000, HEBREW, "$x^2$",
           "|`*_[](){{7*7}}", "&lt;b&gt;"]  # fmt: skip


def test_hostile_names_are_escaped_everywhere() -> None:
    priors = {name: Discrete({0: "1/2", k + 1: "1/2"}) for k, name in enumerate(HOSTILE)}
    problem = Problem(priors, noise=Laplace(20), epsilon=1)
    made_of = written("<b>'\"&\u202e\x07.toml", problem)
    page, text = html_of(made_of), markdown_of(made_of)
    assert "<script" not in page
    assert "<b>" not in page
    assert "\u202e" not in page + text
    assert "\x07" not in page + text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&amp;lt;b&amp;gt;" in page
    assert "{{7*7}}" in page
    assert f"\u2068{HEBREW}\u2069" in page
    outside_code = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    assert "<script" not in outside_code
    assert "x" * 300 not in words_of(page).split("The whole problem")[0]


def test_names_of_outputs_are_escaped_too() -> None:
    channel = Channel.of({
        "kind": "matrix", "inputs": ["<i>", "b"], "outputs": ["<u>&", "$q$"],
        "rows": [["3/4", "1/4"], ["1/4", "3/4"]],
    })  # fmt: skip
    page = html_of(report(Problem(channel=channel, epsilon="log(3)")))
    assert "<u>" not in page
    assert "&lt;u&gt;&amp;" in page


def test_the_same_problem_gives_the_same_page() -> None:
    first = html_of(made("census"))
    assert html_of(written("example:census", load_example("census"))) == first
    code = ("from pfverify.edge.report.report import written; from pfverify.edge.render.html import"
            " html_of; from pfverify.edge.packaged import load_example; import sys; "
            "sys.stdout.write(html_of(written('example:census', load_example('census'))))")
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert other.stdout.decode() == first


# ---------------------------------------------------------------- certificates and files


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certified")
    path = folder / "tie-delta.toml"
    path.write_text(example_path("tie-delta").read_text("utf-8"), "utf-8")
    assert main(["certify", str(path), "-o", str(folder / "t.cert")]) == 0
    return path, folder / "t.cert"


def test_a_certificate_is_checked_first_and_the_page_says_so(
    certified: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, proof = certified
    out = tmp_path / "report.html"
    assert main(["report", str(path), "--cert", str(proof), "-o", str(out)]) == 0
    page = words_of(out.read_text("utf-8"))
    assert "The kernel checked its certificate first, and accepts it." in page
    assert "files of the kernel" in page
    assert "by the kernel in a fresh interpreter. It says: certified ." in page
    folded = re.findall("<details.*?</details>", out.read_text("utf-8"), re.DOTALL)
    assert page.count("problem=") == 1
    own = next(words_of(one) for one in folded if "problem=" in one)
    assert own.startswith(" The kernel's own line certified: ")
    assert f"pfverify check {path} {proof} --expect certified" in page
    assert " ".join(capsys.readouterr().out.split()) == f"certified: wrote {out}"


def test_a_rejected_certificate_leaves_no_word_about_privacy(
    certified: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for suffix in (".html", ".md"):
        out = tmp_path / f"report{suffix}"
        arguments = ["report", "example:census", "--cert", str(certified[1]), "-o", str(out)]
        assert main(arguments) == 1
        page = words_of(out.read_text("utf-8"))
        assert "rejected" in page.lower()
        assert "proves nothing about this problem" in page
        assert "Private:" not in page
        assert "certified" not in page.replace(str(certified[1]), "").lower()
    said = " ".join(capsys.readouterr().out.split())
    assert "rejected: wrote" in said
    assert ". The kernel says: rejected: " in said


def test_a_certificate_of_scales_is_no_proof_of_the_verdict(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    small().save(path)
    assert main(["calibrate", str(path), "-o", str(tmp_path / "s.cert")]) == 0
    page = words_of(html_of(report(path, tmp_path / "s.cert")))
    assert "That certificate proves scales; it says nothing about the scale of this" in page
    assert "and accepts it" not in page


def test_a_proof_of_the_contrary_is_no_report() -> None:
    wrong = CheckFacts("x.cert", CheckResult("refuted", "at y = 0", 0))
    with pytest.raises(PfverifyError, match="one of them is wrong, please report it"):
        gathered("p", small(), wrong, lambda done, total: None)


def test_commands_of_a_report_do_what_it_says(
    certified: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path, proof = certified
    page = unescape(html_of(report(path, proof)))
    line = re.search(r"pfverify (check \S+ \S+ --expect certified)", page)
    assert line is not None
    assert main(line[1].split()) == 0
    writes = "the first line writes the certificate"
    assert writes not in page  # it is there, and there is one line
    assert writes in unescape(html_of(report(path)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["example:census", "-o", "x.txt"], ["x.txt", ".html, .md, .pdf"]),
        (["example:census", "-o", "-"], ["file name"]),
        (["example:cenus", "-o", "x.html"], ["'census'"]),
        (["nowhere.toml", "-o", "x.html"], ["nowhere.toml", "no such file"]),
        (["example:census", "--cert", "no.cert", "-o", "x.html"], ["no.cert", "no such file"]),
        (["example:census", "--cert", str(Path(__file__)), "-o", "x.html"], ["no certificate"]),
        (["example:census", "-o", "no/such/x.html"], ["no/such/x.html", "cannot write"]),
        (["example:census"], ["-o"]),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", *arguments]) == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)
    for word in words:
        assert word in caught.err
    assert not any(tmp_path.iterdir())


def test_a_problem_without_a_scale_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"noise\.scale: missing.*pfverify calibrate"):
        report(small(noise=Laplace()))
    with pytest.raises(InputError, match="give the name of the file"):
        report(small(), tmp_path / "x.cert")


def test_without_chromium_a_pdf_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_PROGRAMS", ("no-such-browser",))
    with pytest.raises(InputError, match="printed by Chromium, and none is installed"):
        check_place("x.pdf")


def test_a_pdf_is_printed_where_there_is_a_browser(tmp_path: Path) -> None:
    if chromium() is None:
        pytest.skip("there is no Chromium on this machine")
    save_report(report(small()), tmp_path / "report.pdf")
    data = (tmp_path / "report.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert len(data) > 20_000


# ---------------------------------------------------------------- every example, and pages


CHEAP = ("census", "gaussian-pair", "theorem-2-fails", "home-and-out", "rappor-one-time",
         "truncated-geometric", "tupling-dummies", "laplace-or-gaussian")  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in CHEAP else pytest.mark.long)
     for name in example_names()],
)  # fmt: skip
def test_every_example_has_a_report(name: str) -> None:
    found = made(name)
    page = html_of(found)
    assert found.decided is certify(load_example(name)).verdict
    check_page(page)
    text = markdown_of(found)
    for part in found.parts:
        assert f'id="{part.place}"' in page
        assert f"## {part.title}" in text


def check_page(page: str) -> None:
    """One file, well formed, with headings in order and words for every picture."""
    assert not re.search(r"(?:href|src|url)\s*[=(]\s*[\"']?\s*(?:https?:)?//", page)
    assert not re.search(r"<(script|iframe|img|form|object|link rel=.stylesheet)", page)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for used in re.findall(r'(?:href="#|url\(#)([^")]+)', page):
        assert used in ids
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    pictures = re.findall(r"<svg[^>]*>.*?</svg>", page, re.DOTALL)
    for one in pictures:
        assert 'role="img"' in one
        assert re.search(r"<title[^>]*>[^<]{10,}</title><desc[^>]*>[^<]{30,}</desc>", one)
        assert "#" not in re.sub(r"url\(#.*?\)|>[^<]*<", "", one)  # colours are the page's
    assert page.count("<figure>") == page.count("<figcaption>") == len(pictures)
    assert page.count("<table>") == page.count("<caption>")
    assert "<th>" not in page


OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll('.wide, .formula, pre, .drawn')].filter(e =>
  e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'auto').length"""
SMALL = """[...document.querySelectorAll('summary, nav a')].filter(e => {
  const box = e.getBoundingClientRect(); return box.width && box.height < 24 }).length"""
UNREACHED = """[...document.querySelectorAll('table')].filter(e => {
  const box = e.closest('.wide'); return !box || box.tabIndex != 0 || !box.ariaLabel }).length"""
LOOKS = [(390, True), (1280, False), (390, False), (1280, True)]


@pytest.mark.parametrize(
    ("name", "width", "dark"),
    [pytest.param(name, width, dark,
                  marks=() if k < 2 and name in CHEAP[:4] else pytest.mark.long)
     for name in example_names() if name not in SLOW for k, (width, dark) in enumerate(LOOKS)],
)  # fmt: skip
def test_pages_in_a_browser(
    browser: Browser, tmp_path: Path, name: str, width: int, dark: bool
) -> None:
    save_report(made(name), tmp_path / "report.html")
    look(browser, tmp_path / "report.html", width, dark)


def look(browser: Browser, page: Path, width: int, dark: bool) -> None:
    browser.open(page, width, dark=dark)
    assert browser.complaints() == []
    assert browser.violations() == []
    assert browser.value(OVERFLOW) == 0
    assert browser.value(CUT) == 0
    assert browser.value(UNREACHED) == 0  # tables scroll inside a region that has the focus
    assert browser.value(SMALL) == 0


def test_a_page_of_hostile_names_in_a_browser(browser: Browser, tmp_path: Path) -> None:
    priors = {name: Discrete({0: "1/2", k + 1: "1/2"}) for k, name in enumerate(HOSTILE)}
    save_report(report(Problem(priors, noise=Laplace(20), epsilon=1)), tmp_path / "r.html")
    look(browser, tmp_path / "r.html", 390, dark=False)


def test_a_loss_that_is_not_enclosed_bounds_nothing() -> None:
    """A page says "at no output" of the largest loss: no pair may be left out of it."""
    found = certify(load_example("census"))
    first, *rest = found.pairs
    assert str(largest_loss(found).upper) == str(first.loss.upper)
    unknown = replace(found, pairs=[replace(first, loss=None), *rest])
    assert str(largest_loss(unknown).upper) == "inf"
    assert largest_loss(unknown).lower == rest[0].loss.lower


@pytest.mark.parametrize("form", [
    "events", "pointwise", {"kind": "renyi", "order": 2}, {"kind": "zcdp"},
], ids=str)  # fmt: skip
def test_the_target_is_a_formula_of_whole_elements(form: Any) -> None:
    """That of divergences was set letter by letter: its line had no parts."""
    delta = "1/10" if form in ("events", "pointwise") else 0
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    page = html_of(report(Problem(priors, noise=GaussianNoise(4), epsilon=1, delta=delta,
                                  form=form)))  # fmt: skip
    parts = re.findall(r'<math display="block">(.*?)</math>', page)
    assert 1 <= len(parts) <= 3
    for part in parts:
        root = fromstring(f"<math>{unescape(part)}</math>")
        assert len(root) > 0
        assert not root.text


def test_what_was_observed_on_a_grid_gets_no_sentence() -> None:
    """No sentence is the one that is left over: "private" least of all."""
    found = facts_of(small())
    seen = replace(found, decided=replace(found.decided, verdict=Verdict.OBSERVED))
    names = Names(("a", "b", found.drawn.order.belief))
    refuted = replace(found, decided=replace(found.decided, verdict=Verdict.REFUTED))
    assert isinstance(found.scales, ScalesFacts)
    least = SimpleNamespace(verdict=Verdict.OBSERVED)
    unclear = replace(refuted, scales=replace(found.scales, minimum=least))
    ways: list[Callable[[], object]] = [
        lambda: lead_of(seen, names), lambda: stated_meaning(seen, names),
        lambda: action(seen, least=True), lambda: check_commands(seen),
        lambda: action(unclear, least=True),
    ]  # fmt: skip
    for way in ways:
        with pytest.raises(KeyError, match="observed on a grid"):
            way()


def test_no_picture_has_a_bound_of_single_outputs_or_events_that_a_divergence_has_not() -> None:
    """A Rényi divergence is an average: no curve has to stay between lines, and δ has no target."""
    for form in ({"kind": "renyi", "order": 2}, {"kind": "zcdp"}):
        page = page_of(small(form=form, noise=GaussianNoise(9)))
        assert "What ε bounds is a divergence, an average over all outputs" in page
        assert "dashed lines" not in page.lower()
        assert "is marked with a cross" not in page


def test_the_target_has_a_place_among_deltas_of_events_alone() -> None:
    assert "is marked with a cross" not in page_of(small(delta="1/100", form="pointwise"))
    assert "is marked with a cross" in page_of(small(delta="1/100"))


def test_a_curve_of_many_atoms_has_few_points() -> None:
    """Each point takes as long as there are atoms: 18,000 of them took seconds more."""

    def dots(atoms: int) -> int:
        laws = ({x: 1 + k * (x % 2) for x in range(atoms)} for k in (0, 1))
        priors = {f"s{k}": Discrete(counts=law) for k, law in enumerate(laws)}
        facts = gathered("p", Problem(priors, noise=Laplace(1), epsilon=1), None, lambda *_: None)
        assert isinstance(facts, Facts)
        assert not isinstance(facts.curves, Missing)
        return len(facts.curves.found[0])

    assert (dots(20), dots(7500)) == (40, 10)


@pytest.mark.parametrize("noise", ['kind = "laplace"\nscale = 0', 'kind = "none"'])
def test_a_report_without_noise_says_what_that_rests_on(noise: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_text(
        f'schema = "pfverify/problem/1"\nepsilon = 1\ndelta = 0\n[noise]\n{noise}\n[priors]\n'
        'a = { kind = "discrete", counts = { "0" = 50, "1" = 50 } }\n'
        'b = { kind = "discrete", counts = { "0" = 40, "1" = 60 } }\n'
    )
    assert main(["certify", str(path), "-o", str(tmp_path / "p.cert")]) == 0
    page = markdown_of(report(path, tmp_path / "p.cert"))
    assert "The smallest scale is 0, so that the value itself is published. This rests on" in page
    assert "has no scale" not in page
    named = "the facts that it names: DPI (What is done to a release without looking at the data "
    assert named in page or "the facts that it names: X (Without noise the release is X" in page
    assert "X (Without noise the release is X itself)." in page


def test_a_recipe_that_is_shown_for_one_pair_says_whether_others_are_worked_out() -> None:
    """Of families calibrate has none either."""
    many = {f"s{k}": Discrete(counts={0: 20 + k, 1: 30}) for k in range(12)}
    page = markdown_of(report(Problem(many, noise=Laplace(2), epsilon=1)))
    assert "above alone; pfverify calibrate finds them for all." in page
    wide = {
        name: Confidence({str(x): 30 + n * x for x in range(40)}, "0.95")
        for n, name in enumerate("ab")
    }
    page = markdown_of(report(Problem(wide, noise=Laplace(9), epsilon=1)))
    assert "That is of the one pair. The recipes" in page
    assert "finds them for all" not in page
    assert "| a | the 95 % confidence region of 1200 records |" in page


def test_each_of_several_numbers_has_the_error_of_its_own_noise() -> None:
    laws = {"a": Joint(["x", "y"], [(0, 0, 1)]), "b": Joint(["x", "y"], [(1, 2, 1)])}
    page = markdown_of(report(Problem(laws, noise=Laplace(9), epsilon=1)))
    assert "Of each published number by itself: 95 times out of 100" in page
    assert "| a | 1 point (x, y: all 0) |" in page
    assert "| b | 1 point (x = 1, y = 2) |" in page


def test_priors_that_are_alike_are_one_row_and_an_option_is_one_word() -> None:
    laws = {f"s{k}": Discrete({0: "1/2", 1: "1/2"}) for k in range(5)}
    problem = Problem({**laws, "t": Discrete({1: 1})}, noise=Laplace(9), epsilon=1)
    page = markdown_of(report(problem))
    assert "| 5 secrets: s0, s1, s2, ... (5) | 2 values |" in page
    shown = html_of(replace(report("example:census"), lead=("say --merge-rare 5; a--b, ---",)))
    assert 'say <span class="option">--merge-rare</span> 5; a--b, ---' in shown
