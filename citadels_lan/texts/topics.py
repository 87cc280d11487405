"""The cards in words, with their numbers in the edition, and the rules. Finds a card or a page by its name in
any language, or by the beginning of its name while a player types."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from citadels_lan.engine import DEFAULT, EDITIONS, Edition
from citadels_lan.engine.cards import CHARACTERS
from citadels_lan.engine.districts.laboratory import LaboratoryRule
from citadels_lan.engine.districts.smithy import SmithyRule
from citadels_lan.engine.flow.cycles import Cycles
from citadels_lan.texts import terms
from citadels_lan.texts.language import LANGUAGES, SOURCE, Texts, load, msg

GAME: Final = "game"
"""The key of the page about an edition as a whole. This page also describes the options."""


class Topic(NamedTuple):
    """A card or a page that can be explained."""

    kind: Literal["character", "district", "rule"]
    key: str


TIES: Final = Topic("rule", "ties")
"""The page about ties between the players with most points."""


class UnknownTopic(LookupError):
    """The name that was looked up belongs to no topic, or to more than one. `near` are the topics that the
    player may have meant."""

    def __init__(self, name: str, near: Sequence[Topic]) -> None:
        super().__init__(name)
        self.name = name
        self.near = tuple(near)


def all_topics() -> Sequence[Topic]:
    """All topics: pages, characters by rank, districts."""
    return (
        *(Topic("rule", key) for key in load(SOURCE).rules),
        *(Topic("character" if key in CHARACTERS else "district", key) for key in load(SOURCE).cards),
    )


def topics_of(edition: Edition) -> Sequence[Topic]:
    """The topics of an edition: its pages, its characters by rank, its districts."""
    return (
        *(Topic("rule", key) for key, it in load(SOURCE).rules.items() if it.told(edition.key)),
        *(Topic("character", key) for key in sorted(edition.characters, key=edition.ranks.__getitem__)),
        *(Topic("district", key) for key in load(SOURCE).cards if key in edition.districts),
    )


def title(texts: Texts, topic: Topic) -> str:
    """Return the title of a topic."""
    if topic.kind == "character":
        return texts.character(topic.key)
    if topic.kind == "district":
        return texts.district(topic.key)
    return texts.rules[topic.key].title


def page(texts: Texts, topic: Topic, edition: Edition | None = None) -> Sequence[str]:
    """Return the paragraphs that explain a topic in an edition (None: the default), without the title. A
    paragraph that contains line breaks is shown unchanged. If the edition does not have the topic, the text is
    that of the first edition that has it, and says so."""
    played = edition or EDITIONS[DEFAULT]
    if _has(played, topic):
        return _page(texts, topic, played)
    other = next(it for it in EDITIONS.values() if _has(it, topic))
    return [
        texts.say("Not in this edition. In {edition}:", edition=terms.name(texts, other.key)),
        *_page(texts, topic, other),
    ]


def _has(edition: Edition, topic: Topic) -> bool:
    """Return whether an edition has a topic."""
    if topic.kind == "rule":
        return bool(load(SOURCE).rules[topic.key].told(edition.key))
    return topic.key in (edition.characters if topic.kind == "character" else edition.districts)


def _page(texts: Texts, topic: Topic, edition: Edition) -> Sequence[str]:
    if topic.kind == "rule":
        said = texts.rules[topic.key].told(edition.key)
        return [*said, *_options(texts, edition)] if topic.key == GAME else said
    older = texts.older_names(topic.key)
    return [
        f"{facts(texts, edition, topic.key)} [{topic.key}]",
        *([texts.say("In older rulebooks: {names}.", names=texts.listing(older))] if older else []),
        summary(texts, edition, topic.key),
        *explanation(texts, edition, topic.key),
    ]


def _options(texts: Texts, edition: Edition) -> Iterator[str]:
    """Yield a paragraph about each option of an edition."""
    for name, values in edition.options.items():
        yield texts.say(
            "Option {name}: {values}. {about}",
            name=f"{terms.option(texts, name)} [{name}]",
            values=texts.alternatives([f"{terms.value(texts, name, it)} [{it}]" for it in values]),
            about=terms.about(texts, name),
        )


def find_topic(name: str, edition: Edition | None = None) -> Topic:
    """Return the topic with this name. A name is a key, a title, or a present or older name of a card;
    articles, accents, capitals and spaces do not matter. If several topics have the name, return one that
    `edition` has. If none has it, but the names of only one topic begin with it, return that topic. Otherwise
    raise UnknownTopic, with similar topics."""
    wanted = plain(name)
    known = _known()
    if wanted in known:
        return _first(known[wanted], edition)
    begin = list(dict.fromkeys(
        _first(topics, edition) for text, topics in known.items() if wanted and text.startswith(wanted)
    ))  # fmt: skip
    if len(begin) == 1:
        return begin[0]
    raise UnknownTopic(name, begin or _near(wanted))


def cards_called(name: str, edition: Edition) -> Sequence[str]:
    """Return the keys of the cards of an edition that have this name in any language, or had it in older books."""
    return _cards(_known().get(plain(name), ()), edition)


def cards_beginning(name: str, edition: Edition) -> Sequence[str]:
    """Return the keys of the cards of an edition that have a name, in any language, beginning with `name`."""
    wanted = plain(name)
    begin = (topic for text, topics in _known().items() if wanted and text.startswith(wanted) for topic in topics)
    return _cards(begin, edition)


def _cards(topics: Iterable[Topic], edition: Edition) -> Sequence[str]:
    return tuple(dict.fromkeys(it.key for it in topics if it.kind != "rule" and _has(edition, it)))


def find_edition(name: str) -> str | None:
    """Return the key of the edition with this name; None if there is none. The name may be the key, or the
    beginning of the edition's name in any language, also without its first words."""
    wanted = plain(name)
    if not wanted:
        return None
    names = {key: (key, *(terms.name(load(language), key) for language in LANGUAGES)) for key in EDITIONS}
    for later in (False, True):
        for key, known in names.items():
            if any(plain(text).startswith(wanted) for one in known for text in endings(one, later=later)):
                return key
    return None


def endings(name: str, *, later: bool) -> Iterator[str]:
    """Yield the name itself; with `later`, instead yield the name without its first word, without its first
    two words, and so on."""
    words = name.replace("_", " ").split()
    return (" ".join(words[first:]) for first in (range(1, len(words)) if later else (0,)))


def unknown(texts: Texts, error: UnknownTopic) -> str:
    """Return the sentence for a topic that was not found."""
    said = texts.say("No card or rule is called “{name}”.", name=error.name)
    if not error.near:
        return texts.say("{said} `rules --list` shows everything.", said=said)
    near = texts.alternatives([title(texts, topic) for topic in error.near])
    # Translators: {said} is the sentence that no card or rule has this name
    return texts.say("{said} Did you mean {near}?", said=said, near=near)


def plain(name: str) -> str:
    """Return a name in a form for comparisons: without accents, capitals, spaces and punctuation."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in apart if letter.isalnum())


def _first(topics: Sequence[Topic], edition: Edition | None) -> Topic:
    """Return the first of `topics` that the edition has; if it has none of them, the first of all."""
    return next((topic for topic in topics if edition is not None and _has(edition, topic)), topics[0])


@cache
def _known() -> dict[str, list[Topic]]:
    """Return all topics that have a name, by each name in the form of `plain`. Topics with the name as their
    key come first; the others follow in the order of `_named`."""
    found: dict[str, list[Topic]] = {}
    for text, topic in _named():
        if plain(text):
            found.setdefault(plain(text), []).append(topic)
    return found


def _named() -> Iterator[tuple[str, Topic]]:
    topics = all_topics()
    yield from ((topic.key, topic) for topic in topics)
    languages = [load(language) for language in LANGUAGES]
    for texts in languages:
        yield from ((title(texts, topic), topic) for topic in topics)
    for topic in topics:
        if topic.kind == "rule":
            yield from ((word, topic) for texts in languages for word in texts.rules[topic.key].also)
            yield from ((title(texts, topic).partition(" ")[2], topic) for texts in languages)
        elif topic.kind == "character":
            yield from ((texts.the(topic.key), topic) for texts in languages)
    for topic in topics:
        yield from ((older, topic) for texts in languages for older in texts.older_names(topic.key))


def _near(wanted: str) -> Sequence[Topic]:
    import difflib

    known = _known()
    close = difflib.get_close_matches(wanted, known, n=4, cutoff=0.6)
    return list(dict.fromkeys(known[text][0] for text in close))


class Found(NamedTuple):
    """The result of `find`: topics in the order of the edition. `said`: the typed text is not in a name, only
    in the explanations."""

    topics: Sequence[Topic]
    said: bool = False


def find(texts: Texts, edition: Edition, typed: str) -> Found:
    """Find the topics of an edition for a typed text. First choice: a word of a name begins with the text.
    Second: a name contains it. Third: the explanation contains it. If nothing was typed, return all
    topics."""
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
    """Return the keys of the other `editions` in which the typed text finds a topic by its name."""
    others = [other for other in editions if other.key != edition.key]
    found = {other.key: find(texts, other, typed) for other in others}
    return [key for key, hits in found.items() if hits.topics and not hits.said]


def in_other_languages(texts: Texts, topic: Topic) -> list[tuple[str, str]]:
    """Return the name of a topic in each other language where it differs, as pairs: the language's own name,
    and the title."""
    named = [(it.name, title(load(code), topic)) for code, it in LANGUAGES.items() if code != texts.language]
    return [(language, name) for language, name in named if name != title(texts, topic)]


@cache
def _names(topic: Topic) -> tuple[str, ...]:
    """Return all names of a topic in the form of `plain`, and each name also without its first words."""
    languages = [load(code) for code in LANGUAGES]
    names = [topic.key, *(title(texts, topic) for texts in languages)]
    names += [older for texts in languages for older in texts.older_names(topic.key)]
    if topic.kind == "rule":
        names += [word for texts in languages for word in texts.rules[topic.key].also]
    return tuple(plain(end) for name in names for later in (False, True) for end in endings(name, later=later))


# Cards


def laboratory_rule(edition: Edition) -> LaboratoryRule:
    """Return the edition's rule of the Laboratory, which contains the gold that the Laboratory gives."""
    (rule,) = edition.effects["laboratory"].rules
    assert isinstance(rule, LaboratoryRule)
    return rule


def smithy_rule(edition: Edition) -> SmithyRule:
    """Return the edition's rule of the Smithy, which contains its price and the number of cards that it
    gives."""
    (rule,) = edition.effects["smithy"].rules
    assert isinstance(rule, SmithyRule)
    return rule


def summary(texts: Texts, edition: Edition, key: str) -> str:
    """Return what a character or a district does, in one line of at most 76 cells."""
    if line := texts.cards[key].line(edition.key):
        return texts.put(line, _numbers(texts, edition, key))
    return texts.say("No special effect. Income for: {characters}.", characters=_paid(texts, edition, key))


def explanation(texts: Texts, edition: Edition, key: str) -> Sequence[str]:
    """Return what a character or a district does in full: paragraphs, then a line for each special case."""
    numbers = _numbers(texts, edition, key)
    if lines := texts.cards[key].explanation(edition.key):
        return [texts.put(line, numbers) for line in lines]
    ordinary = texts.say(
        "This district has no special effect. It scores its cost, counts for its type, and gives income "
        "to those who collect for that type: {characters}.",
        characters=_paid(texts, edition, key),
    )
    return [ordinary]


def facts(texts: Texts, edition: Edition, key: str) -> str:
    """Return a line with the numbers of a card: rank or cost, type, copies and so on. Raises KeyError if the
    edition has no such card."""
    if key in edition.characters:
        return _character_facts(texts, edition, key)
    card = edition.districts[key]
    if key == "secret_vault":
        return texts.say("Unique district, no cost, 1 card")
    return texts.plural(
        "District, type {type}, cost {cost}, {count} card",
        "District, type {type}, cost {cost}, {count} cards",
        card.count,
        type=texts.type(card.type),
        cost=card.cost,
    )


def _character_facts(texts: Texts, edition: Edition, key: str) -> str:
    card = edition.characters[key]
    ability = edition.abilities[key]
    cycles = isinstance(edition.flow, Cycles)  # there characters are called off a deck, and ranks mean nothing
    parts = [texts.say(msg("Character") if cycles else msg("Character of rank {rank}"), rank=card.rank)]
    if ability.limit != 1 and ability.builds:
        parts.append(texts.say("building limit {limit}", limit=ability.limit))
    least, most = card.players
    if (least, most) != (min(edition.players), max(edition.players)):
        parts.append(texts.say("for {least} to {most} players", least=least, most=most))
    return ", ".join(parts)


def _numbers(texts: Texts, edition: Edition, key: str) -> Mapping[str, str]:
    """Return the values of placeholders in a card's text that depend on the edition and its options."""
    if key == "laboratory":
        return {"gold": terms.gold(texts, laboratory_rule(edition).gold)}
    if key == "smithy":
        rule = smithy_rule(edition)
        return {"gold": terms.gold(texts, rule.pays), "cards": terms.cards(texts, rule.draws)}
    return {}


def _paid(texts: Texts, edition: Edition, key: str) -> str:
    """Return the names of the characters that get gold for this type of district."""
    kind = edition.types[key]
    return texts.characters([name for name, card in edition.characters.items() if card.income == kind])
