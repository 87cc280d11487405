"""The menu of choices in random games with all cards: it is complete, its lists are short, and the engine
accepts each choice."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from citadels_lan.engine import Action, Choice, Deal, State, TableConfig, actions, decisions, new_table, refusal
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.notation import Spot
from citadels_lan.engine.state import District, Player, Step, Turn
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.prompt.keys import about
from citadels_lan.presenter.prompt.menu import LONGEST, Item, Menu
from citadels_lan.presenter.prompt.prompt import Prompt
from citadels_lan.presenter.prompt.typed import not_offered
from citadels_lan.texts import load
from citadels_lan.texts.moves import describe
from citadels_lan.ui.screens.table import TableScreen
from tests.effort import one_case, quick
from tests.facts import CHARACTERS, first_game
from tests.ui.keys import lettered_menu

from .fake import FakeSession
from .keys import panel
from .pictures import notified
from .test_pictures import at_table


def leaves(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        yield from leaves(item.items) if item.items else (item,)


def lists(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    yield items
    for item in items:
        if item.items:
            yield from lists(item.items)


def the_menu(session: FakeSession, language: str) -> Menu:
    return lettered_menu(load(language), session.seen, 0, session.names, session.choices())


def reach(asking: Prompt, dice: random.Random) -> Action:
    """Press random keys of the question until they give an action, and return it."""
    for _ in range(50):
        if asking.at.selection:
            tick(asking, dice)
        else:
            asking.point(dice.choice([n for n, item in enumerate(asking.items) if item.open]))
        action = asking.confirm()
        if action is not None:
            return action
    raise AssertionError("no action after fifty keys")


def tick(asking: Prompt, dice: random.Random) -> None:
    """Select as many cards as possible at random."""
    selection = asking.at.selection
    assert selection is not None
    least, most = selection.sizes
    for place in dice.sample(range(asking.length), min(dice.randint(least, most), asking.length)):
        asking.point(place)
        asking.tick()


@pytest.mark.parametrize("players", quick(range(2, 9), 2))
async def test_random_games_can_be_played_through_the_menu(players: int) -> None:
    dice = random.Random(players)
    for seed in range(2):
        session = FakeSession(players, seed, scenario="random")
        for _ in range(400):
            if not session.choices():
                break
            here = the_menu(session, dice.choice(("en", "it")))
            check(session, here)
            asking = Prompt(here)
            end = here.end.choice if here.end else None
            open_items = any(item.open for item in here.items)
            if isinstance(end, Action) and (not open_items or dice.random() < 0.2):
                action: Action | None = end
            else:
                action = reach(asking, dice)
            assert action is not None
            assert refusal(session.seen, 0, action) is None
            await session.act(action)
        assert session.full_state.phase == "over"


def check(session: FakeSession, here: Menu) -> None:
    """Check that every legal choice is in the menu once, that every other item has a reason, and that no list
    is too long."""
    found = [item.choice for item in leaves(here.items) if item.choice is not None]
    if here.preselected in found and here.preselected not in session.choices():  # one of the ways of a Deal
        found.remove(here.preselected)
    if here.end is not None and here.end.choice is not None:
        found.append(here.end.choice)
    assert sorted(map(name, found)) == sorted(map(name, session.choices()))
    for item in (item for listed in lists(here.items) for item in listed):
        assert item.label
        assert item.open or item.why, item.label
    hand = len(session.full_state.players[0].hand)
    for listed in lists(here.items):
        assert sum(item.open for item in listed) <= max(LONGEST + 4, hand), [item.label for item in listed]


def name(choice: object) -> str:
    return repr((choice.verb, choice.pool, choice.sizes)) if isinstance(choice, Deal) else str(choice)


def turn_of(player: Player, character: str, *cities: list[District], edition: str = "2016", **turn: Any) -> State:
    """Return the state in a turn of `player` as `character`. `cities` are the cities of the other players."""
    state = new_table(TableConfig(2, edition=edition))
    player.revealed = [character]
    state.players = [player, *(Player(0, [], city) for city in cities or ([],))]
    state.phase, state.turn = "turns", Turn(0, character, **turn)
    return state


def items_of(state: State, language: str = "en") -> Sequence[Item]:
    return lettered_menu(load(language), state, 0, ("Anna", "Bruno"), decisions(state)[0]).items


@pytest.mark.parametrize(("edition", "first"), [("classic", "build"), ("2016", "destroy")])
def test_ability_that_ends_the_turn_is_listed_last(edition: str, first: str) -> None:
    state = turn_of(Player(6, ["manor"]), "warlord", [District("temple", 1)], edition=edition, gathered=True)
    assert next(item.verb for item in items_of(state) if item.open) == first


TEMPLE = District("temple", 1)
DEAR = [District("manor", 3), District("castle", 4)]
ARMED = [District("harbor", 4), District("armory", 3), TEMPLE]
GIVEN_UP = "After this ability you can only end the turn."
BARRED: Sequence[tuple[State, str, Sequence[str]]] = (
    (turn_of(Player(2, ["castle", "manor"], [TEMPLE]), "king", gathered=True), "build",
     ["Castle: 2 gold short.", "Manor: 1 gold short."]),
    (turn_of(Player(2, ["manor", "temple"], [TEMPLE]), "king", gathered=True), "build",
     ["Manor: 1 gold short.", "Temple: Your city already has."]),
    (turn_of(Player(2, ["manor", "manor"], [TEMPLE]), "king", gathered=True), "build", ["Build: 1 gold short."]),
    (turn_of(Player(6, ["manor"]), "diplomat", edition="dark_city", gathered=True, used=["exchange"]), "",
     [f"Collect income: {GIVEN_UP}", f"Build: {GIVEN_UP}"]),
    (turn_of(Player(1, [], [TEMPLE]), "warlord", DEAR, gathered=True), "destroy",
     ["Bruno: At least 1 gold short."]),
    (turn_of(Player(1, [], ARMED), "king", [District("manor", 3)], edition="dark_city", gathered=True), "armory",
     ["Anna: Choose a district in another player's city."]),
)  # fmt: skip


@one_case(("state", "verb", "reasons"), BARRED)
def test_unavailable_items_give_each_reason_once(state: State, verb: str, reasons: Sequence[str]) -> None:
    listed = [item for item in items_of(state) if verb in ("", item.verb)]
    barred = [item.barred for top in listed for item in top.items or (top,) if not item.open]
    assert barred == list(reasons)


def test_reason_names_the_card_once() -> None:
    item = Item("Keep (Bruno)", "destroy", why="Rank 8 can never use its ability on this district: Keep.")
    assert item.barred == "Keep (Bruno): Rank 8 can never use its ability on this district."
    assert Item("Market", "build", why="1 gold short.").barred == "Market: 1 gold short."
    group = Item("Build", "build", why="Market: Your city already has.")
    assert group.barred == "Build: Market: Your city already has."


def test_keeping_two_cards_is_one_choice() -> None:
    state = turn_of(Player(0, [], [District("library", 6)]), "king")
    state.steps = [Step("keep", 0, ("keep", "temple"), why="gather")]
    items = items_of(state)
    assert [item.label for item in items] == ["Keep Temple (1)", "Keep Keep (3)", "Keep Keep (3) and Temple (1)"]
    assert len({item.keys for item in items if item.choice is not None}) == len(items)


@one_case(
    ("choice", "card"),
    [
        (actions.Keep(("fortress",)), "fortress"), (actions.Keep(("keep",)), "keep"),
        (actions.Keep(("fortress", "market")), ""), (actions.Theater(2), "theater"),
        (actions.Theater(None), "theater"), (actions.Smithy(), "smithy"),
        (actions.Destroy(Spot("keep", 1)), "keep"), (actions.Armory(Spot("keep", 1)), "keep"),
        (actions.Laboratory("market"), "market"), (actions.Museum("castle"), "castle"),
        (actions.Gather("gold"), ""), (actions.End(), ""), (actions.Bribe(True), "blackmailer"),
        (actions.Reveal(False), "blackmailer"), (actions.Confiscate(True), "magistrate"),
    ],
)  # fmt: skip
def test_choice_is_explained_by_its_card_or_ability(choice: Action, card: str) -> None:
    assert about(new_table(first_game(4)), choice) == card


def test_group_is_explained_by_the_card_in_its_name() -> None:
    view = named_by("magistrate")
    marks = [actions.Warrant(("king", *two), "king") for two in combinations(OTHERS, 2)]
    marks += [actions.Warrant(("bishop", *two), "bishop") for two in combinations(OTHERS[1:], 2)]
    group = next(item for item in lettered_menu(load("en"), view, 0, NAMES, marks).items if item.verb == "warrant")
    assert [(item.label, item.about) for item in group.items] == [("King…", "king"), ("Bishop…", "bishop")]


# Characters that were discarded face up

NAMES = ("Ada", "Bruno", "Chiara", "Dario")

OTHERS = ("bishop", "merchant", "architect", "warlord", "magician")
CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


def named_by(character: str, *faceup: str, cast: Sequence[str] = CAST) -> State:
    """Return the state in a turn of `character`, with the characters `faceup` discarded face up."""
    return State(
        edition="2016", cast=tuple(cast), districts=(), players=[Player() for _ in range(4)], deck=[], round=1,
        phase="turns", turn=Turn(0, character, gathered=True), faceup=list(faceup),
    )  # fmt: skip


def warrants(view: State) -> list[Choice]:
    return [choice for choice in decisions(view)[0] if isinstance(choice, Deal) and choice.verb == "warrant"]


@one_case(("language", "mark"), [("en", "(discarded)"), ("it", "(scartato)")])
@pytest.mark.parametrize("kind", [actions.Kill, actions.Bewitch, actions.Rob])
def test_cursor_skips_characters_out_of_play(language: str, mark: str, kind: type[OfCharacter]) -> None:
    first, second, *_ = in_order = sorted(OTHERS, key=CAST.index)
    view = named_by("assassin", first)
    here = lettered_menu(load(language), view, 0, NAMES, [kind(key) for key in OTHERS])
    (group,) = [item for item in here.items if item.verb == kind.verb]
    assert [mark in item.label for item in group.items if item.open] == [key == first for key in in_order]
    asking = Prompt(Menu(group.items, out=here.out))
    assert asking.current is not None
    assert asking.current.choice == kind(second), "the cursor begins on somebody who may be there"
    asking.point(0)
    assert asking.confirm() == kind(first), "it stays legal"


@pytest.mark.parametrize("kind", [actions.Warrant, actions.Threaten])
def test_warrant_label_marks_discarded_characters(kind: type[actions.Marks]) -> None:
    view = named_by("magistrate", "king")
    label = describe(load("en"), kind(("king", "bishop"), "king"), view, 0, ())
    assert "King (discarded)" in label
    assert "Bishop (out" not in label
    assert "King (discarded)" in describe(load("en"), kind(("bishop", "king"), "bishop"), view, 0, ())


def test_cursor_of_a_card_selection_starts_at_a_character_in_play() -> None:
    view = named_by("magistrate", "thief", cast=("magistrate", *CAST[1:]))
    asking = Prompt(lettered_menu(load("en"), view, 0, NAMES, warrants(view)))
    asking.confirm()
    assert asking.at.selection is not None
    pool = asking.at.selection.deal.pool
    assert [pool[0], pool[asking.cursor]] == ["thief", "magician"]
    asking.point(0)
    asking.confirm()
    assert asking.at.selection.part == 1
    assert [pool[place] for place in asking.at.selection.chosen[0]] == ["thief"], "it stays legal"


DIGITS = "123456789"


async def asked(edition: str, verb: str) -> tuple[FakeSession, Game, Prompt]:
    """Play until the player can choose a character with this verb, and open that list."""
    for seed in range(1, 9):
        session = FakeSession(seed=seed, config=TableConfig(5, (), (), edition=edition))
        game = Game(session, load("en"))
        while session.choices():
            asking = Prompt(game.menu())
            if verb == "pick" and session.choices()[0].verb == "pick":
                return session, game, asking
            lines = [number for number, item in enumerate(asking.items) if item.verb == verb and item.open]
            if lines:
                asking.point(lines[0])
                asking.open()
                return session, game, asking
            await session.act(session.sampled())
    raise AssertionError(f"never asked to {verb}")


async def test_reason_for_an_unavailable_character_comes_from_the_rules() -> None:
    session, game, asking = await asked("classic", "rob")
    said = not_offered(game.texts, session.seen, 0, asking, "2")
    assert said == "Choose a character other than your own."
    assert not_offered(game.texts, session.seen, 0, asking, "9") == "No character of this game has rank 9."


async def test_digit_chooses_no_character_when_killing() -> None:
    session, game, _ = await asked("classic", "kill")
    asking = Prompt(game.menu())
    assert not any(item.about in CHARACTERS for item in asking.items if item.keys[:1].isdigit())
    assert not_offered(game.texts, session.seen, 0, asking, "8") == ""


@pytest.mark.parametrize("covered", [False, True])
async def test_digit_without_a_choice_opens_no_page(covered: bool) -> None:
    async with at_table(FakeSession(4, 3)) as (_session, pilot):
        wrong = next(key for key in "12345678" if panel(pilot).asking.line(key) is None)
        if covered:
            await pilot.press("H")
        await pilot.press(wrong)
        assert isinstance(pilot.app.screen, TableScreen)
        assert ("is not one of your choices" in notified(pilot.app)) is not covered
