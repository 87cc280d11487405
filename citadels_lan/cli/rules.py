"""`rules`: what an edition, a character, a district or a rule says."""

import argparse
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_lan.cli.commands import Parser
from citadels_lan.cli.console import DONE, USAGE, Console, Failure
from citadels_lan.cli.open.options import chosen_edition, edition_help, edition_options
from citadels_lan.texts import msg

if TYPE_CHECKING:
    from citadels_lan.engine import Edition
    from citadels_lan.texts.topics import Topic

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.epilog = edition_help(parser.texts)
    parser.arguments.add_argument(
        "name",
        nargs="*",
        metavar=say("NAME"),
        help=say("a card or a rule, by its name in any language or its key"),
    )
    edition_options(parser.options, say)
    parser.options.add_argument("--list", action="store_true", help=say("everything that can be explained"))


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.engine import edition_named
    from citadels_lan.texts.topics import GAME, Topic, UnknownTopic, find_edition, find_topic, unknown

    edition = edition_named(*chosen_edition(console, options))
    if options.name:
        try:
            _show(console, edition, find_topic(" ".join(options.name), edition))
        except UnknownTopic as error:
            called = find_edition(" ".join(options.name)) or find_edition(" ".join(options.name[1:]))
            if called is None:
                raise Failure(USAGE, unknown(console.texts, error)) from None
            _show(console, edition_named(called), Topic("rule", GAME))
        return DONE
    if not options.list:
        _show(console, edition, Topic("rule", GAME))
        console.line()
        console.say(msg("Say the name of a card or a rule: `citadels-lan rules NAME`. There are:"))
    _list(console, edition)
    return DONE


def _show(console: Console, edition: "Edition", topic: "Topic") -> None:
    """A page under its title and the edition's name."""
    from citadels_lan.texts import terms
    from citadels_lan.texts.topics import page, title

    played = terms.name(console.texts, edition.key)
    console.say(msg("{title} ({edition})"), title=title(console.texts, topic), edition=played)
    for paragraph in page(console.texts, topic, edition):
        console.line()
        console.line(paragraph if "\n" in paragraph else _folded(paragraph))


def _list(console: Console, edition: "Edition") -> None:
    """Everything that can be explained in an edition, by key and title."""
    from citadels_lan.texts.topics import title, topics_of

    topics: Sequence[Topic] = topics_of(edition)
    kinds = {"rule": msg("Rules"), "character": msg("Characters"), "district": msg("Districts")}
    for kind, heading in kinds.items():
        console.line()
        console.say(heading)
        for topic in topics:
            if topic.kind == kind:
                console.line(f"  {topic.key:22}{title(console.texts, topic)}")


def _folded(paragraph: str) -> str:
    """A paragraph in lines that fit the terminal; as it is where nobody reads it on one."""
    if not sys.stdout.isatty():
        return paragraph
    return textwrap.fill(paragraph, min(WIDEST, shutil.get_terminal_size().columns))
