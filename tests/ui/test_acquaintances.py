"""Badges of players on screens and in line mode: known since a day, new, or a name that had another key
before."""

from datetime import date
from pathlib import Path

import pytest
from rich.cells import cell_len

from citadels_lan.crypto.log import Seated, SeatKind
from citadels_lan.crypto.words import key_words
from citadels_lan.line_mode import lines as plain_lines
from citadels_lan.net.wire.messages import Seat
from citadels_lan.people import PeopleFile, met, played
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.known_players import NOBODY, KnownPlayers, Reader, at_table, remember
from citadels_lan.presenter.launcher import Place
from citadels_lan.presenter.proof import Proof, check
from citadels_lan.texts import LANGUAGES, load
from citadels_lan.ui.screens.lobby import LobbyScreen
from tests.crypto.table import begin, player
from tests.effort import quick
from tests.line_mode.test_lines import run_lines

from .fake import FakeLobby
from .pictures import ending_lines, shown, the
from .test_pictures import make
from .test_pictures import played as played_game

DAY, TODAY = date(2026, 9, 23), date(2026, 12, 1)
OWN, FRIEND, STRANGER, NEWCOMER, BOT, OLD = (bytes([number]) * 32 for number in range(1, 7))
WIDE = "小林さん小林さん"
BADGES = {
    "en": ("known since 23 Sep 2026 · 7 games", "this name had another key before!", "new here"),
    "it": ("partite insieme dal 23 set 2026: 7", "questo nome prima aveva un'altra chiave!", "nuovo qui"),
}
LEAVE = {"en": "leave", "it": "esci"}
SEATS = [
    Seat("Ada", owner=True, key=OWN),
    Seat(WIDE, ready=True, key=FRIEND),
    Seat("Bruno", key=STRANGER),
    Seat("Chiara", key=NEWCOMER),
    Seat("Dario", SeatKind.BOT, ready=True, key=BOT),
]


@pytest.fixture
def known(tmp_path: Path) -> KnownPlayers:
    """Return a list of known players: a friend with seven games, and a player named Bruno with another key
    than now."""
    file = PeopleFile(tmp_path)
    file.change(lambda people: met(met(people, FRIEND, WIDE, DAY), OLD, "Bruno", DAY))
    for number in range(7):
        file.change(lambda people, n=number: played(people, [FRIEND], bytes([n]) * 16))  # type: ignore[misc]
    return at_table(tmp_path)


def lobby() -> FakeLobby:
    session = FakeLobby(6)
    session.names = [seat.name for seat in SEATS]
    session.lobby = list(SEATS)
    return session


def row(lines: list[str], name: str) -> str:
    (line,) = [line for line in lines if f" {name} " in line and line[1:3] in ("a ", "b ", "c ", "d ", "e ", "f ")]
    return line


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_lobby_shows_three_badges_and_one_warning(known: KnownPlayers, language: str) -> None:
    async with make(Place(lobby(), known=known), language=language).run_test(size=(80, 24)) as pilot:
        lines, screen = shown(pilot.app), pilot.app.screen
        assert isinstance(screen, LobbyScreen)
        assert ["Bruno" in line.label for line in screen.rows() if line.warns] == [True]
    starts = set()
    for name, badge in zip((WIDE, "Bruno", "Chiara"), BADGES[language], strict=True):
        assert badge in row(lines, name)
        assert cell_len(row(lines, name)) <= 80
        starts.add(cell_len(row(lines, name).split(badge)[0]))
    assert len(starts) == 1, "the column is straight beside wide letters, too"
    for name in ("Ada", "Dario"):
        assert not any(badge in row(lines, name) for badge in BADGES[language]), "neither oneself nor a bot"


async def test_lobby_without_player_keys_or_people_list_shows_no_badge(known: KnownPlayers) -> None:
    keyless = lobby()
    keyless.lobby = [Seat(seat.name, seat.kind, seat.ready, seat.away, seat.owner) for seat in SEATS]
    for session, people in ((keyless, known), (lobby(), NOBODY)):
        async with make(Place(session, known=people)).run_test(size=(80, 24)) as pilot:
            text = "\n".join(shown(pilot.app))
        assert not any(badge in text for badge in (*BADGES["en"], " keys", "Compare"))


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_page_of_player_keys_shows_them_as_words(known: KnownPlayers, language: str) -> None:
    async with make(Place(lobby(), known=known), language=language).run_test(size=(80, 24)) as pilot:
        assert f"Q {LEAVE[language]}" in shown(pilot.app)[-1], "the keys push no other hint away"
        await pilot.press("w")
        text = " ".join(" ".join(shown(pilot.app)).replace("│", " ").split())
        for key in (OWN, FRIEND):
            assert " ".join(key_words(key)) in text
        assert " ".join(key_words(BOT)) not in text
        for there in (False, True):  # the key closes the page and opens it again
            await pilot.press("w")
            assert (" ".join(key_words(OWN)) in "\n".join(shown(pilot.app))) == there


def test_damaged_people_list_is_reported_once_in_the_lobby(tmp_path: Path) -> None:
    PeopleFile(tmp_path).path.write_bytes(b"{")
    lines = run_lines("quit\nquit\n", lobby(), known=at_table(tmp_path)).splitlines()
    assert len([line for line in lines if str(tmp_path) in line]) == 1
    assert not any(badge in line for line in lines for badge in BADGES["en"])


def test_without_a_people_list_all_players_are_new(tmp_path: Path) -> None:
    lines = run_lines("keys\nquit\nquit\n", lobby(), known=at_table(tmp_path)).splitlines()
    assert len([line for line in lines if line.endswith(", new here")]) == 3
    assert len([line for line in lines if line.endswith(" (new here)")]) == 3, "beside the words of their keys"
    assert not any(" ".join(key_words(BOT)) in line for line in lines)


def test_verification_report_marks_the_key_of_its_reader(known: KnownPlayers) -> None:
    reader = Reader(load("en"), known, frozenset({OWN}))
    me, friend, bot = (
        Seated("Ada", OWN, SeatKind.PLAYER, b""),
        Seated(WIDE, FRIEND, SeatKind.PLAYER, b""),
        Seated("Ada", OWN, SeatKind.BOT, b""),
    )
    assert [reader.about(one) for one in (me, friend, bot)] == ["your own key", BADGES["en"][0], ""]
    assert reader.figures(me) == {"kind": "own"}
    assert Reader(load("en"), NOBODY, frozenset({OWN})).about(me) == "", "without a list nothing is said"


# The end screen


def proof_of(path: Path, *, finish: bool = True) -> Proof:
    """Return the proof of a game of one player in seat 0 and a bot."""
    game = begin(2).play() if finish else begin(2).play(until=lambda game: game.state.round > 2)
    path.write_bytes(game.transcript(1, finish=finish))
    return the(Proof, check(path))


def test_players_of_a_finished_game_are_remembered_once(tmp_path: Path) -> None:
    known, proof, unfinished = at_table(tmp_path), proof_of(tmp_path / "a.ctr"), tmp_path / "b.ctr"
    remember(known, proof, 0, TODAY)  # the player is the only human
    remember(known, proof, None, TODAY)  # the file of a spectator
    remember(known, proof_of(unfinished, finish=False), 1, TODAY)
    remember(known, None, 1, TODAY)
    remember(NOBODY, proof, 1, TODAY)
    assert PeopleFile(tmp_path).load() is None
    for _ in range(2):
        assert remember(known, proof, 1, TODAY) is None
    people, key = PeopleFile(tmp_path).load(), player(0).public
    assert people is not None
    assert list(people) == [key], "bots are not remembered"
    assert (people[key].since, people[key].name, len(people[key].games)) == (TODAY, "Player 0", 1)


def test_damaged_or_unwritable_people_list_does_not_stop_the_game(tmp_path: Path) -> None:
    proof, file = proof_of(tmp_path / "a.ctr"), PeopleFile(tmp_path)
    (tmp_path / "file").touch()
    assert remember(at_table(tmp_path / "file"), proof, 1, TODAY) is None
    assert remember(KnownPlayers({}, None, PeopleFile(tmp_path / "file")), proof, 1, TODAY) is None
    file.path.write_bytes(b"{")
    aside = remember(at_table(tmp_path), proof, 1, TODAY)
    assert aside is not None
    assert aside.read_bytes() == b"{"
    assert list(file.load() or ()) == [player(0).public]


@pytest.mark.parametrize("language", quick(LANGUAGES, "it"))
async def test_end_screen_shows_the_badges_of_players(tmp_path: Path, language: str) -> None:
    session = await played_game(2, 400)
    session.seat = 1
    PeopleFile(tmp_path).change(lambda people: met(people, OLD, "Player 0", DAY))
    game = Game(session, load(language), known=at_table(tmp_path))
    game.proof, game.checked = proof_of(tmp_path / "a.ctr"), True
    badge = f"Player 0: {BADGES[language][1]}"
    assert badge in plain_lines.ending(game)
    assert any(badge in line for line in ending_lines(game, 80))
