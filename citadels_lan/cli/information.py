"""`rules` and `doctor`: what the rules say, and whether this machine can play."""

import argparse
import json
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from citadels_lan.cli.console import DONE, REFUSED, USAGE, Console, Failure
from citadels_lan.texts import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from citadels_lan.texts.topics import Topic

WIDEST = 100
"""Largest width of a paragraph in columns, however wide the terminal is."""


def rules(console: Console, options: argparse.Namespace) -> int:
    """Print what the rules say about a card or a topic. Without a topic, list all cards and topics. Raises
    Failure."""
    from citadels_lan.cli.game_config import chosen_edition
    from citadels_lan.engine import Edition, edition_named
    from citadels_lan.texts import topics
    from citadels_lan.texts.pages import BULLET
    from citadels_lan.texts.terms import name

    def show(edition: Edition, topic: topics.Topic) -> None:
        edition_name, heading = name(console.texts, edition.key), topics.title(console.texts, topic)
        console.say(msg("{title} ({edition})"), title=heading, edition=edition_name)
        for paragraph in topics.page(console.texts, topic, edition):
            if not paragraph.startswith(BULLET):
                console.line()
            console.line(paragraph if "\n" in paragraph else _folded(paragraph))

    def figures(edition: Edition, topic: topics.Topic) -> dict[str, object]:
        heading, text = topics.title(console.texts, topic), topics.page(console.texts, topic, edition)
        return {"edition": edition.key, **topic._asdict(), "title": heading, "text": text}

    edition, topic = edition_named(*chosen_edition(console, options)), topics.Topic("rule", topics.GAME)
    words, listed = options.name, topics.topics_of(edition)
    try:
        topic = topics.find_topic(" ".join(words), edition) if words else topic
    except topics.UnknownTopic as error:
        key = topics.find_edition(" ".join(words)) or topics.find_edition(" ".join(words[1:]))
        if key is None:
            raise Failure(USAGE, topics.unknown(console.texts, error)) from None
        edition = edition_named(key)
    if options.json:
        asked = figures(edition, topic) if words else [figures(edition, each) for each in listed]
        console.line(json.dumps(asked, ensure_ascii=False))
        return DONE
    if words or not options.list:
        show(edition, topic)
    if not words:
        if not options.list:
            console.line()
            console.say(msg("Type the name of a card or a rule: `citadels-lan rules NAME`. Topics:"))
        _list(console, listed)
    return DONE


def _list(console: Console, listed: "Sequence[Topic]") -> None:
    """Print a list of topics under the headings of their kinds: the key and the title of each."""
    from citadels_lan.texts.topics import title

    kinds = {"rule": msg("Rules"), "character": msg("Characters"), "district": msg("Districts")}
    for kind, heading in kinds.items():
        console.line()
        console.say(heading)
        for topic in listed:
            if topic.kind == kind:
                console.line(f"  {topic.key:22}{title(console.texts, topic)}")


def _folded(paragraph: str) -> str:
    """Return a paragraph with line breaks for the width of the terminal. If the output is a pipe, return it
    without line breaks."""
    if not sys.stdout.isatty():
        return paragraph
    indent = "  " if paragraph.startswith("- ") else ""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    return textwrap.fill(paragraph, width, subsequent_indent=indent)


def doctor(console: Console, options: argparse.Namespace) -> int:
    """Print each check of this computer as soon as it is done, or the whole list as JSON."""
    import asyncio

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

    log_to_file(verbose=options.verbose)
    kind = system_kind()
    checks = asyncio.run(check())
    if options.json:
        figures = [each.figures(console.texts, kind) for each in checks]
        report = {"good": good(checks), "system": kind, "checks": figures}
        console.line(json.dumps(report, ensure_ascii=False))
    else:
        can, cannot = msg("This computer can host and join."), msg("First fix the problems above.")
        console.line()
        console.say(can if good(checks) else cannot)
    return DONE if good(checks) else REFUSED
