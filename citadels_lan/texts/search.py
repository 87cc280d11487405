"""Finding the topics of an edition while somebody types: by their names in every language, else by their pages."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from citadels_lan.engine import Edition

from .language import Texts
from .loading import LANGUAGES, load
from .pages import PAGES
from .topics import Topic, endings, page, plain, title, topics_of


class Found(NamedTuple):
    """Topics, in the order of the edition. `said`: only their pages have what was typed."""

    topics: Sequence[Topic]
    said: bool = False


def find(texts: Texts, edition: Edition, typed: str) -> Found:
    """The topics with a word in a name that begins as typed; else those with it anywhere in a name; else those
    whose explanation has it. All of them where nothing was typed."""
    topics, wanted = topics_of(edition), plain(typed)
    if not wanted:
        return Found(topics)
    ways: tuple[Callable[[Topic], bool], ...] = (
        lambda topic: any(name.startswith(wanted) for name in _names(topic)),
        lambda topic: any(wanted in name for name in _names(topic)),
        lambda topic: wanted in plain(" ".join(page(texts, topic, edition))),
    )
    for way in ways:
        if hits := [topic for topic in topics if way(topic)]:
            return Found(hits, said=way is ways[-1])
    return Found(())


def elsewhere(texts: Texts, edition: Edition, typed: str, editions: Sequence[Edition]) -> list[str]:
    """The keys of the other editions where something goes by that name."""
    others = [other for other in editions if other.key != edition.key]
    found = {other.key: find(texts, other, typed) for other in others}
    return [key for key, hits in found.items() if hits.topics and not hits.said]


def in_other_languages(texts: Texts, topic: Topic) -> list[tuple[str, str]]:
    """What a topic is called elsewhere: the language's own name for itself, and the title, where it is another."""
    named = [(it.name, title(load(code), topic)) for code, it in LANGUAGES.items() if code != texts.language]
    return [(language, name) for language, name in named if name != title(texts, topic)]


@cache
def _names(topic: Topic) -> tuple[str, ...]:
    """All names of a topic, from each of their words on, as `plain` has them."""
    languages = [load(code) for code in LANGUAGES]
    names = [topic.key, *(title(texts, topic) for texts in languages)]
    names += [older for texts in languages for older in texts.older_names(topic.key)]
    if topic.kind == "rule":
        names += [
            *PAGES[topic.key].also,
            *(it for known in LANGUAGES.values() for it in known.other_titles(topic.key)),
        ]
    return tuple(plain(end) for name in names for later in (False, True) for end in endings(name, later=later))
