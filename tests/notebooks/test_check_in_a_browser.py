"""The page that checks certificates says what the command says, and nothing leaves the machine."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Browser
from support.checker_page import (
    KERNEL,
    NAME,
    SOURCE,
    answer,
    built,
    check,
    choose,
    clear,
    command,
    opened,
    press,
    require_engine,
    stop,
)
from support.corpus import MIXED, files, load
from support.guides import blocks
from support.matrix_files import COUNTS, csv_bytes, matrix_npz

pytestmark = pytest.mark.long  # .ci/run builds the site in a step of its own
PAGE = (SOURCE / f"{NAME}.md").read_text("utf-8")
BUDGET = 6  # seconds for cases of the corpus; all that time allows are in the battery
EMPTY = "document.getElementById('checker-answer').innerText === ''"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built page."""
    found = built(tmp_path_factory.mktemp("site"))
    require_engine(found)
    return found


@pytest.fixture(scope="module")
def page(
    site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Browser, str, list[str]]]:
    with opened(site, tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def claim(tmp_path: Path) -> tuple[Path, Path]:
    """The problem that the page shows, and its certificate."""
    from pfverify.edge.cli import main

    (text,) = (one.text for one in blocks(PAGE) if one.file == "claim.toml")
    problem, certificate = tmp_path / "claim.toml", tmp_path / "claim.cert"
    problem.write_text(text, "utf-8")
    assert main(["certify", str(problem), "-o", str(certificate)]) == 0
    return problem, certificate


def test_it_says_what_the_command_says(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path], tmp_path: Path
) -> None:
    """One after the other: nothing of a check is left for the next."""
    browser, _, _ = page
    expected = command(*claim)
    assert expected.startswith("certified: ")
    said = check(browser, *claim)
    assert (said.word, said.printed) == ("certified", expected)
    assert "pure: F1, F3" in said.text
    began, seen = time.monotonic(), set()
    for path in MIXED:
        case = load(path)
        pair = files(case, tmp_path)
        said = check(browser, *pair)
        assert (said.word, said.printed) == (case["expect"], command(*pair)), path
        seen.add(path.parent.name)
        if time.monotonic() - began > BUDGET and len(seen) == 3:
            break
    assert seen == {"accept", "reject", "malformed"}
    assert check(browser, *claim).printed == expected


def test_nothing_leaves_the_machine(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    browser, address, asked = page
    assert check(browser, *claim).word == "certified"
    assert browser.complaints(address) == []
    assert not [path for path in asked if "claim" in path]
    asked.clear()
    assert check(browser, *claim).word == "certified"
    script = f"""`
        const tried = [];
        const note = (what, done) => tried.push(what + (done ? ' went out' : ' was refused'));
        const out = ['{address}fetched', 'http://localhost:1/fetched'].map((url) =>
            fetch(url, {{mode: 'no-cors'}}).then(() => note(url, true), () => note(url, false)));
        try {{ importScripts('{address}_static/checker/page.js'); note('script', true) }}
        catch {{ note('script', false) }}
        Promise.all(out).then(() => postMessage(tried));`"""
    tried = browser.value(f"""new Promise((done) => {{
        const worker = new Worker(URL.createObjectURL(new Blob([{script}])));
        worker.onmessage = (message) => done(message.data); }})""")
    expected = [f"{address}fetched", "http://localhost:1/fetched", "script"]
    assert sorted(tried) == sorted(f"{one} was refused" for one in expected)
    fetched = f"fetch('{address}x').then(() => 'went out', () => 'refused')"
    assert browser.value(fetched) == "refused"
    for name in ("script", "img"):
        added = f"""new Promise((done) => {{ const one = document.createElement('{name}');
            one.src = '{address}_static/checker/page.js'; one.onload = () => done('loaded');
            one.onerror = () => done('refused'); document.head.append(one) }})"""
        assert browser.value(added) == "refused"
    assert asked == []
    browser.seen.clear()  # what was tried here is on the console


ESCAPES = """
import sys

for name, word, code in (("word", "proved", 0), ("code", "certified", 1)):
    if sys.argv[2] == name + ".toml":
        print(word + ": all")
        sys.exit(code)
found = []
for code in (
    "import js; js.fetch",
    "import js; js.Object",
    "from pyodide.code import run_js; run_js('fetch')",
    "import urllib.request; urllib.request.urlopen('{address}out', timeout=2)",
    "import socket; socket.create_connection(('127.0.0.1', {port}), 2).sendall(b'GET /out')",
):
    try:
        exec(code)
        found.append(code)
    except BaseException as reason:
        pass
print("rejected: reached", *found)
sys.exit(1)
"""


def test_a_check_is_stopped_and_another_kernel_reaches_nothing(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    """Python is started anew after a stop: here with a program that tries to get out."""
    browser, address, asked = page
    true = check(browser, *claim)
    program = ESCAPES.format(address=address, port=address.split(":")[2].strip("/"))
    asked.clear()
    browser.value(f"""globalThis.trueMain = pfverifyKernel.files['__main__.py'];
        pfverifyKernel.files['__main__.py'] = {json.dumps(program)}""")
    assert stop(browser, *claim) == "Stopped: no answer."
    said = check(browser, *claim)
    assert (said.word, said.printed) == ("rejected", "rejected: reached\n")
    assert asked == []
    digests = [re.findall("sha256 ([0-9a-f]{64})", one.text) for one in (true, said)]
    assert digests[0] != digests[1]  # the page says that it is another kernel
    assert [len(one) for one in digests] == [1, 1]
    for name in ("word", "code"):  # an answer that no kernel gives is none
        other = claim[0].with_name(f"{name}.toml")
        other.write_bytes(claim[0].read_bytes())
        said = check(browser, other, claim[1])
        assert said == (None, None, "No answer: the kernel said what this page does not know")
    browser.value("pfverifyKernel.files['__main__.py'] = trueMain; null")
    assert stop(browser, *claim) == "Stopped: no answer."
    assert check(browser, *claim).printed == true.printed
    browser.seen.clear()  # what was tried is on the console


def test_the_digest_is_that_of_the_checkout(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    (line,) = re.findall(r"`(\(cd [^`]*sha256sum)`", PAGE)
    root = KERNEL.parents[1]
    run = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=root)
    digest, _, _ = run.stdout.partition(" ")
    assert re.fullmatch("[0-9a-f]{64}", digest)
    assert f"sha256 {digest}." in check(page[0], *claim).text


DROP = """(async () => {{
    const given = new DataTransfer();
    for (const [name, bytes] of {files}) given.items.add(new File([new Uint8Array(bytes)], name));
    const event = new DragEvent('drop', {{dataTransfer: given, bubbles: true, cancelable: true}});
    document.getElementById('checker').dispatchEvent(event);
}})()"""


def drop(browser: Browser, *paths: Path) -> None:
    """Drop files onto the page."""
    given = [[path.name, [*path.read_bytes()]] for path in paths]
    browser.value(DROP.format(files=json.dumps(given)))


def test_files_are_dropped_along_with_a_matrix(
    page: tuple[Browser, str, list[str]], tmp_path: Path
) -> None:
    from pfverify.edge.cli import main

    browser, _, _ = page
    (tmp_path / "tables").mkdir()
    for name, data in (
        ("tables/m.csv", csv_bytes(COUNTS)),  # in a folder below that of the problem
        ("m.npz", matrix_npz(COUNTS, "u1")),
    ):
        problem, certificate = tmp_path / "answers.json", tmp_path / "answers.cert.json"
        (tmp_path / name).write_bytes(data)
        channel = {"kind": "matrix", "file": name, "normalise": True}
        stated = {"schema": "pfverify/problem/1", "epsilon": "log(3)", "channel": channel}
        problem.write_text(json.dumps(stated), "utf-8")
        assert main(["certify", str(problem), "-o", str(certificate)]) == 0
        clear(browser)
        drop(browser, tmp_path / name, certificate, problem)
        said = answer(browser)
        assert (said.word, said.printed) == ("certified", command(problem, certificate))
    clear(browser)
    drop(browser, certificate)
    assert answer(browser) == (None, None, "The problem is missing.")
    drop(browser, problem)
    said = answer(browser)
    assert said.word == "malformed"
    assert "is no regular file" in said.text
    drop(browser, certificate, certificate)
    assert "One certificate at a time" in answer(browser).text


def test_no_answer_stands_beside_other_files(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    browser, _, _ = page
    clear(browser)
    press(browser, "check")
    assert answer(browser) == (None, None, "No answer: A problem file is missing.")
    assert check(browser, *claim).word == "certified"
    choose(browser, claim[1], claim[0])
    assert browser.value(EMPTY)
    said = check(browser, claim[0], claim[1], claim[0])
    assert said == (None, None, "No answer: Two of the files have the name claim.toml.")


def test_the_page_on_a_phone_with_keys_and_in_the_dark(
    page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    browser, _, _ = page
    choose(browser, *claim)
    browser.value("document.getElementById('checker-named').focus()")
    for key, code, text in (("Tab", 9, ""), ("Enter", 13, "\r")):
        for kind in ("keyDown", "keyUp"):
            browser.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text,
                        windowsVirtualKeyCode=code)  # fmt: skip
    assert answer(browser).word == "certified"
    for dark in (False, True):
        browser.look(390, dark=dark)
        assert browser.value("document.documentElement.scrollWidth") <= 390
        serious = [v for v in browser.violations() if v.startswith(("serious", "critical"))]
        assert serious == []
    browser.look(1280)
    found = browser.ask("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value")) for node in found}
    assert {("button", "Check"), ("button", "Stop")} <= named
    (status,) = (node for node in found if node["role"]["value"] == "status")
    assert {one["name"]: one["value"]["value"] for one in status["properties"]}["live"] == "polite"


def test_the_page_works_from_a_folder(
    site: Path, page: tuple[Browser, str, list[str]], claim: tuple[Path, Path]
) -> None:
    """Opened as a file, with no server at all."""
    browser, address, _ = page
    browser.open(site / f"{NAME}.html", 1280)
    assert check(browser, *claim).printed == command(*claim)
    assert browser.complaints() == []
    browser.open(f"{address}{NAME}.html", 1280)


def test_without_npm_the_page_says_so(tmp_path: Path) -> None:
    """A site is built all the same; `git` and the like are not asked for."""
    page = (built(tmp_path, PATH="") / f"{NAME}.html").read_text("utf-8")
    assert "npm is not on this machine" in page
    assert "checker-problem" not in page
    assert "Content-Security-Policy" in page
