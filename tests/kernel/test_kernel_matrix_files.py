"""A matrix in a file of its own, or divided by its sums: as the package reads it, or refused."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import checker
import numpy as np
import pytest
from core.grammar import Malformed
from core.work import PER_BYTE, Check, TooMuchWork, checking
from hypothesis import given, settings
from hypothesis import strategies as st
from reader import reader
from support.matrix_files import (
    AB,
    COUNTS,
    Stated,
    csv_bytes,
    inline,
    lying,
    matrix_npz,
    most_bytes,
    named,
    npz_bytes,
    problem_of,
)

from pfverify import Problem, certify
from pfverify.certificate.checking import check
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest
from pfverify.model.named_files import located

HEADER = "{{'descr': {!r}, 'fortran_order': False, 'shape': {}, }}"


def kernel_digest(table: dict[str, Any], folder: Path) -> str:
    """The digest of a problem that lies in a folder."""
    with checking(1 << 20, str(folder)):
        return str(reader.digest(reader.problem_of(table)))


def package_digest(table: dict[str, Any], folder: Path) -> str:
    return problem_digest(Problem.from_table(located(table, folder)))


READERS = (kernel_digest, package_digest)


def malformed(folder: Path, **channel: Any) -> str:
    """Why both readers refuse a channel, as the kernel says it."""
    table = problem_of(channel)
    with pytest.raises(InputError):
        package_digest(table, folder)
    with pytest.raises(Malformed) as caught:
        kernel_digest(table, folder)
    return str(caught.value)


# ---------------------------------------------------------------- both readers agree

names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1)


@st.composite
def matrices(draw: st.DrawFn, entries: st.SearchStrategy[Any]) -> Stated:
    height, width = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    both = [
        draw(st.lists(names, min_size=size, max_size=size, unique=True))
        for size in (height, width)
    ]
    rows = [draw(st.lists(entries, min_size=width, max_size=width)) for _ in range(height)]
    return Stated(both[0], both[1], [row if any(row) else [1] * width for row in rows])


def all_agree(folder: Path, tables: list[dict[str, Any]]) -> None:
    problems = [problem_of(channel) for channel in tables]
    found = {read(problem, folder) for problem in problems for read in READERS}
    assert len(found) == 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("matrices")


@given(matrices(st.integers(0, 255)), st.sampled_from("CF"), st.booleans(),
       st.sampled_from(["u1", "<u2", ">i4", "<i8", ">f8", "<f4"]))  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_counts_in_every_format(
    folder: Path, matrix: Stated, order: str, packed: bool, dtype: str
) -> None:
    data = matrix_npz(matrix, dtype, packed, order)
    all_agree(folder, [
        inline(matrix, normalise=True), named(folder, "m.npz", data, normalise=True),
        named(folder, "m.csv", csv_bytes(matrix, "\r\n"), normalise=True),
        inline(matrix._replace(rows=[[Fraction(x, sum(row)) for x in row] for row in matrix.rows])),
    ])  # fmt: skip


@given(matrices(st.floats(0, 1e300)), st.sampled_from(["<f8", ">f4", "<f2"]))
@settings(max_examples=25, deadline=None)
def test_floats_are_dyadic_to_both(folder: Path, matrix: Stated, dtype: str) -> None:
    with np.errstate(over="ignore"):
        rows = np.array(matrix.rows, dtype)
    rows[~np.isfinite(rows)] = 1
    rows[rows.sum(axis=1) == 0] = 1
    exact = matrix._replace(rows=[[Fraction(float(x)) for x in row] for row in rows])
    data = npz_bytes(rows=rows, inputs=np.array(matrix.inputs), outputs=np.array(matrix.outputs))
    all_agree(folder, [
        named(folder, "f.npz", data, normalise=True), inline(exact, normalise=True),
        named(folder, "f.csv", csv_bytes(exact), normalise=True),
    ])  # fmt: skip


@given(matrices(st.fractions(0, 100, max_denominator=50)))
@settings(max_examples=25, deadline=None)
def test_rows_that_sum_to_one(folder: Path, matrix: Stated) -> None:
    shares = matrix._replace(rows=[[x / sum(row) for x in row] for row in matrix.rows])
    tables = [inline(shares), named(folder, "s.csv", csv_bytes(shares))]
    all_agree(folder, [*tables, {**tables[0], "normalise": True}, {**tables[1], "normalise": False},
                       inline(matrix, normalise=True)])  # fmt: skip


def test_a_certificate_is_about_the_rows_wherever_they_are(
    tmp_path: Path, kernel_here: None
) -> None:
    """One digest: the certificate of each is one of the others; of another matrix it is not."""
    named(tmp_path, "m.csv", csv_bytes(AB))
    named(tmp_path, "m.npz", matrix_npz(COUNTS, "u1"))
    named(tmp_path, "other.csv", csv_bytes(AB._replace(rows=[["1/2", "1/2"], ["1/4", "3/4"]])))
    stated = {
        "inline": inline(AB), "csv": {"file": "m.csv"}, "npz": {"file": "m.npz", "normalise": True}
    }
    for name, channel in stated.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(problem_of(channel, "log(3)")))
        certify(path).write(tmp_path / f"{name}.cert", problem=path)
    other = tmp_path / "other.json"
    other.write_text(json.dumps(problem_of({"file": "other.csv"}, "log(3)")))
    for name in stated:
        for proof in stated:
            assert check(tmp_path / f"{name}.json", tmp_path / f"{proof}.cert").certified
        assert check(other, tmp_path / f"{name}.cert").word == "rejected"
    (tmp_path / "m.csv").write_bytes(csv_bytes(AB._replace(rows=[["1", "0"], ["0", "1"]])))
    assert check(tmp_path / "csv.json", tmp_path / "csv.cert").word == "rejected"


def test_the_folder_is_that_of_the_problem(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "p.json"
    path.write_text(json.dumps(problem_of(named(tmp_path / "in", "m.csv", csv_bytes(AB)))))
    proof = tmp_path / "p.cert"
    certify(path).write(proof, problem=path)
    here = os.path.relpath(path), os.path.relpath(proof)
    assert checker.check_files(*here).word == "certified"
    assert checker.check_files(*here, str(tmp_path)).word == "malformed"
    data = path.read_bytes(), True, proof.read_bytes()
    assert checker.check_bytes(*data, str(path.parent))[0] == "certified"
    word, message = checker.check_bytes(*data)
    assert (word, '"m.csv" is no regular file' in message) == ("malformed", True)


# ---------------------------------------------------------------- hostile files


@pytest.mark.parametrize("data", [
    b"", b"\n", b"x,y\n1,2\n", b"input\na\n", b"input,x,y\n", b"input,x,y\na,1\n",
    b"input,x,y\na,1,0,0\nb,0,1,0\n", b"input,x,y\na,1,\nb,0,1\n", b"input,x,y\na,1,0\na,0,1\n",
    b"input,x,x\na,1,0\nb,0,1\n", b"input,x,y\na,1,nan\nb,0,1\n", b"input,x,y\na,2,-1\nb,0,1\n",
    b"input,x,y\na,1/2,1/3\nb,0,1\n", b'input,x,y\na,"1,0\n', b'input,x,y\na,"1"0,0\n',
    b"input,x,y\na,\xff,0\n", b"input,x,y\na," + b"1" * 200_000 + b",0\n", b"Input,x\na,1\nb,1\n",
    b"\xef\xbb\xbf\xef\xbb\xbfinput,x\na,1\nb,1\n", b"input,\x00\na,1\nb,1\n", b"\x00",
    b"input,x\n\xe2\x80\xae,1\nb,1\n", b"input,x\n ,1\nb,1\n", b"input,x\na,True\nb,1\n",
    b"input,x\na,__import__('os')\nb,1\n", "input,x\na,\u0661\nb,1\n".encode(),
])  # fmt: skip
@pytest.mark.parametrize("normalise", [True, False])
def test_csv_that_neither_reads(tmp_path: Path, data: bytes, normalise: bool) -> None:
    if not normalise or b"1/3" not in data:
        assert malformed(tmp_path, **named(tmp_path, "m.csv", data, normalise=normalise))


def npy(header: str, data: bytes = b"", version: bytes = b"\1\0") -> bytes:
    text = header.encode("latin-1") + b"\n"
    return b"\x93NUMPY" + version + len(text).to_bytes(2 if version == b"\1\0" else 4, "little") + (
        text + data
    )


def zipped(folder: Path, packing: int = zipfile.ZIP_DEFLATED, **arrays: bytes) -> bytes:
    place = folder / "made.zip"
    with zipfile.ZipFile(place, "w", packing) as archive:
        for name, data in arrays.items():
            archive.writestr(f"{name}.npy", data)
    return place.read_bytes()


GOOD = npy(HEADER.format("|u1", (2, 2)), bytes([1, 0, 0, 1]))


@pytest.mark.parametrize("stored", [
    b"", b"\x93NUMPY", b"\x93NUMPY\3\0\0\0\0\0", npy("{}"), npy("[" * 3000),
    npy("__import__('os')"), npy("{'descr': '<f8', 'fortran_order': False}"),
    npy(HEADER.format("<f8", (2, -2))), npy(HEADER.format("<f8", ("2", "2"))),
    npy(HEADER.format("<f8", (2, 2))), npy(HEADER.format("<f8", (2, 2)), bytes(31)),
    npy(HEADER.format("<f8", (2, 2)), bytes(33)), npy(HEADER.format("<f8", (10**8, 10**8))),
    npy(HEADER.format("<f8", (10**30, 1))), npy(HEADER.format("|O", (2, 2)), bytes(32)),
    npy(HEADER.format("|O8", (2, 2)), bytes(32)), npy(HEADER.format("<U1000000", (2, 2)), bytes(8)),
    npy(HEADER.format("<f16", (1, 1)), bytes(16)), npy(HEADER.format("|V8", (2, 2)), bytes(32)),
    npy(HEADER.format("|b1", (2, 2)), bytes([1, 0, 0, 1])), npy(HEADER.format("<i3", (2, 2))),
    npy(HEADER.format("|u1", (4,)), bytes(4)), npy(HEADER.format("|u1", (0, 4))),
    npy(HEADER.format("|u1", (1, 2, 2)), bytes(4)), npy(HEADER.format("|u1", ()), bytes(1)),
    npy(HEADER.format("<f8", (1, 1)), np.array([np.nan]).tobytes()),
    npy(HEADER.format("<f8", (1, 2)), np.array([np.inf, 1]).tobytes()),
    npy(HEADER.format("<f8", (1, 2)), np.array([2.0, -1.0]).tobytes()),
    npy(HEADER.format("|i1", (1, 2)), bytes([2, 255])), b"\x93NUMPY\2\0\xff\xff\xff\xff{",
    GOOD + b"\0", GOOD[:-1], GOOD.replace(b"NUMPY", b"NUMPI"), GOOD.replace(b"\n", b" "),
    GOOD.replace(b"u1", b"z1"), GOOD.replace(b"(2,", b"(9,"),
])  # fmt: skip
@pytest.mark.parametrize("normalise", [True, False])
def test_arrays_that_neither_reads(tmp_path: Path, stored: bytes, normalise: bool) -> None:
    def table(**arrays: bytes) -> dict[str, Any]:
        return named(tmp_path, "m.npz", zipped(tmp_path, **arrays), normalise=normalise)

    all_agree(tmp_path, [table(rows=GOOD)])
    assert malformed(tmp_path, **table(rows=stored))
    assert malformed(tmp_path, **table(rows=GOOD, inputs=stored))
    assert malformed(tmp_path, **table(inputs=GOOD))


def texts(*values: str, dtype: str = "<U3") -> bytes:
    return npy(HEADER.format(dtype, (len(values),)), np.array(values, dtype).tobytes())


@pytest.mark.parametrize("stored", [
    texts("a", "a"), texts("a"), texts("a", "b", "c"), texts("", "b"), texts("a\0b", "b"),
    texts("\ud800", "b"), npy(HEADER.format("<U1", (2,)), bytes([0, 0, 0x11, 0] * 2)),
    npy(HEADER.format("<U1", (2,)), b"\xff" * 8), npy(HEADER.format("<U0", (2,))),
    npy(HEADER.format("<U1", (1, 2)), "ab".encode("utf-32-le")),
    npy(HEADER.format("|S1", (2,)), b"ab"), npy(HEADER.format("<i4", (2,)), bytes(8)),
])  # fmt: skip
def test_names_that_neither_reads(tmp_path: Path, stored: bytes) -> None:
    data = zipped(tmp_path, rows=GOOD, outputs=stored)
    assert malformed(tmp_path, **named(tmp_path, "m.npz", data))


@pytest.mark.parametrize("dtype", ["<U3", ">U3"])
def test_names_of_either_order(tmp_path: Path, dtype: str) -> None:
    data = zipped(tmp_path, rows=GOOD, outputs=texts("ä", "b\U0001f600c", dtype=dtype))
    matrix = Stated(["0", "1"], ["ä", "b\U0001f600c"], [[1, 0], [0, 1]])
    all_agree(tmp_path, [named(tmp_path, "m.npz", data), inline(matrix)])
    second = npy(HEADER.format("|u1", (2, 2)), bytes([1, 0, 0, 1]), b"\2\0")
    data = zipped(tmp_path, rows=second, outputs=texts("ä", "b\U0001f600c", dtype=dtype))
    all_agree(tmp_path, [named(tmp_path, "m.npz", data), inline(matrix)])


class Touch:
    """What touches a file once it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    place = tmp_path / "touched"
    bad = np.array([[Touch(place), 1], [1, 1]], object)
    for data in (
        npz_bytes(rows=bad), npz_bytes(rows=np.eye(2), inputs=np.array([Touch(place), 1], object)),
        pickle.dumps(Touch(place)), zipped(tmp_path, rows=pickle.dumps(Touch(place))),
    ):  # fmt: skip
        malformed(tmp_path, **named(tmp_path, "m.npz", data))
    assert not place.exists()


def test_zip_files_that_neither_reads(tmp_path: Path) -> None:
    data = zipped(tmp_path, rows=GOOD)
    assert data == zipped(tmp_path, rows=GOOD)
    for k in range(len(data)):  # every byte matters, or is none that is read
        other = data[:k] + bytes([data[k] ^ 0x55]) + data[k + 1 :]
        table = problem_of(named(tmp_path, "m.npz", other))
        try:
            found = kernel_digest(table, tmp_path)
        except Malformed:
            continue
        good = problem_of({"inputs": ["0", "1"], "outputs": ["0", "1"], "rows": [[1, 0], [0, 1]]})
        assert found == kernel_digest(good, tmp_path)
    for cut in (0, 1, 30, len(data) // 2, len(data) - 1):
        malformed(tmp_path, **named(tmp_path, "m.npz", data[:cut]))
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        malformed(tmp_path, **named(tmp_path, "m.npz", zipped(tmp_path, packing, rows=GOOD)))
    malformed(tmp_path, **named(tmp_path, "m.npz", zipped(tmp_path, rows=GOOD, more=GOOD)))
    assert malformed(tmp_path, **named(tmp_path, "m.npz", zipped(tmp_path, outputs=texts("a"))))


def test_a_file_that_is_there_twice_in_a_zip(tmp_path: Path) -> None:
    place = tmp_path / "made.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("rows.npy", GOOD)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("rows.npy", GOOD)
    said = malformed(tmp_path, **named(tmp_path, "m.npz", place.read_bytes()))
    assert "each once, and nothing else" in said


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reader import arrays

    from pfverify.model.channels import matrix_file

    monkeypatch.setattr(arrays, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(matrix_file, "MAX_BYTES", 1 << 20)
    data = zipped(tmp_path, rows=npy(HEADER.format("|u1", (2048, 1024)), bytes(1 << 21)))
    assert len(data) < 1 << 14
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_, **__: pytest.fail("it was unpacked"))
    said = malformed(tmp_path, **named(tmp_path, "m.npz", data))
    assert "more than 1048576 bytes, unpacked" in said


def test_an_array_that_is_larger_than_it_says_is_not_unpacked(tmp_path: Path) -> None:
    """192 MiB of zeros that are said to be 100 bytes, whose checksum is that of these."""
    channel = named(tmp_path, "m.npz", lying(192 << 20, 100))
    with most_bytes() as peak:
        said = malformed(tmp_path, **channel)
    assert "is no array of a known version" in said
    assert peak() < 100 << 20  # of which a file may have 64


def test_more_than_the_most_entries(tmp_path: Path) -> None:
    data = npz_bytes(packed=True, rows=np.zeros((2001, 2000), "u1"))
    assert "at most 4000000 entries" in malformed(tmp_path, **named(tmp_path, "m.npz", data))
    head = ",".join(f"y{k}" for k in range(4001)).encode()
    lines = b"".join(b"x%d" % k + b",0" * 4001 + b"\n" for k in range(1000))
    data = b"input," + head + b"\n" + lines
    assert "more than 4000000 entries" in malformed(tmp_path, **named(tmp_path, "m.csv", data))


def test_work_goes_by_the_bytes_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is packed small allows little work: of many entries there is too much."""
    monkeypatch.setattr("core.work.AT_LEAST", 0)
    data = npz_bytes(packed=True, rows=np.ones((1000, 300), "u1"))
    table = problem_of(named(tmp_path, "m.npz", data, normalise=True))
    assert len(data) < 1000
    with pytest.raises(TooMuchWork), checking(1000, str(tmp_path)) as check:
        reader.problem_of(table)
    assert check.allowed == Check(1000 + len(data)).allowed


def test_a_file_that_is_named_often_allows_its_bytes_once(tmp_path: Path) -> None:
    data = csv_bytes(AB)
    part = {"kind": "matrix", **named(tmp_path, "m.csv", data)}
    again = {"kind": "matrix", "file": f"../{tmp_path.name}/m.csv"}
    channel = {"kind": "composition", "parts": [part, again, part]}
    with checking(1000, str(tmp_path)) as check:
        reader.problem_of({**problem_of({}), "channel": channel})
    assert check.allowed == Check(1000).allowed + PER_BYTE * len(data)


def test_only_regular_files_of_two_formats(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "m.txt").write_bytes(csv_bytes(AB))
    for name in ("pipe.csv", "folder.csv", "gone.npz", "m\0.csv", "x" * 5000 + ".csv", "m.txt"):
        assert '" is no ' in malformed(tmp_path, file=name)
    (tmp_path / "m.arrow").write_bytes(b"ARROW1")
    assert '"m.arrow" is no .csv or .npz' in malformed(tmp_path, file="m.arrow")


@pytest.mark.parametrize("channel", [
    {"file": 3}, {"file": ["m.csv"]}, {"file": "m.csv", "inputs": ["a", "b"]}, {"file": ""},
    {"file": "m.csv", "normalise": 1}, {"file": "m.csv", "normalise": "yes"},
    {"file": "m.csv", "digest": 3}, {"file": "m.csv", "digest": f"sha256:{'0' * 64}"},
    {"file": "m.csv", "digest": ""}, {"file": "m.csv", "more": 1}, {"normalise": True},
    {**inline(AB), "digest": "sha256:"}, {**inline(AB), "normalise": None},
    {**inline(AB), "rows": 1, "normalise": True}, {**inline(AB), "rows": [1], "normalise": True},
    {**inline(AB), "rows": [["1", True], [1, 1]], "normalise": True},
    {**inline(AB), "rows": [["1", None], [1, 1]], "normalise": True},
    {**inline(AB), "rows": [["1", "-1"], [1, 1]], "normalise": True},
    {**inline(AB), "rows": [["0", "0"], [1, 1]], "normalise": True},
    {**inline(AB), "rows": [["exp(1)", "1"], [1, 1]], "normalise": True},
    {**inline(AB), "rows": [["1"], [1, 1]], "normalise": True},
    {"inputs": ["a", "b"], "outputs": ["x", "y", "z"], "normalise": True,
     "rows": [[f"1/{10**2500 + k}" for k in (1, 3, 7)], [1, 1, 1]]},
])  # fmt: skip
def test_tables_that_neither_reads(tmp_path: Path, channel: dict[str, Any]) -> None:
    (tmp_path / "m.csv").write_bytes(csv_bytes(AB))
    assert malformed(tmp_path, **channel)


def test_a_digest_is_held_to(tmp_path: Path) -> None:
    data = csv_bytes(AB)
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    all_agree(tmp_path, [named(tmp_path, "m.csv", data, digest=digest), inline(AB)])
    (tmp_path / "m.csv").write_bytes(data + b"\n")  # the same rows
    said = malformed(tmp_path, file="m.csv", digest=digest)
    assert "has other bytes than the digest says" in said


def test_floats_that_do_not_sum_to_one(tmp_path: Path) -> None:
    for rows in ([[0.1, 0.9], [0.5, 0.5]], [[2.0, 0.0], [0.5, 0.5]], [[0.5, 0.25], [0.5, 0.5]]):
        data = npz_bytes(rows=np.array(rows))
        malformed(tmp_path, **named(tmp_path, "m.npz", data))
        all_agree(tmp_path, [named(tmp_path, "m.npz", data, normalise=True)])
