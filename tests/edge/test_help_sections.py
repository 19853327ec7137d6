"""Commands of more than ten options show them in sections, each option in one of them."""

import inspect
import re
from importlib import import_module

import click
import pytest

from pfverify.edge.cli import COMMANDS, commands, main
from pfverify.edge.commands.shape import OUTPUT, SectionOption, shaped
from pfverify.errors import InputError

MOST = 10  # options in one list


def shown(help_text):
    """Title -> the options that stand below it, in the order of the page."""
    found, title = {}, None
    for line in help_text.splitlines():
        if re.fullmatch(r"\S.*:", line):
            title = line[:-1]
        elif title and re.match(r"  -", line):
            names = re.match(r"  ((?:-\w, )?-{1,2}[a-z-]+)", line)[1].split(", ")
            found.setdefault(title, []).extend(names)
    return found


def options_of(command):
    context = click.Context(command, info_name="x", help_option_names=["-h", "--help"])
    return [one for one in command.get_params(context) if isinstance(one, click.Option)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_stands_in_one_section(name, capsys):
    assert main([name, "--help"]) == 0
    sections = shown(capsys.readouterr().out)
    listed = [option for options in sections.values() for option in options]
    expected = [option for one in options_of(commands.commands[name]) for option in one.opts]
    assert sorted(listed) == sorted(expected)
    if len(options_of(commands.commands[name])) > MOST:
        assert len(sections) > 1
        assert "Options" not in sections
        assert [*sections][-1] == OUTPUT
        assert "--help" in sections[OUTPUT]
    for options in sections.values():
        assert sum(option.startswith("--") for option in options) <= MOST


def sections_of(command):
    return {one.section for one in command.params if isinstance(one, SectionOption)}


@pytest.mark.parametrize("name", COMMANDS)
def test_only_help_has_no_section_of_its_own(name):
    command = commands.commands[name]
    outside = [one.opts for one in options_of(command) if not isinstance(one, SectionOption)]
    assert outside == [["-h", "--help"]]
    assert sections_of(command) == {""} or "" not in sections_of(command)


def test_some_commands_have_sections_and_some_need_none():
    with_sections = [name for name in COMMANDS if sections_of(commands.commands[name]) != {""}]
    assert with_sections == [
        "calibrate", "certify", "compose", "coupling", "crosscheck", "curve", "loss", "prior",
        "start", "table",
    ]  # fmt: skip


def test_sections_are_in_the_order_of_their_first_options():
    table = {"help": "Nothing.", "sections": {
        OUTPUT: {"--json": {"is_flag": True}},
        "Second": {"--b": {}, "--hidden": {"hidden": True}, "--a": {}},
        "Third": {"--c": {}},
    }}  # fmt: skip
    command = shaped("command", table, print)
    text = command.get_help(click.Context(command, info_name="x"))
    assert shown(text) == {"Second": ["--b", "--a"], "Third": ["--c"], OUTPUT: ["--json", "--help"]}


def test_a_section_has_a_title():
    with pytest.raises(TypeError, match="section"):
        SectionOption(["--a"])


@pytest.mark.parametrize("said", [{"type": "number"}, {"type": {"min": 0}}, {"typ": "int"}, "such"])
def test_what_no_file_may_say_of_an_option(said):
    with pytest.raises((KeyError, TypeError)):
        shaped("command", {"help": "Nothing.", "options": {"--a": said}}, print)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_function_that_takes_its_options(name):
    function = getattr(import_module(f"pfverify.edge.commands.{name}"), name)
    given = {one.name for one in commands.commands[name].params if one.expose_value}
    if "as_json" in given:
        given = given - {"as_json", "as_csv", "written"} | {"form"}
    inspect.signature(function).bind(**dict.fromkeys(given))


def given(table, *words):
    with shaped("command", {"help": "Nothing.", "options": table}, dict).make_context(
        "command", [*words]
    ) as context:
        return context.command.invoke(context)


SIZES = ("small", "large")
GOING_TOGETHER = {
    "--file": {"short": "-f"},
    "--wrap": {"is_flag": True, "only_with": ["--file", "--count"]},
    "--count": {"default": 1},
    "--small": {"name": "size", "flag_value": "small", "not_with": ["--count"]},
    "--large": {"name": "size", "flag_value": "large", "not_with": ["sweep"]},
    "--scale": {"multiple": True},
}


@pytest.mark.parametrize(("words", "said"), [
    (["--wrap"], "--wrap: only with -f or --count"),
    (["--wrap", "--count", "1"], "--wrap: only with -f or --count"),  # as without it
    (["--small", "--count", "2"], "--small: not with --count"),
    (["--large", "--scale", "1"], "--large: not with --scale"),
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(words, said):
    with pytest.raises(InputError, match=f"^{said}$"):
        given(GOING_TOGETHER, *words)


@pytest.mark.parametrize(
    "words", [[], ["--wrap", "-f", "x"], ["--wrap", "--count", "2"], ["--large", "--count", "2"],
              ["--small", "--count", "1"], ["--small", "--scale", "1"]],
)  # fmt: skip
def test_options_that_go_together_reach_the_command(words):
    found = given(GOING_TOGETHER, *words)
    assert found["wrap"] == ("--wrap" in words)
    assert found["size"] == next((word[2:] for word in words if word[2:] in SIZES), None)


def test_rules_of_options_name_options_that_there_are():
    listed = [(name, one) for name in COMMANDS for one in commands.commands[name].params
              if isinstance(one, SectionOption)]  # fmt: skip
    every = {one.opts[-1] for _, one in listed}
    for name, option in listed:
        own = {one.opts[-1] for one in commands.commands[name].params}
        assert own.issuperset(option.only_with)
        assert every.issuperset(option.not_with)  # a shared option's rule is for several commands
        assert option.opts[-1] not in (*option.only_with, *option.not_with)
