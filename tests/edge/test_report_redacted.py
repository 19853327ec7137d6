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


# ---------------------------------------------------------------- what is published, and by whom


CITY = "benefit,age\n" + "".join(
    f"{'yes' if k % 3 else 'no'},{k % 7 + (k % 3 == 0)}\n" for k in range(210)
)  # fmt: skip


def city(tmp_path: Path, *more: str) -> Path:
    (tmp_path / "city.csv").write_text(CITY, "utf-8")
    problem = tmp_path / "city.toml"
    asked = ["prior", str(tmp_path / "city.csv"), "--secret", "benefit", "--public", "age"]
    assert main([*asked, *more, "-o", str(problem)]) == 0
    return problem


def words_of(page: str) -> str:
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub("<[^>]*>", " ", text)))


def box(page: str) -> str:
    """The verdict in its box."""
    (found,) = re.findall('<p class="verdict.*?</p>', page, re.DOTALL)
    return words_of(found)


@pytest.mark.parametrize("redact", [False, True])
def test_the_verdict_names_the_secret_and_the_number(tmp_path: Path, redact: bool) -> None:
    problem = city(tmp_path, "--scale", "30")
    page = html_of(report(problem, redact=redact))
    assert "this release of “age” (one record's value) meets ε = 1" in box(page)
    assert "its one pair of secrets, “benefit=no” and “benefit=yes”" in box(page)
    assert "What is published: “age” (one record's value)." in words_of(page)
    said = box(html_of(report(problem, redact=redact, about="the <age> of a resident")))
    assert "this release of the <age> of a resident meets" in said
    refuted = box(html_of(report(city(tmp_path, "--scale", "1/1000", "--epsilon", "1/1000"),
                                 redact=redact)))  # fmt: skip
    assert "Not private: this release of “age” (one record's value) does not meet" in refuted
    assert "“benefit=yes”" in refuted


def test_the_command_says_what_is_published(tmp_path: Path) -> None:
    problem, out = city(tmp_path, "--scale", "30"), tmp_path / "r.md"
    asked = ["report", str(problem), "-o", str(out), "--about", "the age of one resident"]
    for more in ([], ["--redact"]):
        assert main([*asked, *more]) == 0
        text = out.read_text("utf-8")
        assert "this release of the age of one resident meets" in text
        assert "What is published: the age of one resident." in text


def test_of_many_pairs_the_column_of_the_secret_is_named() -> None:
    rows = [(f"v{k % 5}", k % 3) for k in range(150)]
    counted = Problem.from_records(rows, epsilon=1, noise=Laplace(30))
    priors = {f"s{k}": Discrete({0: 1, 1: 0} if k else {0: 0, 1: 1}) for k in range(5)}
    stated = Problem(priors, noise=Laplace(30), epsilon=1)
    for redact in (False, True):
        assert "all 10 pairs of secrets compared: values of “" in box(
            html_of(report(counted, redact=redact)))  # fmt: skip
        said = box(html_of(report(stated, redact=redact)))
        assert "all 10 pairs of secrets compared: “s0”, “s1”, “s2”, ... (5)" in said
        assert "Private: this release meets" in said


def test_who_has_no_file_is_offered_no_check(tmp_path: Path) -> None:
    problem = city(tmp_path, "--scale", "30")
    cert, out = tmp_path / "city.cert", tmp_path / "r.html"
    assert main(["certify", str(problem), "-o", str(cert)]) == 0
    for proof in ([], ["--cert", str(cert)]):
        made = ["report", str(problem), *proof, "-o", str(out)]
        assert main(made) == 0
        whole = out.read_text("utf-8")
        assert "Check it yourself" in whole
        assert "pfverify check" in whole
        assert main([*made, "--redact"]) == 0
        page = out.read_text("utf-8")
        for words in ("Check it yourself", "pfverify check", "pfverify certify", "pfverify/kernel",
                      "stands below", "<pre", str(tmp_path)):  # fmt: skip
            assert words not in page, words
        assert "This page alone cannot be checked: it is the word of whoever" in words_of(page)
        assert problem_digest(Problem.load(problem)) in page


def source(problem: Path | Problem) -> str:
    """What a page to be handed on says of where the scale comes from."""
    said = words_of(html_of(report(problem, redact=True)))
    found = re.search(r"and what is published\. (.*?) The digests hold", said)
    assert found is not None
    return found[1]


def test_a_scale_from_the_records_is_said_to_be_one(tmp_path: Path) -> None:
    chosen = source(city(tmp_path, "--scale", "30"))
    scaled = tmp_path / "scaled.toml"
    asked = ["--write", str(scaled), "--method", "minimum"]
    assert main(["calibrate", str(city(tmp_path)), *asked]) == 0
    told = Problem.load(scaled).provenance
    assert told is not None
    assert told.calibrated is not None
    assert told.calibrated.endswith(" (minimum, rounded up)")
    found = source(scaled)
    assert found.startswith("The scale was worked out from the records, by pfverify calibrate.")
    text = scaled.read_text("utf-8")
    scaled.write_text(re.sub("(?m)^scale = .*$", 'scale = "31"', text), "utf-8")
    other = source(scaled)
    assert other.startswith("A scale was worked out from the records by pfverify calibrate, and")
    assert chosen.startswith("The problem was counted from records, and the verdict is a function")
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    stated = source(Problem(priors, noise=Laplace(2), epsilon=1))
    assert stated.startswith("The problem file says nothing of records")
    for said in (chosen, found, other, stated):
        assert " if " not in said.lower()


def test_a_scale_that_no_record_decides_is_said_to_be_one(tmp_path: Path) -> None:
    data, problem, scaled = (tmp_path / name for name in ("c.csv", "p.toml", "s.toml"))
    data.write_text(CITY, "utf-8")
    for asked in (
        ["--secret", "age", "--public", "age", "--release", "histogram"],
        ["--secret", "benefit", "--public", "benefit=yes", "--release", "count"],
    ):
        assert main(["prior", str(data), *asked, "--rest", "any", "-o", str(problem)]) == 0
        assert main(["calibrate", str(problem), "--write", str(scaled)]) == 0
        assert source(scaled).startswith("The scale is what any two values need: no record was")
        whole = words_of(html_of(report(scaled)))
        assert "Scale worked out from these records" not in whole
        assert "(minimum, rounded up; what any two values need, no record used)" in whole


def test_that_counts_are_exact_is_assumed_on_the_page_that_is_handed_on(tmp_path: Path) -> None:
    problem = city(tmp_path, "--scale", "30")
    for redact in (False, True):
        said = words_of(html_of(report(problem, redact=redact)))
        assert "The counts of the records are exact (prior --confidence 0.95 allows" in said


def test_intervals_read_off_the_records_are_left_out(tmp_path: Path) -> None:
    problem = city(tmp_path, "--scale", "30", "--merge-rare", "30")
    told = Problem.load(problem).provenance
    assert told is not None
    assert told.bins is not None
    assert re.search(r"\d to \d as \d", told.bins)
    assert re.search(r"\d to \d as \d", words_of(html_of(report(problem))))
    page = words_of(html_of(report(problem, redact=True)))
    assert not re.search(r"\d to \d as \d", page)
    assert re.search(r"neighbours merged until each has 30 records per secret, by these records "
                     r"\([^)]*\): \d+ intervals? of two values or more", page)  # fmt: skip


def test_without_noise_that_is_said_first(tmp_path: Path) -> None:
    priors = {"a": Discrete(counts={0: 1, 1: 2}), "b": Discrete(counts={0: 2, 1: 3})}
    for scale, expected in ((0, 1), (5, 0)):
        problem = Problem(priors, noise=Laplace(scale), epsilon=1)
        for redact in (False, True):
            made = html_of(report(problem, redact=redact))
            said = "No noise is added: the value itself is published. Whoever believes something"
            assert box(made).count(said) == expected


def test_what_calibrate_says_of_a_scale_decides_nothing(tmp_path: Path) -> None:
    """It is no part of the digest, and a file without records gets none."""
    scaled, plain = tmp_path / "scaled.toml", tmp_path / "plain.toml"
    asked = ["--write", str(scaled), "--method", "minimum"]
    assert main(["calibrate", str(city(tmp_path)), *asked]) == 0
    text = scaled.read_text("utf-8")
    bare = Problem.from_text(re.sub("(?m)^calibrated = .*\n", "", text))
    assert "calibrated = " in text
    assert problem_digest(Problem.load(scaled)) == problem_digest(bare)
    assert main(["certify", str(scaled), "-o", str(tmp_path / "s.cert")]) == 0
    assert main(["check", str(scaled), str(tmp_path / "s.cert"), "--expect", "certified"]) == 0
    priors = {"a": Discrete({0: "1/3", 1: "2/3"}), "b": Discrete({0: "2/3", 1: "1/3"})}
    Problem(priors, noise=Laplace(2), epsilon="1/2").save(plain)
    asked = ["--write", str(tmp_path / "new.toml"), "--method", "minimum"]
    assert main(["calibrate", str(plain), *asked]) == 0
    assert "provenance" not in (tmp_path / "new.toml").read_text("utf-8")
