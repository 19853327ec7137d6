"""Views as JUnit XML: a suite per problem, a case per ordered pair; many that hold are one case.

A refuted pair is a failure. An undecided one is an error, as is a problem that cannot be read: none
of them counts as passed, or as skipped, anywhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import click

from pfverify.decide.verdict import Verdict
from pfverify.edge.render.shape import Shape
from pfverify.edge.views.envelope import envelope
from pfverify.edge.views.view import DecidedCase, View

_NO_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_OUTCOMES: dict[Verdict | None, tuple[str, str] | None] = {
    Verdict.CERTIFIED: None,
    Verdict.REFUTED: ("failure", "refuted"),
    Verdict.UNDECIDED: ("error", "undecided"),
    Verdict.OBSERVED: ("error", "observed"),
    None: ("error", "unreadable"),
}
"""Verdict -> element and type of what did not pass. Every verdict has a row."""
_FEW = 10  # certified pairs of a suite up to which each is a case
_REST = "certified ordered pairs"


def render(views: Sequence[View[Any]], shape: Shape) -> None:
    """Print one document, whatever the shape."""
    asked = Counter(view.name for view in views)
    root = Element("testsuites", name="pfverify")
    for view in views:
        root.append(_suite(view, swept=asked[view.name] > 1))
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    indent(root)
    click.echo(tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii"))


def _suite(view: View[Any], *, swept: bool) -> Element:
    cases = view.cases()
    kinds = Counter(outcome[0] for case in cases if (outcome := _OUTCOMES[case.verdict]))
    name = f"{view.name} ({cases[0].target})" if swept else view.name
    passed = [case for case in cases if _OUTCOMES[case.verdict] is None]
    together = passed if len(passed) > _FEW else []
    alone = [case for case in cases if not (together and _OUTCOMES[case.verdict] is None)]
    tests = str(len(alone) + bool(together))
    suite = Element("testsuite", name=_xml(name), tests=tests, skipped="0")
    suite.set("failures", str(kinds["failure"]))
    suite.set("errors", str(kinds["error"]))
    properties = SubElement(suite, "properties")
    for key, value in envelope(view.schema, view.asked).items():
        if value is not None:
            SubElement(properties, "property", name=key, value=_xml(value))
    for case in alone:
        suite.append(_case(name, case))
    if together:
        suite.append(_of_many(name, together))
    return suite


def _of_many(suite: str, cases: Sequence[DecidedCase]) -> Element:
    """One case for many certified pairs, whose name does not change with their number."""
    found = Element("testcase", name=_REST, classname=_xml(suite))
    lines = [f"{len(cases)} {_REST}:", *(case.words for case in cases)]
    SubElement(found, "system-out").text = _xml("\n".join(lines))
    return found


def _case(suite: str, case: DecidedCase) -> Element:
    name, group = f"{case.from_} -> {case.to}", f"{suite}/{case.belief}"
    if case.verdict is None:  # about the whole problem
        name, group = "problem", suite
    found = Element("testcase", name=_xml(name), classname=_xml(group))
    outcome = _OUTCOMES[case.verdict]
    if outcome is None:
        SubElement(found, "system-out").text = _xml(case.words)
    else:
        element, kind = outcome
        SubElement(found, element, type=kind, message=_xml(case.words)).text = _xml(case.words)
    return found


def _xml(text: str) -> str:
    """Text with escapes in place of what XML has no way to write."""
    return _NO_XML.sub(lambda found: ascii(found[0])[1:-1], text)
