"""Games without a table: they end, they can be played again, and what goes wrong is counted."""

from collections.abc import Sequence

import pytest

from citadels_lan.bots import simulation
from citadels_lan.bots.policy import Forgetful
from citadels_lan.bots.simulation import ENDLESS, play_one, run
from citadels_lan.engine import Action, Choice, State, TableConfig, Unplayable, from_scenario, parse
from tests.effort import one_case, quick
from tests.facts import SCENARIOS, first_game


class Recorder(Forgetful):
    """A policy that notes what it is shown and plays the first choice."""

    blind = False

    def __init__(self) -> None:
        self.shown: list[tuple[State, int]] = []

    def choose(self, view: State, seat: int, choices: Sequence[Choice]) -> Action:
        self.shown.append((view, seat))
        raise RuntimeError("enough")


def test_all_games_end_and_the_figures_agree() -> None:
    report = run(12, first_game(4), seed="figures")
    summary = report.summary()
    assert report.stuck == 0
    assert report.errors == []
    assert summary["games"] == 12
    assert summary["players"] == 4
    assert sum(report.wins) == 12
    assert report.moves == sum(game.moves for game in report.games)
    assert all(game.winners and len(game.scores) == 4 for game in report.games)
    for key in ("games_per_second", "moves_per_second", "copy_microseconds", "stuck", "errors"):
        assert key in summary


def test_a_run_depends_on_its_seed_and_not_on_its_processes() -> None:
    alone = run(6, first_game(4), seed="same")
    shared = run(6, first_game(4), seed="same", jobs=2)
    assert alone.digest == shared.digest
    assert alone.digest != run(6, first_game(4), seed="other").digest


def test_one_game_of_a_run_can_be_played_again() -> None:
    third = run(4, first_game(4), seed="again").games[3]
    lines: list[str] = []
    again = play_one(first_game(4), ("random",) * 4, "again", 3, lambda state, seat, line: lines.append(line))
    assert (again.scores, again.moves) == (third.scores, third.moves)
    assert len(lines) == again.moves
    assert all(str(parse(line)) == line for line in lines)


@one_case("key", SCENARIOS)
@pytest.mark.parametrize("players", quick([2, 3, 5, 8], 3))
def test_sensible_bots_finish_every_scenario(key: str, players: int) -> None:
    report = run(2, from_scenario(key, players, rank_nine=True), ("sensible",) * players, seed=key)
    assert report.errors == []
    assert report.stuck == 0


def test_drawn_tables_are_played_too() -> None:
    report = run(6, TableConfig(6, (), ()), ("sensible", "random") * 3, seed="drawn")
    assert report.errors == []
    assert report.stuck == 0


def test_a_bot_is_shown_what_its_seat_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(simulation, "make_policy", lambda level, seed: recorder)
    game = play_one(first_game(4), ("sensible",) * 4, 1, 0)
    ((view, seat),) = recorder.shown
    assert not view.whole
    assert all(set(player.hand) == {"?"} for other, player in enumerate(view.players) if other != seat)
    assert "enough" in game.error
    assert game.scores == ()


def test_what_goes_nowhere_counts_as_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "ENDLESS", 10)
    report = run(2, first_game(4), seed=1)
    assert report.stuck == 2
    assert report.summary()["errors"] == 0
    assert ENDLESS > 10_000


def test_a_set_up_that_cannot_be_is_refused() -> None:
    with pytest.raises(Unplayable):
        run(1, TableConfig(9))


@one_case("players", [2, 6, 9])
def test_random_bots_trade_and_end_their_games_of_citta_comune(players: int) -> None:
    config = from_scenario("first_game", players, edition_key="citta_comune")
    report = run(2, config, seed="trade")
    assert (report.stuck, report.errors) == (0, [])
    verbs: set[str] = set()
    for number in range(2):
        play_one(
            config, report.levels, "trade", number, lambda state, seat, line: verbs.add(line.split(maxsplit=1)[0])
        )
    assert {"sell", "offer", "bid", "pass"} <= verbs
