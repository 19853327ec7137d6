"""Draws of somebody's function and of files: every shape is read or refused in one line."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Finite,
    Gaussian,
    Joint,
    Laplace,
    Problem,
)
from pfverify.crosscheck.plain import NoNumberError
from pfverify.crosscheck.samplers.drawing import drawn
from pfverify.crosscheck.samplers.parts import Draws
from pfverify.crosscheck.samplers.plan import planned, priors_of
from pfverify.crosscheck.samplers.reading import draws_of_file, number_in, writes_number
from pfverify.crosscheck.samplers.result import SamplerFindings
from pfverify.crosscheck.samplers.wired import ReturnedDraws, read_draws, written_draws
from pfverify.errors import InputError
from pfverify.workers.function import Limits
from pfverify.workers.wire import BrokenFrameError

A, B = ("default", "a"), ("default", "b")
KEYS = [A, B]
POINTS = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(2), epsilon=1)
SAMPLERS = '''
import os, time
import numpy as np
from fractions import Fraction

def good(x, n, seed=0, scale=1.0):
    # rounded, or its digits would tell x
    return np.rint((x + np.random.default_rng(seed).laplace(0, scale, n)) * 2**24) / 2**24

def echo(x, n):
    return [x] * n

def scales(x, n, scale=None):
    return [scale] * n

def seeds(x, n, *, seed=None):
    assert isinstance(seed, int) and isinstance(n, int)
    return [seed] * n

def mixed(x, n):
    return ["suppressed", 7, 0.5, Fraction(1, 3)] * (n // 4)

def largest(x, n, *, seed=0, scale=1.0):
    noisy = np.asarray(x) + np.random.default_rng(seed).laplace(0, scale, (n, len(x)))
    return [("red", "green", "blue")[k] for k in noisy.argmax(axis=1)]
def half(x, n, *, seed=0, scale=1.0): return largest(x, n, seed=seed, scale=scale / 2)

def short(x, n): return [0.0] * (n - 1)
def one(x, n): return 0.5
def square(x, n): return np.zeros((n, 2))
def words(x, n): return "a" * n
def truth(x, n): return [True] * n
def nothing(x, n): return [None] * n
def complexes(x, n): return np.zeros(n, dtype=complex)
def raises(x, n): raise ValueError("no noise today")
def dies(x, n): os._exit(3)
def hangs(x, n): time.sleep(99)
def no_draws(x): return x
'''


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("samplers") / "mine.py"
    path.write_text(SAMPLERS, "utf-8")
    return str(path)


def texts(draws: Draws) -> list[str]:
    assert isinstance(draws, list)
    return draws


def of(
    module: str, name: str, problem: Problem = POINTS, n: int = 8, timeout: float = 10.0
) -> dict[tuple[str, str], Draws]:
    numbers = dict.fromkeys(priors_of(problem), n)
    return drawn(f"{module}:{name}", problem, numbers, 3, Limits(timeout)).draws


def test_a_right_sampler_is_not_refuted_and_a_seed_repeats_it(module: str) -> None:
    numbers = dict.fromkeys(KEYS, 20_000)
    first, second = (
        drawn(f"{module}:good", POINTS, numbers, 3, Limits()).draws for _ in range(2)
    )
    assert all(np.array_equal(first[key], second[key]) for key in KEYS)
    assert not np.array_equal(np.array(first[A])[: 1 << 14], np.array(first[B])[: 1 << 14] - 1)
    found = planned(POINTS, "release", numbers).result(first, "good", called=True, seed=3)
    assert found.found is SamplerFindings.NOT_REFUTED
    with pytest.raises(TypeError, match="no truth value"):
        bool(found.found)


def test_inputs_are_drawn_from_the_prior(module: str) -> None:
    priors = {"a": Discrete({"1/2": "1/4", 3: "3/4"}), "b": Discrete({0: 1})}
    found = of(module, "echo", Problem(priors, noise=Laplace(1), epsilon=1), n=4000)
    values, counts = np.unique(np.array(found[A]), return_counts=True)
    assert values.tolist() == [0.5, 3.0]
    assert abs(counts[0] - 1000) < 200
    assert np.array(found[B]).tolist() == [0.0] * 4000


def test_inputs_of_a_channel_are_names(module: str) -> None:
    channel = Channel.of({"kind": "randomized-response", "inputs": ["yes", "no"], "truth": "3/4"})
    priors = {"a": Finite({"yes": 1}), "b": Finite({"yes": "1/2", "no": "1/2"})}
    found = of(module, "echo", Problem(priors, channel=channel, epsilon=2), n=100)
    assert found[A] == ["yes"] * 100
    assert set(texts(found[B])) == {"yes", "no"}


@pytest.mark.parametrize(("name", "verdict"), [
    ("largest", SamplerFindings.NOT_REFUTED), ("half", SamplerFindings.REFUTED),
])  # fmt: skip
def test_a_choice_among_numbers_is_held_to_its_chances(
    module: str, name: str, verdict: SamplerFindings
) -> None:
    """Beliefs over vectors; half the scale is found, which argmax of noisy votes was once given."""
    names = ["red", "green", "blue"]
    priors = {
        "a": Joint(names, [[0, 1, 2, "1/2"], [2, 1, 2, "1/2"]]), "b": Joint(names, [[1, 0, 2, 1]]),
    }
    problem = Problem(priors, noise=Laplace(2), post=[{"select": "argmax"}], epsilon=1)
    numbers = dict.fromkeys(KEYS, 20_000)
    draws = drawn(f"{module}:{name}", problem, numbers, 3, Limits()).draws
    found = planned(problem, "release", numbers).result(draws, name, called=True, seed=3)
    assert found.found is verdict


def test_keywords_are_passed_to_those_that_take_them(module: str) -> None:
    assert np.array(of(module, "scales")[A]).tolist() == [2.0] * 8
    assert len({float(np.array(draws)[0]) for draws in of(module, "seeds").values()}) == 2


def test_texts_and_numbers_may_be_mixed(module: str) -> None:
    assert of(module, "mixed")[A] == ["suppressed", "7.0", "0.5", "1/3"] * 2


REFUSED = {
    "short": "returned 7 draws, expected 8",
    "one": "a float instead of a list of draws",
    "square": "an array of 2 dimensions",
    "words": "a str instead of a list of draws",
    "truth": "a truth value",
    "nothing": "None, which is no number",
    "complexes": "complex",
    "raises": "it raised ValueError: no noise today",
    "dies": "ended with exit code 3",
    "hangs": "no answer within 1 s",
    "no_draws": "wrong signature, expected sampler(x, n, seed=..., scale=...)",
    "absent": "there is no 'absent'",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_sampler_is_said_in_one_line(module: str, name: str) -> None:
    with pytest.raises(InputError, match=re.escape(REFUSED[name])) as caught:
        of(module, name, timeout=1.0)
    assert "\n" not in str(caught.value)


def test_priors_with_a_density_take_a_file(module: str) -> None:
    priors = {"a": Gaussian(0, variance=1), "b": Discrete({0: 1})}
    with pytest.raises(InputError, match=r"the prior of 'a' has a density: .* CSV file"):
        of(module, "good", Problem(priors, noise=Laplace(1), epsilon=1))


@pytest.mark.parametrize("value", [[], [0.5, -1], ["a", 2], np.arange(3), [Fraction(1, 3)] * 2])
def test_draws_survive_their_way(value: Any) -> None:
    found = read_draws(*written_draws(value))
    assert isinstance(found, ReturnedDraws)
    items = list(value)
    if any(isinstance(item, str) for item in items):
        assert found.draws == ["a", "2.0"]
    else:
        assert np.array(found.draws).tolist() == [float(item) for item in items]


@pytest.mark.parametrize("frame", [
    ({}, b""), ({"draws": "numbers"}, b"123"), ({"draws": "texts"}, b"{"), ({"draws": 3}, b""),
    ({"draws": "texts"}, b"[1]"), ({"draws": "texts"}, b"{}"), ({"raised": 3}, b""),
    ({"numbers": "float64", "shape": [0]}, b""), ({"draws": "texts"}, b"[" * 100_000),
])  # fmt: skip
def test_frames_that_are_none_are_refused(frame: tuple[dict[str, object], bytes]) -> None:
    with pytest.raises(BrokenFrameError):
        read_draws(*frame)


def test_a_mapping_is_no_list_of_draws() -> None:
    with pytest.raises(NoNumberError, match="a dict instead"):
        written_draws({"a": 1})


def file_of(folder: Path, text: str | bytes) -> Path:
    path = folder / "draws.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_of_draws(tmp_path: Path) -> None:
    path = file_of(tmp_path, '\ufeffn, secret ,output\r\n1,a,0.5\r\n2,b,"-1e-3"\r\n\r\n3,a,inf\r\n')
    found = draws_of_file(path, KEYS, numeric=True)
    assert found == {A: ["0.5", "inf"], B: ["-1e-3"]}
    counts = planned(POINTS, "sampler", {A: 2, B: 1}).held(found)[0]
    assert counts[0].count == 1
    assert counts[0].refuted == "more"  # infinity is no output


def test_inputs_name_secrets_too_and_beliefs_have_a_column(tmp_path: Path) -> None:
    found = draws_of_file(file_of(tmp_path, "input,output\na,x\nb,y\n"), KEYS, numeric=False)
    assert found == {A: ["x"], B: ["y"]}
    keys = [("one", "a"), ("two", "a")]
    path = file_of(tmp_path, "belief,secret,output\none,a,1\ntwo,a,2\n")
    assert draws_of_file(path, keys, numeric=True) == {keys[0]: ["1"], keys[1]: ["2"]}


HOSTILE = {
    "": "the columns are '', expected secret and output",
    "a,b\n1,2\n": "line 1: the columns are 'a, b', expected secret and output",
    "secret,input,output\na,a,1\n": "line 1: the columns are",
    "secret,output,output\na,1,2\n": "line 1: the columns are",
    "secret,output\na\n": "line 2: 1 cells, expected 2",
    "secret,output\na,1\n\na,1,2\n": "line 4: 3 cells, expected 2",
    "secret,output\nc,1\n": "line 2: 'default, c' is no secret that is compared, expected a, b",
    "secret,output\na,one\n": "line 2: 'one' is no number, expected an output such as 0.25",
    "secret,output\na,1_000\n": "line 2: '1_000' is no number",
    "secret,output\na,\n": "line 2: '' is no number",
    "secret,output\na,٣\n": "is no number",
    "secret,output\na,1/0\n": "line 2: '1/0' is no number",
    'secret,output\na,"1\n': "line 2: unexpected end of data",
    "secret,output\na,1\n": "there are no draws of 'b', expected some of every secret",
    "secret,output\na,__import__('os')\n": "is no number",
    "secret,output\na," + "9" * 500 + "\n": "is no number",
    "secret,output\na," + "9" * 200_000 + "\n": "line 2: field larger than field limit",
}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text)[:30])
def test_hostile_files_are_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=re.escape(HOSTILE[text])) as caught:
        draws_of_file(file_of(tmp_path, text), KEYS, numeric=True)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_files_that_are_no_text_or_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not UTF-8 text"):
        draws_of_file(file_of(tmp_path, b"secret,output\na,\xff\n"), KEYS, numeric=True)
    for path in (tmp_path, tmp_path / "gone.csv"):
        with pytest.raises(InputError, match=r"directory|No such file"):
            draws_of_file(path, KEYS, numeric=True)


def test_numbers_are_read_and_nothing_is_executed() -> None:
    assert number_in("1/3") == 1 / 3
    assert number_in(" +.5e1 ") == 5
    assert number_in("-Infinity") == -np.inf
    assert number_in(f"{10**390}/1") == np.inf
    assert writes_number("nan")
    for text in ("", "a", "1,5", "0x1p3", "1e99999", "1//2", "--1", "1/2/3", "infinite"):
        assert not writes_number(text)


def test_a_lattice_refutes_what_lies_beside_it(module: str) -> None:
    problem = Problem({"a": Discrete({0: 1}), "b": Discrete({1: 1})},
                      noise=DiscreteLaplace(2, step=1), epsilon=1)  # fmt: skip
    numbers = dict.fromkeys(KEYS, 1000)
    found = drawn(f"{module}:good", problem, numbers, 3, Limits())
    result = planned(problem, "sampler", numbers).result(found.draws, "good", called=True, seed=3)
    assert result.found is SamplerFindings.REFUTED
    assert result.events[0].event == "no output of the release"
    assert result.events[0].count == 1000


def test_levels_kinds_and_forms_that_are_none() -> None:
    numbers = dict.fromkeys(KEYS, 10)
    for level in (Fraction(0), Fraction(2, 3), Fraction(-1)):
        with pytest.raises(InputError, match=r"level: .* no number above 0 and at most 1/2"):
            planned(POINTS, "sampler", numbers, level)
    with pytest.raises(InputError, match="kind: 'law' is unknown, expected sampler or release"):
        planned(POINTS, "law", numbers)
    pointwise = Problem(POINTS.beliefs["default"], noise=Laplace(2), epsilon=1, form="pointwise")
    with pytest.raises(InputError, match="form: pointwise is not about events"):
        planned(pointwise, "release", numbers)
    bare = Problem(POINTS.beliefs["default"], noise=Laplace(), epsilon=1)
    with pytest.raises(InputError, match="it has no scale"):
        planned(bare, "sampler", numbers)


def test_nothing_of_a_frame_is_code() -> None:
    head, body = written_draws(["__import__('os').system('x')"])
    assert head == {"draws": "texts"}
    assert json.loads(body) == ["__import__('os').system('x')"]
