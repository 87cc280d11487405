"""That another edition can be: one made up here, of pieces of 2016/2021 and of others, plays like any other."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import pytest

from citadels_lan.engine import (
    EDITIONS,
    Edition,
    IllegalMove,
    State,
    Table,
    TableConfig,
    Unplayable,
    decide,
    decisions,
    edition,
    edition_named,
    edition_of,
    from_scenario,
    new_table,
    parse,
    refusal,
)
from citadels_lan.engine.characters.income import INCOME
from citadels_lan.engine.characters.king import King
from citadels_lan.engine.characters.merchant import Merchant
from citadels_lan.engine.districts.gathering import Library, Observatory
from citadels_lan.engine.districts.laboratory import LaboratoryEffect
from citadels_lan.engine.districts.smithy import SmithyEffect
from citadels_lan.engine.edition import add_edition
from citadels_lan.engine.events import CardsGained, Crowned, DraftEnded, GameEnded, Shuffled, TurnBegan
from citadels_lan.engine.flow.rounds import deal
from citadels_lan.engine.pieces import Flow, Piles, Unique
from citadels_lan.engine.state import District, Turn
from citadels_lan.engine.turn.piles import top
from tests.engine import checks
from tests.engine.games import Game, RandomChance
from tests.facts import E2016, standing

OTHER: Final = "made_up"


class AtOnce(King):
    """A King who has the crown as soon as he is called."""

    def __init__(self) -> None:
        self.rules = (INCOME,)

    def called(self, table: Table, seat: int) -> None:
        if table.state.crown != seat:
            table.emit(Crowned(seat))


class OnTop(Piles):
    """What leaves a hand or a city comes back at once."""

    def discard(self, table: Table, cards: Sequence[str], what: str) -> None:
        table.emit(Shuffled((*table.state.deck, *cards)))


class Restocked(Piles):
    """Whoever draws finds one card more."""

    def before_drawing(self, table: Table, count: int) -> None:
        table.emit(Shuffled((*table.state.deck, "castle")))


class Salvage(Unique):
    """Its owner takes back what is destroyed in the city, the Park in this case."""

    key = "park"

    def lost(self, table: Table, seat: int, card: str, why: str) -> bool:
        table.emit(Shuffled((*table.state.deck, card)))
        table.emit(CardsGained(seat, (card,), "park"))
        return True


class TwoOfThem(Library):
    def kept(self, drawn: int) -> int:
        return min(2, drawn)


class Clockwise(Flow):
    """No draft and no rounds: everybody plays the Merchant in turn, until a city is complete."""

    def advance(self, table: Table) -> None:
        if table.state.phase == "setup":
            deal(table)
            table.emit(DraftEnded())
            table.emit(TurnBegan(table.state.crown, "merchant"))

    def proceed(self, table: Table) -> None:
        state = table.state
        if state.steps or state.turn is not None or state.phase != "turns":
            return
        if state.last_round:
            played = edition_of(state)
            results = played.scores(state)
            table.emit(GameEnded(results, played.winners(state, results)))
            return
        seat = (state.crown + 1) % len(state.players)
        table.emit(Crowned(seat))
        table.emit(TurnBegan(seat, "merchant"))


def five(played: Edition) -> Edition:
    return replace(played, goal=lambda state: 5)


def same(played: Edition) -> Edition:
    return played


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> Callable[[Edition], None]:
    """Makes an edition known for this test."""
    monkeypatch.setattr(edition, "EDITIONS", dict(EDITIONS))
    monkeypatch.setattr(edition, "_VARIANTS", dict(edition._VARIANTS))
    return add_edition


def variant(base: Edition = E2016, **changes: object) -> Edition:
    return replace(base, key=OTHER, **changes)  # type: ignore[arg-type]  # each test says what it changes


def with_character(piece: King | Merchant) -> dict[str, object]:
    return {**E2016.abilities, piece.key: piece}


def config(players: int, options: tuple[tuple[str, str | int], ...] = ()) -> TableConfig:
    return from_scenario("first_game", players, edition_key=OTHER, options=options)


def on_turn(character: str, **city: Sequence[str]) -> State:
    """A table of the edition with `a` on turn, having gathered; who has which city is said by seat."""
    state = new_table(config(4), crown=0)
    state.phase = "turns"
    state.rank = E2016.ranks[character]
    state.players[0].revealed = [character]
    state.turn = Turn(0, character, gathered=True)
    for name, cards in city.items():
        state.players[ord(name) - ord("a")].city = [standing(card) for card in cards]
    return state


def test_a_character_that_acts_when_it_is_called(add: Callable[[Edition], None]) -> None:
    add(variant(abilities=with_character(AtOnce())))
    for seed in range(4):
        game = Game(seed, config(5))
        for _ in game.steps():
            turn = game.state.turn
            if turn is not None and turn.character == "king" and not turn.bound:
                assert game.state.crown == turn.seat
                assert refusal(game.state, turn.seat, parse("crown")) is not None


@pytest.mark.parametrize("check", [checks.keeps_cards_and_gold, checks.square_commutes])
def test_cards_may_go_elsewhere(add: Callable[[Edition], None], check: Callable[[Game], None]) -> None:
    add(variant(piles=OnTop()))
    check(Game(3, config(4)))


def test_piles_may_be_restocked_before_drawing(add: Callable[[Edition], None]) -> None:
    add(variant(piles=Restocked()))
    state = new_table(TableConfig(4, edition=OTHER), crown=0)
    state.deck = ["tavern"]
    assert top(Table(state, RandomChance(1)), 2) == ("castle", "tavern")


def test_a_district_lost_may_be_seen_to(add: Callable[[Edition], None]) -> None:
    add(variant(effects={**E2016.effects, "park": Salvage()}))
    state = on_turn("warlord", b=("park", "tavern"))
    deck = list(state.deck)
    table = Table(state, RandomChance(0))
    for event in decide(state, 0, parse("destroy b.tavern"), RandomChance(0)):
        table.emit(event)
    assert (state.players[1].hand, state.deck) == (["tavern"], deck)


def test_pieces_with_other_numbers(add: Callable[[Edition], None]) -> None:
    effects = {**E2016.effects, "laboratory": LaboratoryEffect(gold=1), "smithy": SmithyEffect(pays=3, draws=2)}
    add(variant(effects=effects))
    state = on_turn("merchant", a=("laboratory", "smithy"))
    state.players[0].hand = ["tavern"]
    table = Table(state, RandomChance(0))
    for line in ("laboratory tavern", "smithy"):
        for event in decide(state, 0, parse(line), RandomChance(0)):
            table.emit(event)
    assert (state.players[0].gold, len(state.players[0].hand)) == (2 + 1 - 3, 2)


def test_two_of_three_cards(add: Callable[[Edition], None]) -> None:
    effects = {**E2016.effects, "library": TwoOfThem(), "observatory": Observatory(cards=1)}
    add(variant(effects=effects))
    state = on_turn("merchant", a=("library", "observatory"))
    assert state.turn is not None
    state.turn.gathered = False
    state.deck = ["keep", "market", "castle", "tavern"]
    table = Table(state, RandomChance(0))
    for event in decide(state, 0, parse("gather cards"), RandomChance(0)):
        table.emit(event)
    assert {str(choice) for choice in decisions(state)[0]} == {
        "keep castle", "keep market", "keep tavern",
        "keep castle market", "keep castle tavern", "keep market tavern",
    }  # fmt: skip
    assert refusal(state, 0, parse("keep castle market tavern")) is not None


def test_an_option_makes_another_edition(add: Callable[[Edition], None]) -> None:
    add(variant(options={"to_end": {8: same, 5: five}}))
    assert edition_named(OTHER).options["to_end"].keys() == {8, 5}
    game = Game(1, config(4, (("to_end", 5),)))
    for _ in game.steps():
        pass
    assert 5 <= max(len(player.city) for player in game.state.players) <= 7
    for wrong, code in ((("to_end", 6), "unknown_value"), (("deck", 68), "unknown_option")):
        with pytest.raises(Unplayable) as refused:
            new_table(TableConfig(4, edition=OTHER, options=(wrong,)))
        assert refused.value.code == code
    with pytest.raises(Unplayable) as refused:
        new_table(TableConfig(4, edition="of_1066"))
    assert refused.value.code == "unknown_edition"


@pytest.mark.parametrize("players", [2, 9])
def test_a_flow_without_draft_and_rounds(add: Callable[[Edition], None], players: int) -> None:
    numbers = range(2, 10)
    made = variant(flow=Clockwise(), players=numbers, hand=dict.fromkeys(numbers, 6), gold=0)
    add(made)
    table = TableConfig(players, E2016.scenarios["first_game"].cast, E2016.uniques[:14], OTHER)
    if players == 9:
        table = replace_cast(table)
    for check in (checks.keeps_cards_and_gold, checks.square_commutes):
        check(game := Game(players, table))
        assert game.state.winners
        assert game.state.round == 0


def replace_cast(table: TableConfig) -> TableConfig:
    """Nine seats need no ninth character: only with three and eight is there one."""
    return TableConfig(table.players, (*table.cast, "artist"), table.districts, table.edition)


def test_cards_of_no_edition_are_no_words_and_others_are_refused() -> None:
    state = new_table(from_scenario("first_game", 4), crown=0)
    state.phase, state.turn = "turns", Turn(0, "assassin", gathered=True)
    reason = refusal(state, 0, parse("kill emperor"))
    assert isinstance(reason, IllegalMove)
    assert reason.code == "not_in_cast"


def test_a_district_costs_what_its_card_says() -> None:
    assert District("tavern", 1).cost == 1
    assert District("tavern", 1, beautified=True).cost == 2
    assert all(standing(key).cost == card.cost for key, card in E2016.districts.items())


def test_every_piece_of_an_edition_has_its_card() -> None:
    for played in EDITIONS.values():
        assert set(played.abilities) == set(played.characters)
        assert set(played.effects) == set(played.uniques)
        assert all(key == ability.key for key, ability in played.abilities.items())
        assert all(key == effect.key for key, effect in played.effects.items())
        assert set(played.players) <= set(played.hand)
