"""The tree of choices: complete, short lists, nothing that is then refused, in games with every card."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from rich.cells import cell_len

from citadels_lan.engine import (
    Action,
    Choice,
    Deal,
    State,
    TableConfig,
    actions,
    decisions,
    expand,
    new_table,
    refusal,
)
from citadels_lan.engine.action import OfCharacter
from citadels_lan.engine.spots import Spot
from citadels_lan.engine.state import District, Player, Step, Turn
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import ASCII
from citadels_lan.front.prompt.keys import about
from citadels_lan.front.prompt.menu import LONGEST, Item, Menu
from citadels_lan.front.prompt.prompt import Prompt
from citadels_lan.plain import lines as plain_lines
from citadels_lan.texts import load
from citadels_lan.texts.choices import describe
from citadels_lan.ui.table.question import QuestionPanel
from citadels_lan.ui.table.scene import Scene
from citadels_lan.ui.widgets.look import DARK, Look
from tests.effort import one_case, quick
from tests.facts import CHARACTERS, first_game
from tests.ui.keys import lettered_menu

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
    return lettered_menu(load(language), session.state, 0, session.names, session.choices())


def reach(asking: Prompt, dice: random.Random) -> Action:
    """Choose at random with the keys there are, until an action comes of it."""
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
    """Tick as many cards as may be."""
    selection = asking.at.selection
    assert selection is not None
    least, most = selection.sizes
    for place in dice.sample(range(asking.length), min(dice.randint(least, most), asking.length)):
        asking.point(place)
        asking.tick()


@pytest.mark.parametrize("players", quick(range(2, 9), 2))
async def test_random_games_through_the_tree(players: int) -> None:
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
            assert session.state is not None
            assert refusal(session.state, 0, action) is None
            await session.act(action)
        assert session.full_state.phase == "over"


def check(session: FakeSession, here: Menu) -> None:
    """Every legal choice is in the tree once, everything else has a reason, and no list is too long."""
    found = [item.choice for item in leaves(here.items) if item.choice is not None]
    if here.preselected in found and here.preselected not in session.choices():  # one of the ways of a Deal
        found.remove(here.preselected)
    if here.end is not None and here.end.choice is not None:
        found.append(here.end.choice)
    assert sorted(map(name, found)) == sorted(map(name, session.choices()))
    for item in (item for shown in lists(here.items) for item in shown):
        assert item.label
        assert item.open or item.why, item.label
    hand = len(session.full_state.players[0].hand)
    for shown in lists(here.items):
        assert sum(item.open for item in shown) <= max(LONGEST + 4, hand), [item.label for item in shown]


def name(choice: object) -> str:
    return repr((choice.verb, choice.pool, choice.sizes)) if isinstance(choice, Deal) else str(choice)


def test_ending_asks_only_when_something_useful_is_left() -> None:
    from citadels_lan.engine.actions import End

    end = Item("End the turn", "end", End())
    asking = Prompt(Menu((), end, ("income",)))
    assert asking.end() is None
    assert asking.at.ending
    assert asking.end() == End()
    asking = Prompt(Menu((), end, ("income",)))
    assert asking.confirm() is None
    assert asking.confirm() == End(), "Enter on the last line does the same"
    assert Prompt(Menu((), end, ())).end() == End()


@pytest.mark.parametrize(("edition", "first"), [("classic", "build"), ("2016", "destroy")])
def test_what_leaves_only_the_end_of_the_turn_stands_last(edition: str, first: str) -> None:
    state = new_table(TableConfig(2, edition=edition))
    state.players = [Player(6, ["manor"]), Player(0, [], [District("temple", 1)])]
    state.phase, state.turn = "turns", Turn(0, "warlord", gathered=True)
    state.players[0].revealed = ["warlord"]
    found = lettered_menu(load("en"), state, 0, ("Anna", "Bruno"), decisions(state)[0])
    assert next(item.verb for item in found.items if item.open) == first


def test_after_the_ability_that_ends_a_turn_only_what_was_given_up_is_barred() -> None:
    state = new_table(TableConfig(2, edition="dark_city"))
    state.players = [Player(6, ["manor"], revealed=["diplomat"]), Player(0, [], [District("temple", 1)])]
    state.phase, state.turn = "turns", Turn(0, "diplomat", gathered=True, used=["exchange"])
    found = lettered_menu(load("en"), state, 0, ("Anna", "Bruno"), decisions(state)[0])
    assert [item.barred for item in found.items] == [
        "Collect income: After this ability you can only end the turn.",
        "Build: After this ability you can only end the turn.",
    ]


def test_a_refusal_names_a_card_once() -> None:
    item = Item("Keep (Bruno)", "destroy", why="Rank 8 can never touch this district: Keep.")
    assert item.barred == "Keep (Bruno): Rank 8 can never touch this district."
    assert Item("Market", "build", why="1 gold short.").barred == "Market: 1 gold short."
    group = Item("Build", "build", why="Market: It already stands in your city.")
    assert group.barred == "Build: Market: It already stands in your city."


@one_case(
    ("hand", "said"),
    [
        (["castle", "manor"], ["Castle: 2 gold short.", "Manor: 1 gold short."]),
        (["manor", "temple"], ["Manor: 1 gold short.", "Temple: It already stands in your city."]),
        (["manor", "manor"], ["Build: 1 gold short."]),
    ],
)
def test_each_card_says_why_it_cannot_be_built_and_all_at_once_where_it_is_the_same(
    hand: list[str], said: list[str]
) -> None:
    state = new_table(TableConfig(2))
    state.players = [Player(2, hand, [District("temple", 1)], revealed=["king"]), Player()]
    state.phase, state.turn = "turns", Turn(0, "king", gathered=True)
    found = lettered_menu(load("en"), state, 0, ("Anna", "Bruno"), decisions(state)[0])
    assert [item.barred for item in found.items if item.verb == "build"] == said


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Anna: At least 1 gold short."), ("it", "Anna: Ti manca almeno 1 moneta d'oro.")],
)
def test_of_districts_that_are_all_too_dear_none_is_named_as_if_it_were_the_only_one(
    language: str, said: str
) -> None:
    state = new_table(TableConfig(2))
    city = [District("manor", 3), District("castle", 4)]
    state.players = [Player(1, [], [District("temple", 1)], revealed=["warlord"]), Player(0, [], city)]
    state.phase, state.turn = "turns", Turn(0, "warlord", gathered=True)
    found = lettered_menu(load(language), state, 0, ("Bruno", "Anna"), decisions(state)[0])
    destroy = next(item for item in found.items if item.verb == "destroy")
    assert next(item.barred for item in destroy.items if not item.open) == said


def test_the_own_city_is_refused_to_an_armory_for_others_with_one_reason() -> None:
    state = new_table(TableConfig(2, edition="dark_city"))
    own = [District("harbor", 4), District("armory", 3), District("temple", 1)]
    state.players = [Player(1, [], own, revealed=["king"]), Player(0, [], [District("manor", 3)])]
    state.phase, state.turn = "turns", Turn(0, "king", gathered=True)
    found = lettered_menu(load("en"), state, 0, ("Anna", "Bruno"), decisions(state)[0])
    armory = next(item for item in found.items if item.verb == "armory")
    barred = [item.barred for item in armory.items if not item.open]
    assert barred == ["Anna: Choose a district of another player's city."]


@pytest.mark.parametrize(
    ("drawn", "listed"),
    [
        (("keep", "temple"), ["Keep Temple (1)", "Keep Keep (3)", "Keep Keep (3) and Temple (1)"]),
        (("tavern", "tavern"), ["Keep Tavern (1)", "Keep Tavern (1) and Tavern (1)"]),
    ],
)
def test_cards_kept_together_stand_in_the_list_as_one_choice(drawn: tuple[str, ...], listed: list[str]) -> None:
    state = new_table(TableConfig(2))
    state.players = [Player(0, [], [District("library", 6)], revealed=["king"]), Player()]
    state.phase, state.turn = "turns", Turn(0, "king")
    state.steps = [Step("keep", 0, drawn, why="gather")]
    items = lettered_menu(load("en"), state, 0, ("Anna", "Bruno"), decisions(state)[0]).items
    assert [item.label for item in items] == listed
    assert all(item.choice is not None and item.keys for item in items)
    assert len({item.keys for item in items}) == len(items)


KEEP = "keep"
"""A district, and the verb of every "draw 2, keep one"."""


def explained(state: State, *choices: Action) -> list[str]:
    return [about(state, choice) for choice in choices]


def test_keeping_a_card_is_explained_by_that_card() -> None:
    state = new_table(first_game(4))
    assert explained(state, actions.Keep(("fortress",)), actions.Keep((KEEP,))) == ["fortress", KEEP]
    assert explained(state, actions.Keep(("fortress", "market"))) == [""]


def test_a_choice_is_explained_by_its_card_or_by_what_allows_it() -> None:
    state = new_table(first_game(4))
    assert explained(state, actions.Theater(2), actions.Theater(None), actions.Smithy()) == [
        "theater", "theater", "smithy",
    ]  # fmt: skip
    spot = Spot(KEEP, 1)
    assert explained(state, actions.Destroy(spot), actions.Armory(spot)) == [KEEP, KEEP]
    assert explained(state, actions.Laboratory("market"), actions.Museum("castle")) == ["market", "castle"]
    assert explained(state, actions.Gather("gold"), actions.End()) == ["", ""]


async def test_the_question_what_to_keep_explains_the_card_under_the_cursor() -> None:
    session = FakeSession(4, 3)
    kept = 0
    for _ in range(60):
        if not session.choices():
            break
        here = the_menu(session, "en")
        for item in leaves(here.items):
            if isinstance(item.choice, actions.Keep):
                assert item.about == item.choice.cards[0]
                kept += 1
        wanted = [action for action in expand(session.choices()) if action == actions.Gather("cards")]
        await session.act(next(iter(wanted), next(expand(session.choices()))))
    assert kept


def test_a_group_is_explained_by_the_card_that_it_is_named_after() -> None:
    view = named_by("magistrate")
    marks = [actions.Warrant(("king", *two), "king") for two in combinations(OTHERS, 2)]
    marks += [actions.Warrant(("bishop", *two), "bishop") for two in combinations(OTHERS[1:], 2)]
    group = next(item for item in lettered_menu(load("en"), view, 0, NAMES, marks).items if item.verb == "warrant")
    assert [(item.label, item.about) for item in group.items] == [("King…", "king"), ("Bishop…", "bishop")]


# Characters that lie face up out of play

NAMES = ("Ada", "Bruno", "Chiara", "Dario")

OTHERS = ("bishop", "merchant", "architect", "warlord", "magician")
CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
NAMING = {"assassin": "kill", "witch": "bewitch", "thief": "rob"}


def named_by(character: str, *faceup: str, cast: Sequence[str] = CAST) -> State:
    """The own turn as a character, with some characters face up out of play."""
    return State(
        edition="2016", cast=tuple(cast), districts=(), players=[Player() for _ in range(4)], deck=[], round=1,
        phase="turns", turn=Turn(0, character, gathered=True), faceup=list(faceup),
    )  # fmt: skip


def warrants(view: State) -> list[Choice]:
    return [choice for choice in decisions(view)[0] if isinstance(choice, Deal) and choice.verb == "warrant"]


@one_case(("language", "mark"), [("en", "(out of play)"), ("it", "(fuori gioco)")])
@pytest.mark.parametrize("kind", [actions.Kill, actions.Bewitch, actions.Rob])
def test_whoever_lies_face_up_is_marked_and_not_pointed_at(
    language: str, mark: str, kind: type[OfCharacter]
) -> None:
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


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_the_mark_has_room_beside_the_longest_name(language: str) -> None:
    texts = load(language)
    for key in CHARACTERS:
        for kind in (actions.Kill, actions.Bewitch, actions.Rob):
            label = describe(texts, kind(key), named_by("assassin", key), 0, ())
            assert cell_len(label) <= 80 * 5 // 9 - 5, "the panel of the smallest screen"


@pytest.mark.parametrize("kind", [actions.Warrant, actions.Threaten])
def test_markers_say_who_is_out_in_groups_and_labels(kind: type[actions.Marks]) -> None:
    view = named_by("magistrate", "king")
    label = describe(load("en"), kind(("king", "bishop"), "king"), view, 0, ())
    assert "King (out of play)" in label
    assert "Bishop (out" not in label
    assert "King (out of play)" in describe(load("en"), kind(("bishop", "king"), "bishop"), view, 0, ())


def test_cards_to_tick_begin_on_somebody_who_may_be_there() -> None:
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


@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_cards_to_tick_are_marked_on_the_screen_and_in_lines(language: str) -> None:
    session, texts = FakeSession(), load(language)
    view = named_by("magistrate", "thief", cast=("magistrate", *CAST[1:]))
    session.state, session.choices = view, lambda: warrants(view)  # type: ignore[method-assign]
    game = Game(session, texts)
    scene = Scene(view, 0, NAMES, texts, Look(DARK, ASCII))
    panel = QuestionPanel(lambda: 0.0)
    panel.show(scene, None)
    panel.ask(game.menu(), session.choices(), [], ())
    panel.asking.confirm()
    mark = "(out of play)" if language == "en" else "(fuori gioco)"
    drawn = [line.plain for line in panel.draw(44, 12).lines]
    for lines in (drawn, list(plain_lines.question_lines(texts, plain_lines.question(game, panel.asking)))):
        (marked,) = [line for line in lines if mark in line]
        assert texts.character("thief") in marked


def test_an_answer_is_explained_by_whoever_asks() -> None:
    state = new_table(first_game(4))
    assert [about(state, answer) for answer in (actions.Bribe(True), actions.Reveal(False))] == ["blackmailer"] * 2
    assert about(state, actions.Confiscate(True)) == "magistrate"
