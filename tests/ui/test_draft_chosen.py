"""Whether a table's draft is sealed: chosen by its owner, shown to everybody, and asked of the host."""

import pytest

from citadels_lan.engine import EDITIONS, Unplayable
from citadels_lan.front.failures import because
from citadels_lan.front.launcher import Place, TableOptions
from citadels_lan.front.plan import COSTS, GIVES, SEALED_SHORT, Plan, heading, sealed_draft
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import Texts, load
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case
from tests.facts import first_game
from tests.front.test_plan import said

from .fake import INVITATION, FakeLauncher, FakeLobby
from .keys import settle
from .pictures import compare, shown, text
from .test_lobby_screen import press
from .test_pictures import make

EN, IT = load("en"), load("it")
SEALED = Plan.of(first_game(4)).with_draft("sealed")


class Refusing(FakeLobby):
    """A host that cannot play a sealed draft."""

    async def configure(self, settings: Settings) -> None:
        if settings.config.draft == "sealed":
            raise Rejected("no_draft")
        await super().configure(settings)


@one_case("key", EDITIONS)
def test_a_plan_keeps_its_draft_whatever_else_is_chosen(key: str) -> None:
    plan = SEALED.in_edition(key)
    if not plan.drafts:
        assert plan.config.draft == "open"
        with pytest.raises(Unplayable, match="no_draft"):
            plan.with_draft("sealed")
        return
    assert plan.problem() is None
    others = [plan.more(1), plan.next_way(1), plan.next_way(2), plan.back()]
    others += [plan.next_value(name, 1) for name in plan.edition.options]
    others += [plan.draw_cast(), plan.draw_uniques()] if plan.chooses else []
    assert {other.config.draft for other in others} == {"sealed"}
    assert Plan.of(plan.config).config == plan.config
    assert plan.other_draft().config.draft == "open"
    assert heading(EN, plan).endswith(", sealed draft")
    assert "sealed" not in heading(EN, plan.other_draft())


def test_what_it_gives_and_costs_is_said_with_what_bots_give_away() -> None:
    sealed, opened = SEALED.config, first_game(4)
    assert sealed_draft(EN, Settings(opened, 2)) == ""
    assert sealed_draft(EN, Settings(sealed)) == f"{GIVES} {COSTS}"
    assert sealed_draft(EN, Settings(sealed, 2)).endswith("What the host's own bots hold, its machine knows.")
    assert sealed_draft(IT, Settings(sealed)).startswith("Selezione sigillata: nessuno, nemmeno")


async def test_the_owner_seals_the_draft_with_a_key_and_opens_it_again() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "d")
        assert session.settings.config == SEALED.config
        assert "D The draft                 sealed" in text(pilot)
        assert "nobody, not even the host's machine" in text(pilot)
        beside = " ".join(" ".join(line[:66] for line in shown(pilot.app)).split())
        assert COSTS in beside
        await press(pilot, "D")
        assert session.settings.config == first_game(4)
        assert "D The draft                 open" in text(pilot)
        assert "nobody, not even" not in text(pilot)


async def test_the_pictures_of_a_lobby_with_a_sealed_draft() -> None:
    session = FakeLobby(5)
    session.settings = Settings(SEALED.for_players(5).config, 4)
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await compare(pilot.app, "lobby-sealed-80x24-en")
        await press(pilot, "L")
        await compare(pilot.app, "lobby-sealed-80x24-it")


@one_case("owner", [True, False])
@pytest.mark.parametrize(("texts", "key"), [(EN, ""), (IT, "L")])
async def test_on_a_low_screen_what_it_gives_and_costs_is_seen_at_once(
    owner: bool, texts: Texts, key: str
) -> None:
    session = FakeLobby(5)
    session.owner, session.settings = owner, Settings(SEALED.for_players(5).config, 4)
    async with make(Place(session, INVITATION if owner else None)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        if key:
            await press(pilot, key)
        assert texts.say(SEALED_SHORT) in " ".join(text(pilot).split())
        session.settings = Settings(first_game(5), 4)
        await pilot.resize_terminal(80, 25)
        await settle(pilot)
        assert texts.say(SEALED_SHORT) not in " ".join(text(pilot).split())


async def test_a_host_that_cannot_says_so_and_the_draft_stays_open() -> None:
    session = Refusing(4)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "d")
        assert session.settings.config.draft == "open"
        assert because(EN, "no_draft", {}) in shown(pilot.app)[-1]


async def test_an_edition_without_a_draft_says_so() -> None:
    session = FakeLobby(4)
    session.settings = Settings(SEALED.in_edition("citta_comune").config)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "The draft" not in text(pilot)
        await press(pilot, "d")
        assert "This edition has no draft that could be sealed." in shown(pilot.app)[-1]


async def test_whoever_joins_reads_what_it_means() -> None:
    session = FakeLobby(4)
    session.owner, session.settings = False, Settings(SEALED.config)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "The draft: sealed" in text(pilot)
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "nobody, not even the host's machine" in text(pilot)
        await press(pilot, "d")
        assert not isinstance(pilot.app.screen, PageScreen)
        assert session.settings.config == SEALED.config


@pytest.mark.slow
async def test_in_the_screen_of_options_and_before_a_table_is_opened() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o", "up", "up", "right", "a")
        assert session.settings.config == SEALED.config
    launcher = FakeLauncher()
    async with make(launcher=launcher).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "o")
        assert "The draft" in text(pilot)
        row = next(line for line in shown(pilot.app) if "The draft" in line)
        await press(pilot, row.split()[0].lstrip("►"), "right", "1", "enter")
        opened = launcher.opened[0]
        assert isinstance(opened, TableOptions)
        assert opened.settings.config.draft == "sealed"


def test_in_lines() -> None:
    session = FakeLobby(4)
    told = said("draft\ndraft sealed\n", session)
    assert "Open draft: the host's machine knows every character" in told
    assert "draft sealed, draft open: whether the host's machine may know the characters" in told
    assert "4 players, sealed draft" in told
    assert GIVES in told
    assert session.settings.config == SEALED.config
    session = FakeLobby(4)
    session.settings = Settings(SEALED.config)
    said("selezione aperta\n", session, "it")
    assert session.settings.config == first_game(4)
    assert "The option draft cannot be half." in said("draft half\n", FakeLobby(4))
    session = FakeLobby(4)
    session.settings = Settings(SEALED.in_edition("citta_comune").config)
    assert "This edition has no draft that could be sealed." in said("draft sealed\n", session)
    refusing = Refusing(4)
    assert because(EN, "no_draft", {}) in said("draft sealed\n", refusing)
    assert refusing.settings.config == first_game(4)
