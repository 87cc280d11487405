"""Whether a table's draft is sealed: chosen by its owner, shown to everybody, and asked of the host."""

import pytest

from citadels_lan.engine import EDITIONS, Unplayable
from citadels_lan.net.wire.errors import Rejected
from citadels_lan.net.wire.messages import Settings
from citadels_lan.presenter.error_messages import because
from citadels_lan.presenter.launcher import Place, TableOptions
from citadels_lan.presenter.plan import COSTS, GIVES, SEALED_SHORT, Plan, heading, sealed_draft
from citadels_lan.texts import load
from citadels_lan.ui.widgets.page import PageScreen
from tests.effort import one_case
from tests.facts import first_game
from tests.presenter.test_plan import said

from .fake import INVITATION, FakeLauncher, FakeLobby
from .keys import press, settle
from .pictures import compare, notified, shown, text
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
def test_other_choices_keep_the_draft(key: str) -> None:
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


def test_advantages_and_costs_are_explained() -> None:
    sealed, opened = SEALED.config, first_game(4)
    assert sealed_draft(EN, Settings(opened, 2)) == ""
    assert sealed_draft(EN, Settings(sealed)) == f"{GIVES} {COSTS}"
    assert sealed_draft(EN, Settings(sealed, 2)).endswith(
        "The host's computer knows the characters of its own bots."
    )
    assert sealed_draft(IT, Settings(sealed)).startswith("Selezione segreta: nessun computer, neppure")


async def test_host_seals_and_opens_the_draft_with_a_key() -> None:
    session = FakeLobby(4)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "d")
        assert session.settings.config == SEALED.config
        assert "D The draft                 sealed" in text(pilot)
        assert "no computer, not even the host's" in text(pilot)
        beside = " ".join(" ".join(line[:66] for line in shown(pilot.app)).split())
        assert COSTS in beside
        await press(pilot, "D")
        assert session.settings.config == first_game(4)
        assert "D The draft                 open" in text(pilot)
        assert "nobody, not even" not in text(pilot)


async def test_pictures_of_a_lobby_with_a_sealed_draft() -> None:
    session = FakeLobby(5)
    session.settings = Settings(SEALED.for_players(5).config, 4)
    async with make(Place(session, INVITATION)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await compare(pilot.app, "lobby-sealed-80x24-en")
        await press(pilot, "L")
        await compare(pilot.app, "lobby-sealed-80x24-it")


@one_case("owner", [True, False])
async def test_low_screen_shows_the_short_sentence(owner: bool) -> None:
    session = FakeLobby(5)
    session.owner, session.settings = owner, Settings(SEALED.for_players(5).config, 4)
    async with make(Place(session, INVITATION if owner else None)).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert EN.say(SEALED_SHORT) in " ".join(text(pilot).split())
        await press(pilot, "L")
        assert IT.say(SEALED_SHORT) in " ".join(text(pilot).split())
        session.settings = Settings(first_game(5), 4)
        await pilot.resize_terminal(80, 25)
        await settle(pilot)
        assert IT.say(SEALED_SHORT) not in " ".join(text(pilot).split())


async def test_refusal_is_shown_and_the_draft_stays_open() -> None:
    shared = FakeLobby(4)
    shared.settings = Settings(SEALED.in_edition("citta_comune").config)
    for session in (shared, Refusing(4)):
        async with make(Place(session)).run_test(size=(120, 40)) as pilot:
            await settle(pilot)
            await press(pilot, "d")
            assert session.settings.config.draft == "open"
            assert because(EN, "no_draft", {}) in notified(pilot.app)
            assert ("The draft" in text(pilot)) is (session is not shared)


async def test_guest_reads_the_explanation() -> None:
    session = FakeLobby(4)
    session.owner, session.settings = False, Settings(SEALED.config)
    async with make(Place(session)).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "The draft: sealed" in text(pilot)
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, PageScreen)
        assert "no computer, not even the host's" in text(pilot)
        await press(pilot, "d")
        assert not isinstance(pilot.app.screen, PageScreen)
        assert session.settings.config == SEALED.config


@pytest.mark.slow
async def test_draft_is_sealed_in_the_options_and_in_the_setup() -> None:
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


def test_draft_is_sealed_in_lines() -> None:
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
