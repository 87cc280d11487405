"""Attacks on a player: each one is shown, in both languages, until the player acknowledges it."""

import re

import pytest

from citadels_lan.engine import District, Event, State, from_scenario, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Mark, Turn
from citadels_lan.net.client.updates import Happened
from citadels_lan.presenter.attacks import Attack, AttacksOnMe, Situation, attack, texts_of
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.known_players import Evening
from citadels_lan.presenter.recording import situation
from citadels_lan.presenter.status import dead
from citadels_lan.texts import LANGUAGES, load
from tests.bots.situations import city, in_rounds
from tests.effort import one_case
from tests.ui.fake import FakeSession

NAMES = ("Ada", "Bruno", "Chiara")
ME, BRUNO = 0, 1
HERE = Situation(ME, frozenset({"king", "bishop"}), BRUNO, ME, "king", {"king": 4, "thief": 2})

HURTING: list[tuple[Event, str]] = [
    (ev.Marked("killed", BRUNO, "king"), "marked.killed"),
    (ev.Marked("bewitched", BRUNO, "king"), "marked.bewitched"),
    (ev.Marked("robbed", BRUNO, "king"), "marked.robbed"),
    (ev.Placed("warrant", BRUNO, ("thief", "king"), "?"), "placed.warrant"),
    (ev.Placed("threat", BRUNO, ("king", "thief"), "?"), "placed.threat"),
    (ev.Called(4), "other.lost"),
    (ev.CharacterCalled(ME, "king", True), "other.silenced"),
    *((ev.GoldMoved(ME, BRUNO, 3, why), f"gold.{why}") for why in texts_of("gold")),
    *((ev.CardsMoved(ME, BRUNO, ("?",), why), f"cards.{why}") for why in texts_of("cards")),
    (ev.HandsSwapped(BRUNO, ME, ("?", "?"), ("?",)), "other.swapped"),
    (ev.HandsSwapped(BRUNO, ME, ("?",), ()), "other.emptied"),
    (ev.CharactersSwapped(BRUNO, ME, "thief", "king"), "other.character"),
    (ev.Spied(BRUNO, ME, "noble", 1, ("?",)), "other.spied"),
    (ev.Destroyed(ME, 0, "castle", (), "destroy"), "district.destroyed"),
    (ev.Destroyed(ME, 0, "castle", (), "armory"), "district.destroyed"),
    (ev.DistrictMoved(ME, BRUNO, 0, "castle", "exchange"), "district.exchange"),
    (ev.DistrictMoved(ME, BRUNO, 0, "castle", "seize"), "district.seize"),
    (ev.Confiscated(BRUNO, ME, "castle", 4, "king", 4), "district.confiscated"),
    (ev.Taxed(ME), "other.taxed"),
    (ev.BidMade(BRUNO, 5), "other.outbid"),
]

HARMING_NOBODY_HERE: list[Event] = [
    ev.Marked("killed", BRUNO, "thief"), ev.Marked("robbed", ME, "king"),
    ev.Placed("warrant", BRUNO, ("thief",), "?"), ev.Placed("threat", ME, ("king",), "king"), ev.Called(2),
    ev.CharacterCalled(BRUNO, "king", True), ev.CharacterCalled(ME, "king"),
    ev.GoldMoved(BRUNO, ME, 3, "robbed"), ev.GoldMoved(ME, BRUNO, 3, "auction"),
    ev.CardsMoved(BRUNO, ME, ("?",), "take"), ev.CardsMoved(ME, BRUNO, ("?",), "loan"),
    ev.HandsSwapped(ME, BRUNO, ("?",), ("?",)), ev.HandsSwapped(BRUNO, ME, (), ("?",)),
    ev.CharactersSwapped(ME, BRUNO, "king", "thief"), ev.Spied(ME, BRUNO, "noble", 1, ("?",)),
    ev.Destroyed(BRUNO, 0, "castle", (), "destroy"), ev.Destroyed(ME, 0, "framework", (), "framework"),
    ev.DistrictMoved(BRUNO, ME, 0, "castle", "seize"), ev.Confiscated(ME, BRUNO, "castle", 4, "king", 4),
    ev.Taxed(BRUNO), ev.BidMade(ME, 5),
]  # fmt: skip


@one_case(("event", "text"), HURTING, ids=lambda one: type(one).__name__)
def test_event_that_harms_the_player_is_an_attack(event: Event, text: str) -> None:
    found, (table, key) = attack(event, HERE), text.split(".")
    assert found is not None
    assert found.text == texts_of(table)[key]
    for language in LANGUAGES:
        sentence = found.said(load(language), NAMES)
        assert not re.search(r"[{}]|Chiara", sentence)
        assert ("Bruno" in sentence) == ("{name}" in str(found.text))


@one_case("event", HARMING_NOBODY_HERE, ids=repr)
def test_event_that_harms_others_is_no_attack(event: Event) -> None:
    assert attack(event, HERE) is None


def test_attack_stays_until_it_is_acknowledged() -> None:
    attacks = AttacksOnMe()
    attacks.add(ev.GoldMoved(ME, BRUNO, 3, "robbed"), HERE)
    attacks.add(ev.Gathered(BRUNO, 2), HERE)
    attacks.add(ev.Taxed(ME), HERE)
    assert [one.count for one in attacks.open] == [1, 3], "the newest first"
    assert attacks.understood(), "those that were only counted as well"
    assert not attacks.open
    assert not attacks.understood()


def test_move_of_the_player_drops_attacks_except_those_on_characters_of_this_round() -> None:
    attacks = AttacksOnMe()
    attacks.add(ev.Destroyed(ME, 1, "church", (), "destroy"), HERE)
    attacks.add(ev.RoundBegan(2, (), ()), HERE)
    assert len(attacks.open) == 1
    attacks.moved()
    assert not attacks.open
    attacks.add(ev.Marked("killed", BRUNO, "king"), HERE)
    attacks.add(ev.TurnBegan(ME, "thief"), HERE)
    attacks.add(ev.GoldMoved(ME, BRUNO, 3, "robbed"), HERE)
    attacks.add(ev.TurnEnded(BRUNO), HERE)
    assert len(attacks.open) == 2
    attacks.moved()
    assert [one.character for one in attacks.open] == ["king"], "the lost turn is still to come"
    attacks.add(ev.RoundBegan(3, (), ()), HERE)
    attacks.moved()
    assert not attacks.open


def test_next_move_of_the_player_drops_earlier_robberies() -> None:
    session = FakeSession()
    game = Game(session, load("en"))
    game.take(Happened(4, BRUNO, None, (ev.GoldMoved(ME, BRUNO, 3, "robbed"),)))
    game.take(Happened(5, BRUNO, None, (ev.Gathered(BRUNO, 2),)))
    assert len(game.open_attacks()) == 1
    game.take(Happened(6, ME, None, (ev.Gathered(ME, 2),)))
    assert not game.open_attacks()


def test_robbery_replaces_its_announcement() -> None:
    attacks = AttacksOnMe()
    attacks.add(ev.Marked("robbed", BRUNO, "king"), HERE)
    attacks.add(ev.GoldMoved(ME, BRUNO, 3, "robbed"), HERE)
    assert [one.text for one in attacks.open] == [texts_of("gold")["robbed"]]
    attacks.open.clear()
    attacks.add(ev.Marked("killed", BRUNO, "king"), HERE)
    attacks.add(ev.Called(4), HERE)
    assert [one.text for one in attacks.open] == [texts_of("marked")["killed"]], (
        "who did it says more than the lost turn"
    )


def test_acknowledged_attack_stays_acknowledged_after_rejoining() -> None:
    """The player leaves the table and joins it again in the same program, which reads the whole log again."""
    told = [
        Happened(4, BRUNO, None, (ev.GoldMoved(ME, BRUNO, 3, "robbed"),)),
        Happened(7, BRUNO, None, (ev.Taxed(ME),)),
    ]
    evening, session = Evening(), FakeSession()
    session.past = told[:1]
    first = Game(session, load("en"), evening=evening)
    assert first.attacks_on_me.understood()
    session.past = told
    again = Game(session, load("en"), evening=evening)
    assert [one.entry for one in again.attacks_on_me.open] == [7], "only what is new"
    session.past = ()
    Game(session, load("en"), evening=evening)
    session.past = told
    assert len(Game(session, load("en"), evening=evening).attacks_on_me.open) == 2, (
        "another game has begun meanwhile"
    )


def test_lost_turn_after_an_acknowledged_murder_is_no_new_attack() -> None:
    """The banner already shows the murder, so the lost turn adds nothing; also when the log is read again."""
    known: set[Attack] = set()
    for _ in range(2):
        attacks = AttacksOnMe(known)
        attacks.add(ev.Marked("killed", BRUNO, "king"), HERE, 5)
        attacks.add(ev.Called(4), HERE, 6)
        attacks.understood()
    attacks = AttacksOnMe(known)
    attacks.add(ev.Marked("killed", BRUNO, "king"), HERE, 5)
    attacks.add(ev.Called(4), HERE, 6)
    assert not attacks.open


def murdered(own: list[District]) -> State:
    """Return a state of Dark City in which seat 1 has killed the Merchant, whom seat 0 holds."""
    state = in_rounds("dark_city", "assassin")
    state.players[0].revealed, state.players[0].concealed = [], ["merchant"]
    state.players[0].city = own
    state.turn = Turn(1, "assassin")
    state.marks = [Mark("killed", 1, "merchant")]
    return state


@pytest.mark.parametrize(("own", "lost"), [(city("hospital"), False), (city("tavern"), True)])
def test_murder_with_hospital_is_no_lost_turn(own: list[District], lost: bool) -> None:
    """A killed player with a Hospital still gathers (R375), so no sentence mentions a lost turn."""
    state = murdered(own)
    killed = ev.Marked("killed", 1, "merchant")
    here = situation(state, 0)
    assert attack(killed, here) == Attack(texts_of("marked")["killed" if lost else "healed"], 1, "merchant")
    for event in (ev.Called(6), ev.CharacterCalled(0, "merchant", True)):
        assert (attack(event, here) is not None) == lost
    assert dead(state, 0) == lost


@pytest.mark.parametrize(("own", "lost"), [(city("hospital"), False), (city("tavern"), True)])
def test_hospital_is_named_in_log_attack_and_hints(own: list[District], lost: bool) -> None:
    """Log, attack and hint name the Hospital. A player who still gathers waits for the call."""
    state = murdered(own)
    session = FakeSession(config=from_scenario("random", 4, edition_key="dark_city"))
    session.state = view(state, 0)
    game = Game(session, load("en"))
    killed = ev.Marked("killed", 1, "merchant")
    game.take(Happened(5, 1, None, (killed,)))
    (*_, line) = game.story.lines(load("en"))
    (told,) = game.attacks_on_me.open
    for said in (line.text, told.said(load("en"), NAMES)):
        assert ("Hospital" in said) != lost
