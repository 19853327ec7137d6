"""What a page of the documentation shows, as something to run: files, commands, Python, output."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

FENCE = re.compile(r"^(?:`(\S+)`:\n\n)?```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STORED = re.compile(r"<!-- generated: .*?<!-- end -->", re.DOTALL)  # code of the project's own
# what no guide has to run
SHELL_ELSEWHERE = (
    "pip ", "jupyter ", "jupyter-book ", "apt-get ", "podman ", "sh proofs/coq/compile ",
)  # fmt: skip


class Block(NamedTuple):
    """A fenced block: its language, the file that the line above it names, its text."""

    language: str
    file: str | None
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page of Markdown, in order; ValueError for one that is not known."""
    for file, language, text in FENCE.findall(STORED.sub("", page)):
        if language not in ("shell", "text", "python", "yaml") and not file:
            raise ValueError(f"no known kind of block, and no `FILE`: above it: {language!r}")
        yield Block(language, file or None, text)


class Reader:
    """Somebody who does, in a folder, all that a page says.

    `main` runs a command line of the package and returns its exit code.
    """

    def __init__(self, folder: Path, main: Callable[[list[str]], int]) -> None:
        self.folder, self.main = folder, main
        self.output = ""
        self.names: dict[str, Any] = {}
        self.ran: list[str] = []

    def read(self, page: str) -> None:
        """Run every block of a page; AssertionError where it does not do what it shows."""
        for block in blocks(page):
            if block.file:
                place = self.folder / block.file
                place.parent.mkdir(exist_ok=True)
                place.write_text(block.text, "utf-8")
            elif block.language == "text":
                self.compare(block.text)
            else:
                {"shell": self.shell, "python": self.python, "yaml": self.pipeline}[
                    block.language
                ](block.text)

    def shell(self, text: str) -> None:
        """Run command lines; `# exit code N` behind one says what it leaves with."""
        self.output = ""
        for line in text.replace("\\\n", " ").splitlines():
            if line and not line.startswith(SHELL_ELSEWHERE):
                said = re.search(r"# exit code (\d+)$", line)
                self.command(line.split("  #")[0], int(said[1]) if said else 0)

    def command(self, line: str, expected: int) -> None:
        """Run one command, in this process where it is ours; `> FILE` keeps what it prints."""
        program, *words = shlex.split(line)
        kept = Path(words.pop()) if words[-2:-1] == [">"] else None
        if kept:
            words.pop()
        out, err = io.StringIO(), io.StringIO()
        if program == "pfverify":
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = self.main(words)
        elif program == "python":
            run = subprocess.run([sys.executable, *words], capture_output=True, text=True)
            code = run.returncode
            out.write(run.stdout)
            err.write(run.stderr)
        else:
            raise AssertionError(f"a guide runs {program!r}")
        if kept:
            assert out.getvalue(), f"{line}: nothing to keep"
            kept.write_text(out.getvalue(), "utf-8")
        self.output += out.getvalue() + err.getvalue()
        self.ran.append(line)
        assert code == expected, f"{line}: exit code {code}\n{out.getvalue()}{err.getvalue()}"

    def python(self, text: str) -> None:
        """Run Python; later blocks of the page know its names."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, "guide", "exec"), self.names)
        self.output = out.getvalue()

    def pipeline(self, text: str) -> None:
        """Run the lines of a pipeline's file that are ours."""
        for line in re.findall(r"- (?:run: )?(pfverify .*)", text):
            self.command(line, 0)

    def compare(self, shown: str) -> None:
        """Each shown line begins or is contained in what was printed, in order; … is anything."""
        rest = " ".join(self.output.split())
        for line in shown.splitlines():
            pattern = ".*?".join(re.escape(" ".join(part.split())) for part in line.split("…"))
            found = re.search(pattern, rest)
            assert found, f"{line!r} was not printed:\n{self.output}"
            rest = rest[found.end() :]
