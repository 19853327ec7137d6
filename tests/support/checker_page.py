"""The page that checks certificates: built, served from this machine, and used as a person does."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from support.books import SOURCE, build, small
from support.browser import Browser, chromium

NAME = "guides/check-in-a-browser"
STUBS = ("guides/check-without-installing", "reference/certificates")  # what the page links to
KERNEL = SOURCE.parent / "pfverify" / "kernel"
STATE = """[document.getElementById('checker-stop').disabled,
    document.querySelector('#checker-answer .checker-word')?.textContent,
    document.querySelector('#checker-answer pre')?.textContent,
    document.getElementById('checker-answer').innerText]"""


class Said(NamedTuple):
    """What stands on the page: the verdict, what the command prints, and all of the text."""

    word: str | None
    printed: str | None
    text: str


def built(folder: Path, **environment: str) -> Path:
    """The pages of a book with the checker, or a test that is skipped."""
    if importlib.util.find_spec("jupyter_book") is None:
        pytest.skip("jupyter-book is missing: the extra docs")
    text = (SOURCE / f"{NAME}.md").read_text("utf-8")
    pages = {"index": "# A page\n", NAME: text, **dict.fromkeys(STUBS, "# A page\n")}
    run = build(small(folder, pages), folder, strict=False, environment=environment)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    return folder / "_build" / "html"


def require_engine(site: Path) -> None:
    """Skip where the site was built without Python for browsers, with what the page says."""
    if not (site / "_static" / "checker" / "engine.js").exists():
        page = (site / f"{NAME}.html").read_text("utf-8")
        pytest.skip(page.partition('id="checker-missing"')[2].partition("</p>")[0])


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The address of a server of a folder on this machine, and the paths that it is asked for."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            if self.path == "/favicon.ico":  # a browser asks for it by itself
                self.send_response(204)
                self.end_headers()
            else:
                super().do_GET()

        def log_message(self, *_: Any) -> None:
            """Nothing on standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()
        thread.join()


@contextmanager
def opened(folder: Path, profile: Path) -> Iterator[tuple[Browser, str, list[str]]]:
    """The page in a browser, with the address and the requests of its server; or a skipped test."""
    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with served(folder) as (address, asked), Browser(program, profile) as browser:
        browser.open(f"{address}{NAME}.html", 1280)
        yield browser, address, asked


def choose(browser: Browser, problem: Path, certificate: Path, *named: Path) -> None:
    """Choose these files and no others, without a check."""
    clear(browser)
    for name, paths in (("problem", [problem]), ("certificate", [certificate]), ("named", named)):
        browser.choose(f"#checker-{name}", *paths)


def clear(browser: Browser) -> None:
    """No file is chosen, as when the page is opened."""
    browser.value("document.getElementById('checker').reset()")


def press(browser: Browser, *buttons: str) -> None:
    """Press buttons, one after the other."""
    for name in buttons:
        browser.value(f"document.getElementById('checker-{name}').click()")


STOP = """new Promise((done) => {
    const [said, check, stop] = ['answer', 'check', 'stop'].map((name) =>
        document.getElementById(`checker-${name}`));
    new MutationObserver((_, observer) => {
        if (!said.textContent.startsWith('Checking')) return;
        observer.disconnect();
        stop.click();
        done(said.textContent);
    }).observe(said, {childList: true});
    check.click();
})"""


def stop(browser: Browser, problem: Path, certificate: Path) -> str:
    """Begin a check and stop it once Python is at work; what the page says then."""
    choose(browser, problem, certificate)
    return str(browser.value(STOP))


def check(browser: Browser, problem: Path, certificate: Path, *named: Path) -> Said:
    """Choose files, press the button, and wait for the answer."""
    choose(browser, problem, certificate, *named)
    press(browser, "check")
    return answer(browser)


def answer(browser: Browser, seconds: float = 120) -> Said:
    """What the page says once no check is under way."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        idle, word, printed, text = browser.value(STATE)
        if idle and text:
            return Said(word, printed, text)
        time.sleep(0.02)
    raise AssertionError(f"no answer within {seconds} seconds: {text}")


def command(problem: Path, certificate: Path) -> str:
    """What the command line prints of the same files, in their folder."""
    words = [sys.executable, "-I", "-S", str(KERNEL), "--trusts", problem.name, certificate.name]
    run = subprocess.run(words, capture_output=True, text=True, cwd=problem.parent)
    assert run.stderr == ""
    return run.stdout
