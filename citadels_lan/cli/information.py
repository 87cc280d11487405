"""`rules`, `doctor` and `completion`: what the rules say, whether this machine can play, and shell
completion."""

import argparse
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from citadels_lan.cli.console import DONE, REFUSED, USAGE, Console, Failure
from citadels_lan.texts import msg

if TYPE_CHECKING:
    from citadels_lan.engine import Edition

WIDEST = 100
"""Columns of a paragraph at most, however wide the terminal is."""


def rules(console: Console, options: argparse.Namespace) -> int:
    """Print what the rules say about a card or a topic, or what can be explained. Raises Failure."""
    from citadels_lan.cli.game_config import chosen_edition
    from citadels_lan.engine import edition_named
    from citadels_lan.texts.pages import BULLET
    from citadels_lan.texts.terms import name
    from citadels_lan.texts.topics import GAME, Topic, UnknownTopic, find_edition, find_topic, page, title, unknown

    def show(edition: "Edition", topic: Topic) -> None:
        edition_name, heading = name(console.texts, edition.key), title(console.texts, topic)
        console.say(msg("{title} ({edition})"), title=heading, edition=edition_name)
        for paragraph in page(console.texts, topic, edition):
            if not paragraph.startswith(BULLET):
                console.line()
            console.line(paragraph if "\n" in paragraph else _folded(paragraph))

    edition = edition_named(*chosen_edition(console, options))
    game = Topic("rule", GAME)
    if options.name:
        words = options.name
        try:
            show(edition, find_topic(" ".join(words), edition))
        except UnknownTopic as error:
            key = find_edition(" ".join(words)) or find_edition(" ".join(words[1:]))
            if key is None:
                raise Failure(USAGE, unknown(console.texts, error)) from None
            show(edition_named(key), game)
        return DONE
    if not options.list:
        show(edition, game)
        console.line()
        console.say(msg("Say the name of a card or a rule: `citadels-lan rules NAME`. There are:"))
    _list(console, edition)
    return DONE


def _list(console: Console, edition: "Edition") -> None:
    """Print the topics of an edition by key and title."""
    from citadels_lan.texts.topics import title, topics_of

    topics = topics_of(edition)
    kinds = {"rule": msg("Rules"), "character": msg("Characters"), "district": msg("Districts")}
    for kind, heading in kinds.items():
        console.line()
        console.say(heading)
        for topic in topics:
            if topic.kind == kind:
                console.line(f"  {topic.key:22}{title(console.texts, topic)}")


def _folded(paragraph: str) -> str:
    """Fold a paragraph to the width of the terminal; a pipe gets it in one line."""
    if not sys.stdout.isatty():
        return paragraph
    indent = "  " if paragraph.startswith("- ") else ""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    return textwrap.fill(paragraph, width, subsequent_indent=indent)


def doctor(console: Console, options: argparse.Namespace) -> int:
    """Print each check of this computer as soon as it is done, or the whole list as JSON."""
    import asyncio
    import json

    from citadels_lan.doctor.checks import Check, examine, good
    from citadels_lan.platform.logs import log_to_file
    from citadels_lan.platform.system import system_kind

    async def check() -> list[Check]:
        checks = []
        async for each in examine():
            checks.append(each)
            for line in () if options.json else each.lines(console.texts, kind):
                console.line(line)
        return checks

    log_to_file()
    kind = system_kind()
    checks = asyncio.run(check())
    if options.json:
        figures = [each.figures(console.texts, kind) for each in checks]
        report = {"good": good(checks), "system": kind, "checks": figures}
        console.line(json.dumps(report, ensure_ascii=False))
    else:
        can, cannot = msg("This machine can host and join."), msg("Something has to be done first: see above.")
        console.line()
        console.say(can if good(checks) else cannot)
    return DONE if good(checks) else REFUSED


def completion(console: Console, options: argparse.Namespace) -> int:
    """Print the script with which a shell completes the commands and options."""
    import shtab

    from citadels_lan.cli.commands import whole_parser

    console.line(shtab.complete(whole_parser(console.texts), options.shell).rstrip("\n"))
    return DONE
