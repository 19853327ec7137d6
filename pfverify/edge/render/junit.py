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
    found = [_case(name, case) for case in cases
             if not together or _OUTCOMES[case.verdict] is not None]  # fmt: skip
    if together:  # one case, whose name does not change with their number
        lines = [f"{len(together)} {_REST}:", *(case.words for case in together)]
        found.append(_told(_REST, name, "\n".join(lines)))
    suite = Element(
        "testsuite", name=_xml(name), tests=str(len(found)), skipped="0",
        failures=str(kinds["failure"]), errors=str(kinds["error"]),
    )  # fmt: skip
    properties = SubElement(suite, "properties")
    for key, value in envelope(view.schema, view.asked).items():
        if value is not None:
            SubElement(properties, "property", name=key, value=_xml(value))
    suite.extend(found)
    return suite


def _case(suite: str, case: DecidedCase) -> Element:
    name, group = f"{case.from_} -> {case.to}", f"{suite}/{case.belief}"
    if case.verdict is None:  # about the whole problem
        name, group = "problem", suite
    return _told(name, group, case.words, _OUTCOMES[case.verdict])


def _told(name: str, group: str, said: str, outcome: tuple[str, str] | None = None) -> Element:
    """A case, and what is said of it; `outcome`: element and type of what did not pass."""
    found = Element("testcase", name=_xml(name), classname=_xml(group))
    if outcome is None:
        SubElement(found, "system-out").text = _xml(said)
    else:
        element, kind = outcome
        SubElement(found, element, type=kind, message=_xml(said)).text = _xml(said)
    return found


def _xml(text: str) -> str:
    """Text with escapes in place of what XML has no way to write."""
    return _NO_XML.sub(lambda found: ascii(found[0])[1:-1], text)
