"""`pfverify prior --chain`: transitions counted from sequences, or one line that says why not."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from pfverify import Chain, InputError, Problem
from pfverify.edge.cli import main
from pfverify.records.prior import CountedPrior, prior_of_file
from pfverify.records.sequences import ChainOptions

ROWS = "who,hour,state\n" + "".join(
    f"{who},{hour},{state}\n"
    for who, states in (("a", "lhhl"), ("b", "hlll"), ("c", "lhlh"))
    for hour, state in enumerate(states, 9)
)


def fitted(
    folder: Path, text: str, public: str = "state=h", *, where: str | None = None,
    length: int | None = None, start: str | None = None, by: str | None = "who", **options: object,
) -> CountedPrior:  # fmt: skip
    """The problem of this text."""
    path = folder / "rows.csv"
    path.write_text(text)
    chain = ChainOptions("hour", by, length, start)
    return prior_of_file(path, None, public, chain=chain, where=where, options=options)


def refusal(folder: Path, text: str, *args: str, **options: object) -> str:
    """The one line that refuses it."""
    with pytest.raises(InputError) as caught:
        fitted(folder, text, *args, **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_transitions_are_counted_within_each_person_in_the_order_of_times(tmp_path: Path) -> None:
    lines = ROWS.splitlines()
    random.Random(1).shuffle(rows := lines[1:])
    found = fitted(tmp_path, "\n".join([lines[0], *rows]))
    table = found.table["chain"]
    assert table["transition"] == {"h": {"h": "1/4", "l": "3/4"}, "l": {"h": "3/5", "l": "2/5"}}
    assert (table["states"], table["count"], table["length"]) == (["h", "l"], "h", 4)
    assert table["start"] == "stationary"
    told = found.provenance
    assert (told.sequences, told.transitions, told.rows_used) == (3, 9, 12)
    assert told.smallest_cell == {"records": 1, "secret": "after h", "value": "h"}
    assert found.rows == {"h": 5, "l": 7}
    assert "what one record is in the column 'state'" in found.text
    assert Problem.from_text(found.text) == found.problem  # counts stand in the file


def test_random_sequences_are_counted_as_by_plain_python(tmp_path: Path) -> None:
    draw = random.Random(3)
    for _ in range(30):
        people = {p: [draw.choice("012") for _ in range(draw.randint(2, 6))] for p in "abcdefgh"}
        steps = Counter(s for row in people.values() for s in pairwise(row))
        left = Counter(s for row in people.values() for s in row[:-1])
        rows = [f"{p},{2 * t},{s}" for p, row in people.items() for t, s in enumerate(row)]
        draw.shuffle(rows)
        if len(left) < 3:
            continue
        found = fitted(
            tmp_path, "\n".join(["who,hour,state", *rows]), "state", length=3, start="first"
        )
        (chain,) = found.problem.source.models.values()
        assert isinstance(chain, Chain)
        first = Counter(row[0] for row in people.values())
        assert chain.start == {s: Fraction(first[s], 8) for s in "012"}
        assert chain.states == {s: int(s) for s in "012"}
        assert chain.release == "sum"
        for k, a in enumerate("012"):
            assert [*chain.matrix(1)[k]] == [Fraction(steps[a, b], left[a]) for b in "012"]


def test_the_start_is_stationary_only_where_every_state_comes_back(tmp_path: Path) -> None:
    text = "who,hour,state\na,1,x\na,2,y\na,3,y\nb,1,y\nb,2,y\nb,3,y\n"
    assert fitted(tmp_path, text, "state=y").table["chain"]["start"] == {"x": "1/2", "y": "1/2"}
    with pytest.raises(InputError, match="no record can be two things"):
        fitted(tmp_path, text, "state=y", start="stationary")


@pytest.mark.parametrize(
    ("times", "remarked"),
    [
        (["1", "2.5", "10"], True),
        (["2024-01-30", "2024-01-31", "2024-02-01"], False),
        (["2024-01-01T09:00", "2024-01-01T10:00", "2024-01-01 11:00:00"], False),
        (["2024-01-01T09:00+01:00", "2024-01-01T09:00+00:00", "2024-01-01T09:00-01:00"], False),
    ],
)
def test_times_are_numbers_days_or_times_of_day(
    times: list[str], remarked: bool, tmp_path: Path
) -> None:
    rows = list(zip(times, "xyx", strict=True))
    text = "hour,state\n" + "".join(f"{time},{state}\n" for time, state in reversed(rows))
    found = fitted(tmp_path, text, "state=y", by=None)
    assert found.table["chain"]["transition"] == {"x": {"y": "1/1"}, "y": {"x": "1/1"}}
    assert bool(found.remarks) == remarked


def test_numbers_codes_and_intervals_are_values_of_states(tmp_path: Path) -> None:
    coded = fitted(tmp_path, ROWS, "state", codes="l=0,h=2")
    assert coded.table["chain"]["states"] == {"h": "2", "l": "0"}
    assert coded.provenance.codes == {"h": "2", "l": "0"}
    ordered = fitted(tmp_path, ROWS, "state", codes="order", release="mean")
    assert ordered.table["chain"]["states"] == {"h": "0", "l": "1"}
    text = "who,hour,state\na,1,3\na,2,17\na,3,4\na,4,11\na,5,1\n"
    bins = fitted(tmp_path, text, "state", bin_width=10, clip=(0, 15))
    assert bins.table["chain"]["states"] == {"5": "5", "15": "15"}
    assert fitted(tmp_path, text + "a,6,3\n", "state=17.0").table["chain"]["count"] == "17"


def test_what_is_no_chain_is_refused_in_one_line(tmp_path: Path) -> None:
    head = "who,hour,state\n"
    for text, public, options, expected in [
        (head + "a,,h\na,2,l\n", "state=h", {}, "a row has no value in column 'hour'"),
        (head + ",1,h\na,2,l\n", "state=h", {}, "no value in column 'who'"),
        (head + "a,1,\na,2,l\n", "state=h", {}, "no value in column 'state'"),
        (head + "a,1,?\na,2,l\n", "state=h", {"missing_values": ["?"]}, "no value in column"),
        (head + "a,1,h\na,1.0,l\n", "state=h", {}, "two records at hour '1"),
        (head + "a,1,h\na,1,h\n", "state=h", {}, "of who 'a'"),
        (head + "a,1,h\nb,1,h\n", "state=h", {"by": None}, "say with --by whose"),
        (head + "a,1,h\na,2024-01-01,h\n", "state=h", {}, "has both"),
        (head + "a,noon,h\n", "state=h", {}, "'noon' is no time"),
        (head + "a,1,h\na,2,h\n", "state=h", {}, "has one value ('h')"),
        (head + "a,1,h\na,2,l\n", "state=h", {}, "'l' is never followed by a record"),
        (ROWS, "state=H", {}, "no row has the value 'H' in column 'state'; it has h, l"),
        (ROWS, "state", {}, "code the categories"),
        (ROWS, "state", {"release": "count"}, "needs the state that is counted"),
        (ROWS, "state=h", {"release": "value"}, "--release value"),
        (ROWS, "state=h", {"absent": "x"}, "--absent: goes without --chain"),
        (ROWS, "state=h", {"missing": "drop"},
         "--missing: goes without --chain: what came before and after a dropped record would be "
         "taken for neighbours; fill it in, or leave whole sequences out with --where"),
        (ROWS, "state=h", {"start": "last"}, "--start: 'last'"),
        (ROWS, "state=h", {"length": 0}, "--length: 0"),
        (ROWS, "state=h", {"where": "hour < 3"}, "every row is left out"),
        (ROWS, "state=h", {"where": "who = a or hour < 11"}, "2 to 4 records"),
        (ROWS, "hour", {}, "expected different columns"),
        (ROWS, "stat=h", {}, "no column 'stat=h'; did you mean 'state'?"),
    ]:
        assert expected in refusal(tmp_path, text, public, **options), expected


def test_a_chain_from_a_table_is_certified_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, problem, cert = (str(tmp_path / name) for name in ("a.csv", "a.toml", "a.cert"))
    Path(path).write_text(ROWS)
    asked = ["prior", path, "--chain", "hour", "--by", "who", "--public", "state=h"]
    assert main([*asked, "--scale", "4", "-o", problem]) == 0
    assert "12 rows read, 12 used. In 3 sequences, 9 transitions." in capsys.readouterr().out
    assert main(["certify", problem, "-o", cert]) == 0
    assert main(["check", problem, cert, "--expect", "certified"]) == 0
    Path(problem).write_text(Path(problem).read_text().replace("1/4", "2/4").replace("3/4", "2/4"))
    assert main(["check", problem, cert]) != 0


def test_options_of_sequences_go_with_chain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prior", "a.csv", "--public", "x"]) == 2
    assert "Missing option '--secret'" in capsys.readouterr().err
    assert main(["prior", "a.csv", "--secret", "y", "--public", "x", "--by", "z"]) == 2
    assert "--by: only with --chain" in capsys.readouterr().err


def test_a_parquet_file_with_times_of_day(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "rows.parquet"
    duckdb.sql(
        "SELECT TIMESTAMP '2024-01-01 09:00:00' + INTERVAL (i) HOUR AS hour, i % 2 AS state "
        "FROM range(5) AS r(i)"
    ).write_parquet(str(path))
    found = prior_of_file(path, None, "state", chain=ChainOptions("hour"))
    assert found.table["chain"]["transition"] == {"0": {"1": "2/2"}, "1": {"0": "2/2"}}
