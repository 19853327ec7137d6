"""The command ``pfverify``, and ``python -m pfverify``."""

from __future__ import annotations

import sys


def run() -> None:
    """Load the command line and run it; an interruption while it is loaded is one line too."""
    try:
        from pfverify.edge.cli import run as command_line
    except KeyboardInterrupt:
        print("pfverify: interrupted; no unfinished file was left", file=sys.stderr)
        sys.exit(130)
    command_line()


if __name__ == "__main__":
    run()
