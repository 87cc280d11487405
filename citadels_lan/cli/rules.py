"""`rules`: what a character, a district or a rule says."""

import argparse
import shutil
import sys
import textwrap

from citadels_lan.texts import msg

from .console import Console
from .failures import DONE, USAGE, Failure
from .parsing import Parser

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""


def arguments(parser: Parser) -> None:
    say = parser.texts.say
    parser.arguments.add_argument(
        "name",
        nargs="*",
        metavar=say("NAME"),
        help=say("a card or a rule, by its name in any language or its key"),
    )
    parser.options.add_argument("--edition", metavar="NAME", help=say("the edition of the rules (2016)"))
    parser.options.add_argument("--list", action="store_true", help=say("everything that can be explained"))


def run(console: Console, options: argparse.Namespace) -> int:
    from citadels_lan.texts.topics import UnknownTopic, all_topics, find_topic, page, title, unknown

    texts = console.texts
    if options.list or not options.name:
        if not options.list:
            console.say(msg("Say the name of a card or a rule: `citadels-lan rules NAME`. There are:"))
        kinds = {"rule": msg("Rules"), "character": msg("Characters"), "district": msg("Districts")}
        for kind, heading in kinds.items():
            console.line()
            console.say(heading)
            for topic in all_topics():
                if topic.kind == kind:
                    console.line(f"  {topic.key:22}{title(texts, topic)}")
        return DONE
    try:
        topic = find_topic(" ".join(options.name))
    except UnknownTopic as error:
        raise Failure(USAGE, unknown(texts, error)) from None
    console.line(title(texts, topic))
    for paragraph in page(texts, topic):
        console.line()
        console.line(paragraph if "\n" in paragraph else _folded(paragraph))
    return DONE


def _folded(paragraph: str) -> str:
    """A paragraph in lines that fit the terminal; as it is where nobody reads it on one."""
    if not sys.stdout.isatty():
        return paragraph
    return textwrap.fill(paragraph, min(WIDEST, shutil.get_terminal_size().columns))
