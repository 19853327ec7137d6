"""Commands of more than ten options show them in sections, each option in one of them."""

import re

import click
import pytest

from pfverify.edge.cli import COMMANDS, commands, main
from pfverify.edge.commands.sections import OUTPUT, SectionCommand, SectionOption, section

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


@pytest.mark.parametrize("name", COMMANDS)
def test_only_help_has_no_section_of_its_own(name):
    command = commands.commands[name]
    if isinstance(command, SectionCommand):
        outside = [one.opts for one in options_of(command) if not isinstance(one, SectionOption)]
        assert outside == [["-h", "--help"]]


def test_some_commands_have_sections_and_some_need_none():
    with_sections = [
        name for name in COMMANDS if isinstance(commands.commands[name], SectionCommand)
    ]
    assert with_sections == [
        "calibrate", "certify", "compose", "coupling", "crosscheck", "curve", "loss", "prior",
        "start", "table",
    ]  # fmt: skip


def test_sections_are_in_the_order_of_their_first_options():
    @click.command(cls=SectionCommand)
    @section(OUTPUT)("--json", is_flag=True)
    @section("Second")("--b")
    @section("Third")("--c")
    @section("Second")("--hidden", hidden=True)
    @section("Second")("--a")
    def command():
        """Nothing."""

    text = command.get_help(click.Context(command, info_name="x"))
    assert shown(text) == {"Second": ["--b", "--a"], "Third": ["--c"], OUTPUT: ["--json", "--help"]}


def test_a_section_has_a_title():
    with pytest.raises(TypeError, match="section"):
        SectionOption(["--a"])
