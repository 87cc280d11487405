"""The preselected move: a player who presses only Enter plays a whole game and loses nothing."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import pytest

from citadels_lan.engine import Action, Choice, State, TableConfig, decisions, new_table, view
from citadels_lan.engine.action import OfAnswer
from citadels_lan.engine.actions import GOLD, Bewitch, Bid, Build, Crown, PassBid, Pick, Thank, Theater
from citadels_lan.engine.state import District, Player, Step, Turn
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.prompt.preselect import ANSWERS, preselect
from citadels_lan.presenter.prompt.prompt import Bidding, Prompt
from citadels_lan.presenter.status import PARTS, turn_parts
from citadels_lan.texts import load
from citadels_lan.ui.screens.table import TableScreen
from citadels_lan.ui.table.bars import NOW, TurnBar
from tests.engine.tables import Tables
from tests.play.dice import Dice
from tests.play.table import Play

from .fake import FakeSession
from .keys import lettered_menu, panel
from .pictures import shown
from .test_pictures import make
from .waiting import settle

EDITIONS: Final = ("2016", "classic", "dark_city", "citta_comune")
LOSING: Final = frozenset(
    {"sell", "offer", "bid", "swap", "redraw", "destroy", "exchange", "seize", "beautify", "laboratory", "smithy",
     "museum", "armory", "turn", "kill", "rob", "warrant", "threaten", "spy", "look", "divine", "levy"}
)  # fmt: skip
"""Actions that may cost something or attack a player. All other actions are in HARMLESS."""
HARMLESS: Final = frozenset(
    {"pick", "gather", "keep", "take", "give", "income", "bonus", "taxes", "study", "build", "end", "pass",
     "lighthouse", "theater", "thank", "tribute", "graveyard", "bribe", "reveal", "confiscate", "bell_tower",
     "crown", "bewitch"}
)  # fmt: skip
"""Actions that may be preselected. Of the answers, only "no" may be, except for thanks."""


def enter(asking: Prompt, bidding: Bidding | None = None) -> Action:
    """Press Enter, at most twice, until it makes a move."""
    for _ in range(2):
        action = bidding.confirm() if bidding is not None else asking.confirm()
        if action is not None:
            return action
    raise AssertionError([item.label for item in asking.items])


def loses_nothing(action: Action, choices: Sequence[Choice]) -> None:
    """Check that no optional ability is preselected, and no payment with anything but gold."""
    assert action.verb in HARMLESS, action
    if isinstance(action, OfAnswer):
        assert action.yes is isinstance(action, Thank), action
    if isinstance(action, Build):
        assert action.payment == GOLD
    if isinstance(action, Theater):
        assert action == Theater()
    if isinstance(action, Crown | Bewitch):
        assert not {"end", "gather"} & {choice.verb for choice in choices}, "it is compulsory"


def agree(game: Game, asking: Prompt, action: Action) -> None:
    """Check that the cursor and the header show the move `action`."""
    assert game.table.state is not None
    if game.table.state.turn is not None and game.table.state.turn.seat == game.table.seat:
        marked = [part.name for part in turn_parts(game.table.state, action.verb) if part.progress == "now"]
        assert marked == [PARTS[action.verb]] if action.verb in PARTS else not marked
    assert game.table.state.auction is not None or (asking.current is not None and asking.current.leads_to(action))


async def play(config: TableConfig, seed: int) -> Counter[str]:
    """Play a whole game in which the player presses only Enter. Return how often each action was made."""
    session = FakeSession(
        seed=seed, config=config, names=("Al", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Ivo", "Lea")
    )
    game, done = Game(session, load("en")), Counter[str]()
    while session.full_state.phase != "over":
        while not session.queue.empty():
            game.take(session.queue.get_nowait())
        if not (choices := session.choices()):
            session._run()
            continue
        asking, bidding = Prompt(game.menu()), Bidding.of(choices)
        expected = chosen(session.seen, 0, choices)
        agree(game, asking, expected)
        action = enter(asking, bidding)
        assert action == expected
        loses_nothing(action, choices)
        done[action.verb] += 1
        await session.act(action)
        assert done.total() < 2000
    return done


@pytest.mark.parametrize("edition", ["2016", "dark_city"])
async def test_player_who_presses_only_enter_finishes_without_a_loss(edition: str) -> None:
    done = await play(Tables((edition,)).draw(random.Random(5), 5), 5)
    assert done["build"]
    assert done["end"]


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
async def test_enter_alone_plays_any_options_without_a_loss(edition: str) -> None:
    """This is checked for every number of players. Games with a common city take long."""
    done, dice, tables = Counter[str](), random.Random(7), Tables((edition,))
    for seed, players in enumerate(list(tables.known[0].players) * (1 if edition == "citta_comune" else 2)):
        done += await play(tables.draw(dice, players), seed)
    assert done["build"] > 70


@pytest.mark.parametrize("edition", EDITIONS)
def test_game_in_which_all_players_press_only_enter_ends(edition: str) -> None:
    game, moves = Play(new_table(TableConfig(4, (), (), edition=edition)), Dice(4)), 0
    while not game.over:
        game.step(lambda seat, choices: chosen(view(game.state, seat), seat, choices))
        moves += 1
        assert moves < 3000


def chosen(seen: State, seat: int, choices: Sequence[Choice]) -> Action:
    found = preselect(seen, seat, choices)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "size"), [("2016", (80, 24)), ("citta_comune", (120, 40))])
async def test_screen_preselects_one_move_at_each_step(edition: str, size: tuple[int, int]) -> None:
    """Enter alone plays each step, and the header marks the step of the turn to which the move under the
    cursor belongs."""
    session = FakeSession(seed=3, config=TableConfig(4, (), (), edition=edition))
    marked = 0
    async with make(Place(session)).run_test(size=size) as pilot:
        for _ in range(2000):
            await settle(pilot)
            if session.full_state.phase == "over":
                break
            assert isinstance(pilot.app.screen, TableScreen)
            asking = panel(pilot).asking
            if asking.current is not None and not asking.begun and session.state is not None and session.seen.turn:
                header = pilot.app.screen.query_one(TurnBar).drawing.lines
                spans = [(line.plain, span) for line in header for span in line.spans if span.style == NOW]
                inverse = [plain[span.start : span.end] for plain, span in spans]
                steps = re.findall(r"^ (?:\d|✓) (?:E )?(\w+)", "\n".join(inverse), re.MULTILINE)
                part = PARTS.get(asking.current.verb)
                assert steps == ([part] if part else []), (steps, asking.current)
                assert sum("►" in line for line in shown(pilot.app)) == 1
                marked += 1
            await pilot.press("enter")
        assert session.full_state.phase == "over"
    assert marked > 20
    assert not [line for line in session.acted if line.split()[0] in LOSING]
    assert "end" in session.acted


async def test_covered_hand_has_no_preselected_move() -> None:
    game = Game(FakeSession(seed=2), load("en"))
    assert game.preselected is not None
    game.hidden = True
    assert game.preselected is None


# The rules, one by one


def asked(edition: str, player: Player, turn: Turn, *steps: Step, others: Iterable[Player] = ()) -> State:
    """Return a state in which seat 0 must decide."""
    others = list(others) or [Player(3, ["tavern"]) for _ in range(3)]
    state = new_table(TableConfig(len(others) + 1, edition=edition))
    state.players = [player, *others]
    state.phase, state.turn, state.steps = "turns", turn, list(steps)
    state.crown = 1
    return state


def move(state: State, choices: Sequence[Choice] | None = None) -> str:
    """Return the preselected move in notation, after checking that the cursor of the question is on it."""
    choices = decisions(state)[0] if choices is None else choices
    action = chosen(state, 0, choices)
    asking = Prompt(lettered_menu(load("en"), state, 0, ("Ada", "Bo", "Cy", "Di"), choices))
    if state.auction is None:
        assert enter(asking) == action
    return str(action)


@pytest.mark.parametrize(
    ("hand", "gold", "expected"),
    [
        ([], 16, "gather cards"),
        (["temple"], 16, "gather cards"),
        (["palace"], 0, "gather cards"),
        (["palace"], 3, "gather gold"),
        (["market"], 1, "gather gold"),
        (["market", "castle"], 3, "gather gold"),
        (["market", "castle"], 6, "gather cards"),
    ],
)
def test_preselected_gathering_takes_cards_if_no_build_is_near_else_gold(
    hand: list[str], gold: int, expected: str
) -> None:
    player = Player(gold, hand, [District("temple", 1)], revealed=["warlord"])
    assert move(asked("2016", player, Turn(0, "warlord"))) == expected


def test_preselected_turn_collects_free_income_gathers_builds_and_ends() -> None:
    player = Player(2, ["tavern", "castle"], [District("docks", 3)], revealed=["merchant"])
    state = asked("2016", player, Turn(0, "merchant"))
    done = []
    table = Play(state, Dice(1))
    while table.state.turn is not None and table.state.turn.seat == 0:
        done.append(move(table.state))
        table.say(0, done[-1])
    assert [line.split()[0] for line in done] == ["income", "bonus", "gather", "build", "end"]


IDLE: Final = (Player(0, ["tavern"]), Player(), Player())
TURNS: Final[Mapping[str, tuple[str, Player, Turn, Sequence[Player]]]] = {
    "end": ("2016", Player(revealed=["magician"]), Turn(0, "magician", gathered=True), IDLE),
    "build castle": ("2016", Player(5, ["tavern", "castle"], revealed=["warlord"]),
                     Turn(0, "warlord", gathered=True), (Player(0, [], [District("temple", 1)]), *IDLE[1:])),
    "crown c taking card": ("2016", Player(1, revealed=["emperor"]), Turn(0, "emperor", gathered=True), (
        Player(1, [], [District("temple", 1)]), Player(1, ["tavern"]), Player(1, [], [District("temple", 1)]))),
}  # fmt: skip


@pytest.mark.parametrize("expected", TURNS)
def test_optional_attack_is_not_preselected(expected: str) -> None:
    edition, player, turn, others = TURNS[expected]
    state = asked(edition, player, turn, others=others)
    assert len(decisions(state)[0]) > 1
    assert move(state) == expected
    if expected.startswith("build"):
        player.hand = []
        assert "destroy" in {choice.verb for choice in decisions(state)[0]}
        assert move(state) == "end"


def test_sale_after_building_is_not_preselected_in_a_common_city() -> None:
    player = Player(9, ["tavern", "castle"], [District("docks", 3)], revealed=["merchant"])
    state = asked("citta_comune", player, Turn(0, "merchant", gathered=True, builds=1, used=["bonus", "income"]))
    assert {"sell", "offer", "end"} <= {choice.verb for choice in decisions(state)[0]}
    assert move(state) == "end"


def test_preselected_witch_target_may_be_in_play() -> None:
    player = Player(0, [], [District("docks", 3)], revealed=["witch"])
    state = asked("2016", player, Turn(0, "witch", gathered=True, bound=True))
    state.cast = ("witch", "thief", "magician", "king", "bishop", "merchant", "navigator", "warlord")
    assert move(state) == "bewitch merchant"
    state.faceup = ["merchant"]
    assert move(state) != "bewitch merchant"


@pytest.mark.parametrize(
    ("edition", "step", "expected"),
    [
        ("2016", Step("bribe", 0, other=1), "bribe no"),
        ("2016", Step("theater", 0), "theater none"),
        ("classic", Step("graveyard", 0, card="market"), "graveyard no"),
        ("dark_city", Step("thank", 0), "thank yes"),
        ("dark_city", Step("bell_tower", 0), "bell_tower no"),
        ("dark_city", Step("tribute", 0, other=1), "tribute temple"),
        ("2016", Step("keep", 0, ("castle", "market", "temple"), why="gather"), "keep market"),
        ("dark_city", Step("lighthouse", 0, ("castle", "market", "temple")), "lighthouse market"),
        ("2016", Step("take", 0, ("castle", "market"), other=1), "take market"),
        ("2016", Step("give", 0, others=(1, 2)), "give b=temple c=palace"),
    ],
)
def test_preselected_answer_costs_nothing(edition: str, step: Step, expected: str) -> None:
    player = Player(4, ["temple", "palace", "tavern"], [District("temple", 1)], concealed=["king"])
    assert move(asked(edition, player, Turn(0, "merchant"), step)) == expected


def test_preselected_pick_is_the_best_paid_character_that_builds() -> None:
    player = Player(2, ["tavern"], [District("docks", 3), District("market", 2), District("temple", 1)])
    state = asked("2016", player, Turn(1, "king"), Step("pick", 0, ("thief", "merchant", "bishop", "navigator")))
    picks = [Pick(key) for key in ("thief", "merchant", "bishop", "navigator")]
    assert move(state, picks) == "pick merchant"
    assert move(state, [Pick("thief"), Pick("navigator")]) == "pick thief"


def test_passing_in_an_auction_is_preselected_until_a_bid_is_typed() -> None:
    bidding = Bidding.of([Bid(3), Bid(4), PassBid()])
    assert bidding is not None
    assert bidding.confirm() == PassBid()
    bidding.raise_by(1)
    assert bidding.confirm() == Bid(3)
    bidding.raise_by(-1)
    assert bidding.confirm() == PassBid()


def test_every_action_is_classified_as_harmless_or_losing() -> None:
    from citadels_lan.engine import EDITIONS as ALL

    for edition in ALL.values():
        rules = [*edition.by_action.values()]
        rules += [rule for answers in edition.answers.values() for rule in answers.values()]
        rules += [rule for ability in edition.abilities.values() for rule in ability.rules]
        assert {rule.action.verb for rule in rules} <= LOSING ^ HARMLESS
    assert set(ANSWERS) <= {verb for edition in ALL.values() for verb in edition.answers}
