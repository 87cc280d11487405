"""What others do to a player: told once, in both languages, until it is understood."""

import ast
from pathlib import Path

import pytest

import citadels_lan.engine
from citadels_lan.engine import EDITIONS, District, Event, State, from_scenario, view
from citadels_lan.engine import events as ev
from citadels_lan.engine.state import Mark, Turn
from citadels_lan.front.acquaintances import Evening
from citadels_lan.front.attacks import (
    Attack,
    AttacksOnMe,
    Situation,
    attack,
    clears,
    texts_of,
)
from citadels_lan.front.game import Game
from citadels_lan.front.log import Log
from citadels_lan.front.retelling import situation
from citadels_lan.front.status import Outlook, dead
from citadels_lan.front.tutorial.advice import now
from citadels_lan.front.tutorial.lessons import Glance, tutorial
from citadels_lan.net.client.updates import Happened
from citadels_lan.texts import load
from tests.bots.situations import city, in_rounds
from tests.effort import one_case
from tests.ui.fake import FakeSession

NAMES = ("Ada", "Bruno", "Chiara")
ME, BRUNO = 0, 1
HERE = Situation(ME, frozenset({"king", "bishop"}), BRUNO, ME, "king", {"king": 4, "thief": 2})

GIVEN_GOLD = {"auction", "exchange", "seize"}
GIVEN_CARDS = {"auction", "give", "loan"}
"""Why gold and cards move by the player's own will."""
HARMLESS: frozenset[type[Event]] = frozenset(
    {
        ev.AllStand, ev.Answered, ev.Asked, ev.AuctionBegan, ev.AuctionEnded, ev.Beautified, ev.BidPassed,
        ev.BuildPaid, ev.Built, ev.CardsGained, ev.CardsReturned, ev.CastDrawn, ev.Completed, ev.Crowned,
        ev.CycleEnded, ev.CycleScored, ev.Discarded, ev.DraftEnded, ev.Drawn, ev.GameEnded, ev.Gathered,
        ev.GoldGained, ev.GoldPaid, ev.Inquired, ev.InquiryAnswered, ev.Kept, ev.LapBegan, ev.Offered, ev.Picked,
        ev.PutUnder, ev.QueenWaits,
        ev.Restocked, ev.Revealed, ev.RoundBegan, ev.RoundEnded, ev.Salvaged, ev.SetAside, ev.Shuffled, ev.Slid,
        ev.TakenBack, ev.TakenFromDeck, ev.TaxesTaken, ev.ThreatLifted, ev.ThreatShown, ev.Turned, ev.TurnBegan,
        ev.TurnEnded, ev.TurnPaused, ev.TurnResumed, ev.Unbound, ev.Unsealed, ev.Used,
    }
)  # fmt: skip
"""Events that take nothing from a player that the player has not given."""

HURTING: list[tuple[Event, str, str]] = [
    (ev.Marked("killed", BRUNO, "king"), "Bruno has killed the King", "Bruno ha ucciso il Re"),
    (ev.Marked("bewitched", BRUNO, "king"), "Bruno has bewitched the King", "Bruno ha stregato il Re"),
    (ev.Marked("robbed", BRUNO, "king"), "Bruno will rob you", "Bruno ti deruberà"),
    (
        ev.Placed("warrant", BRUNO, ("thief", "king"), "?"),
        "Bruno puts a warrant on the King",
        "un mandato al tuo personaggio (il Re)",
    ),
    (ev.Placed("threat", BRUNO, ("king", "thief"), "?"), "Bruno threatens the King", "Bruno minaccia il Re"),
    (ev.Called(4), "You were the King and were killed", "Il tuo personaggio era il Re"),
    (ev.CharacterCalled(ME, "king", True), "You call the King, who was killed", "Chiami il Re"),
    (ev.GoldMoved(ME, BRUNO, 3, "robbed"), "Bruno robs you of 3 gold.", "Bruno ti ruba 3 monete d'oro."),
    (ev.GoldMoved(ME, BRUNO, 2, "bribe"), "You pay Bruno a bribe of 2 gold.", "un riscatto di 2 monete d'oro"),
    (
        ev.GoldMoved(ME, BRUNO, 5, "flower"),
        "The flower! Bruno takes 5 gold from you.",
        "Il fiore! Bruno ti prende 5",
    ),
    (ev.GoldMoved(ME, BRUNO, 1, "crown"), "Bruno gives you the crown and takes 1 gold.", "prende 1 moneta d'oro"),
    (ev.GoldMoved(ME, BRUNO, 1, "tribute"), "For the crown you give Bruno 1 gold.", "Per la corona dai a Bruno 1"),
    (ev.GoldMoved(ME, BRUNO, 1, "levy"), "Bruno, the Abbot, takes 1 gold", "Bruno (Abate) ti prende 1 moneta"),
    (ev.GoldMoved(ME, BRUNO, 2, "spy"), "Bruno, the Spy, takes 2 gold", "Bruno (Spia) ti prende 2 monete"),
    (
        ev.GoldMoved(ME, BRUNO, 1, "taxes"),
        "You pay Bruno 1 gold of tax.",
        "Paghi a Bruno 1 moneta d'oro di tassa.",
    ),
    (ev.GoldMoved(ME, BRUNO, 2, "loan"), "Bruno, the Cardinal, takes 2 gold for cards.", "(Cardinale) prende 2"),
    (ev.CardsMoved(ME, BRUNO, ("?",), "crown"), "gives you the crown and takes 1 card.", "prende 1 carta."),
    (ev.CardsMoved(ME, BRUNO, ("?",), "tribute"), "For the crown you give Bruno 1 card.", "dai a Bruno 1 carta."),
    (ev.CardsMoved(ME, BRUNO, ("?",), "divine"), "Bruno, the Seer, takes 1 card", "(Veggente) ti prende 1 carta."),
    (
        ev.CardsMoved(ME, BRUNO, ("?",), "take"),
        "Bruno, the Wizard, takes 1 card",
        "Bruno (Mago) ti prende 1 carta.",
    ),
    (ev.HandsSwapped(BRUNO, ME, ("?", "?"), ("?",)), "2 cards of yours are gone.", "2 tue carte sono andate."),
    (
        ev.HandsSwapped(BRUNO, ME, ("?",), ()),
        "Bruno has no cards and swaps hands with you: you lose 1 card",
        "scambia la mano con te: perdi 1 carta",
    ),
    (ev.CharactersSwapped(BRUNO, ME, "thief", "king"), "swaps characters with you: the King", "non hai più il Re"),
    (
        ev.Spied(BRUNO, ME, "noble", 1, ("?",)),
        "Bruno, the Spy, has looked at your hand.",
        "ha guardato la tua mano",
    ),
    (
        ev.Destroyed(ME, 0, "castle", (), "destroy"),
        "Bruno destroys in your city: Castle.",
        "nella tua città: Castello.",
    ),
    (
        ev.Destroyed(ME, 0, "castle", (), "armory"),
        "Bruno destroys in your city: Castle.",
        "nella tua città: Castello.",
    ),
    (
        ev.DistrictMoved(ME, BRUNO, 0, "castle", "exchange"),
        "Bruno takes from your city: Castle",
        "dalla tua città",
    ),
    (
        ev.DistrictMoved(ME, BRUNO, 0, "castle", "seize"),
        "Bruno seizes from your city: Castle",
        "sottrae alla tua città",
    ),
    (
        ev.Confiscated(BRUNO, ME, "castle", 4, "king", 4),
        "Bruno confiscates: Castle. You get 4 gold",
        "Riavrai 4 monete",
    ),
    (ev.Taxed(ME), "You pay the Tax Collector 1 gold", "paghi 1 moneta d'oro di tassa"),
    (ev.BidMade(BRUNO, 5), "Bruno outbids you with 5 gold.", "Bruno rilancia con 5 monete d'oro."),
]

HARMING_NOBODY_HERE: list[Event] = [
    ev.Marked("killed", BRUNO, "thief"),
    ev.Marked("robbed", ME, "king"),
    ev.Placed("warrant", BRUNO, ("thief",), "?"),
    ev.Placed("threat", ME, ("king",), "king"),
    ev.Called(2),
    ev.CharacterCalled(BRUNO, "king", True),
    ev.CharacterCalled(ME, "king"),
    ev.GoldMoved(BRUNO, ME, 3, "robbed"),
    ev.GoldMoved(ME, BRUNO, 3, "auction"),
    ev.CardsMoved(BRUNO, ME, ("?",), "take"),
    ev.CardsMoved(ME, BRUNO, ("?",), "loan"),
    ev.HandsSwapped(ME, BRUNO, ("?",), ("?",)),
    ev.HandsSwapped(BRUNO, ME, (), ("?",)),
    ev.CharactersSwapped(ME, BRUNO, "king", "thief"),
    ev.Spied(ME, BRUNO, "noble", 1, ("?",)),
    ev.Destroyed(BRUNO, 0, "castle", (), "destroy"),
    ev.Destroyed(ME, 0, "framework", (), "framework"),
    ev.DistrictMoved(BRUNO, ME, 0, "castle", "seize"),
    ev.Confiscated(ME, BRUNO, "castle", 4, "king", 4),
    ev.Taxed(BRUNO),
    ev.BidMade(ME, 5),
]


@one_case(("event", "english", "italian"), HURTING, ids=lambda one: type(one).__name__)
def test_what_hurts_is_told_in_both_languages(event: Event, english: str, italian: str) -> None:
    found = attack(event, HERE)
    assert found is not None
    assert english in found.said(load("en"), NAMES)
    assert italian in found.said(load("it"), NAMES)


@one_case("event", HARMING_NOBODY_HERE, ids=repr)
def test_what_is_done_to_others_or_by_oneself_is_not_told(event: Event) -> None:
    assert attack(event, HERE) is None


def test_every_kind_of_event_hurts_or_is_harmless() -> None:
    kinds = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
    hurting = {type(event) for event, _, _ in HURTING}
    assert kinds == hurting | HARMLESS
    assert not hurting & HARMLESS


def whys(event: str) -> set[str]:
    """Why an event happens, wherever the engine lets it happen."""
    found = set()
    for path in Path(citadels_lan.engine.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if f"{event}(" in source else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == event:
                found |= {
                    arg.value for arg in node.args if isinstance(arg, ast.Constant) and arg.value is not None
                }
    return {why for why in found if isinstance(why, str)}


def test_every_reason_of_the_engine_is_known() -> None:
    assert whys("GoldMoved") == set(texts_of("gold")) | GIVEN_GOLD
    assert whys("CardsMoved") == set(texts_of("cards")) | GIVEN_CARDS
    assert whys("DistrictMoved") == set(texts_of("district")) - {"destroyed", "confiscated"}
    assert set(texts_of("marked")) == set(texts_of("effects"))
    assert set(texts_of("placed")) == {"warrant", "threat"}


def test_a_blow_stays_until_it_is_understood() -> None:
    befallen = AttacksOnMe()
    befallen.add(ev.GoldMoved(ME, BRUNO, 3, "robbed"), HERE)
    befallen.add(ev.Gathered(BRUNO, 2), HERE)
    befallen.add(ev.Taxed(ME), HERE)
    assert [one.count for one in befallen.open] == [1, 3], "the newest first"
    assert befallen.understood(), "those that were only counted as well"
    assert not befallen.open
    assert not befallen.understood()


def test_what_is_older_than_the_last_own_turn_goes_by_itself() -> None:
    befallen = AttacksOnMe()
    befallen.add(ev.Destroyed(ME, 1, "church", (), "destroy"), HERE)
    befallen.add(ev.RoundBegan(2, (), ()), HERE)
    befallen.add(ev.Marked("killed", BRUNO, "king"), HERE)
    befallen.add(ev.TurnBegan(ME, "thief"), HERE)
    befallen.add(ev.Taxed(ME), HERE)
    befallen.add(ev.TurnEnded(BRUNO), HERE)
    assert len(befallen.open) == 3
    befallen.add(ev.TurnEnded(ME), HERE)
    assert [one.character for one in befallen.open] == ["", "king"], "the lost turn is still to come"
    befallen.add(ev.RoundBegan(3, (), ()), HERE)
    befallen.add(ev.TurnBegan(ME, "king"), HERE)
    assert len(befallen.open) == 2, "until one has played again"
    befallen.add(ev.TurnEnded(ME), HERE)
    assert not befallen.open


def test_what_happens_takes_the_place_of_what_was_announced() -> None:
    befallen = AttacksOnMe()
    befallen.add(ev.Marked("robbed", BRUNO, "king"), HERE)
    befallen.add(ev.GoldMoved(ME, BRUNO, 3, "robbed"), HERE)
    assert [one.text for one in befallen.open] == [texts_of("gold")["robbed"]]
    befallen.open.clear()
    befallen.add(ev.Marked("killed", BRUNO, "king"), HERE)
    befallen.add(ev.Called(4), HERE)
    assert [one.text for one in befallen.open] == [texts_of("marked")["killed"]], (
        "who did it says more than the lost turn"
    )


def test_what_is_understood_stays_so_when_the_game_is_told_again() -> None:
    """Somebody leaves the table in a program that goes on, and comes back: the whole log is read once more."""
    told = [
        Happened(4, BRUNO, None, (ev.GoldMoved(ME, BRUNO, 3, "robbed"),)),
        Happened(7, BRUNO, None, (ev.Taxed(ME),)),
    ]
    evening, session = Evening(), FakeSession()
    session.past = told[:1]
    first = Game(session, load("en"), evening=evening)
    assert first.befallen.understood()
    session.past = told
    again = Game(session, load("en"), evening=evening)
    assert [one.entry for one in again.befallen.open] == [7], "only what is new"
    session.past = ()
    Game(session, load("en"), evening=evening)
    session.past = told
    assert len(Game(session, load("en"), evening=evening).befallen.open) == 2, "another game has begun meanwhile"


def test_what_was_not_worth_a_line_does_not_come_up_later() -> None:
    """The lost turn says nothing new while the murder stands there, nor when both are read once more."""
    known: set[Attack] = set()
    for _ in range(2):
        befallen = AttacksOnMe(known)
        befallen.add(ev.Marked("killed", BRUNO, "king"), HERE, 5)
        befallen.add(ev.Called(4), HERE, 6)
        befallen.understood()
    befallen = AttacksOnMe(known)
    befallen.add(ev.Marked("killed", BRUNO, "king"), HERE, 5)
    befallen.add(ev.Called(4), HERE, 6)
    assert not befallen.open


def murdered(own: list[District]) -> State:
    """A round of Dark City in which seat 1 has murdered the merchant, who is seat 0."""
    state = in_rounds("dark_city", "assassin")
    state.players[0].revealed, state.players[0].concealed = [], ["merchant"]
    state.players[0].city = own
    state.turn = Turn(1, "assassin")
    state.marks = [Mark("killed", 1, "merchant")]
    return state


@pytest.mark.parametrize(("own", "lost"), [(city("hospital"), False), (city("tavern"), True)])
def test_a_murder_is_told_as_what_it_comes_to(own: list[District], lost: bool) -> None:
    """Where the Hospital stands one gathers all the same (R375): no word of a lost turn, and nobody is dead."""
    state = murdered(own)
    killed = ev.Marked("killed", 1, "merchant")
    here = situation(state, 0)
    assert attack(killed, here) == Attack(texts_of("marked")["killed" if lost else "healed"], 1, "merchant")
    for event in (ev.Called(6), ev.CharacterCalled(0, "merchant", True)):
        assert (attack(event, here) is not None) == lost
    assert dead(state, 0) == lost
    for language in ("en", "it"):
        texts = load(language)
        log = Log(0, NAMES, EDITIONS["dark_city"])
        log.healed = clears(state, 0)
        log.add(ev.Picked(0, "merchant"))
        log.add(killed)
        (*_, written) = log.lines(texts)
        first, *_ = Outlook(texts, state, 0, (*NAMES, "Dino"), log).lines()
        assert first == written
        assert (texts.district("hospital") in written.text) != lost


@pytest.mark.parametrize(("own", "lost"), [(city("hospital"), False), (city("tavern"), True)])
def test_a_table_with_a_hospital_says_so_at_once(own: list[District], lost: bool) -> None:
    """In the story, in what is told in red, and in the hints; who gathers waits for its call."""
    state = murdered(own)
    session = FakeSession(config=from_scenario("random", 4, edition_key="dark_city"))
    session.state = view(state, 0)
    game = Game(session, load("en"), guided=True)
    killed = ev.Marked("killed", 1, "merchant")
    game.take(Happened(5, 1, None, (killed,)))
    (*_, line) = game.story.lines(load("en"))
    (told,) = game.befallen.open
    for said in (line.text, told.said(load("en"), NAMES)):
        assert ("Hospital" in said) != lost
    glance = game.glance()
    assert glance is not None
    assert tutorial().lessons["killed_me"].met_in_event(killed, glance) == lost
    hints = " ".join(hint.text for hint in game.guide.hints(load("en"), glance))
    assert ("your character was killed" in hints) == lost
    assert ("your turn comes when number 6 is called" in hints) != lost


def test_of_two_characters_the_one_that_lives_is_waited_for() -> None:
    state = murdered(city("tavern"))
    state.players[0].concealed = ["merchant", "architect"]
    hints = " ".join(now(load("en"), Glance(view(state, 0), 0, (*NAMES, "Dino"))))
    assert "your turn comes when number 7 is called" in hints
    assert not dead(state, 0)
