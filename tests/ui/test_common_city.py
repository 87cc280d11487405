"""Città Comune on screens and in line mode: the common city, auctions, the discard pile, the called
characters."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.memory import Memory
from citadels_lan.bots.search.reviews import CostlyMove, Decision
from citadels_lan.engine import decisions, expand, from_scenario, view
from citadels_lan.engine.actions import Bid, Lighthouse, Offer, Offers, PassBid
from citadels_lan.engine.state import District, Mark, Step, Turn
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.presenter.facts import callers
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.prompt.menu import LONGEST
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.presenter.review import Exercise
from citadels_lan.presenter.symbols import UNICODE
from citadels_lan.texts import load
from citadels_lan.ui.screens.analysis import MistakesScreen
from citadels_lan.ui.screens.rules import help_page
from citadels_lan.ui.table.board import board
from citadels_lan.ui.table.city import common_city
from citadels_lan.ui.table.panels import hand
from citadels_lan.ui.table.scene import Scene, scene_of
from citadels_lan.ui.widgets.look import DARK, Look
from tests.line_mode.test_lines import run_lines
from tests.past.test_review import weighed

from .fake import NAMES, FakeSession
from .keys import lettered_menu, panel
from .pictures import compare, text
from .test_pictures import at_table, make
from .waiting import settle

LOOK = Look(DARK, UNICODE)


def table(players: int = 9, seed: int = 3) -> FakeSession:
    config = from_scenario("first_game", players, edition_key="citta_comune", options=(("starting_gold", 2),))
    return FakeSession(config=config, seed=seed)


async def play_until(session: FakeSession, enough: Callable[[], bool]) -> FakeSession:
    """Play until the condition `enough` is true. Seat 0 builds, and never sells or offers a card."""
    for _ in range(600):
        if enough():
            return session
        actions = list(expand(session.choices()))
        useful = [action for action in actions if action.verb not in ("end", "sell", "offer", "turn")]
        builds = [action for action in useful if action.verb == "build"]
        await session.act((builds or useful or actions)[0])
    raise AssertionError("it never came to that")


def built(session: FakeSession) -> FakeSession:
    """Return a table at which all players have built districts, the discard pile has cards, and seat 0 is on
    turn as the King."""
    state = session.full_state
    edition = sorted(state.deck)
    names = list(dict.fromkeys(edition))
    players = [
        replace(player, city=[District(key, 3) for key in names[seat :: 2 * len(state.players)]], points=seat)
        for seat, player in enumerate(state.players)
    ]
    turn = Turn(0, "king")
    called = [key for key in state.cast if key in ("bishop", "thief", "king")]
    players[1] = replace(players[1], revealed=["bishop"])
    players[2] = replace(players[2], revealed=["thief"])
    players[0] = replace(players[0], revealed=["king"], hand=["castle", "park", "temple", "harbor"], gold=4)
    discards = ["market", "palace", "market"]
    session.play.state = replace(
        state, players=players, turn=turn, steps=[], called=called, discards=discards, crown=0
    )
    session.state = view(session.play.state, 0)
    return session


def auction(session: FakeSession) -> FakeSession:
    """Return a table at which seat 1 offers a Castle, seat 2 has bid 4, the other seats have passed, and seat
    0 with 12 gold is asked."""
    state = built(session).full_state
    players = [replace(player, gold=12 if seat == 0 else 9) for seat, player in enumerate(state.players)]
    players[1] = replace(players[1], hand=["castle", "market"])
    session.play.state = replace(state, players=players, turn=Turn(1, "bishop", gathered=True))
    session.state = view(session.play.state, 0)
    session._move(1, Offer("castle", 2))
    session._move(2, Bid(4))
    for seat in range(3, len(players)):
        session._move(seat, PassBid())
    return session


def scene(session: FakeSession, *, hidden: bool = False) -> Scene:
    return Scene(session.seen, 0, session.names, load("en"), Look(DARK, UNICODE), hidden)


# Called characters


def test_line_mode_lists_called_characters_with_their_markers() -> None:
    """Seat 0 has called the Emperor, who was killed. Seat 1 has called the character that the Thief robs.
    Seat 2 has not called a character yet."""
    session = built(table(3))
    players = [replace(player, revealed=[]) for player in session.full_state.players]
    players[1] = replace(players[1], revealed=["merchant"])
    marks = [Mark("robbed", 0, "merchant"), Mark("killed", 0, "emperor")]
    called = ["emperor", "merchant"]
    state = replace(session.full_state, players=players, called=called, caller=1, marks=marks, turn=None)
    session.state = view(state, 0)
    lines = list(plain_lines.table(Game(session, load("en"))))
    calls = f"Emperor ({session.names[0]}, killed), Merchant ({session.names[1]})"
    assert any(line.endswith(calls) for line in lines), lines
    assert {"Merchant: robbed", "Emperor: killed"} <= {*lines}
    assert dict(callers(session.seen)) == {"emperor": 0, "merchant": 1}


# The common city


async def test_screens_of_the_common_city_match_their_pictures() -> None:
    async with make(Place(built(table()))).run_test(size=(80, 24)) as pilot:
        await compare(pilot.app, "comune-80x24-en")
        await pilot.press("M")
        await compare(pilot.app, "comune-city-80x24-en")
        await pilot.press("L")
        await pilot.resize_terminal(160, 50)
        await compare(pilot.app, "comune-160x50-it")


def mistake() -> MistakesScreen:
    """Return a screen with one mistake: drawing cards would have been better. The test must replace
    `_review`."""
    session = built(table(4))
    session.play.state = replace(session.full_state, auction=None)
    session.state = view(session.play.state, 0)
    lines = [str(choice) for choice in decisions(session.seen)[0]]
    made, better = (weighed(line, 0.2) for line in lines[:2])
    decision = Decision(1, 0, session.seen, Memory(), lines[0])
    screen = MistakesScreen(lambda: pytest.fail("it is not loaded"))
    screen._exercises = [Exercise(CostlyMove(decision, made, better), 1, 1, NAMES)]
    return screen


def test_common_city_marks_no_districts_of_a_covered_hand() -> None:
    for hidden in (False, True):
        lines = common_city(scene(built(table()), hidden=hidden), 80, 12).lines
        assert ("+" in "\n".join(line.plain for line in lines)) is not hidden


def test_common_city_screen_does_not_depend_on_hidden_cards() -> None:
    """With other hands, another order of the deck and other cards under a Museum, the screen is the same."""
    session = built(table())
    one = session.full_state
    museum = District("museum", 4, under=((1, "tavern"),))
    one = replace(one, players=[replace(one.players[0], city=[museum]), *one.players[1:]])
    other = replace(one, deck=one.deck[::-1], players=[
        replace(one.players[0], city=[replace(museum, under=((1, "castle"),))]),
        *(replace(player, hand=["park"] * len(player.hand)) for player in one.players[1:]),
    ])  # fmt: skip
    pictures = []
    for state in (one, other):
        session.state = view(state, 0)
        drawn = [
            common_city(scene(session), 113, 12),
            board(scene(session), 113, 14),
            hand(scene(session), 113, 6),
        ]
        pictures.append([line.plain for drawing in drawn for line in drawing.lines])
    assert pictures[0] == pictures[1]


def test_name_of_the_player_is_written_as_you_in_every_drawing() -> None:
    session = built(table())
    game = Game(session, load("en"))
    drawing = common_city(scene_of(game, LOOK), 80, 24)
    assert "1 YOU  2 Massimiliano" in "\n".join(line.plain for line in drawing.lines)
    assert help_page(game, LOOK, "0").plain.startswith("YOU\n")
    assert help_page(game, LOOK, "1").plain.startswith("Massimiliano\n")


# Auctions


async def test_player_bids_with_keys_in_an_auction() -> None:
    async with at_table(auction(table())) as (session, pilot):
        await compare(pilot.app, "comune-auction-80x24-en")
        for keys, amount in ((["9"], 9), (["backspace"], 0), (["1", "2", "0"], 120), (["escape"], 0), (["up"], 5)):
            await pilot.press(*keys)
            bidding = panel(pilot).bidding
            assert bidding is not None
            assert bidding.amount == amount
        await pilot.press("1", "enter")
        assert session.acted == [], "13 is more than the own gold"
        await pilot.press("escape", "7", "enter")
    assert session.acted == ["bid 7"]


async def test_bid_is_shown_to_all_players_at_once() -> None:
    session = auction(table(4))
    session._move(0, Bid(6))
    session.play.state = replace(session.full_state, steps=[Step("bid", 2, other=1, card="castle")])
    session.state = view(session.play.state, 0)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        assert panel(pilot).bidding is None
        assert "6 gold" in text(pilot)
        session._move(2, Bid(8))
        await settle(pilot)
        assert "8 gold, Bruno" in text(pilot)


def test_hand_card_is_offered_with_a_minimum_bid() -> None:
    session = built(table())
    state = session.full_state
    assert state.turn is not None
    session.play.state = replace(state, turn=replace(state.turn, gathered=True))
    session.state = view(session.play.state, 0)
    found = lettered_menu(load("en"), session.seen, 0, NAMES, session.choices())
    number = next(n for n, item in enumerate(found.items) if isinstance(item.choice, Offers))
    asking = Prompt(found)
    asking.point(number)
    assert asking.confirm() is None
    for step in (-1, 1, 1):
        asking.raise_floor(step)
    assert asking.at.selection is not None
    pool = asking.at.selection.deal.pool
    asking.point([pool[place] for place in asking.at.selection.free()].index("harbor"))
    assert str(asking.confirm()) == "offer harbor from 3"
    game = Game(session, load("en"))
    typed = f"To set a minimum price, type: offer {min(session.seen.players[0].hand)} from 3."
    assert typed in list(plain_lines.question_lines(game.texts, plain_lines.question(game, asking)))
    while asking.back():
        pass
    assert asking.at.floor == 0


# Choosing out of a long list


def test_lighthouse_lists_the_cards_of_the_deck_by_type() -> None:
    session = built(table(3))
    deck = tuple(sorted(session.full_state.deck))
    session.play.state = replace(session.full_state, steps=[Step("lighthouse", 0, deck)])
    session.state = view(session.play.state, 0)
    found = lettered_menu(load("en"), session.seen, 0, NAMES, session.choices())
    assert len(found.items) <= LONGEST
    offered = {str(leaf.choice) for item in found.items for leaf in (item.items or (item,))}
    assert offered == {*(str(Lighthouse(key)) for key in deck), "lighthouse none"}
    others = view(session.play.state, 1).steps[-1].cards
    assert set(others) == {"?"}


# Pages and lines


async def test_pages_of_the_common_city_match_their_pictures() -> None:
    async with make(Place(built(table(4)))).run_test(size=(80, 40)) as pilot:
        await pilot.press("D")
        assert "On top: Market, Palace, Market." in text(pilot)
        await pilot.press("D", "W")
        assert "Bishop: Massimiliano (active" in text(pilot)
        assert "Still in the deck (15): Assassin, Witch, Tax Collector" in text(pilot)


def test_waiting_player_reads_how_many_turns_are_left() -> None:
    session = built(table(4))
    session.play.state = replace(session.full_state, caller=2, turn=Turn(2, "king"))
    session.state = view(session.play.state, 0)
    assert Game(session, load("en")).outlook() == "2 turns before yours: Bruno, Chiara"


def test_line_mode_plays_an_auction() -> None:
    session = auction(table(4))
    told = run_lines("20\n7\n", session)
    assert "Auction: Castle (noble 4), offered by Massimiliano." in told
    assert "Highest bid: 4, Bruno." in told
    assert "To bid, type a number from 5 to 12; pass: no bid." in told
    assert session.acted == ["bid 7"]
    session = auction(table(4))
    run_lines("pass\n", session)
    assert session.acted == ["pass"]
