"""``check --trusts``: the kernel's files and facts that an answer rests on."""

import json

import pytest

from pfverify.certificate.checking import CertificateError, Trusts, _trusts, check
from pfverify.edge.cli import main
from pfverify.edge.packaged import example_path


@pytest.fixture
def certified(tmp_path, capsys):
    proof = tmp_path / "census.cert"
    assert main(["certify", "example:census", "-o", str(proof)]) == 0
    capsys.readouterr()
    return str(proof)


def test_the_answer_comes_first_and_is_the_same(certified, capsys):
    assert main(["check", "example:census", certified]) == 0
    plain = capsys.readouterr().out
    assert main(["check", "example:census", certified, "--trusts"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(plain)
    assert "checker.py" in shown
    assert "pure: F1" in shown


def test_json_has_one_key_more(certified, capsys):
    assert main(["check", "example:census", certified, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main(["check", "example:census", certified, "--json", "--trusts"]) == 0
    more = json.loads(capsys.readouterr().out)
    trusts = more.pop("trusts")
    assert more == plain
    assert trusts["rules"] == {"pure": ["F1"]}
    assert trusts["lines"] == sum(trusts["files"].values()) <= 1810  # the fewest of any
    assert trusts["files"]["core/calculus.py"] > 0


def test_an_answer_that_is_not_asked_for_it_has_none(certified):
    assert check(example_path("census"), certified).trusts is None
    assert check(example_path("census"), certified, trusts=True).trusts.rules == {"pure": ["F1"]}


def test_only_lines_that_are_understood_are_read():
    text = "file a.py: 2\nfile b.py: 3\ntotal: 5 lines\nrule x: F1, F3\nrule y: no named fact"
    assert _trusts(text) == Trusts({"a.py": 2, "b.py": 3}, 5, {"x": ["F1", "F3"], "y": []})
    with pytest.raises(CertificateError, match="more than is understood"):
        _trusts("files: 3")
