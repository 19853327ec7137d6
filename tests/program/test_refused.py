"""Programs that are refused, each in one line that names the input, the path and what happened."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from pfverify.errors import InputError
from pfverify.program import channel_of

FILE = '''
import functools, os, random, sys, time
from fractions import Fraction
from pfverify.program import channel_of, choose, coin, uniform

CALLS = []

def float_coin(x): return coin(0.5)
def float_choice(x): return choose({"a": 0.5, "b": "1/2"})
def negative(x): return choose({"a": "3/2", "b": "-1/2"})
def above(x): return coin("4/3")
def no_number(x): return coin("half")
def irrational(x): return coin("exp(-1)")
def sums(x): return choose({"a": "1/2", "b": "1/3"})
def nothing(x): return choose({})
def no_table(x): return choose(["a", "b"])
def no_outcome(x): return uniform(0)
def too_large(x): return uniform(10**9)
def truth(x): return uniform(True)
def returns_list(x): return [1]
def returns_float(x): return (1, 0.5)
def returns_long(x): return 1 << 20_000
def same_text(x): return 1 if coin("1/2") else "1"
def same_parts(x): return ("a", 1) if coin("1/2") else "(a, 1)"
def no_name(x): return ""
def new_line(x): return "a\\nb"
def raises(x):
    if not coin("1/3") and choose({"b": "1/2", "c": "1/2"}) == "c":
        return 1 // (x - 1)
    return x
def leaves(x): sys.exit(3)
def interrupts(x): raise KeyboardInterrupt
def ends(x): os._exit(3)
def hangs(x):
    while x: time.sleep(9)
def for_ever(x):
    while coin("1/2"): pass
def idles(x):
    while True: uniform(1)
def catches(x):
    while True:
        try: uniform(2)
        except BaseException: return 1
def closes(x): os.closerange(3, 100)
def two(x, y): return x
def writes(x):
    print("said"); os.write(1, b"written"); return coin("1/2")

def draws(x): return random.randrange(1 << 60)
def reads_a_clock(x): return str(time.time_ns())
def counts(x):
    CALLS.append(x)
    return len(CALLS) > 2 and coin("1/2")
def is_first(x):
    CALLS.append(x)
    return len(CALLS) == 1
def seeded(x): return random.Random(7).random() < 0.5, coin("1/2")
@functools.cache
def kept(): return coin("1/2")
def keeps(x): return kept()
def asks_more(x):
    CALLS.append(x)
    return coin("1/3") if len(CALLS) < 2 else coin("1/4")
def asks_less(x):
    CALLS.append(x)
    return coin("1/2") and (len(CALLS) > 2 or coin("1/2"))
def hashes(x): return str(hash("a text"))
def in_order_of_a_set(x): return str([*{str(k) for k in range(30)}])
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("programs") / "refused.py"
    path.write_text(FILE)
    return path


def refusal(file: Path, name: str, **options: object) -> str:
    with pytest.raises(InputError) as error:
        channel_of(f"{file}:{name}", [1, 2], **options)  # type: ignore[arg-type]
    words = str(error.value)
    assert "\n" not in words
    assert words.startswith(f"{file}:{name}: ")
    return words.removeprefix(f"{file}:{name}: ")


FIRST = "input 1, path without a choice: "
REFUSED = {
    "float_coin": FIRST + 'coin: 0.5 is a float, which is not .* give it as text ("0.5")',
    "float_choice": FIRST + "choose: a: 0.5 is a float",
    "negative": FIRST + "choose: b: -1/2 is below 0, expected a chance",
    "above": FIRST + "coin: 4/3 is above 1, expected a chance",
    "no_number": FIRST + "coin: cannot read 'half' as a number",
    "irrational": FIRST + "coin: expected a rational number",
    "sums": FIRST + "choose: the chances sum to 5/6, expected exactly 1",
    "nothing": FIRST + "choose: expected a table of outcomes",
    "no_table": FIRST + "choose: expected a table of outcomes",
    "no_outcome": FIRST + "uniform: 0, expected a whole number from 1 to 1000000",
    "too_large": FIRST + "uniform: 1000000000, expected a whole number",
    "truth": FIRST + "uniform: True, expected a whole number",
    "returns_list": FIRST + "it returned a list, expected str, int, bool, Fraction, None, or a",
    "returns_float": FIRST + "it returned a float, .*; a float is not the number that was meant",
    "returns_long": FIRST + "it returned a number of more than 10000 bits",
    "same_text": "two different outputs are called '1'",
    "same_parts": "two different outputs are called '(a, 1)'",
    "no_name": "outputs: '' is empty or not printable text",
    "new_line": "outputs: .* is empty or not printable text",
    "raises": "input 1, path coin(1/3) = False, choose = c: ZeroDivisionError: integer division",
    "leaves": FIRST + "SystemExit: 3",
    "interrupts": FIRST + "KeyboardInterrupt",
    "ends": FIRST + "its process ended with exit code 3",
    "closes": FIRST + "its process ended with exit code 74",
    "for_ever": "it has more than 1000 paths of choices, or one of more than 10000 choices; ask",
    "idles": "it has more than 1000 paths of choices, or one of more than 10000 choices; ask",
    "catches": "it has more than 1000 paths of choices",
    "two": "wrong signature, expected a function of one input; it is called as (x, y)",
    "gone": "there is no 'gone' in",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(file: Path, name: str) -> None:
    pattern = re.escape(REFUSED[name]).replace(r"\.\*", ".*")
    assert re.match(pattern, refusal(file, name, paths=1000))


def test_what_takes_too_long_is_ended(file: Path) -> None:
    assert refusal(file, "hangs", timeout=0.3) == FIRST + "no answer within 0.3 s"


DIFFER = {
    "draws": "returned", "reads_a_clock": "returned", "counts": "asked for other",
    "is_first": "returned", "asks_more": "asked for other", "keeps": "asked for other",
    "asks_less": "asked for other", "hashes": "returned",
    "in_order_of_a_set": "returned",
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFER)
def test_two_runs_that_differ_are_refused(
    file: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    words = refusal(file, name)
    assert f": two runs differ, it {DIFFER[name]}" in words
    assert "its randomness has to come from coin, choose and uniform alone" in words


@pytest.mark.parametrize("name", ["seeded", "writes"])
def test_what_is_no_randomness_is_let_pass(
    file: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    found = channel_of(f"{file}:{name}", [1, 2])
    assert [*map(set, found.channel.rows)] == [{Fraction(1, 2)}] * 2
    assert capfd.readouterr().out == ""


def test_one_run_alone_is_run_twice(file: Path) -> None:
    """With one input and one path a process sees the path twice too."""
    with pytest.raises(InputError, match="two runs differ, it returned 'True', and then 'False'"):
        channel_of(f"{file}:is_first", [1])


def test_the_bound_on_paths_is_exact(file: Path) -> None:
    assert channel_of(f"{file}:raises", [2, 3], paths=6).paths == {"2": 3, "3": 3}
    with pytest.raises(InputError, match="it has more than 5 paths of choices"):
        channel_of(f"{file}:raises", [2, 3], paths=5)


def test_what_is_drawn_while_the_file_is_imported_is_refused(tmp_path: Path) -> None:
    """Two processes could have drawn the same."""
    path = tmp_path / "draws.py"
    path.write_text(
        "from pfverify.program import coin\nB = coin('1/2')\ndef release(x): return B\n"
    )
    words = r"draws\.py:release: importing it failed: .*coin is asked outside of the function's run"
    with pytest.raises(InputError, match=words):
        channel_of(f"{path}:release", [1])


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "changes.py"
    path.write_text("def release(x):\n    open(__file__, 'a').write('#')\n")
    with pytest.raises(InputError, match=r"changes\.py: it was changed while it was run"):
        channel_of(f"{path}:release", [1])


@pytest.mark.parametrize(
    ("function", "inputs", "options", "words"),
    [
        (3, [1], {}, "a function: expected one, got int"),
        (lambda x: x, [1], {}, "expected a function at the top level of a module$"),
        (len, [1], {}, "builtins:len: its file is not known, expected FILE.py:FUNCTION"),
        ("gone.py:release", [1], {}, "there is no file gone.py"),
        ("release", [1], {}, "expected MODULE:FUNCTION"),
        ("{file}:raises", [], {}, "inputs: there is none, expected at least 1"),
        ("{file}:raises", "ab", {}, "inputs: expected a list of inputs"),
        ("{file}:raises", [0.5], {}, "inputs: there is a float, expected str, int"),
        ("{file}:raises", [1, "1"], {}, "inputs: '1' is there twice"),
        ("{file}:raises", [""], {}, "inputs: '' is empty"),
        ("{file}:raises", [2], {"paths": 0}, "paths: 0, expected a whole number from 1 to"),
        ("{file}:raises", [2], {"timeout": 0}, "timeout: 0 is not a number of seconds"),
        ("{file}:raises", [2], {"memory": -1}, "memory: -1 is not a number of MiB"),
    ],
)
def test_what_asks_nothing(
    file: Path, function: object, inputs: list[object], options: dict[str, int], words: str
) -> None:
    asked = function.format(file=file) if isinstance(function, str) else function
    with pytest.raises(InputError, match=words):
        channel_of(asked, inputs, **options)  # type: ignore[arg-type]
