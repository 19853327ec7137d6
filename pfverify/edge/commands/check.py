"""``pfverify check``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from pfverify.edge.checked import Checked, checked, with_coq
from pfverify.edge.codes import several_code
from pfverify.edge.commands.options import certificate_path, loadable, path_of
from pfverify.edge.many import certificates_of, collected, named_problems
from pfverify.edge.mistaken import refuse_swapped
from pfverify.edge.progress import progress
from pfverify.edge.render.shape import Shape
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, View
from pfverify.errors import InputError, shorten, told_at
from pfverify.model.problem_file import require_problem_file

_LONGEST = 10**6  # seconds, which clocks can add


class _Asking(NamedTuple):
    """What is asked of every certificate.

    `coq`: of Coq too, with the theory of which folder of proofs, and for how many seconds.
    """

    expect: str | None
    trusts: bool
    coq: tuple[Path, float] | None


def check(
    problem: str, certificate: str | None, expect: str | None, trusts: bool, coq: bool,
    proofs: Path, coq_timeout: float, form: Form,
) -> int:  # fmt: skip
    """Re-check CERTIFICATE for PROBLEM with the kernel alone."""
    if not coq_timeout <= _LONGEST:  # nan neither
        raise InputError(f"--coq-timeout: {coq_timeout:g} is no time in seconds up to {_LONGEST}")
    ask = _Asking(expect, trusts, (proofs, coq_timeout) if coq else None)
    names, listed = named_problems([problem])
    if listed:
        folder = None if certificate is None else Path(certificate)
        if folder is not None and folder.is_file():
            raise InputError(
                f"{certificate}: this is a file, expected a folder with NAME.cert for every problem"
            )
        places = certificates_of(names, folder)
        return _several({name: str(place) for name, place in places.items()}, ask, form)
    if certificate is None:
        if problem == "-":
            raise InputError("check: expected a certificate too, standard input has no name")
        certificate = str(certificates_of(names)[problem])
    with progress("checking"):
        answer = _answer(problem, certificate, ask)
    asked = Asked(problem, loadable(problem)) if form == "json" else None
    show([view_of(answer, problem, asked)], form)
    return answer.code


def _answer(problem: str, certificate: str, ask: _Asking) -> Checked:
    """Return what the kernel says, with words about files that are not what was expected."""
    files = (problem, path_of(problem)), (certificate, certificate_path(certificate))
    with told_at(f"{shorten(problem)}: "):
        require_problem_file(files[0][1])
    refuse_swapped(*files)
    try:
        found = checked(files[0][1], str(files[1][1]), ask.expect, trusts=ask.trusts)
    except InputError as error:
        from pfverify.edge.changed import after_statement

        raise after_statement(error, *files) from None
    if found.ok and ask.coq is not None:
        from pfverify.edge.coq.confirm import confirmed

        return with_coq(found, confirmed(files[0][1], files[1][1], *ask.coq))
    if found.result not in ("rejected", "malformed"):
        return found
    from pfverify.edge.changed import with_words

    return with_words(found, *files)


def _several(places: dict[str, str], ask: _Asking, form: Form) -> int:
    """Check every problem against its certificate, whatever becomes of the others."""
    from pfverify.edge.views.failed import TallyView

    def answer(name: str) -> tuple[list[View[Any]], int]:
        found = _answer(name, places[name], ask)
        return [view_of(found, name, Asked(name, loadable(name)))], found.code

    with progress("problems") as report:
        views, codes = collected(list(places), answer, report)
    show(views, form, [TallyView(views)], Shape.RESULTS)
    return several_code(codes)
