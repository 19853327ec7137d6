"""Completion: what the shells are told, and what they make of it where they are installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pfverify.edge.cli import COMMANDS, commands, main
from pfverify.edge.completion import SHELLS, VARIABLE
from pfverify.edge.packaged import example_names

RUN = f'#!/bin/sh\nexec "{sys.executable}" -m pfverify "$@"\n'


def shell(name):
    return pytest.param(name, marks=pytest.mark.skipif(
        shutil.which(name) is None, reason=f"{name} is not installed"))


@pytest.fixture
def asked(capsys, monkeypatch):
    """What zsh would be told about the last word of a line: kinds and values."""

    def ask(line):
        monkeypatch.setenv(VARIABLE, "zsh_complete")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        assert main([]) == 0
        lines = capsys.readouterr().out.splitlines()
        return list(zip(lines[::3], lines[1::3], strict=True))

    return ask


def plain(found):
    return [value for kind, value in found if kind == "plain"]


def test_every_command_and_every_option_is_completed(asked):
    assert plain(asked("pfverify ")) == list(COMMANDS)
    for name in COMMANDS:
        options = [o for p in commands.commands[name].params if p.param_type_name == "option"
                   for o in p.opts if o.startswith("--")]
        assert set(options) <= set(plain(asked(f"pfverify {name} --")))


def test_every_parameter_that_is_a_problem_is_completed(asked):
    examples = [f"example:{name}" for name in example_names()]
    for name in COMMANDS:
        for parameter in commands.commands[name].params:
            if parameter.name != "problem":
                continue
            flag = "" if parameter.param_type_name == "argument" else "--problem "
            assert plain(asked(f"pfverify {name} {flag}exam")) == examples
    assert asked("pfverify certify example:cens") == [
        ("dir", "example:cens"), ("plain", "example:census")
    ]


def test_terms_that_can_be_explained_are_completed(asked):
    assert "relaxed_rows" in plain(asked("pfverify explain relax"))
    assert set(plain(asked("pfverify explain y"))) >= {"y", "y of loss"}


def test_problem_files_and_folders_are_completed(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("mine.toml", "mine.json", "mine.txt", "other.TOML", "new\nline.toml"):
        Path(name).write_text("")
    Path("mine").mkdir()
    Path("mine/deep.toml").write_text("")
    assert plain(asked("pfverify certify m")) == ["mine.json", "mine.toml"]
    assert plain(asked("pfverify loss mine/")) == ["mine/deep.toml"]
    assert plain(asked("pfverify loss no-such/")) == []
    assert asked("pfverify check mine.toml m") == [("file", "m")]
    assert asked("pfverify certify -o m") == [("file", "m")]


@pytest.mark.parametrize("instruction", ["bash", "csh_source", "bash_sourc", "source", "fish_",
                                         "bash_complete", "zsh_complete", "fish_complete"])
def test_what_no_shell_asks_is_one_line(capsys, monkeypatch, instruction):
    for name in ("COMP_LINE", "COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(VARIABLE, instruction)
    assert main(["certify", "example:census"]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert VARIABLE in captured.err


def test_no_sentence_about_a_command_is_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert "..." not in out.partition("Commands:")[2]
    assert max(map(len, out.splitlines())) <= 80
    assert all(f"\n  {name} " in out for name in COMMANDS)


def test_the_help_says_how_to_switch_it_on(capsys):
    assert main(["--help"]) == 0
    assert f"{VARIABLE}=bash_source pfverify" in capsys.readouterr().out
    assert SHELLS == ("bash", "zsh", "fish")


@pytest.fixture
def on_path(tmp_path, monkeypatch):
    command = tmp_path / "bin" / "pfverify"
    command.parent.mkdir()
    command.write_text(RUN)
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine too.toml").write_text("")


def said(*arguments):
    found = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60)
    return found.stdout.splitlines()


@pytest.mark.parametrize("name", [shell("bash")])
@pytest.mark.parametrize(("line", "replies"), [
    ("pfverify cert", ["certify"]),
    ("pfverify certify example:cens", ["census"]),  # what stands after the colon
    ("pfverify export x --problem=example:cens", ["census"]),
    ("pfverify certify mine", ["mine\\ too.toml"]),
    ("pfverify check a b --expect cert", ["certified"]),
])  # fmt: skip
def test_bash_completes(name, line, replies, on_path):
    script = f"""
eval "$({VARIABLE}=bash_source pfverify)"
complete -p pfverify >/dev/null
COMP_LINE='{line} and more' COMP_POINT={len(line)}
_pfverify_completion pfverify 2>/dev/null  # compopt has no completion going on here
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    assert said(name, "--norc", "-c", script) == replies


@pytest.mark.parametrize("name", [shell("fish")])
def test_fish_completes(name, on_path):
    script = f"""
{VARIABLE}=fish_source pfverify | source
complete -C 'pfverify certi'
complete -C 'pfverify certify example:cens'
complete -C 'pfverify certify mine'
"""
    words = [line.split("\t")[0] for line in said(name, "--no-config", "-c", script)]
    assert words == ["certify", "example:census", "mine too.toml"]


@pytest.mark.parametrize("name", [shell("zsh")])
def test_zsh_takes_the_script(name, on_path):
    script = f'autoload -U compinit; compinit -u -D; eval "$({VARIABLE}=zsh_source pfverify)"; ' \
        "echo $_comps[pfverify]"
    assert said(name, "-f", "-c", script) == ["_pfverify_completion"]
