"""Sentences, labels, questions and refusals, word for word."""

import pytest

from citadels_lan.engine import State, decisions, from_scenario, new_table
from citadels_lan.engine import actions as act
from citadels_lan.engine import events as ev
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Offer, Sell, Tribute
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Mark, Site, Step, Turn
from citadels_lan.texts import load
from citadels_lan.texts.log import question, sentence
from citadels_lan.texts.moves import VERBS, choice, describe, verb
from citadels_lan.texts.refusals import message, refusal
from tests.effort import one_case
from tests.facts import first_game, standing
from tests.ui.keys import lettered_menu

NAMES = ("Anna", "Bruno", "Chiara", "Dario")
EN, IT = load("en"), load("it")


def table(character: str = "warlord", seat: int = 0, *, gathered: bool = True) -> State:
    """Return a table of four players, in the turn of `character`, whom `seat` plays."""
    state = new_table(first_game(4), crown=0)
    state.phase = "turns"
    state.turn = Turn(seat, character, gathered=gathered)
    state.players[0].gold = 5
    state.players[0].hand = ["market", "thieves_den", "tavern"]
    state.players[0].city = [standing("prison"), standing("castle")]
    state.players[1].city = [standing("temple"), standing("market"), standing("great_wall")]
    state.players[1].hand = ["?", "?"]
    return state


SENTENCES = [  # an event, its reader, the expected sentence
    (ev.GoldGained(0, 1, "income"), 0, "You gain 1 gold (income)."),
    (ev.GoldGained(0, 3, "income"), 1, "Anna gains 3 gold (income)."),
    (ev.CardsGained(0, ("market", "keep"), "smithy"), 0,
     "You gain 2 cards (Smithy). Only you see: Market and Keep."),
    (ev.CardsGained(0, ("?", "?"), "smithy"), 1, "Anna gains 2 cards (Smithy)."),
    (ev.GoldMoved(1, 0, 4, "robbed"), 0, "You rob Bruno of 4 gold."),
    (ev.GoldMoved(1, 0, 4, "robbed"), 1, "Anna robs you of 4 gold!"),
    (ev.GoldMoved(1, 0, 4, "robbed"), None, "Anna robs Bruno of 4 gold."),
    (ev.GoldMoved(1, 0, 1, "tribute"), None, "Bruno gives 1 gold to Anna (for the crown)."),
    (ev.Picked(0, "?"), 2, "Anna has chosen a character."),
    (ev.Placed("warrant", 0, ("thief", "king", "bishop"), "king"), 0,
     "You place warrants: Thief, King and Bishop. Only you know which one is signed: King."),
    (ev.HandsSwapped(0, 1, ("keep",), ("?", "?")), 0,
     "You swap hands with Bruno, 2 cards for 1 card. Only you see: Keep."),
    (ev.Confiscated(1, 0, "market", 2, "king", 2), 0,
     "Bruno reveals the signed warrant (King) and confiscates your Market. 2 gold is returned."),
    (ev.Destroyed(0, 0, "museum", ("?", "?"), "destroy"), 2,
     "The Warlord destroys Anna's Museum. The 2 cards under it are lost, too."),
    (ev.Asked("take", 0, ("?",), 1), 1, "Anna looks at your hand."),
    (ev.Asked("bid", 1, other=0, card="market"), 1, None),
    (ev.Answered("thank", 0, "no"), 1, "Anna does not say thanks."),
    (ev.CycleScored((5, 0, 2)), None, "All characters have been called. Points: Anna 5 and Chiara 2."),
    (ev.GameEnded((Score((("districts", 1),)), Score()), (0,)), 1, "The game is over: Anna wins with 1 point."),
    (ev.Gathered(0, 0), 0, None),
    (ev.CardsMoved(0, 1, ("market",), "auction"), 1, None),
]  # fmt: skip


@one_case(("event", "viewer", "said"), SENTENCES)
def test_sentence_of_an_event_is_phrased_for_its_reader(
    event: ev.Event, viewer: int | None, said: str | None
) -> None:
    assert sentence(EN, event, NAMES, viewer) == said


def test_markup_in_a_name_inside_a_sentence_is_not_interpreted() -> None:
    names = ("{name}", "[red]{0.__class__}%s")
    said = sentence(EN, ev.GoldMoved(1, 0, 4, "robbed"), names, None)
    assert said == "{name} robs [red]{0.__class__}%s of 4 gold."


SPOT = Spot("temple", 1)
CITTA = "citta_comune"
LABELS = [  # a character or an edition, an action, the expected label
    ("warlord", act.Gather("gold"), "Take 2 gold"),
    ("warlord", act.Build("thieves_den", act.Payment(cards=("market", "tavern"))),
     "Build Thieves' Den (4 gold, Market and Tavern)"),
    ("cardinal", act.Build("thieves_den", act.Payment(lender=1, lent=("market",))),
     "Build Thieves' Den (6 gold, 1 of it from Bruno for Market)"),
    ("warlord", act.Build("market", act.Payment(framework=True)), "Build Market, destroying your Framework"),
    ("warlord", act.Destroy(SPOT), "Destroy Bruno's Temple for 1 gold"),
    ("diplomat", act.Exchange(Spot("prison"), Spot("market", 1)),
     "Give your Prison for Bruno's Market, paying 1 gold"),
    ("marshal", act.Seize(Spot("market", 1)), "Seize Bruno's Market for 3 gold"),
    ("patrician", act.Income(), "Income: 1 card"),
    ("abbot", act.Income(2, 1), "Income: 2 gold and 1 card"),
    ("navigator", act.Bonus("cards"), "Extra: 4 cards"),
    ("thief", act.Rob("marshal"), "Rob the Marshal"),
    ("magician", act.Swap(1), "Swap hands with Bruno (2 cards)"),
    ("warlord", act.Bribe(False), "Pay nothing: you risk 5 gold"),
    ("spy", act.Spy(1, "noble"), "Spy on Bruno (2 cards): noble"),
    (CITTA, Sell("castle"), "Sell Castle for 2 gold"),
    (CITTA, Offer("keep", 3), "Auction Keep, from 3 gold"),
    (CITTA, Tribute("keep"), "Give Keep (3)"),
]  # fmt: skip


@one_case(("place", "action", "label"), LABELS)
def test_label_contains_price_and_city(place: str, action: Action, label: str) -> None:
    view = new_table(from_scenario("first_game", 4, edition_key=CITTA)) if place == CITTA else table(place)
    assert describe(EN, action, view, 0, NAMES) == label


def test_label_of_several_districts_contains_their_number() -> None:
    view = table()
    view.players[0].city = [
        standing("gold_mine"),
        standing("library"),
        standing("observatory"),
        standing("factory"),
    ]
    assert describe(EN, act.Gather("gold"), view, 0, NAMES) == "Take 3 gold"
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw 3 cards, keep one or all"
    assert describe(EN, act.Build("thieves_den"), view, 0, NAMES) == "Build Thieves' Den (5)"
    view.deck = ["?"]
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw the last card"


def test_each_step_of_a_turn_has_its_status_line() -> None:
    view = table(gathered=False)
    view.players[0].hand = []
    may = "Your turn (Warlord): gather; you may also collect income or destroy a district."
    assert question(EN, view, 0, NAMES) == may
    assert question(EN, view, 1, NAMES) == "Anna's turn (Warlord): gathering first."
    view = table()
    may = "Your turn (Warlord): you may build, collect income or destroy a district, or end the turn."
    assert question(EN, view, 0, NAMES) == may
    view.players[0].hand = ["tavern"] * 3
    assert view.turn is not None
    view.turn.character = "architect"
    assert "build up to 3 districts" in question(EN, view, 0, NAMES)
    view.players[0].hand = []
    view.turn.used = ["bonus"]
    assert question(EN, view, 0, NAMES) == "Your turn (Architect): you can only end the turn."


def test_label_of_an_answer_contains_its_effect() -> None:
    view = table("king", seat=1)
    gold = view.players[1].gold
    view.marks = [Mark("threat", 0, "king"), Mark("flower", 0, "king")]
    view.steps = [Step("reveal", 0, other=1)]
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == f"Reveal the flower: get {gold} gold"
    view.marks[-1] = Mark("flower", 0, "thief")
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == "Reveal the threat: no flower"
    view.marks[-1] = Mark("flower", 0, "?")
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == "Reveal the threat"
    view.site = Site(1, "market", 2)
    assert describe(EN, act.Confiscate(True), view, 0, NAMES) == "Confiscate Market: it is yours, free"
    assert describe(IT, act.Confiscate(True), view, 0, NAMES) == "Confisca Mercato, gratis per te"


def test_emperor_without_other_actions_must_only_give_the_crown_away() -> None:
    view = table("emperor")
    must = "Your turn (Emperor): you must still give the crown away; you may also "
    assert question(EN, view, 0, NAMES).startswith(must)
    view.players[0].hand = []
    view.players[0].city = []
    assert question(EN, view, 0, NAMES) == "Your turn (Emperor): you must still give the crown away."


def test_end_of_turn_label_says_that_the_king_takes_the_crown() -> None:
    """R158: the King may take the crown during the turn, and gets it at the latest at its end, so ending the
    turn loses nothing."""
    view = table("king")
    view.players[0].hand, view.crown = [], 1
    assert question(EN, view, 0, NAMES).startswith("Your turn (King): you may ")
    assert "take the crown, or end the turn" in question(EN, view, 0, NAMES)
    assert describe(EN, act.End(), view, 0, NAMES) == "End the turn; the crown comes to you"
    assert "crown" not in lettered_menu(EN, view, 0, NAMES, decisions(view)[0]).left
    view.crown = 0
    assert describe(EN, act.End(), view, 0, NAMES) == "End the turn"


def test_all_verbs_in_a_menu_have_the_same_grammatical_form() -> None:
    """Italian uses an imperative for choices, and an infinitive for possible actions."""
    for word in VERBS:
        assert choice(EN, word) == verb(EN, word), word
        assert verb(IT, word).split()[0].endswith(("re", "rre")), word
        assert not choice(IT, word).split()[0].endswith(("are", "ere", "ire", "rre")), word


def test_rejections_with_unknown_codes_and_details_raise_no_error() -> None:
    assert message(EN, "not_ready", {}) == "? is not ready yet."
    assert message(EN, "not_ready", {"name": "{x}", "more": None}) == "{x} is not ready yet."
    assert refusal(EN, "gold_short", {}) == "? gold short."
    assert refusal(EN, "gold_short", {"missing": "many"}) == "many gold short."
    assert refusal(EN, "not_in_hand", {"card": "{0}"}) == "You do not have that card in hand: {0}."
    assert "from_the_future" in refusal(IT, "from_the_future", {"code": 1})


def test_wizard_label_says_to_gather_before_building_the_taken_card() -> None:
    said = [
        describe(EN, act.LookInto(1), table("wizard", gathered=gathered), 0, NAMES) for gathered in (False, True)
    ]
    assert said[0].endswith("take a card (to build it at once, gather first)")
    assert said[1].endswith("take a card")


@pytest.mark.parametrize("gathered", [False, True])
def test_question_about_a_taken_card_says_whether_it_can_be_built(*, gathered: bool) -> None:
    view = table("wizard", gathered=gathered)
    view.steps = [Step("take", 0, other=1, cards=("market", "tavern"))]
    said = question(EN, view, 0, NAMES)
    assert ("build it at once" in said) == gathered
    assert ("You cannot build before you gather" in said) != gathered


def test_numbers_in_a_label_are_those_of_the_edition() -> None:
    """The numbers are those of Smithy and Laboratory in the classic decks, and of a Library that keeps two of
    three cards."""
    for options, pays, cards, gold in (((), 3, 2, 1), ((("deck", 68),), 2, 3, 2)):
        view = new_table(from_scenario("first_game", 4, edition_key="classic", options=options))
        view.deck = ["?"] * 9
        assert describe(EN, act.Smithy(), view, 0, NAMES) == f"Smithy: pay {pays} gold for {cards} cards"
        assert f" for {gold} gold" in describe(EN, act.Laboratory("market"), view, 0, NAMES)
    view.players[0].city = [standing("library"), standing("observatory")]
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw 3 cards, keep 1 or 2"
    view.players[0].city = [standing("library")]
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw 2 cards, keep one or all"
