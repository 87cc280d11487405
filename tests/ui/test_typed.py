"""Moves that players type in line mode: names of several words, verbs, and the words of listed choices."""

import pytest

from citadels_lan.engine import BadNotation, TableConfig, from_scenario, parse
from citadels_lan.engine.edition import EDITIONS
from citadels_lan.presenter.prompt.menu import Item
from citadels_lan.presenter.prompt.typed import called, in_notation, read_move
from citadels_lan.texts import LANGUAGES, load
from tests.effort import one_case
from tests.line_mode.test_lines import run_lines

from .fake import FakeSession

NAMES = ("Ada", "Massimiliano", "Bruno", "Chiara")
FIRST = EDITIONS["2016"]


@one_case(
    ("language", "line", "notation"),
    [
        ("en", "build trading_post", "build trading_post"),
        ("en", "build Trading Post", "build trading_post"),
        ("en", "build trading p", "build trading_post"),
        ("en", "build scuola di magia", "build school_of_magic"),
        ("it", "costruisci Quartiere Stregato", "build haunted_quarter"),
        ("it", "costruisci trading post", "build trading_post"),
        ("it", "build torre di guardia", "build watchtower"),
        ("it", "uccidi l'Architetto", "kill architect"),
        ("it", "deruba re", "rob king"),
        ("en", "rob the king", "rob king"),
        ("en", "swap hands Bruno", "swap c"),
        ("en", "swap b", "swap b"),
        ("it", "scambia la mano massi", "swap b"),
        ("en", "destroy b.trading post", "destroy b.trading_post"),
        ("en", "destroy b.market#2", "destroy b.market#2"),
        ("en", "destroy b laboratory", "destroy b.laboratory"),
        ("en", "destroy b market#2", "destroy b.market#2"),
        ("en", "destroy Bruno trading post", "destroy c.trading_post"),
        ("it", "distruggi b laboratorio", "destroy b.laboratory"),
        ("en", "exchange prison for b castle", "exchange prison for b.castle"),
        ("en", "seize massi market", "seize b.market"),
        ("en", "build palace borrowing from b for market", "build palace borrowing from b for market"),
        ("en", "build thieves den with market trading post", "build thieves_den with market trading_post"),
        ("en", "gather gold", "gather gold"),
        ("it", "riscuoti la rendita", "income"),
        ("it", "termina il turno", "end"),
    ],
)
def test_names_and_verbs_are_read_as_people_type_them(language: str, line: str, notation: str) -> None:
    said = in_notation(load(language), FIRST, NAMES, (), line)
    assert said == notation
    assert parse(said, 0)


@one_case("line", ["a " * 5000, "a " * 100, "build " + "x" * 10_000])
def test_too_long_typed_line_is_rejected_before_it_is_parsed(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = 0

    def look_up(*_: object) -> list[str]:
        nonlocal looked_up
        looked_up += 1
        assert looked_up <= 1600
        return []

    for name in ("cards_called", "cards_beginning"):
        monkeypatch.setattr(f"citadels_lan.presenter.prompt.typed.{name}", look_up)
    with pytest.raises(BadNotation) as reason:
        read_move(load("en"), FIRST, 0, NAMES, (), line)
    assert len(str(reason.value.details["word"])) < 80


def test_ambiguous_beginning_of_a_name_means_a_card_of_the_question() -> None:
    texts, held = load("en"), Item("Build Market", "build", about="market")
    assert in_notation(texts, FIRST, NAMES, (), "build ma") == "build ma"
    assert in_notation(texts, FIRST, NAMES, (held,), "build ma") == "build market"


def test_name_of_an_older_edition_means_the_card_in_the_question() -> None:
    texts = load("it")
    rob = Item("Deruba l'Incantatrice", "rob", about="magician")
    assert in_notation(texts, FIRST, NAMES, (), "deruba mago") == "rob wizard"
    assert in_notation(texts, FIRST, NAMES, (rob,), "deruba mago") == "rob magician"


def test_choice_is_found_by_the_typed_words_of_its_label() -> None:
    gold, cards = Item("Take 2 gold", "gather"), Item("Draw 2 cards, keep one", "gather")
    king, bishop = Item("Keep the King (rank 4)", "pick"), Item("Keep the Bishop (rank 5)", "pick")
    assert called((gold, cards), "take gold") == called((gold, cards), "Take") == [gold]
    assert called((king, bishop), "keep bis") == [bishop]
    assert called((king, bishop), "keep") == [king, bishop]
    assert called((gold, cards), "ta") == called((gold, cards), "gold") == called((gold, cards), "!") == []


@one_case(
    ("language", "lines", "acted"),
    [
        ("en", "choose king\nchoose bishop\ntake gold\nbuild tavern\n", ["pick king"]),
        ("en", "choose the bishop\ntake gold\nbuild tav\n", ["pick bishop", "gather gold", "build tavern"]),
        ("it", "scegli il vesc\nprendi monete\ncostruisci taverna\n",
         ["pick bishop", "gather gold", "build tavern"]),
        ("it", "scegli vescovo\nprendi 2 monete d'oro\ncostruisci monas\ntermina\ntermina\n",
         ["pick bishop", "gather gold", "build monastery", "end"]),
    ],
)  # fmt: skip
def test_turn_is_typed_in_the_words_of_the_menu(language: str, lines: str, acted: list[str]) -> None:
    session = FakeSession()
    run_lines(f"{lines}quit\nquit\n", session, language)
    assert session.acted[: len(acted)] == acted


@pytest.mark.parametrize(("language", "verb", "said"), [
    ("en", "choose", "Which one: Choose the Thief (rank 2), "),
    ("it", "scegli", "Quale: Scegli il Ladro (rango 2), "),
])  # fmt: skip
def test_typed_verb_without_a_target_asks_for_one(language: str, verb: str, said: str) -> None:
    session = FakeSession()
    assert said in run_lines(f"{verb}\nquit\nquit\n", session, language)
    assert session.acted == []


def destroying(*lines: str) -> list[Item]:
    """Return a menu in which the Armory can destroy the districts in `lines`."""
    found = [Item(f"Armory: destroy {line}", "armory", parse(line, 0)) for line in lines]
    return [Item("Use the Armory…", "armory", items=tuple(found)), Item("Take 2 gold", "gather")]


@one_case(
    ("line", "move"),
    [
        ("armory wishing well", "armory b.wishing_well"),
        ("armory wishing_well", "armory b.wishing_well"),
        ("armory b wishing_well", "armory b.wishing_well"),
        ("armory Massi wishing well", "armory b.wishing_well"),
        ("armory c manor", "armory c.manor"),
        ("armory temple", "armory temple"),
        ("destroy wishing_well", "destroy wishing_well"),
    ],
)
def test_typed_district_without_owner_means_the_only_city_that_has_it(line: str, move: str) -> None:
    listed = destroying("armory b.wishing_well", "armory b.manor", "armory c.manor", "armory temple")
    assert str(read_move(load("en"), FIRST, 0, NAMES, listed, line)) == move


def test_typed_district_that_is_in_several_cities_needs_its_owner() -> None:
    listed = destroying("armory b.manor", "armory c.manor")
    with pytest.raises(BadNotation) as refused:
        read_move(load("en"), FIRST, 0, NAMES, listed, "armory manor")
    assert refused.value.code == "no_seat"
    assert refused.value.details == {"word": "manor"}


def test_typed_exchange_needs_no_owner_of_the_other_district() -> None:
    exchange = Item("Exchange Prison", "exchange", parse("exchange prison for b.castle", 0))
    read = read_move(load("en"), FIRST, 0, NAMES, [exchange], "exchange prison for castle")
    assert str(read) == str(exchange.choice)


def test_verb_with_many_choices_opens_their_list() -> None:
    many = destroying("armory b.wishing_well", "armory b.manor", "armory b.temple", "armory c.manor")
    assert called(many, "armory") == many[:1]
    few = destroying("armory b.wishing_well", "armory b.manor", "armory c.manor")
    assert called(few, "armory") == list(few[0].items)
    assert called([*many, Item("Armory", "armory")], "armory")[0].label == "Armory"


def test_typed_card_that_cannot_be_built_prints_the_reason() -> None:
    said = run_lines("scegli vescovo\nprendi monete\ncostruisci cattedrale\nquit\nquit\n", FakeSession(), "it")
    assert said.splitlines()[-2] == "Ti manca 1 moneta d'oro."


def test_only_possible_choices_have_numbers_in_line_mode() -> None:
    session = FakeSession()
    lines = run_lines("choose thief\nrob\n1\nquit\nquit\n", session).splitlines()
    asked = lines[lines.index("Rob…") + 1 :]
    barred = next(line for line in asked if line.startswith(" - "))
    assert "Assassin" in barred
    first = next(line for line in asked if line.startswith(" 1 "))
    assert session.acted[1] == f"rob {first.split()[-1].lower()}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_offered_characters_and_hand_cards_are_listed_in_the_usual_order(language: str) -> None:
    texts, session = load(language), FakeSession()
    lines = run_lines("choose bishop\ngather gold\nquit\nquit\n", session, language).splitlines()
    told = next(line for line in lines if texts.character("thief") in line and texts.character("bishop") in line)
    order = [told.index(texts.character(key)) for key in ("thief", "magician", "king", "bishop")]
    assert order == sorted(order)
    hand = ("tavern", "monastery", "cathedral")
    held = next(line for line in reversed(lines) if all(texts.district(card) in line for card in hand))
    order = [held.index(texts.district(card)) for card in hand]
    assert order == sorted(order)


@one_case("config", [from_scenario("first_game", 4), TableConfig(4, (), (), edition="dark_city"),
                                    TableConfig(4, (), (), edition="classic")])  # fmt: skip
def test_cards_of_the_game_are_printed_once_at_the_beginning(config: TableConfig) -> None:
    session = FakeSession(config=config)
    told = [line for line in run_lines("quit\nquit\n", session).splitlines() if line.startswith("In this game: ")]
    assert len(told) == 1
    assert all(load("en").character(key) in told[0] for key in session.full_state.cast)
