"""A headless Chromium spoken to over its debugging pipe: no driver, no package, no port."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from importlib.resources import files
from pathlib import Path
from typing import Any


def chromium() -> str | None:
    """The browser of this machine, None without one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


_WRONG = ("Network.loadingFailed", "Runtime.exceptionThrown", "Log.entryAdded")
_SAID = "Runtime.consoleAPICalled"


class Browser:
    """One page of a browser. Use it as a context; `seen` collects what the page reports."""

    def __init__(self, program: str, profile: Path) -> None:
        (theirs, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking",
            f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank",
        ]  # fmt: skip
        shell = f'exec "$@" 3<&{theirs} 4>&{theirs_out}'
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", shell, "chromium", *command], pass_fds=(theirs, theirs_out),
            stdin=quiet, stdout=quiet, stderr=quiet,
        )  # fmt: skip
        os.close(theirs)
        os.close(theirs_out)
        self._out, self._in = ours_out, ours_in
        self._rest, self._count, self._session = b"", 0, ""
        self.seen: list[dict[str, Any]] = []

    def __enter__(self) -> Browser:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._out)
        os.close(self._in)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what is reported meanwhile goes to `seen`."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (found := self._next()).get("id") != self._count:
            self.seen.append(found)
        if "error" in found:
            raise RuntimeError(f"{method}: {found['error']}")
        return dict(found["result"])

    def _next(self) -> dict[str, Any]:
        deadline = time.monotonic() + 60
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 16)
            if not more or time.monotonic() > deadline:
                raise RuntimeError("the browser does not answer")
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))

    def open(self, page: Path | str, width: int, height: int = 900, dark: bool = False) -> None:
        """Show a file, or what a server of the test has at an address, at a size; returns when it
        is loaded."""
        self.look(width, height, dark)
        self.seen.clear()
        url = page if isinstance(page, str) else page.resolve().as_uri()
        self.ask("Page.navigate", url=url)
        while not any(m.get("method") == "Page.loadEventFired" for m in self.seen):
            self.seen.append(self._next())

    def look(self, width: int, height: int = 900, dark: bool = False) -> None:
        """Be a window of a size, light or dark."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 600)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def value(self, script: str) -> Any:
        """Return what a script of the test gives on the page, waiting for a promise."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                         awaitPromise=True)  # fmt: skip
        if "exceptionDetails" in found:
            raise RuntimeError(f"a script of the test: {found['exceptionDetails']}")
        return found["result"].get("value")

    def violations(self) -> list[str]:
        """What axe-core finds on the page, everything unfolded, but for what it calls minor."""
        self.value("document.querySelectorAll('details').forEach(d => { d.open = true })")
        self.value(files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        found = self.value("axe.run({resultTypes: ['violations']}).then(r => r.violations.map("
                           "v => [v.impact, v.id, v.nodes[0].html]))")  # fmt: skip
        return [": ".join(map(str, one)) for one in found if one[0] != "minor"]

    def choose(self, selector: str, *paths: Path) -> None:
        """Put files into an input for files, as a person does."""
        root = self.ask("DOM.getDocument")["root"]["nodeId"]
        node = self.ask("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.ask("DOM.setFileInputFiles", nodeId=node, files=[*map(str, paths)])

    def complaints(self, *own: str) -> list[str]:
        """Errors of the console, failed requests, and requests that leave the machine; `own` is how
        the addresses of the test's own server begin."""
        bad = []
        for one in self.seen:
            method, about = one.get("method", ""), one.get("params", {})
            if method == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if not url.startswith(("file:", "data:", "blob:", *own)):
                    bad.append(f"request {url}")
            elif method in _WRONG or (method == _SAID and about.get("type") == "error"):
                bad.append(f"{method} {about}")
        return bad
