"""Finding what a person asks about: a card or a page of the rules, by its name in any of our languages."""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from citadels_lan.engine import DEFAULT, EDITIONS, Edition

from . import cards
from .language import Texts
from .loading import LANGUAGES, load
from .marks import msg
from .pages import PAGES


class Topic(NamedTuple):
    """Something that can be explained."""

    kind: Literal["character", "district", "rule"]
    key: str


class UnknownTopic(LookupError):
    """Nothing, or no single thing, goes by this name; `near` are those it may have meant."""

    def __init__(self, name: str, near: Sequence[Topic]) -> None:
        super().__init__(name)
        self.name = name
        self.near = tuple(near)


def all_topics() -> Sequence[Topic]:
    """Everything that can be explained: pages, characters by rank, districts."""
    return (
        *(Topic("rule", key) for key in PAGES),
        *(Topic("character", key) for key in cards.CHARACTERS),
        *(Topic("district", key) for key in cards.DISTRICTS),
    )


def title(texts: Texts, topic: Topic) -> str:
    """What a topic is called."""
    if topic.kind == "character":
        return texts.character(topic.key)
    if topic.kind == "district":
        return texts.district(topic.key)
    return texts.say(PAGES[topic.key].title)


def page(texts: Texts, topic: Topic, edition: Edition | None = None) -> Sequence[str]:
    """The paragraphs that explain a topic in an edition (None: the usual one), without the title; one with line
    breaks is shown as it stands."""
    if topic.kind == "rule":
        return [texts.say(paragraph) for paragraph in PAGES[topic.key].paragraphs]
    played = edition or EDITIONS[DEFAULT]
    return [
        f"{cards.facts(texts, played, topic.key)} [{topic.key}]",
        cards.summary(texts, played, topic.key),
        cards.explanation(texts, played, topic.key),
    ]


def find_topic(name: str) -> Topic:
    """The topic of that name: a key, a title, a card's name, with or without article, accents, capitals and
    spaces, or an unambiguous beginning of one. UnknownTopic otherwise, with what comes near."""
    wanted = plain(name)
    known = _known()
    if wanted in known:
        return known[wanted]
    begin = list(dict.fromkeys(topic for text, topic in known.items() if wanted and text.startswith(wanted)))
    if len(begin) == 1:
        return begin[0]
    raise UnknownTopic(name, begin or _near(wanted))


def unknown(texts: Texts, error: UnknownTopic) -> str:
    """What to say when a topic was not found."""
    said = texts.say(msg("Nothing here is called “{name}”."), name=error.name)
    if not error.near:
        return texts.say(msg("{said} `rules --list` shows everything."), said=said)
    near = texts.alternatives([title(texts, topic) for topic in error.near])
    return texts.say(msg("{said} Do you mean {near}?"), said=said, near=near)


def plain(name: str) -> str:
    """A name without accents, capitals, spaces and punctuation."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if letter.isalnum())


@cache
def _known() -> dict[str, Topic]:
    """Topics by every plain name. Keys come first: where two languages disagree on a word, the key wins, then
    the order of `_named`."""
    found: dict[str, Topic] = {}
    for text, topic in _named():
        if plain(text):
            found.setdefault(plain(text), topic)
    return found


def _named() -> Iterator[tuple[str, Topic]]:
    topics = all_topics()
    yield from ((topic.key, topic) for topic in topics)
    languages = [load(language) for language in LANGUAGES]
    for texts in languages:
        yield from ((title(texts, topic), topic) for topic in topics)
    for topic in topics:
        if topic.kind == "rule":
            yield from ((word, topic) for word in PAGES[topic.key].also)
            yield from ((word, topic) for it in LANGUAGES.values() for word in it.other_titles(topic.key))
            yield from ((title(texts, topic).partition(" ")[2], topic) for texts in languages)
        elif topic.kind == "character":
            yield from ((texts.the(topic.key), topic) for texts in languages)


def _near(wanted: str) -> Sequence[Topic]:
    import difflib

    known = _known()
    close = difflib.get_close_matches(wanted, known, n=4, cutoff=0.6)
    return list(dict.fromkeys(known[text] for text in close))
