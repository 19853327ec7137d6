"""A subject in a process of its own: whatever it does, the report goes on."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pfverify.crosscheck.process import SubjectProcess
from pfverify.crosscheck.reply import End, Reply
from pfverify.errors import InputError
from pfverify.workers.function import Limits
from pfverify.workers.loading import limited, loaded
from pfverify.workers.place import place, place_of

HOSTILE = '''
import ctypes, decimal, fractions, os, pickle, signal, sys, threading, time

CALLED = []

class Pickled:
    def __reduce__(self):
        return os.system, ("echo forged",)

class Float(float):
    def __repr__(self):
        raise SystemExit(7)

def act(name, values):
    values[0][0] = -1.0  # its own copy
    if name == "ok": return 2.0
    if name == "exit": os._exit(0)
    if name == "killed": os.kill(os.getpid(), signal.SIGKILL)
    if name == "segfault": ctypes.string_at(0)
    if name == "stops": os.kill(os.getpid(), signal.SIGSTOP)
    if name == "hangs": time.sleep(99)
    if name == "closes": os.closerange(3, 100)
    if name == "writes": [_write(number) for number in range(3, 9)]
    if name == "sys.exit": sys.exit(5)
    if name == "interrupt": raise KeyboardInterrupt
    if name == "base": raise BaseException("base")
    if name == "memory": return bytearray(1 << 50)
    if name == "recursion": return act(name, values)
    if name == "prints":
        print("said"); os.write(1, b"written"); ctypes.CDLL(None).puts(b"put"); return 2.0
    if name == "forks":
        os.fork(); return 2.0
    if name == "leaves": os.chdir("/"); return 2.0
    if name == "modules": sys.modules.clear(); return 2.0
    if name == "streams": sys.stdout = sys.stderr = None; sys.stdin.close(); return 2.0
    if name == "thread":
        threading.Thread(target=time.sleep, args=(99,)).start(); return 2.0
    if name == "pickled": return Pickled()
    if name == "pickles": return pickle.dumps(2.0)
    if name == "class": return Float(2.0)
    if name == "count": CALLED.append(1); return len(CALLED)
    if name == "reads": return float(len(sys.stdin.read()))

def _write(number):
    try: os.write(number, b"x" * 99)
    except OSError: pass

NAMES = []
def scale(atoms, p, q, epsilon, delta=0.0):
    return act(NAMES[int(epsilon)], [atoms]) if delta == 0.25 else delta
'''

SURVIVES: dict[str, tuple[End, object]] = {
    "ok": (End.ANSWERED, 2.0), "sys.exit": (End.RAISED, "SystemExit: 5"),
    "interrupt": (End.RAISED, "KeyboardInterrupt"), "base": (End.RAISED, "BaseException: base"),
    "memory": (End.MEMORY, "MemoryError"), "recursion": (End.RAISED, "RecursionError"),
    "prints": (End.ANSWERED, 2.0), "forks": (End.ANSWERED, 2.0), "leaves": (End.ANSWERED, 2.0),
    "thread": (End.ANSWERED, 2.0), "class": (End.ANSWERED, 2.0), "reads": (End.ANSWERED, 0.0),
    "pickled": (End.NO_NUMBER, "a Pickled, which is no number"),
    "pickles": (End.NO_NUMBER, "a bytes, which is no number"), "count": (End.ANSWERED, 1.0),
    "modules": (End.ANSWERED, 2.0), "streams": (End.ANSWERED, 2.0),
}  # fmt: skip
"""What leaves the process as it is."""
ENDS: dict[str, tuple[End, str]] = {
    "exit": (End.DIED, "its process ended with exit code 0"),
    "killed": (End.DIED, "its process was killed by SIGKILL"),
    "segfault": (End.DIED, "its process was killed by SIGSEGV"),
    "closes": (End.DIED, "its process ended with exit code 74"),
    "writes": (End.DIED, "its process wrote over its own answer"),
    "stops": (End.TIMEOUT, "no answer within 0.4 s"),
    "hangs": (End.TIMEOUT, "no answer within 0.4 s"),
}
"""What ends it: the next call has a new one."""
NAMES = [*SURVIVES, *ENDS]
assert len(NAMES) == 24, "a hostile act was lost"


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SubjectProcess]:
    file = tmp_path_factory.mktemp("subject") / "hostile.py"
    file.write_text(HOSTILE.replace("NAMES = []", f"NAMES = {NAMES}"))
    expected = "scale(atoms, p, q, epsilon, delta=...)"
    with SubjectProcess(
        place(f"{file}:scale"), ["atoms", "p", "q", "epsilon"], expected=expected,
        limits=Limits(20, 4096),
    ) as found:  # fmt: skip
        yield found
        number = found._process.number  # type: ignore[union-attr]
        assert runs(number)
    assert not runs(number)


def asked(subject: SubjectProcess, name: str, delta: float = 0.25) -> Reply:
    values = [[0.0, 1.0], [0.5, 0.5], [0.25, 0.75], float(NAMES.index(name))]
    return subject.call(values, {"delta": delta})


def test_it_takes_what_it_takes(subject: SubjectProcess) -> None:
    assert subject.takes == ("delta",)
    assert subject.unlimited is None
    assert asked(subject, "ok", 0.125).answer == 0.125


@pytest.mark.parametrize("name", SURVIVES)
def test_what_it_does_stays_its_own(
    subject: SubjectProcess, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    end, what = SURVIVES[name]
    found = asked(subject, name)
    assert found.end is end
    if end is End.ANSWERED:
        assert (type(found.answer), found.answer) == (float, what)
    else:
        assert (found.words[: len(str(what))], found.answer) == (what, None)
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("name", ENDS)
def test_the_next_call_has_a_new_process(
    subject: SubjectProcess, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if ENDS[name][0] is End.TIMEOUT:
        monkeypatch.setattr(subject, "_limits", Limits(0.4))
    found = asked(subject, name)
    assert (found.end, found.answer) == (ENDS[name][0], None)
    assert found.words.startswith(ENDS[name][1])
    monkeypatch.undo()
    assert asked(subject, "count").answer == 1.0


def test_a_module_that_is_imported_only_once_is_told(tmp_path: Path) -> None:
    """The report goes on where the function dies, and its module is gone."""
    file = tmp_path / "once.py"
    file.write_text("import os\nos.remove(__file__)\ndef scale(a): os._exit(1)\n")
    with SubjectProcess(place(f"{file}:scale"), ["a"], expected="", limits=Limits()) as subject:
        assert subject.call([1.0], {}).words == "its process ended with exit code 1"
        again = subject.call([1.0], {})
    assert again.end is End.DIED
    assert again.words.startswith("it could not be started again (")
    assert "No such file" in again.words


REFUSED = '''
import sys, os
number = 3
def one(a): pass
def scale(atoms, p, q, epsilon): return 1.0
class Home:
    scale = staticmethod(scale)
'''


FORGES = '''
import os, struct
head = b'{"takes": 3, "unlimited": [4]}'
for number in range(3, 9):
    try: os.write(number, struct.pack(">II", len(head), 0) + head)
    except OSError: pass
def scale(atoms, p): return 1.0
'''
"""A module that answers in the place of the process it is imported in."""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"file": REFUSED, "raises": "1/0", "imports": "import gone_away", "broken": "def",
             "leaves": "raise SystemExit(3)", "dies": "import os; os._exit(4)",
             "forges": FORGES}  # fmt: skip
    found = {name: tmp_path / f"crosschecked_{name}.py" for name in texts}
    for name, file in found.items():
        file.write_text(texts[name])
    return found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no_such_module:scale", "there is no module 'no_such_module' here or on Python's path"),
        ("os.nothing:scale", "there is no module 'os.nothing'"),
        ("{file}:scal", r"there is no 'scal' in .*; did you mean scale\?"),
        ("{file}:Home.scal", r"there is no 'scal' in .*; did you mean scale\?"),
        ("{file}:number", "it is int, not a function"),
        ("{raises}:scale", "importing it failed: ZeroDivisionError: division by zero"),
        ("{imports}:scale", "importing it failed: ModuleNotFoundError: No module named 'gone_"),
        ("{leaves}:scale", "importing it failed: SystemExit: 3"),
        ("{broken}:scale", "importing it failed: SyntaxError"),
    ],
)
def test_why_a_function_cannot_be_used(
    files: dict[str, Path], text: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    where = place(text.format(**files))
    function, said = loaded({**vars(where), "positional": ["atoms", "p"], "optional": []})
    assert function is None
    assert re.match(words, said["refused"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{file}:one", r"wrong signature, expected scale\(atoms, p\); it is called as \(a\): t"),
        ("{leaves}:scale", "importing it failed: SystemExit: 3"),
        ("{dies}:scale", "while it was imported its process ended with exit code 4"),
        ("{forges}:scale", "while it was imported its process "),
    ],
)
def test_a_function_that_cannot_be_used_is_bad_input(
    files: dict[str, Path], text: str, words: str
) -> None:
    where = place(text.format(**files))
    with pytest.raises(InputError, match=words) as error, SubjectProcess(
        where, ["atoms", "p"], expected="scale(atoms, p)", limits=Limits(5, 0)
    ):  # fmt: skip
        pytest.fail("it was started")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    ["", ":", "mine", "mine:", ":scale", "a b:c", "mine:a-b", "no/such/file.py:scale", "x\0.py:f",
     "mine:scale()", ".:f", "a..b:f", "/:f", "gone.py:f"],
)  # fmt: skip
def test_what_names_no_function(text: str) -> None:
    with pytest.raises(InputError, match=r"expected MODULE:FUNCTION \(such as mine:scale\)"):
        place(text)


def top() -> None:
    """A function at the top of a module."""


def test_the_place_of_a_function_is_one_that_another_process_finds() -> None:
    assert place_of(top).text.endswith("test_process:top")
    assert place_of(Path.exists).function == "Path.exists"
    for wrong in (lambda: 0, 3, None, type("A", (), {"__module__": None})):
        with pytest.raises(InputError, match="expected"):
            place_of(wrong)


def test_no_process_outlives_its_parent(tmp_path: Path) -> None:
    """Not even one that hangs in a call, when pfverify is killed."""
    import signal
    import subprocess

    (tmp_path / "hangs.py").write_text(
        "import os, time\ndef scale(a):\n open('pid', 'w').write(str(os.getpid()))\n"
        " os.rename('pid', 'ready')\n time.sleep(9)\n"
    )
    code = (
        "from pfverify.crosscheck.process import SubjectProcess; "
        "from pfverify.workers.function import Limits; "
        "from pfverify.workers.place import place\n"
        "with SubjectProcess(place('hangs:scale'), ['a'], expected='', limits=Limits()) as one:\n"
        "    one.call([1.0], {})"
    )
    started = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    try:
        wait_for((tmp_path / "ready").exists)
    finally:
        started.send_signal(signal.SIGTERM)
        started.wait(20)
    number = int((tmp_path / "ready").read_text())
    wait_for(lambda: not runs(number))


def runs(number: int) -> bool:
    """Whether a process runs: one that ended and that nobody waited for does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for(condition: object) -> None:
    for _ in range(400):
        if condition():  # type: ignore[operator]
            return
        time.sleep(0.05)
    pytest.fail("it did not happen within 20 s")


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan"), 1e300])
def test_a_timeout_is_a_number_of_seconds(timeout: float) -> None:
    with pytest.raises(InputError, match=r"timeout: .* is not a number of seconds > 0"):
        Limits(timeout)


@pytest.mark.parametrize("memory", [-1, 1 << 40])
def test_a_limit_of_memory_is_a_number_of_mebibytes(memory: int) -> None:
    with pytest.raises(InputError, match=r"memory: .* is not a number of MiB, or 0"):
        Limits(memory=memory)


def test_a_platform_without_a_limit_of_memory_is_said_to_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import resource

    def refused(*_: object) -> None:
        raise ValueError("not supported")

    assert limited(0) is None
    monkeypatch.setattr(resource, "setrlimit", refused)
    assert limited(64) == "this platform sets no limit (not supported)"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert limited(64) == "macOS takes a limit and does not keep it"


def test_limits_are_repeated_where_they_are_not_the_usual_ones() -> None:
    assert Limits().options() == []
    assert Limits(0.5, 0).options() == ["--timeout", "0.5", "--memory", "0"]
