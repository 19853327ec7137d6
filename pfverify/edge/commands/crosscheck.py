"""``pfverify crosscheck``."""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from pfverify.edge.codes import found_code
from pfverify.edge.crosschecked import Asking, held
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, Remark


def crosscheck(form: Form, **options: Any) -> int:
    """Hold somebody's function against the exact answer, on many cases."""
    ask = Asking(given=_given(), **options)
    found = held(ask)
    done = [Remark(sentence) for sentence in found.done]
    if found.result is None:
        show(done, form)
        return 0
    asked = None if found.problem is None else Asked(str(ask.problem_file), found.problem)
    show([view_of(found.result, str(ask.function), asked)], form, done)
    return found_code(found.result.found)


def _given() -> frozenset[str]:
    """The options that were written, rather than left at their defaults."""
    context = click.get_current_context()
    return frozenset(
        one.opts[-1] for one in context.command.params
        if isinstance(one, click.Option) and one.name is not None
        and context.get_parameter_source(one.name) is not ParameterSource.DEFAULT
    )  # fmt: skip
