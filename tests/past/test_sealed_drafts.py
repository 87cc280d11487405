"""Games with sealed drafts, read again: everything after the end, the own picks before it, what stays closed."""

from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from citadels_lan.bots.search.reviews import review, weigh
from citadels_lan.bots.search.searching import Effort
from citadels_lan.cli.statistics import own_game
from citadels_lan.crypto.transcript import FileHead, read
from citadels_lan.engine import HIDDEN, Deal, TableConfig, decisions, from_scenario, parse, view
from citadels_lan.engine.events import CharactersSwapped, Picked
from citadels_lan.front.recording import Recording, load_recording
from citadels_lan.front.retelling import as_text, known_hands, points_by_round
from citadels_lan.front.review import decided
from citadels_lan.net.client.records import GameIdentity, key_path
from citadels_lan.texts import load
from tests.bots.here_and_now import HereAndNow
from tests.cli.program import run
from tests.crypto.draft.lies import DEALS
from tests.crypto.sealed.files import sealed_first, sealed_theater, theater_first
from tests.crypto.sealed.test_lies import LIES, PLAYERS, lied
from tests.crypto.table import Game, begin, nonce_key
from tests.effort import one_case, quick

from .sealed_drafts import KnownTable, as_sets, in_order

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
    """A game in the middle of its third round."""
    game = begin(setup=setup, seed=seed, followed=False)
    return game.play(until=lambda game: game.state.round == 3 and game.state.phase == "turns")


def give_key(home: Path, head: FileHead) -> None:
    """The key of a seat, where this machine keeps such."""
    assert head.seat is not None
    game = GameIdentity(head.game_id, head.fp, head.host)
    path = key_path(home / "data" / "games", game, head.key)
    path.parent.mkdir(parents=True)
    path.write_bytes(nonce_key(head.seat))


@pytest.fixture
def home(own_folders: Path) -> Path:
    """A machine with no keys yet."""
    return own_folders


@pytest.mark.parametrize("setup", quick(SETUPS, SETUPS[0]))
@pytest.mark.parametrize("seed", [1])
def test_after_the_end_the_file_is_what_a_table_plays_that_knows_the_picks(
    setup: TableConfig, seed: int, tmp_path: Path
) -> None:
    game = begin(setup=setup, seed=seed, followed=False).play()
    recording = recorded(tmp_path, game, 1)
    assert recording.open
    assert not recording.unopened
    truth = list(KnownTable(game).steps())
    assert [one.n for one in recording.steps] == [n for n, _, _ in truth]
    for played, (_, events, state) in zip(recording.steps, truth, strict=True):
        assert list(map(in_order, played.events)) == list(map(in_order, events))
        assert as_sets(played.state) == as_sets(state)
    assert recorded(tmp_path, game, None).steps == recording.steps


@pytest.mark.slow
def test_exchanges_are_known_too(tmp_path: Path) -> None:
    with theater_first():
        game = begin(setup=sealed_theater(4), followed=False).play()
        recording = recorded(tmp_path, game)
    swaps = [event for step in recording.steps for event in step.events if isinstance(event, CharactersSwapped)]
    assert swaps
    assert not any(HIDDEN in (swap.given, swap.received) for swap in swaps)


@pytest.mark.slow
def test_who_opens_nothing_stays_unknown_and_that_is_said(tmp_path: Path) -> None:
    for seed in count(8):  # until a game in which the calls do not reveal all characters of the seat
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
    assert said.startswith("All hands are open. Not all that Player 2 picked")
    assert said in list(as_text(recording, load("en")))
    assert points_by_round(recording.steps)[-1].final


@pytest.mark.slow
def test_an_unfinished_game_has_the_own_picks_where_the_key_is(tmp_path: Path, home: Path) -> None:
    game = broken_off(sealed_first(4))
    without = recorded(tmp_path, game, 1, finish=False)
    assert without.unopened == [1]
    assert without.owner == 1
    assert len(points_by_round(without.steps)) == 3
    give_key(home, read(tmp_path / "1.ctr").head)
    own = recorded(tmp_path, game, 1, finish=False)
    assert not own.unopened
    game.play()
    for told, (n, _, state) in zip(own.steps, KnownTable(game).steps(), strict=False):
        assert told.n == n
        assert as_sets(told.state.but(draft="sealed")) == as_sets(view(state, 1))


def test_whoever_watched_an_unfinished_game_knows_no_pick(tmp_path: Path, home: Path) -> None:
    recording = recorded(tmp_path, broken_off(sealed_first(4)), None, finish=False)
    assert not recording.unopened
    assert recording.steps[-1].state.round == 3
    picks = [event for step in recording.steps for event in step.events if isinstance(event, Picked)]
    assert picks
    assert {event.character for event in picks} == {HIDDEN}


def test_show_names_the_own_picks_where_the_key_is(tmp_path: Path, home: Path) -> None:
    path = written(tmp_path, broken_off(sealed_first(4)), 1, finish=False)
    assert run(home, "show", str(path)).stdout.count("(private) You keep the") < 3
    give_key(home, read(path).head)
    shown = run(home, "show", str(path)).stdout
    assert shown.count("(private) You keep the") == 3
    assert shown.count("b pick ") == 3
    assert "b pick (hidden)" not in shown
    assert shown.count("pick (hidden)") >= 3, "those of the last round at least"


@pytest.mark.slow
@pytest.mark.parametrize("setup", quick([sealed_first(2), sealed_theater(4)], sealed_first(2)))
def test_every_decision_of_it_was_one_of_its_choices(setup: TableConfig, tmp_path: Path) -> None:
    game = begin(setup=setup, seed=1, followed=False).play()
    recording = recorded(tmp_path, game)
    found = list(decided(recording, 0))
    assert {"pick", "theater"} & {one.line.split()[0] for one in found}
    for one in found:
        assert one.view == view(recording.steps[one.step - 1].state, 0)
        made = parse(one.line, 0)
        assert any(
            choice == made or (isinstance(choice, Deal) and choice.verb == made.verb)
            for choice in decisions(one.view)[0]
        ), one.line


@pytest.mark.slow
async def test_the_review_weighs_picks(tmp_path: Path) -> None:
    recording = recorded(tmp_path, begin(setup=sealed_first(4), seed=1, followed=False).play())
    picks = [one for one in decided(recording, 0) if one.line.startswith("pick")][:4]
    for one in picks:
        choices = decisions(one.view)[0]
        moves = weigh(one.view, 0, choices, one.memory, Effort(24, 60.0), "test", parse(one.line, 0))
        assert {move.line for move in moves} == set(map(str, choices))
        assert len(moves) > 1
    reviewed = await review(HereAndNow(), picks, lambda _: None)
    assert reviewed.looked == reviewed.decisions == 4


@pytest.mark.slow
def test_statistics_count_the_own_characters(tmp_path: Path, home: Path) -> None:
    game = begin(setup=sealed_first(4), seed=1, followed=False).play()
    counted = own_game(written(tmp_path, game, 2))
    assert counted is not None
    assert len(counted.characters) == game.state.round
    picks = [event for _, events, _ in KnownTable(game).steps() for event in events if isinstance(event, Picked)]
    assert counted.characters == [event.character for event in picks if event.seat == 2]
    assert counted.winners == game.state.winners


@pytest.mark.slow
@one_case("name", sorted(LIES.keys() - {"loses_another"}), parts=3)
def test_a_game_with_a_lie_in_it_is_shown_up_to_its_end(name: str, tmp_path: Path) -> None:
    game, liar, _ = lied(LIES[name], PLAYERS.get(name, 4), "deal" if name in DEALS else "pick")
    for viewer in (liar, (liar + 1) % len(game.state.players), None):
        recording = recorded(tmp_path, game, viewer)
        assert recording.steps[-1].state.round == game.state.round
        assert recording.steps[-1].state.tick == game.state.tick
