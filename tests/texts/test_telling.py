"""Sentences, labels, questions and refusals, word for word."""

import pytest

from citadels_lan.engine import EDITIONS, State, decisions, from_scenario, new_table
from citadels_lan.engine import actions as act
from citadels_lan.engine import events as ev
from citadels_lan.engine.action import Action
from citadels_lan.engine.actions import Offer, Sell, Tribute
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Auction, Mark, Site, Step, Turn
from citadels_lan.texts import load
from citadels_lan.texts.cards import explanation, summary
from citadels_lan.texts.language import Texts
from citadels_lan.texts.log import sentence
from citadels_lan.texts.moves import VERBS, choice, describe, verb
from citadels_lan.texts.questions import question
from citadels_lan.texts.refusals import message, refusal
from tests.effort import one_case
from tests.facts import first_game, standing
from tests.ui.keys import lettered_menu

CITIES = {"en": ("city", "cities"), "it": ("città",)}
OF_RANK_8 = ("own_for_other", "twice_in_city", "own_district_only", "protected", "untouchable")
NAMES = ("Anna", "Bruno", "Chiara", "Dario")
EN, IT = load("en"), load("it")


def table(character: str = "warlord", seat: int = 0, *, gathered: bool = True) -> State:
    """A table of four in which `seat` is on turn."""
    state = new_table(first_game(4), crown=0)
    state.phase = "turns"
    state.turn = Turn(seat, character, gathered=gathered)
    state.players[0].gold = 5
    state.players[0].hand = ["market", "thieves_den", "tavern"]
    state.players[0].city = [standing("prison"), standing("castle")]
    state.players[1].city = [standing("temple"), standing("market"), standing("great_wall")]
    state.players[1].hand = ["?", "?"]
    return state


SENTENCES = [  # an event, its reader, the sentence in both languages
    (ev.GoldGained(0, 1, "income"), 0, "You gain 1 gold (income).", "Ottieni 1 moneta d'oro (rendita)."),
    (ev.GoldGained(0, 3, "income"), 1, "Anna gains 3 gold (income).", "Anna ottiene 3 monete d'oro (rendita)."),
    (ev.CardsGained(0, ("market", "keep"), "smithy"), 0,
     "You gain 2 cards (Smithy). Only you see: Market and Keep.",
     "Ottieni 2 carte (Fucina). Lo sai solo tu: Mercato e Rocca."),
    (ev.CardsGained(0, ("?", "?"), "smithy"), 1, "Anna gains 2 cards (Smithy).", "Anna ottiene 2 carte (Fucina)."),
    (ev.GoldMoved(1, 0, 4, "robbed"), 0, "You rob Bruno of 4 gold.", "Rubi 4 monete d'oro a Bruno."),
    (ev.GoldMoved(1, 0, 4, "robbed"), 1, "Anna robs you of 4 gold!", "Anna ti ruba 4 monete d'oro!"),
    (ev.GoldMoved(1, 0, 4, "robbed"), None, "Anna robs Bruno of 4 gold.", "Anna ruba 4 monete d'oro a Bruno."),
    (ev.GoldMoved(1, 0, 1, "tribute"), None,
     "Bruno hands 1 gold to Anna (for the crown).", "Bruno dà 1 moneta d'oro ad Anna (per la corona)."),
    (ev.Picked(0, "?"), 2, "Anna has chosen a character.", "Anna ha scelto un personaggio."),
    (ev.Placed("warrant", 0, ("thief", "king", "bishop"), "king"), 0,
     "You place warrants: Thief, King and Bishop. Only you know which one is signed: King.",
     "Assegni i mandati: Ladro, Re e Vescovo. Solo tu sai qual è quello firmato: Re."),
    (ev.HandsSwapped(0, 1, ("keep",), ("?", "?")), 0,
     "You swap hands with Bruno, 2 cards for 1 card. Only you see: Keep.",
     "Scambi la mano con Bruno: 2 carte in cambio di 1 carta. Lo sai solo tu: Rocca."),
    (ev.Confiscated(1, 0, "market", 2, "king", 2), 0,
     "Bruno shows the signed warrant (King) and confiscates from you: Market. 2 gold is given back.",
     "Bruno mostra il mandato firmato (Re) e ti confisca: Mercato. Vengono restituite 2 monete d'oro."),
    (ev.Destroyed(0, 0, "museum", ("?", "?"), "destroy"), 2,
     "The Warlord destroys a district of Anna's: Museum. The 2 cards under it are lost too.",
     "Il Condottiero distrugge un quartiere di Anna: Museo. Si perdono anche le 2 carte che c'erano sotto."),
    (ev.Asked("take", 0, ("?",), 1), 1, "Anna looks at your hand.", "Anna guarda la tua mano."),
    (ev.Asked("bid", 1, other=0, card="market"), 1, None, None),
    (ev.Answered("thank", 0, "no"), 1, "Anna does not say thanks.", "Anna non ringrazia."),
    (ev.CycleScored((5, 0, 2)), None,
     "All characters have been called. Points: Anna 5 and Chiara 2.",
     "Tutti i personaggi sono stati chiamati. Punti: Anna 5 e Chiara 2."),
    (ev.GameEnded((Score((("districts", 1),)), Score()), (0,)), 1,
     "The game is over: Anna wins with 1 point.", "La partita è finita: vince Anna con 1 punto."),
    (ev.Gathered(0, 0), 0, None, None),
    (ev.CardsMoved(0, 1, ("market",), "auction"), 1, None, None),
]  # fmt: skip


@one_case(("event", "viewer", "english", "italian"), SENTENCES)
def test_sentence_is_phrased_for_its_reader(
    event: ev.Event, viewer: int | None, english: str | None, italian: str | None
) -> None:
    assert sentence(EN, event, NAMES, viewer) == english
    assert sentence(IT, event, NAMES, viewer) == italian


def test_a_hostile_name_in_a_sentence() -> None:
    names = ("{name}", "[red]{0.__class__}%s")
    said = sentence(EN, ev.GoldMoved(1, 0, 4, "robbed"), names, None)
    assert said == "{name} robs [red]{0.__class__}%s of 4 gold."


SPOT = Spot("temple", 1)
CITTA = "citta_comune"
LABELS = [  # a character or an edition, an action, the label in both languages
    ("warlord", act.Gather("gold"), "Take 2 gold", "Prendi 2 monete d'oro"),
    ("warlord", act.Build("thieves_den", act.Payment(cards=("market", "tavern"))),
     "Build Thieves' Den (4 gold, Market and Tavern)",
     "Costruisci: Covo di Ladri (4 monete d'oro, Mercato e Taverna)"),
    ("cardinal", act.Build("thieves_den", act.Payment(lender=1, lent=("market",))),
     "Build Thieves' Den (6 gold, 1 of it from Bruno for Market)",
     "Costruisci: Covo di Ladri (6 monete d'oro, di cui 1 da Bruno in cambio di Mercato)"),
    ("warlord", act.Build("market", act.Payment(framework=True)),
     "Build Market, giving up your Framework", "Costruisci: Mercato, rinunciando a: Impalcatura"),
    ("warlord", act.Destroy(SPOT),
     "Destroy Bruno's Temple for 1 gold", "Distruggi Tempio di Bruno, per 1 moneta d'oro"),
    ("diplomat", act.Exchange(Spot("prison"), Spot("market", 1)),
     "Give your Prison for Bruno's Market, paying 1 gold",
     "Cedi Prigione della tua città in cambio di Mercato di Bruno, pagando 1 moneta d'oro"),
    ("marshal", act.Seize(Spot("market", 1)),
     "Seize Bruno's Market for 3 gold", "Requisisci Mercato di Bruno, per 3 monete d'oro"),
    ("patrician", act.Income(), "Income: 1 card", "Rendita: 1 carta"),
    ("abbot", act.Income(2, 1), "Income: 2 gold and 1 card", "Rendita: 2 monete d'oro e 1 carta"),
    ("navigator", act.Bonus("cards"), "Extra: 4 cards", "Extra: 4 carte"),
    ("thief", act.Rob("marshal"), "Rob the Marshal", "Deruba lo Sceriffo"),
    ("magician", act.Swap(1), "Swap hands with Bruno (2 cards)", "Scambia la mano con Bruno (2 carte)"),
    ("warlord", act.Bribe(False), "Pay nothing: you risk 5 gold", "Non pagare: rischi 5 monete d'oro"),
    ("spy", act.Spy(1, "noble"), "Spy on Bruno (2 cards): noble", "Spia Bruno (2 carte): nobiliare"),
    (CITTA, Sell("castle"), "Sell Castle for 2 gold", "Vendi Castello per 2 monete d'oro"),
    (CITTA, Offer("keep", 3), "Auction Keep, from 3 gold", "Metti all'asta Rocca, da 3 monete d'oro"),
    (CITTA, Tribute("keep"), "Give Keep (3)", "Dai Rocca (3)"),
]  # fmt: skip


@one_case(("place", "action", "english", "italian"), LABELS)
def test_label_names_price_and_place(place: str, action: Action, english: str, italian: str) -> None:
    view = new_table(from_scenario("first_game", 4, edition_key=CITTA)) if place == CITTA else table(place)
    assert describe(EN, action, view, 0, NAMES) == english
    assert describe(IT, action, view, 0, NAMES) == italian


def test_a_label_counts_what_stands() -> None:
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


def test_questions_of_a_turn() -> None:
    view = table(gathered=False)
    view.players[0].hand = []
    may = "Your turn (Warlord): gather; you may also collect income or destroy a district."
    assert question(EN, view, 0, NAMES) == may
    assert question(EN, view, 1, NAMES) == "Anna's turn (Warlord): gathering first."
    assert question(IT, view, None, NAMES) == "Turno di Anna (Condottiero): prima deve accumulare risorse."
    view = table()
    assert question(IT, view, 0, NAMES) == (
        "Tocca a te (Condottiero): puoi costruire, riscuotere la rendita o distruggere un quartiere,"
        " oppure terminare il turno."
    )
    view.players[0].hand = ["tavern"] * 3
    assert view.turn is not None
    view.turn.character = "architect"
    assert "build up to 3 districts" in question(EN, view, 0, NAMES)
    view.players[0].hand = []
    view.turn.used = ["bonus"]
    assert question(EN, view, 0, NAMES) == "Your turn (Architect): you can only end the turn."


def test_an_answer_says_what_it_brings() -> None:
    view = table("king", seat=1)
    gold = view.players[1].gold
    view.marks = [Mark("threat", 0, "king"), Mark("flower", 0, "king")]
    view.steps = [Step("reveal", 0, other=1)]
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == f"Turn the flower over: get {gold} gold"
    view.marks[-1] = Mark("flower", 0, "thief")
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == "Turn the threat over: no flower"
    view.marks[-1] = Mark("flower", 0, "?")
    assert describe(EN, act.Reveal(True), view, 0, NAMES) == "Turn the threat over"
    view.site = Site(1, "market", 2)
    assert describe(EN, act.Confiscate(True), view, 0, NAMES) == "Confiscate Market: it is yours, free"
    assert describe(IT, act.Confiscate(True), view, 0, NAMES) == "Confisca Mercato, gratis per te"


def test_only_the_crown_must_be_moved() -> None:
    view = table("emperor")
    must = "Your turn (Emperor): you must still give the crown away; you may also "
    assert question(EN, view, 0, NAMES).startswith(must)
    view.players[0].hand = []
    view.players[0].city = []
    assert question(EN, view, 0, NAMES) == "Your turn (Emperor): you must still give the crown away."


def test_the_crown_comes_to_the_king_whatever_he_does() -> None:
    """R158: he may take it, and has it at the latest when his turn ends; so nothing is lost by ending."""
    view = table("king")
    view.players[0].hand, view.crown = [], 1
    assert question(EN, view, 0, NAMES).startswith("Your turn (King): you may ")
    assert "take the crown, or end the turn" in question(EN, view, 0, NAMES)
    assert describe(EN, act.End(), view, 0, NAMES) == "End the turn; the crown comes to you"
    assert "crown" not in lettered_menu(EN, view, 0, NAMES, decisions(view)[0]).left
    view.crown = 0
    assert describe(EN, act.End(), view, 0, NAMES) == "End the turn"


def test_in_a_menu_verbs_have_one_form() -> None:
    """Italian has an imperative for what is chosen, and an infinitive for what may be done."""
    for word in VERBS:
        assert choice(EN, word) == verb(EN, word), word
        assert verb(IT, word).split()[0].endswith(("re", "rre")), word
        assert not choice(IT, word).split()[0].endswith(("are", "ere", "ire", "rre")), word


def test_a_bound_turn() -> None:
    view = table("king", gathered=False)
    assert view.turn is not None
    view.turn.bound = True
    assert question(EN, view, 0, NAMES) == "Your turn (King): now you may only gather."


def test_questions_that_wait_for_an_answer() -> None:
    view = table("king", seat=1)
    view.steps = [Step("confiscate", 0, other=1, card="market")]
    view.site = Site(1, "market", 2)
    view.marks = [Mark("warrant", 0, "king"), Mark("signed", 0, "thief")]
    assert question(EN, view, 0, NAMES) == "Bruno pays for Market; your warrant there is blank: let it be built."
    view.marks[-1] = Mark("signed", 0, "king")
    assert question(EN, view, 0, NAMES) == "Bruno carries your signed warrant and pays for Market: confiscate it?"
    assert question(EN, view, 2, NAMES) == "Anna holds a warrant on Bruno and must decide."
    view.steps = [Step("bribe", 1, other=0)]
    assert question(EN, view, 1, NAMES) == "You are threatened: pay half your gold, or risk it?"


def test_questions_between_the_turns() -> None:
    view = new_table(first_game(2), crown=0)
    assert question(EN, view, 0, NAMES) == "The cards are about to be dealt."
    view.phase = "draft"
    view.facedown = ["?"]
    view.steps = [Step("pick", 0, ("king", "spy"))]
    assert question(EN, view, 0, NAMES) == "Choose your character."
    view.picks = 1
    assert question(EN, view, 0, NAMES) == "Choose your character, and another one to lay aside."
    assert question(EN, view, 1, NAMES) == "Anna is choosing a character."
    view.steps = []
    view.phase = "between"
    assert question(EN, view, 1, NAMES) == "The next round is about to begin."
    view.phase = "over"
    view.winners = (1,)
    assert question(EN, view, 1, NAMES) == "The game is over: you have won."
    assert question(EN, view, None, NAMES) == "The game is over: Bruno has won."


def test_refusals() -> None:
    assert refusal(EN, "gold_short", {"missing": 2}) == "2 gold short."
    assert refusal(IT, "gold_short", {"missing": 1}) == "Ti manca 1 moneta d'oro."
    assert refusal(IT, "in_city_already", {"card": "keep"}) == "La tua città ha già: Rocca."
    assert refusal(EN, "used_already", {"verb": "income"}) == "In this turn you can collect income only once."
    assert refusal(EN, "unknown_character", {"character": "{x}"}) == "There is no such character: {x}."
    assert refusal(EN, "unknown_word", {"word": "[b]"}) == "This word does not belong here: [b]."


def test_codes_of_the_network_have_sentences() -> None:
    expected = "The table is full (4 seats). Join as a spectator, or ask the host for a larger table."
    assert message(EN, "table_full", {"players": 4}) == expected
    assert "from_the_future" in message(IT, "from_the_future", {})


def test_messages_fall_back_on_refusals() -> None:
    assert message(EN, "gold_short", {"missing": 2}) == "2 gold short."
    assert message(IT, "not_in_hand", {"card": "keep"}) == "Non hai in mano questa carta: Rocca."


def test_what_other_programs_send_does_no_harm() -> None:
    assert message(EN, "not_ready", {}) == "? is not ready yet."
    assert message(EN, "not_ready", {"name": "{x}", "more": None}) == "{x} is not ready yet."
    assert refusal(EN, "gold_short", {}) == "? gold short."
    assert refusal(EN, "gold_short", {"missing": "many"}) == "many gold short."
    assert refusal(EN, "not_in_hand", {"card": "{0}"}) == "You do not have that card in hand: {0}."
    assert "from_the_future" in refusal(IT, "from_the_future", {"code": 1})


@pytest.mark.parametrize("texts", [EN, IT])
def test_a_refused_line_is_a_sentence_with_an_end(texts: Texts) -> None:
    """Something else is said after it on the same line."""
    for code in ("line_too_short", "line_too_long", "unknown_verb", "unknown_word", "no_district", "no_character"):
        assert refusal(texts, code, {"word": "x"}).endswith(".")


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "take a card (to build it at once, gather first)", "take a card"),
        ("it", "prendi una carta (per costruirla subito, prima accumula)", "prendi una carta"),
    ],
)
def test_looking_says_what_it_costs_before_the_gathering(language: str, before: str, after: str) -> None:
    texts = load(language)
    said = [
        describe(texts, act.LookInto(1), table("wizard", gathered=gathered), 0, NAMES)
        for gathered in (False, True)
    ]
    assert said[0].endswith(before)
    assert said[1].endswith(after)


@pytest.mark.parametrize("gathered", [False, True])
def test_the_question_about_the_card_says_whether_it_can_be_built(*, gathered: bool) -> None:
    view = table("wizard", gathered=gathered)
    view.steps = [Step("take", 0, other=1, cards=("market", "tavern"))]
    said = question(EN, view, 0, NAMES)
    assert ("build it at once" in said) == gathered
    assert ("nothing is built before the gathering" in said) != gathered


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
        said += [summary(texts, edition, key), *explanation(texts, edition, key)]
    assert all(said)
    assert [text for text in said if any(word in text.casefold() for word in CITIES[language])] == []
