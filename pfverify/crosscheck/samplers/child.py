"""The process in which a sampler runs: it is called for draws at one input after the other."""

from __future__ import annotations

from pfverify.crosscheck.calling import replied
from pfverify.crosscheck.samplers.wired import written_draws
from pfverify.workers import serving


def serve() -> None:
    """Answer requests until there are none, then end this process."""
    serving.serve(
        lambda function, head, _: replied(
            function, head["draws"], head["named"], written=written_draws
        )
    )
