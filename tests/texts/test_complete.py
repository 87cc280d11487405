"""Every event, question and rejection of the engine has a text."""

import re
from string import Formatter
from typing import Any

import pytest

from citadels_lan.engine import EDITIONS, TableConfig, decisions, expand, from_scenario, redact, refusal, view
from citadels_lan.engine.action import ACTIONS
from citadels_lan.engine.characters.naming import NamingRule, PlacingRule
from citadels_lan.engine.choices import Deal
from citadels_lan.engine.events import Event
from citadels_lan.texts import LANGUAGES, Plural, load, refusals
from citadels_lan.texts.language import named
from citadels_lan.texts.log import CARDS, LINES, REASONS, SCORES, SILENT, question, reason, score_reason, sentence
from citadels_lan.texts.moves import LABELS, VERBS, describe, describe_part
from tests.effort import one_case, quick

from . import play, sources

WHYS = ("GoldGained", "GoldPaid", "GoldMoved", "CardsGained", "CardsMoved", "CardsReturned", "Drawn")
HOLE = re.compile(r"None|\s\s|\(\)| [,.;:)]|_")
SHAPE = re.compile(r"[{}]|None|\s\s|\(\)| [,.;:)]|_")
"""Matches what a finished text must not contain: placeholders, gaps, or keys of cards."""


def kinds(base: type[Any]) -> set[type[Any]]:
    """Return all subclasses of `base`."""
    found = {kind for sub in base.__subclasses__() for kind in (sub, *kinds(sub))}
    return {kind for kind in found if kind.__module__.startswith("citadels_lan.")}  # not those of other tests


def test_every_event_has_a_sentence_or_is_omitted_from_the_log() -> None:
    named = {key.partition("-")[0] for key in LINES}
    silent = {kind.__name__ for kind in SILENT} | {"Asked", "Answered"}
    assert {kind.__name__ for kind in kinds(Event)} - silent == named - {"only_you", "no_cards"}
    assert not silent & named


def test_every_action_has_a_label_and_an_explanation() -> None:
    assert set(ACTIONS) == set(VERBS)
    assert set(LABELS) <= set(VERBS)
    assert all(verb.label and verb.meaning for verb in VERBS.values())


def test_every_step_of_a_turn_has_a_question() -> None:
    asked = {verb for edition in EDITIONS.values() for verb in edition.answers}
    assert {word for word, verb in VERBS.items() if verb.question} == asked


def test_every_question_has_a_log_sentence() -> None:
    unsaid = {"bid"}  # each bid has a sentence, which shows who is asked next
    assert {word for word, verb in VERBS.items() if verb.asked} == sources.arguments("Asked", "verb") - unsaid
    answers = {(word, answer) for word in sources.arguments("Answered", "verb") for answer in ("yes", "no", "")}
    assert {(word, answer) for word, verb in VERBS.items() for answer in verb.answers} <= answers


def test_every_source_of_gold_or_cards_has_a_text() -> None:
    given = set().union(*(sources.arguments(event, "why") for event in WHYS))
    given |= sources.last_arguments("gain_gold") | sources.last_arguments("gain_cards")
    silent = {"gather", "auction"}  # the sentence contains the reason
    assert {why for why in given if not reason(load("en"), why)} == silent
    assert {*REASONS, *CARDS} <= given | {word for word, verb in VERBS.items() if verb.reason}


def test_every_variant_of_an_event_has_a_sentence() -> None:
    assert variants("Destroyed") - {"under"} == sources.last_arguments("destroy")
    assert variants("DistrictMoved") == sources.arguments("DistrictMoved", "why")
    assert variants("Marked") == {rule.kind for rule in kinds(NamingRule)}
    placed = {rule.kind for rule in kinds(PlacingRule)}
    assert variants("Placed") == placed | {f"{kind}-secret" for kind in placed}


def variants(event: str) -> set[str]:
    """Return the endings of the keys of all sentences about an event."""
    return {key.partition("-")[2] for key in LINES if key.startswith(f"{event}-")}


def test_every_scenario_has_a_name() -> None:
    assert set(named("scenario")) == {way for edition in EDITIONS.values() for way in edition.ways}


def test_every_source_of_points_has_a_text() -> None:
    for language in LANGUAGES:
        for key in (*SCORES, *(key for edition in EDITIONS.values() for key in edition.uniques)):
            assert score_reason(load(language), key)
    assert SCORES.keys() == {"districts", "types", "first", "completed", "cycles"}


def test_every_rejection_code_has_a_text_and_every_text_a_code() -> None:
    assert set(refusals.REFUSALS) == set(sources.refusals())


@one_case("unseen", ["\x07", "\x1b[2J", "\u202e", "\ud800"])
@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_rejection_of_invisible_characters_does_not_quote_them(language: str, unseen: str) -> None:
    texts = load(language)
    assert refusals.refusal(texts, "unknown_verb", {"word": unseen}) == texts.say(refusals.UNSHOWABLE)
    for code in (unseen, ""):
        assert refusals.refusal(texts, code, {}) == texts.say(refusals.NAMELESS)


@one_case("code", sorted(refusals.REFUSALS))
@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
def test_rejection_text_contains_its_details(code: str, language: str) -> None:
    samples: dict[str, str | int] = {
        "card": "market", "character": "king", "verb": "build", "word": "{x}", "what": "gold",
    }  # fmt: skip
    details = {name: samples.get(name, 3) for name in sources.refusals()[code]}
    said = refusals.refusal(load(language), code, details)
    assert said.endswith((".", "?"))
    assert not HOLE.search(said)
    assert "market" not in said
    message = refusals.REFUSALS[code]
    text = (message.many or message.one) if isinstance(message, Plural) else str(message)
    assert {name for _, name, _, _ in Formatter().parse(text) if name} <= {*details, "count"}


FOLLOWED = ("Gathered", "Answered", "Asked", "CardsReturned", "CardsMoved")
"""Events that need no sentence, because the events after or before them have one: gathered cards, an answer,
the next bidder, a card sold to the bank or to a bidder."""
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
def test_every_event_of_random_games_can_be_phrased(language: str, table: TableConfig) -> None:
    """Every sentence, label and question of a random game is complete for every viewer."""
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
