"""Nothing that the engine can say, ask or refuse is without a text."""

import re
from itertools import product
from string import Formatter
from typing import Any

import pytest

from citadels_lan.engine import EDITIONS, TableConfig, decisions, expand, from_scenario, redact, refusal, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.action import ACTIONS
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.events import Event
from citadels_lan.texts import LANGUAGES, Plural, cards, load, moves, refusals
from citadels_lan.texts.choices import VERBS, describe, describe_part, verb
from citadels_lan.texts.language import SCENARIOS
from citadels_lan.texts.questions import question
from citadels_lan.texts.sentences.sentence import SILENT, sentence
from citadels_lan.texts.sentences.teller import REASONS, SCORES, TELLERS, score_reason
from tests.effort import one_case, quick

from . import play, sources

WHYS = ("GoldGained", "GoldPaid", "GoldMoved", "CardsGained", "CardsMoved", "CardsReturned", "Drawn")
HOLE = re.compile(r"None|\s\s|\(\)| [,.;:)]|_")
SHAPE = re.compile(r"[{}]|None|\s\s|\(\)| [,.;:)]|_")
"""What no finished text shows: placeholders, holes, keys."""


def kinds(base: type[Any]) -> set[type[Any]]:
    """All classes below `base`."""
    found = {kind for sub in base.__subclasses__() for kind in (sub, *kinds(sub))}
    return {kind for kind in found if kind.__module__.startswith("citadels_lan.")}  # not those of other tests


def test_every_event_is_told_or_silent() -> None:
    told = set(TELLERS) | SILENT
    assert kinds(Event) - told == set()
    assert set(TELLERS) & SILENT == set()


def test_every_action_has_a_label_and_a_verb() -> None:
    assert set(ACTIONS) == set(VERBS)
    for language in LANGUAGES:
        assert all(verb(load(language), word) for word in VERBS)


def test_a_verb_stands_with_the_cards_that_have_it() -> None:
    """What a card's rules offer has its words in the entry, or in `turn`; shared by several it is one object."""
    for card, edition in product(cards.CARDS, EDITIONS.values()):
        piece = edition.abilities.get(card.key) or edition.effects.get(card.key)
        offered = {rule.action.verb for rule in piece.rules} | set(piece.steps) if piece else set()
        said = {verb.word for verb in (*card.verbs, *moves.TURN_VERBS)}
        assert offered - said == set(), f"{card.key}: verbs without words in its entry"
        assert all(VERBS[verb.word] is verb for verb in card.verbs)


def test_every_step_has_a_question() -> None:
    asked = {verb for edition in EDITIONS.values() for verb in edition.answers}
    assert {verb.word for verb in VERBS.values() if verb.question} == asked


def test_everything_asked_is_told() -> None:
    untold = {"bid"}  # each bid is told, and who is asked next follows from it
    assert {verb.word for verb in VERBS.values() if verb.asked} == sources.arguments("Asked", "verb") - untold
    answers = {(word, answer) for word in sources.arguments("Answered", "verb") for answer in ("yes", "no", "")}
    assert {(verb.word, answer) for verb in VERBS.values() for answer in verb.answers} <= answers
    assert all(verb.asked for verb in VERBS.values() if verb.asked_about)


def test_every_reason_is_told_and_no_other() -> None:
    given = set().union(*(sources.arguments(event, "why") for event in WHYS))
    given |= sources.last_arguments("gain_gold") | sources.last_arguments("gain_cards")
    assert {*REASONS, *cards.WHYS} == given
    assert told(ev.Destroyed) == sources.last_arguments("destroy")
    assert told(ev.DistrictMoved) == sources.arguments("DistrictMoved", "why")


def told(event: type[Event]) -> set[str]:
    """The `why` or `kind` by which cards tell an event."""
    return {why for kind, why in cards.TOLD if kind is event}


def test_every_marker_is_told() -> None:
    from citadels_lan.engine.characters.naming import NamingRule
    from citadels_lan.engine.characters.placing import PlacingRule

    assert told(ev.Marked) == {rule.kind for rule in kinds(NamingRule)}
    assert {kind for kind, _ in cards.TOLD} == {
        ev.Destroyed,
        ev.DistrictMoved,
        ev.Marked,
        ev.Placed,
    }
    assert told(ev.Placed) == {rule.kind for rule in kinds(PlacingRule)}


def test_every_scenario_has_a_name() -> None:
    assert set(SCENARIOS) == {way for edition in EDITIONS.values() for way in edition.ways}


def test_every_reason_for_points_has_words() -> None:
    for language in LANGUAGES:
        for key in (*SCORES, *(key for edition in EDITIONS.values() for key in edition.uniques)):
            assert score_reason(load(language), key)
    assert SCORES.keys() == {"districts", "types", "first", "completed", "cycles"}


def test_every_refusal_has_a_text_and_no_other() -> None:
    assert set(refusals.REFUSALS) == set(sources.refusals())


@one_case("unseen", ["\x07", "\x1b[2J", "\u202e", "\ud800"])
@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_a_refusal_has_no_gap_for_what_cannot_be_shown(language: str, unseen: str) -> None:
    texts = load(language)
    assert refusals.refusal(texts, "unknown_verb", {"word": unseen}) == texts.say(refusals.UNSHOWABLE)
    for code in (unseen, ""):
        assert refusals.refusal(texts, code, {}) == texts.say(refusals.NAMELESS)


@one_case("code", sorted(refusals.REFUSALS))
@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_a_refusal_is_told_with_its_details(code: str, language: str) -> None:
    samples: dict[str, str | int] = {
        "card": "market", "character": "king", "verb": "build", "word": "{x}", "what": "gold",
    }  # fmt: skip
    details = {name: samples.get(name, 3) for name in sources.refusals()[code]}
    said = refusals.refusal(load(language), code, details)
    assert said
    assert not HOLE.search(said)
    assert "market" not in said
    message = refusals.REFUSALS[code]
    text = message.many if isinstance(message, Plural) else str(message)
    assert {name for _, name, _, _ in Formatter().parse(text) if name} <= {*details, "count"}


FOLLOWED = ("Gathered", "Answered", "Asked", "CardsReturned", "CardsMoved")
"""Events that may say nothing because others beside them do: gathered cards, an answer, who is asked in an
auction, a card sold to the bank or to a bidder."""
GAMES = {
    **{
        f"2016-{players}": play.setup(players, number)
        for players, number in ((2, 0), (3, 1), (4, 2), (5, 0), (7, 1))
    },
    "classic": from_scenario("first_game", 3, edition_key="classic", options=(("first_face_down", "chosen"),)),
    "dark_city": from_scenario("dark_nobles", 5, edition_key="dark_city"),
    "citta_comune": from_scenario("first_game", 4, edition_key="citta_comune", options=(("starting_gold", 2),)),
}


@one_case("language", quick(LANGUAGES, "it"))
@pytest.mark.parametrize("table", GAMES.values(), ids=GAMES)
def test_whole_games_can_be_told(language: str, table: TableConfig) -> None:
    """Every sentence, label and question of a random game: finished texts, for every viewer."""
    players = table.players
    texts, people = load(language), play.NAMES[:players]
    viewers = (*range(players), None)
    for state, events in play.game(table, seed=players, moves=160):
        for viewer in viewers:
            seen = view(state, viewer)
            texts_of = [question(texts, seen, viewer, people)]
            if viewer is not None:
                for choice in decisions(seen).get(viewer, ()):
                    texts_of.append(describe(texts, choice, seen, viewer, people))
                    if isinstance(choice, Deal):
                        texts_of += [
                            describe_part(texts, choice, part, people) for part in range(len(choice.names))
                        ]
                        action = next(expand([choice]))
                        assert refusal(seen, viewer, action) is None
                        texts_of.append(describe(texts, action, seen, viewer, people))
            for event in events:
                said = sentence(texts, redact(event, viewer), people, viewer)
                assert said is not None or type(event) in SILENT or type(event).__name__ in FOLLOWED
                texts_of.append(said or "x")
            for text in texts_of:
                assert text
                assert not SHAPE.search(text), text
