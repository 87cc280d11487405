"""Editions and their options in the help of the commands that open a table; needs no engine."""

import shutil
import textwrap
from collections.abc import Iterator

from citadels_lan.texts import Texts, msg
from citadels_lan.texts.editions import EDITIONS, OPTIONS


def edition_help(texts: Texts) -> str:
    """A sentence for each edition and for each option, and which edition has which."""
    width = max(shutil.get_terminal_size().columns - 2, 40)
    return "\n".join((*_editions(texts, width), "", *_options(texts, width)))


def _editions(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Editions:"))
    for key, edition in EDITIONS.items():
        least, most = edition.players
        players = texts.say(msg("For {least} to {most} players."), least=least, most=most)
        yield from _entry(key, f"{texts.say(edition.summary)} {players}", width)
        if edition.options:
            yield from _entry("", texts.say(msg("Options: {options}."), options=", ".join(edition.options)), width)


def _options(texts: Texts, width: int) -> Iterator[str]:
    yield texts.say(msg("Options of editions, for --option; the first value is the usual one:"))
    for key, option in OPTIONS.items():
        yield f"  {key}={'|'.join(map(str, option.values))}"
        yield from _entry("", texts.say(option.about), width)


def _entry(key: str, said: str, width: int) -> list[str]:
    return textwrap.wrap(said, width, initial_indent=f"  {key:14}", subsequent_indent=" " * 16)
