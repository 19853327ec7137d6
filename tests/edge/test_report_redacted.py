"""A redacted report tells nothing of the records: neither a count nor what follows from one."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, DiscreteLaplace, Laplace, Problem, System
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.edge.render.html import html_of
from pfverify.edge.render.markdown import markdown_of
from pfverify.edge.report.report import report
from pfverify.model.digest import problem_digest
from pfverify.model.provenance import CONFIDENTIAL


def told(problem: Problem) -> tuple[Verdict | None, str, str]:
    """The verdict, and the page and the text without their digests."""
    made = report(problem, redact=True)
    pages = (html_of(made), markdown_of(made))
    digest = problem_digest(problem)
    for page in pages:
        assert digest in page
    page, text = (page.replace(digest, "DIGEST") for page in pages)
    return made.decided, page, text


laws = st.lists(st.integers(0, 400), min_size=3, max_size=4).filter(any)


def counted(first: list[int], second: list[int], wide: bool, lattice: bool) -> Problem:
    rows = [
        (secret, 10 * value)
        for secret, counts in (("yes", first), ("no", second))
        for value, count in enumerate(counts) for _ in range(count)
    ]  # fmt: skip
    scale = "601/2" if wide else "1/8"
    noise = DiscreteLaplace(scale, step=1) if lattice else Laplace(scale)
    return Problem.from_records(rows, epsilon="1/10", noise=noise)


def test_two_tables_of_one_verdict_have_one_page() -> None:
    """Nothing of the records reaches a page that is the same for all of them."""
    met: Counter[str] = Counter()
    known: dict[tuple[object, ...], tuple[str, str]] = {}

    @settings(max_examples=40, deadline=None, derandomize=True)
    @given(laws, laws, st.booleans(), st.booleans())
    def each(first: list[int], second: list[int], wide: bool, lattice: bool) -> None:
        verdict, page, text = told(counted(first, second, wide, lattice))
        before = known.setdefault((verdict, wide, lattice), (page, text))
        assert (page, text) == before
        met[str(verdict)] += 1

    each()
    assert min(met["certified"], met["refuted"]) >= 5, met


PRIMES = {"yes": {30: 7919, 40: 6997, 85: 13}, "no": {30: 5003, 40: 4999, 81: 11}}


def test_no_count_and_no_frequency_is_on_the_page(tmp_path: Path) -> None:
    lines = [f"{secret},{age}" for secret, counts in PRIMES.items()
             for age, count in counts.items() for _ in range(count)]  # fmt: skip
    data, problem = tmp_path / "d.csv", tmp_path / "p.toml"
    data.write_text("\n".join(["loan,age", *lines, ""]), "utf-8")
    asked = ["prior", str(data), "--secret", "loan", "--public", "age", "--scale", "64"]
    assert main([*asked, "-o", str(problem)]) == 0
    assert main(["certify", str(problem), "-o", str(tmp_path / "p.cert")]) == 0
    out = tmp_path / "r.html"
    made = ["report", str(problem), "--cert", str(tmp_path / "p.cert"), "-o", str(out)]
    assert main(made) == 0
    whole = unescape(out.read_text("utf-8"))
    assert main([*made, "--redact"]) == 0
    page = unescape(out.read_text("utf-8"))
    totals = {secret: sum(counts.values()) for secret, counts in PRIMES.items()}
    numbers = {str(n) for counts in PRIMES.values() for n in counts.values()}
    numbers |= {str(n) for n in (*totals.values(), sum(totals.values()), 85, 81)}
    for secret, counts in PRIMES.items():
        for count in counts.values():
            share = f"{count / totals[secret]:.9f}"
            numbers |= {share[1:6], share[2:6]} - {"000", "0000"}
    bare = re.sub(r"[0-9a-f]{64}", "", page.replace(str(tmp_path), ""))
    bare = re.sub(r"<style>.*?</style>", "", bare, flags=re.DOTALL)
    seen = set(re.findall(r"\d+", bare))
    assert {"7919", "6997", "13"} <= set(re.findall(r"\d+", whole))
    assert not numbers & seen
    assert not any(number in bare for number in numbers if len(number) >= 4)
    assert "<svg" not in page
    assert "The kernel checked its certificate first, and accepts it." in page


@pytest.mark.parametrize("release", ["sum", "mean"])
def test_the_number_of_users_is_a_count_too(release: str) -> None:
    system = System(others=[{"bernoulli": "1/3", "count": 6996}], rest="any", release=release,
                    user={"a": {"point": 0}, "b": {"point": 1}})  # fmt: skip
    problem = Problem(system=system, noise=Laplace(2), epsilon=1)
    assert "6997" in html_of(report(problem))
    assert "6997" not in told(problem)[1]
    assert "6996" not in told(problem)[1]


def test_extended_notions_and_reasons_say_nothing_of_distances() -> None:
    def page(far: int) -> str:
        table = {
            "schema": "pfverify/problem/1", "epsilon": "1/10", "notion": "xdistp",
            "noise": {"kind": "laplace", "scale": 40},
            "priors": {"a": {"kind": "discrete", "mass": {"0": 1}},
                       "b": {"kind": "discrete", "mass": {str(far): 1}}},
        }  # fmt: skip
        return told(Problem.from_table(table))[1]

    assert page(3) == page(17)


def test_what_comes_from_records_carries_the_banner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.csv").write_text("s,v\n" + "a,0\na,1\nb,1\nb,0\n" * 9, "utf-8")
    asked = ["prior", str(tmp_path / "d.csv"), "--secret", "s", "--public", "v", "--scale", "2"]
    problem = tmp_path / "p.toml"
    assert main([*asked, "-o", str(problem)]) == 0
    assert "Confidential as the records are." in capsys.readouterr().out
    text = problem.read_text("utf-8")
    head = text[: text.index("schema")].replace("\n# ", " ")
    assert CONFIDENTIAL in head
    assert CONFIDENTIAL in str(Problem.load(problem).provenance)
    assert f'<p class="banner">{CONFIDENTIAL}' in html_of(report(problem))
    assert f"**{CONFIDENTIAL[:40]}" in markdown_of(report(problem))
    plain = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1)
    assert 'class="banner"' not in html_of(report(plain))


def test_a_rejected_certificate_says_no_more(tmp_path: Path) -> None:
    first = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1)
    first.save(tmp_path / "p.toml")
    assert main(["certify", str(tmp_path / "p.toml"), "-o", str(tmp_path / "p.cert")]) == 0
    first.replaced(epsilon=2).save(tmp_path / "p.toml")
    out = tmp_path / "r.md"
    made = ["report", str(tmp_path / "p.toml"), "--cert", str(tmp_path / "p.cert"), "--redact"]
    assert main([*made, "-o", str(out)]) == 1
    assert "The kernel says: rejected." in out.read_text("utf-8")
