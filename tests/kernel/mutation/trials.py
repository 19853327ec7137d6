"""Mutants tried in forked children of one process that has loaded the kernel and its tests.

The checks are the tests in tests/kernel that pytest runs by default.  One pass records which lines
of the kernel each of them runs and the time that it takes; a mutant is then held to those checks
only that run the statement it changes, as many as fit in some seconds: those of its module's
own file first, then those of files that import the module, the quick ones first.
A change within a function replaces its code in the child.  A change of what is run when the kernel
or a test is imported is tried by importing all of them anew, which takes seconds: a test should run
nothing of the kernel when it is imported.
"""

from __future__ import annotations

import ast
import gc
import hashlib
import json
import os
import resource
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import _lru_cache_wrapper, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar

import pytest
from mutants import KERNEL, Change, imported_as, paths

TESTS = Path(__file__).resolve().parents[1]
ARGUMENTS = ["-o", "addopts=", "-m", "not long and not coq and not slow", "-q", "-s", "--tb=no"]
ARGUMENTS += ["--no-header"]
ARGUMENTS += [f"-pno:{name}" for name in ("cacheprovider", "faulthandler", "logging", "xdist")]
GRACE = 1.0  # that a check may take beyond three times its own
MEMORY = 4 << 30
CALLS = 8  # of a function in one check, after which all of its lines count as run
Line = tuple[str, int]  # of a module
Item, Found = TypeVar("Item"), TypeVar("Found")


class Lines:
    """Which lines of the kernel are run, as a tracer."""

    def __init__(self) -> None:
        self.codes: defaultdict[CodeType, list[int]] = defaultdict(lambda: [0])
        self.lines: set[Line] = set()
        self.folder = str(KERNEL) + os.sep

    def __call__(self, frame: FrameType, event: str, _: object) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(self.folder):
            return None
        calls = self.codes[code]
        calls[0] += 1
        if calls[0] > CALLS:
            if calls[0] == CALLS + 1:
                self.all_of(code)
            return None
        events, module = 0, module_of(code)

        def line(frame: FrameType, event: str, _: object) -> Any:
            nonlocal events
            events += 1
            if event == "line":
                self.lines.add((module, frame.f_lineno))
                if events > 10 * CALLS:
                    self.all_of(code)
                    frame.f_trace_lines = False
            return line

        return line

    def all_of(self, code: CodeType) -> None:
        module = module_of(code)
        self.lines |= {(module, n) for _, _, n in code.co_lines() if n is not None}


def module_of(code: CodeType) -> str:
    return Path(code.co_filename).stem


@lru_cache
def _imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def seconds_so_far(whose: int = resource.RUSAGE_SELF) -> float:
    """Of processor time."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def forget() -> None:
    """Empties what functions of the kernel have remembered."""
    for found in CACHES:
        found.cache_clear()


CACHES: list[Any] = []


def passes(item: pytest.Item) -> bool:
    """Whether a check passes here."""
    from _pytest.runner import runtestprotocol

    forget()
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


class Bench:
    """The checks, what they reach, and how a change fares with them."""

    def __init__(self, items: Iterable[pytest.Item], at_import: set[CodeType]) -> None:
        self.limit = 0.0  # seconds of processor time that the checks of one change may take
        self.items = {item.nodeid: item for item in items}
        self.at_import = at_import
        self.seconds: dict[str, float] = {}
        self.reaching: defaultdict[Line, list[str]] = defaultdict(list)
        self.killers: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for name, path in paths().items():
            if name[0] != "_":
                import_module(imported_as(path))
        self.functions: defaultdict[CodeType, list[FunctionType]] = defaultdict(list)
        for found in gc.get_objects():
            if isinstance(found, _lru_cache_wrapper) and _is_kernels(found.__wrapped__):
                CACHES.append(found)
            elif isinstance(found, FunctionType) and _is_kernels(found):
                self.functions[found.__code__].append(found)
        forget()

    def look(self, kept: Path | None, jobs: int) -> None:
        """Runs every check once, or takes what is kept of it where that is so still."""
        known = json.loads(kept.read_text()) if kept and kept.exists() else {}
        new = [name for name in self.items if not self._stands(name, known.get(name))]
        for name, found in shared(new, self._looked, jobs):
            if not found["passes"]:
                raise RuntimeError(f"{name} fails without any change")
            known[name] = found | {"text": self._text(name, found["lines"])}
        if kept:
            kept.write_text(json.dumps(known))
        for name in self.items:
            self.seconds[name] = known[name]["seconds"]
            for module, lines in known[name]["lines"].items():
                for line in lines:
                    self.reaching[module, line].append(name)

    def _stands(self, name: str, found: dict[str, Any] | None) -> bool:
        """Whether what was found of a check is so still: nothing that it runs is another."""
        return found is not None and found["text"] == self._text(name, found["lines"])

    def _text(self, name: str, modules: Iterable[str]) -> str:
        sources = (paths()[m].read_bytes() if m in paths() else b"none" for m in sorted(modules))
        return hashlib.sha256(b"".join([self.items[name].path.read_bytes(), *sources])).hexdigest()

    def _looked(self, name: str) -> dict[str, Any]:
        lines, start = Lines(), seconds_so_far()
        others = seconds_so_far(resource.RUSAGE_CHILDREN)
        sys.settrace(lines)
        good = passes(self.items[name])
        sys.settrace(None)
        # a test of time may fail where every line is traced: no mutant is held to it
        of_time = not good and passes(self.items[name])
        if seconds_so_far() - start > 0.02:  # as long as it takes without a tracer
            start = seconds_so_far()
            passes(self.items[name])
        table: defaultdict[str, list[int]] = defaultdict(list)
        for module, line in sorted(lines.lines):
            table[module].append(line)
        taken = seconds_so_far() - start
        # the process that a check starts has the kernel as it is
        alone = seconds_so_far(resource.RUSAGE_CHILDREN) == others
        lines_run = table if alone and not of_time else {}
        return {"passes": good or of_time, "seconds": round(taken, 4), "lines": lines_run}

    def checks(self, change: Change) -> list[str]:
        """The checks of a change, in order."""
        module = change.mutant.module
        found = {name for n in change.lines for name in self.reaching.get((module, n), ())}
        if self.patches(change) is None:  # run by no check itself: all that run the module
            lines = [checks for (m, _), checks in self.reaching.items() if m == module]
            found.update(*lines)
        killers = self.killers[module, change.mutant.within]
        first = [name for name in dict.fromkeys(reversed(killers)) if name in found][:4]
        turn = sorted(self.in_turn(found), key=lambda name: self.rank(name, module))
        chosen, total = [], 0.0
        for name in dict.fromkeys(first + turn):
            if total + self.seconds[name] <= self.limit:
                total += self.seconds[name]
                chosen.append(name)
        return chosen

    def rank(self, name: str, module: str) -> int:
        """0 for a check in the module's own file, 1 in a file that imports the module, else 2."""
        path = self.items[name].path
        if path.stem == f"test_kernel_{module}":
            return 0
        return 1 if imported_as(paths()[module]) in _imported(path) else 2

    def in_turn(self, names: Iterable[str]) -> list[str]:
        """Quick checks first, and as much time for the cases of one test as for those of others."""
        spent = Counter[str]()
        turn: dict[str, float] = {}
        for name in sorted(names, key=lambda name: (self.seconds[name], name)):
            spent[name.partition("[")[0]] += self.seconds[name]
            turn[name] = spent[name.partition("[")[0]]
        return sorted(turn, key=lambda name: turn[name])

    def patches(self, change: Change) -> list[tuple[FunctionType, CodeType]] | None:
        """The functions whose code is another; None where more than that is."""
        path = str(paths()[change.mutant.module])
        pairs = _changed(_compiled(path), compile(change.source, path, "exec"))
        if pairs is None or any(
            old in self.at_import or old not in self.functions for old, _ in pairs
        ):
            return None
        return [
            (function, new)
            for old, new in pairs
            for function in self.functions[old]
            if function.__code__.co_filename == path
        ]

    def kills(self, change: Change) -> str | None:
        """The check that notices a change."""
        chosen, patches = self.checks(change), self.patches(change)
        if patches is None:
            seconds = sum(self.seconds[name] for name in chosen)
            killed = _fork(lambda _: _anew(change, chosen, seconds))[0]
            return "" if killed else None

        def patched(tell: Callable[[int], None]) -> int:
            for function, code in patches:
                function.__code__ = code
            until = int(seconds_so_far() + GRACE + 3 * self.limit) + 1  # of all of them
            resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))
            for k, name in enumerate(chosen):
                tell(k)
                allow(GRACE + 3 * self.seconds[name])
                if not passes(self.items[name]):
                    return 1
            return 0

        killed, last = _fork(patched)
        if not killed:
            return None
        self.killers[change.mutant.module, change.mutant.within].append(chosen[last])
        return chosen[last]


@lru_cache
def _compiled(path: str) -> CodeType:
    return compile(Path(path).read_text(), path, "exec")


def _is_kernels(found: object) -> bool:
    code = getattr(found, "__code__", None)
    return isinstance(code, CodeType) and KERNEL in Path(code.co_filename).parents


def _changed(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """The functions that differ, outermost ones; None if what is run at import does."""
    if _own(old) != _own(new):
        return None
    found = []
    for a, b in zip(_parts(old), _parts(new), strict=True):
        if a.co_flags & 1 and (a.co_name == "<lambda>" or a.co_name[0] != "<"):  # CO_OPTIMIZED
            found += [(a, b)] if a != b else []
        elif (inner := _changed(a, b)) is None:
            return None
        else:
            found += inner
    return found


def _parts(code: CodeType) -> list[CodeType]:
    return [const for const in code.co_consts if isinstance(const, CodeType)]


def _own(code: CodeType) -> object:
    consts = [getattr(const, "co_name", repr(const)) for const in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, code.co_freevars, consts


def allow(seconds: float) -> None:
    """Lets this process run that much longer."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _quietly() -> None:
    """In a child: no output, no swollen integers, no waiting for ever."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(900)


def _fork(work: Callable[[Callable[[int], None]], int]) -> tuple[bool, int]:
    """Whether some work in a child ends badly, and the last number that it told."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        code = 1
        with suppress(BaseException):
            _quietly()
            code = work(lambda k: void(os.write(writer, k.to_bytes(4, "big"))))
        os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        told = stream.read()
    _, status = os.waitpid(child, 0)
    return status != 0, int.from_bytes(told[-4:], "big")


def void(_: object) -> None:
    """Nothing."""


def shared(
    items: Sequence[Item], work: Callable[[Item], Found], jobs: int
) -> Iterator[tuple[Item, Found]]:
    """What some work finds of each item; so many children take the next one whenever they are
    free."""
    queue, children = _queue(len(items)), []
    for _ in range(jobs):
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            _quietly()
            signal.alarm(0)
            found = []
            while text := os.read(queue, 4):
                k = int.from_bytes(text, "big")
                found.append((k, work(items[k])))
            with os.fdopen(writer, "w") as stream:
                json.dump(found, stream)
            os._exit(0)
        os.close(writer)
        children.append((child, reader))
    os.close(queue)
    for child, reader in children:
        with os.fdopen(reader) as stream:
            results = json.load(stream)
        os.waitpid(child, 0)
        yield from ((items[k], found) for k, found in results)


def _queue(count: int) -> int:
    """The end of a pipe from which each reader of four bytes gets another number."""
    reader, writer = os.pipe()
    if not os.fork():
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.close(reader)
        for k in range(count):
            os.write(writer, k.to_bytes(4, "big"))
        os._exit(0)
    os.close(writer)
    return reader


class Mutated(SourceFileLoader):
    """Loads a changed source under the name and path of a module."""

    def __init__(self, change: Change) -> None:
        path = paths()[change.mutant.module]
        super().__init__(imported_as(path), str(path))
        self.change = change

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.change.source, self.path, "exec")

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """As a finder."""
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None


def _anew(change: Change, chosen: list[str], seconds: float) -> int:
    """The exit code of pytest for these checks with everything imported anew."""
    folders = (f"{KERNEL}{os.sep}", f"{TESTS.parent}{os.sep}")
    for name, module in list(sys.modules.items()):
        path = [*getattr(module, "__path__", ())][:1]  # of a folder, which keeps its modules
        if (getattr(module, "__file__", None) or "".join(path)).startswith(folders):
            del sys.modules[name]
    sys.meta_path.insert(0, Mutated(change))  # type: ignore[arg-type]
    allow(5 + 3 * seconds)
    root = TESTS.parents[1]
    return int(pytest.main([*ARGUMENTS, "-x", *(f"{root}/{name}" for name in chosen)]))


class Plugin:
    """Does its work in the place of running the tests that were collected."""

    def __init__(self, work: Callable[[Bench], None]) -> None:
        self.work = work
        self.imports = Lines()
        sys.settrace(self.imports)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        sys.settrace(None)
        bench = Bench(session.items, set(self.imports.codes))
        gc.freeze()  # the children share it
        self.work(bench)
        return True


def with_bench(work: Callable[[Bench], None], tests: Sequence[Path] = ()) -> None:
    """Loads the checks, all of them or those in some files, and does some work with them."""
    from hypothesis import Phase, settings

    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
    )
    settings.load_profile("mutants")
    chosen = [f"--ignore={TESTS / 'mutation'}", *map(str, tests or [TESTS])]
    code = pytest.main([*ARGUMENTS, *chosen], [Plugin(work)])
    if code:
        raise RuntimeError(f"the tests cannot be loaded: {code}")
