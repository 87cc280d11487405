"""Sentences, labels and questions of the other editions, word for word where it matters."""

import pytest

from citadels_lan.engine import EDITIONS, from_scenario, new_table
from citadels_lan.engine import actions as act
from citadels_lan.engine import events as ev
from citadels_lan.engine.action import Action
from citadels_lan.engine.edition_actions import Bid, Offer, PassBid, Sell, Tribute
from citadels_lan.engine.state import Auction, Step
from citadels_lan.texts import load
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.choices import describe
from citadels_lan.texts.questions import question
from citadels_lan.texts.refusals import refusal
from citadels_lan.texts.sentences.sentence import sentence
from tests.effort import one_case
from tests.facts import standing

CITIES = {"en": ("city", "cities"), "it": ("città",)}
OF_RANK_8 = ("own_for_other", "twice_in_city", "own_district_only", "protected", "untouchable")
NAMES = ("Anna", "Bruno", "Chiara", "Dario")
EN, IT = load("en"), load("it")

TOLD = [
    (
        ev.AuctionBegan(0, "market", 1),
        1,
        "Anna puts up for auction: Market.",
        "Anna mette all'asta: Mercato.",
    ),
    (
        ev.AuctionBegan(0, "market", 3),
        0,
        "You put up for auction: Market, from 3 gold.",
        "Metti all'asta: Mercato, da 3 monete d'oro.",
    ),
    (ev.Asked("bid", 1, other=0, card="market"), 1, None, None),
    (ev.BidMade(1, 3), 0, "Bruno bids 3.", "Bruno offre 3."),
    (ev.BidPassed(1), 1, "You pass.", "Passi."),
    (
        ev.GoldMoved(1, 0, 3, "auction"),
        0,
        "The card goes to Bruno for 3 gold.",
        "La carta va a Bruno per 3 monete d'oro.",
    ),
    (ev.CardsMoved(0, 1, ("market",), "auction"), 1, None, None),
    (ev.CardsReturned(0, ("market",), "sell"), 0, None, None),
    (ev.Discarded(("market",)), 1, "On the discard pile: Market.", "Nella pila degli scarti: Mercato."),
    (ev.GoldGained(0, 1, "sell"), 0, "You gain 1 gold (sale).", "Ottieni 1 moneta d'oro (vendita)."),
    (ev.CharacterCalled(1, "king", False), 0, "Bruno calls the King.", "Bruno chiama il Re."),
    (
        ev.CharacterCalled(1, "witch", True),
        1,
        "You call the Witch, who was killed.",
        "Chiami la Strega: è la vittima dell'Assassina.",
    ),
    (
        ev.CycleScored((5, 0, 2)),
        None,
        "All characters have been called. Points: Anna 5 and Chiara 2.",
        "Tutti i personaggi sono stati chiamati. Punti: Anna 5 e Chiara 2.",
    ),
    (
        ev.Asked("thank", 0, other=1),
        1,
        "Anna must thank you for the ball.",
        "Anna deve ringraziarti per il ballo.",
    ),
    (ev.Answered("thank", 0, "no"), 1, "Anna does not say thanks.", "Anna non ringrazia."),
    (
        ev.GoldMoved(1, 0, 1, "tribute"),
        None,
        "Bruno hands 1 gold to Anna (for the crown).",
        "Bruno dà 1 moneta d'oro ad Anna (per la corona).",
    ),
    (
        ev.GoldGained(1, 1, "throne_room"),
        0,
        "Bruno gains 1 gold (Throne Room).",
        "Bruno ottiene 1 moneta d'oro (Sala del Trono).",
    ),
    (ev.Asked("lighthouse", 0, ("keep", "market")), 0, "You look through the deck.", "Guardi tutto il mazzo."),
    (
        ev.TakenFromDeck(0, "keep"),
        0,
        "You take a card from the deck. Only you see: Keep.",
        "Prendi una carta dal mazzo. Lo sai solo tu: Rocca.",
    ),
    (ev.TakenFromDeck(0, "?"), 1, "Anna takes a card from the deck.", "Anna prende una carta dal mazzo."),
    (
        ev.Turned(0, 2),
        1,
        "Anna turns the Bell Tower: fewer districts end the game now.",
        "Anna gira il Campanile: ora bastano meno quartieri per finire la partita.",
    ),
    (
        ev.AllStand(),
        None,
        "The city is complete! The game ends with this turn.",
        "La città è completa! La partita finisce con questo turno.",
    ),
    (ev.CycleEnded(), 0, "The characters are shuffled.", "I personaggi si rimescolano."),
    (
        ev.Restocked(("?",)),
        0,
        "The discard pile is shuffled and becomes the deck.",
        "La pila degli scarti si rimescola e diventa il mazzo.",
    ),
    (
        ev.QueenWaits(0),
        1,
        "If the King is called next, Anna gets the Queen's gold.",
        "Se il prossimo chiamato è il Re, Anna riceve l'oro della Regina.",
    ),
    (ev.Salvaged(1, "keep"), 0, "Bruno has in hand: Keep.", "Bruno ha in mano: Rocca."),
]


@one_case(("event", "viewer", "english", "italian"), TOLD)
def test_a_sentence(event: ev.Event, viewer: int | None, english: str | None, italian: str | None) -> None:
    assert sentence(EN, event, NAMES, viewer) == english
    assert sentence(IT, event, NAMES, viewer) == italian


@one_case(
    ("action", "english", "italian"),
    [
        (Sell("castle"), "Sell Castle for 2 gold", "Vendi Castello per 2 monete d'oro"),
        (Sell("keep"), "Sell Keep for 2 gold", "Vendi Rocca per 2 monete d'oro"),
        (Offer("keep"), "Auction Keep", "Metti all'asta Rocca"),
        (Offer("keep", 3), "Auction Keep, from 3 gold", "Metti all'asta Rocca, da 3 monete d'oro"),
        (Bid(1), "Bid 1 gold", "Offri 1 moneta d'oro"),
        (PassBid(), "Pass", "Passa"),
        (Tribute("keep"), "Give Keep (3)", "Dai Rocca (3)"),
        (Tribute(), "Give 1 gold", "Dai 1 moneta d'oro"),
    ],
)
def test_a_label_of_citta_comune(action: Action, english: str, italian: str) -> None:
    view = new_table(from_scenario("first_game", 4, edition_key="citta_comune"))
    assert describe(EN, action, view, 0, NAMES) == english
    assert describe(IT, action, view, 0, NAMES) == italian


def test_a_bid_is_asked_for() -> None:
    view = new_table(from_scenario("first_game", 4, edition_key="citta_comune"))
    view.steps = [Step("bid", 0, other=1, card="market")]
    view.auction = Auction(1, "market", 3)
    assert question(EN, view, 0, NAMES) == "Auction of Market: bid 3 or more, or pass."
    view.auction = Auction(1, "market", 3, 4, 2)
    assert question(IT, view, 0, NAMES) == "Asta di Mercato: Chiara offre 4. Offri di più, o passa."
    assert question(EN, view, 3, NAMES) == "Anna may bid for Market."


def test_numbers_of_a_label_are_those_of_the_edition() -> None:
    """Smithy and Laboratory of the classic decks, and a Library that keeps two of three."""
    for options, pays, cards, gold in (((), 3, 2, 1), ((("deck", 68),), 2, 3, 2)):
        view = new_table(from_scenario("first_game", 4, edition_key="classic", options=options))
        view.deck = ["?"] * 9
        assert describe(EN, act.Smithy(), view, 0, NAMES) == f"Smithy: pay {pays} gold for {cards} cards"
        assert f" for {gold} gold" in describe(EN, act.Laboratory("market"), view, 0, NAMES)
    view.players[0].city = [standing("library"), standing("observatory")]
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw 3 cards, keep 1 or 2"
    view.players[0].city = [standing("library")]
    assert describe(EN, act.Gather("cards"), view, 0, NAMES) == "Draw 2 cards, keep one or all"


@pytest.mark.parametrize("language", CITIES)
def test_where_everybody_has_a_part_rank_8_speaks_of_no_cities(language: str) -> None:
    texts, edition = load(language), EDITIONS["citta_comune"]
    said = [refusal(texts, code, {"card": "keep"}) for code in OF_RANK_8]
    for viewer in range(3):
        said.append(sentence(texts, ev.Destroyed(0, 0, "market", (), "destroy"), NAMES, viewer) or "")
        said.append(sentence(texts, ev.DistrictMoved(0, 1, 0, "market", "exchange"), NAMES, viewer) or "")
    for key in ("warlord", "diplomat"):
        said += [summary(texts, edition, key), explanation(texts, edition, key)]
    assert all(said)
    assert [text for text in said if any(word in text.casefold() for word in CITIES[language])] == []
