"""Recordings of games with sealed drafts: all picks after the end, the owner's picks before the end, and
picks that were never opened."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.client_log import FileHead
from citadels_lan.crypto.transcript import read
from citadels_lan.engine import HIDDEN, TableConfig, decode_event, from_scenario, redact
from citadels_lan.engine.events import Offered, Picked
from citadels_lan.net.client.records import GameIdentity, key_path
from citadels_lan.presenter.recording import Recording, as_text, known_hands, load_recording, points_by_round
from citadels_lan.texts import load
from tests.crypto.draft.lies import DEALS
from tests.crypto.sealed.files import sealed_first, sealed_theater
from tests.crypto.sealed.test_games import LIES, PLAYERS, lied
from tests.crypto.table import Game, begin, nonce_key
from tests.effort import one_case, quick

CHOSEN = replace(
    from_scenario("first_game", 3, edition_key="classic", options=(("first_face_down", "chosen"),)), draft="sealed"
)
SETUPS = [*map(sealed_first, (2, 3, 4, 6, 7)), sealed_theater(2), sealed_theater(4), CHOSEN]


def recorded(folder: Path, game: Game, viewer: int | None = 0, *, finish: bool = True) -> Recording:
    return load_recording(written(folder, game, viewer, finish=finish))


def written(folder: Path, game: Game, viewer: int | None = 0, *, finish: bool = True) -> Path:
    path = folder / f"{viewer}.ctr"
    path.write_bytes(game.transcript(viewer, finish=finish))
    return path


def broken_off(setup: TableConfig, seed: int = 0) -> Game:
    """Return a game that stops in the middle of its third round."""
    game = begin(setup=setup, seed=seed, followed=False)
    return game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")


def give_key(home: Path, head: FileHead) -> None:
    """Store the key of a seat in the data folder."""
    assert head.seat is not None
    game = GameIdentity(head.game_id, head.fp, head.host)
    path = key_path(home / "data" / "games", game, head.key)
    path.parent.mkdir(parents=True)
    path.write_bytes(nonce_key(head.seat))


@pytest.fixture
def home(own_folders: Path) -> Path:
    """Return a data folder without keys."""
    return own_folders


@pytest.mark.parametrize("setup", quick(SETUPS, SETUPS[0]))
def test_all_picks_are_known_after_the_end(setup: TableConfig, tmp_path: Path) -> None:
    """Each picked character was among those offered, no character is at two places, and the log has the same
    public events as during the game."""
    game = begin(setup=setup, seed=1, followed=False).play()
    recording = recorded(tmp_path, game, 1)
    assert recording.open
    assert not recording.unopened
    packets: dict[int, Sequence[str]] = {}
    for one in recording.steps:
        public = game.host_log.entry(one.n)
        told = [decode_event(event) for event in public.events]  # type: ignore[union-attr]
        assert [redact(event, None) for event in one.events] == told
        for event in one.events:
            if isinstance(event, Offered):
                packets[event.seat] = event.packet
            elif isinstance(event, Picked):
                assert {event.character, *event.laid} <= {*packets[event.seat]}
        state = one.state
        if state.phase == "turns":
            held = [card for player in state.players for card in (*player.concealed, *player.revealed)]
            assert sorted([*state.faceup, *state.facedown, *held]) == sorted(state.cast)
    assert recording.steps[-1].state.scores == game.state.scores
    assert recorded(tmp_path, game, None).steps == recording.steps


@pytest.mark.slow
def test_unopened_picks_stay_unknown_and_their_seats_are_named(tmp_path: Path) -> None:
    for seed in count(8):  # search a game in which the calls do not reveal all characters of the seat
        game = begin(setup=sealed_first(4), seed=seed, followed=False)
        game.present = lambda game: [0, 1, 3] if game.host_log.audit.over else range(4)
        recording = recorded(tmp_path, game.play())
        if recording.unopened:
            break
    assert recording.open
    assert recording.unopened == [2]
    picks = [event for step in recording.steps for event in step.events if isinstance(event, Picked)]
    assert all(event.character != HIDDEN for event in picks if event.seat != 2)
    said = known_hands(recording, recording.names, load("en"))
    assert "Player 2" in said
    assert said in list(as_text(recording, load("en")))
    assert points_by_round(recording.steps)[-1].final


@pytest.mark.slow
def test_key_of_the_player_shows_their_picks_of_an_unfinished_game(tmp_path: Path, home: Path) -> None:
    game = broken_off(sealed_first(4))
    without = recorded(tmp_path, game, 1, finish=False)
    assert without.unopened == [1]
    assert without.owner == 1
    assert len(points_by_round(without.steps)) == 3
    give_key(home, read(tmp_path / "1.ctr").head)
    own = recorded(tmp_path, game, 1, finish=False)
    assert not own.unopened
    picks = [event for step in own.steps for event in step.events if isinstance(event, Picked)]
    assert all((event.character == HIDDEN) == (event.seat != 1) for event in picks)
    game.play()
    whole = recorded(tmp_path, game, 1)
    for known, played in zip(own.steps, whole.steps, strict=False):
        assert known.n == played.n
        assert known.state.players[1].concealed == played.state.players[1].concealed


@pytest.mark.slow
@one_case("name", sorted(LIES.keys() - {"loses_another"}), parts=3)
def test_game_with_a_proven_lie_is_replayed_to_its_end(name: str, tmp_path: Path) -> None:
    game, liar, _ = lied(LIES[name], PLAYERS.get(name, 4), "deal" if name in DEALS else "pick")
    for viewer in (liar, (liar + 1) % len(game.state.players), None):
        recording = recorded(tmp_path, game, viewer)
        assert recording.steps[-1].state.round == game.state.round
        assert recording.steps[-1].state.tick == game.state.tick
