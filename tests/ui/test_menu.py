"""The tree of choices: complete, short lists, nothing that is then refused, in games with every card."""

import random
from collections.abc import Iterator

import pytest

from citadels_lan.engine import Action, Deal, actions, expand, new_table, refusal
from citadels_lan.texts import load
from citadels_lan.ui.asking import Asking
from citadels_lan.ui.menu import LONGEST, Item, Menu, about, menu
from tests.facts import first_game

from .fake import FakeSession


def leaves(items: tuple[Item, ...]) -> Iterator[Item]:
    for item in items:
        yield from leaves(item.items) if item.items else (item,)


def lists(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    yield items
    for item in items:
        if item.items:
            yield from lists(item.items)


def the_menu(session: FakeSession, language: str) -> Menu:
    assert session.state is not None
    return menu(load(language), session.state, 0, session.names, session.choices())


def reach(asking: Asking, dice: random.Random) -> Action:
    """Choose at random with the keys there are, until an action comes of it."""
    for _ in range(50):
        if asking.selection:
            tick(asking, dice)
        else:
            asking.point(dice.choice([n for n, item in enumerate(asking.items) if item.open]))
        action = asking.confirm()
        if action is not None:
            return action
    raise AssertionError("no action after fifty keys")


def tick(asking: Asking, dice: random.Random) -> None:
    """Tick as many cards as may be."""
    selection = asking.selection
    assert selection is not None
    least, most = selection.sizes
    for place in dice.sample(range(asking.length), min(dice.randint(least, most), asking.length)):
        asking.point(place)
        asking.tick()


@pytest.mark.parametrize("players", range(2, 9))
async def test_random_games_through_the_tree(players: int) -> None:
    dice = random.Random(players)
    for seed in range(2):
        session = FakeSession(players, seed, scenario="random")
        for _ in range(400):
            if not session.choices():
                break
            here = the_menu(session, dice.choice(("en", "it")))
            check(session, here)
            asking = Asking(here)
            end = here.end.choice if here.end else None
            open_items = any(item.open for item in here.items)
            if isinstance(end, Action) and (not open_items or dice.random() < 0.2):
                action: Action | None = end
            else:
                action = reach(asking, dice)
            assert action is not None
            assert session.state is not None
            assert refusal(session.state, 0, action) is None
            await session.act(action)
        assert session.table.phase == "over"


def check(session: FakeSession, here: Menu) -> None:
    """Every legal choice is in the tree once, everything else has a reason, and no list is too long."""
    found = [item.choice for item in leaves(here.items) if item.choice is not None]
    if here.end is not None and here.end.choice is not None:
        found.append(here.end.choice)
    assert sorted(map(name, found)) == sorted(map(name, session.choices()))
    for item in (item for shown in lists(here.items) for item in shown):
        assert item.label
        assert item.open or item.why, item.label
    hand = len(session.table.players[0].hand)
    for shown in lists(here.items):
        assert sum(item.open for item in shown) <= max(LONGEST + 4, hand), [item.label for item in shown]


def name(choice: object) -> str:
    return repr((choice.verb, choice.pool, choice.sizes)) if isinstance(choice, Deal) else str(choice)


async def test_a_turn_is_never_ended_by_confirming() -> None:
    session = FakeSession(4, 3)
    for _ in range(60):
        if not session.choices():
            break
        asking = Asking(the_menu(session, "en"))
        for _ in range(5):
            action = asking.confirm()
            assert action is None or action.verb != "end"
        await session.act(next(expand(session.choices())))


def test_ending_asks_only_when_something_useful_is_left() -> None:
    from citadels_lan.engine.actions import End

    end = Item("End the turn", "end", End())
    asking = Asking(Menu((), end, ("income",)))
    assert asking.end() is None
    assert asking.ending
    assert asking.end() == End()
    assert Asking(Menu((), end, ())).end() == End()


def test_a_refusal_names_a_card_once() -> None:
    item = Item("Keep (Bruno)", "destroy", why="Rank 8 can never touch this district: Keep.")
    assert item.barred == "Keep (Bruno): Rank 8 can never touch this district."
    assert Item("Market", "build", why="1 gold short.").barred == "Market: 1 gold short."
    group = Item("Build", "build", why="Market: It already stands in your city.")
    assert group.barred == "Build: Market: It already stands in your city."


def test_an_answer_is_explained_by_whoever_asks() -> None:
    state = new_table(first_game(4))
    assert [about(state, answer) for answer in (actions.Bribe(True), actions.Reveal(False))] == ["blackmailer"] * 2
    assert about(state, actions.Confiscate(True)) == "magistrate"
