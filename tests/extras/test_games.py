"""Games written from docs/protocol.md alone: the second verifier accepts what the protocol allows."""

from pathlib import Path
from typing import Final

import pytest

from citadels_lan.crypto.report.verify import verify
from citadels_lan.engine import DEFAULT, Options, from_scenario
from tests.crypto.forging import saved
from tests.crypto.sealed.files import sealed_first, sealed_theater, theater_first
from tests.crypto.table import Game, recorded, seats
from tests.effort import one_case

from .outsider import EIGHT, Table, pack, record, short_game
from .second import check, load, remembering


@one_case("players", [2, 3, 5])
def test_honest_game_is_verified(players: int, tmp_path: Path) -> None:
    table = short_game(players)
    assert check(tmp_path, *(table.file(viewer) for viewer in (*range(players), None))) == 0


def test_every_prefix_of_an_honest_game_is_incomplete(tmp_path: Path) -> None:
    table = short_game()
    for entries in range(1, table.n - 1):
        assert check(tmp_path, table.file(0, entries=entries)) == 4


def test_seat_that_does_not_open_a_sealed_move_makes_the_game_incomplete(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    opening = table.seal(1, "warrant king* bishop merchant")
    table.move(0, "end", [[16, [0, 0], [0]]])
    table.cosign([0, 1])
    table.close(openings=[])
    assert check(tmp_path, table.file(0)) == 4
    assert check(tmp_path, table.file(0), table.file(1, extra=record(b"O", pack([opening])))) == 0


class TestSubstitutes:
    def game(self, level: str = "sensible") -> Table:
        table = Table(3)
        table.start()
        table.table([[72, 1]])
        table.leave(2, level)
        return table

    def finish(self, table: Table, cosigners: tuple[int, ...] = (0, 1)) -> bytes:
        table.move(0, "end", [[16, [0, 0, 0], [0]]])
        table.cosign(cosigners, protests=[0])
        table.close()
        return table.file(0)

    def test_bot_moves_only_between_the_bot_and_back_entries(self, tmp_path: Path) -> None:
        table = self.game()
        table.hide(2, "keep tavern", by=1)
        table.hide(
            2, "warrant king* bishop merchant", [[51, "warrant", 2, ["king", "bishop", "merchant"], "?"]], by=1
        )
        table.move(2, "confiscate yes", [[35, 2, 0, "manor", 1, "king", 1]], by=1)
        table.come_back(2)
        table.move(2, "end")
        assert check(tmp_path, self.finish(table, (0, 1, 2))) == 0

    def test_missing_co_signature_is_no_contradiction(self, tmp_path: Path) -> None:
        assert check(tmp_path, self.finish(self.game())) == 0


def test_agreed_end_needs_all_signatures_and_gives_no_result(tmp_path: Path) -> None:
    for agreed, expected in (((0, 1), 4), ((1,), 1), ((), 1)):
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.close(1, agreed=agreed)
        assert check(tmp_path, table.file(0)) == expected


def test_bots_and_players_who_are_away_need_not_agree_to_the_end(tmp_path: Path) -> None:
    for away, expected in ((1, 4), (None, 1)):
        table = Table(3, kinds=[1, 2, 0])
        table.start()
        table.table([[72, 1]])
        if away is not None:
            table.leave(away)
        table.close(1, agreed=[0])
        assert check(tmp_path, table.file(0)) == expected


class TestOrder:
    def game(self, *, words: bool = True) -> Table:
        """Return a game after the first co-signature."""
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.move(0, "end", [[15]])
        table.cosign([0, 1], words=words)
        return table

    @pytest.mark.parametrize("words", [True, False])
    def test_absence_return_and_handover_are_accepted_between_rounds(self, words: bool, tmp_path: Path) -> None:
        table = self.game(words=words)
        table.leave(1, "sensible")
        table.come_back(1)
        table.table([[72, 2]])
        table.hand_over(1)
        assert check(tmp_path, table.file(0)) == 4

    @pytest.mark.parametrize("away", [False, True])
    @pytest.mark.parametrize("words", [True, False])
    def test_handover_is_accepted_only_after_the_words_or_in_the_next_round(
        self, words: bool, away: bool, tmp_path: Path
    ) -> None:
        table = self.game(words=words)
        if away:
            table.leave(1)
        table.hand_over(1)
        assert check(tmp_path, table.file(0)) == (4 if words else 1)

    def test_absent_player_may_move_co_sign_and_take_the_game_over(self, tmp_path: Path) -> None:
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.leave(1)
        table.move(1, "end")
        table.hand_over(1)
        table.move(1, "end", [[16, [0, 0], [0]]])
        table.cosign([0, 1])
        table.close()
        assert check(tmp_path, table.file(0)) == 0


def test_second_verifier_and_the_test_games_list_the_same_classic_cast() -> None:
    assert [*EIGHT] == load("check_log").CLASSIC


# Games played by the program


CHOSEN: Final = ("classic", (("deck", 68), ("first_face_down", "chosen")))


def files(game: Game, folder: Path) -> list[Path]:
    players = len(game.state.players)
    return [saved(folder / f"{seat}.ctr", game.transcript(seat)) for seat in seats(players)]


@pytest.mark.parametrize(
    ("scenario", "players", "edition"),
    [
        ("first_game", 2, (DEFAULT, ())),
        pytest.param("vicious_nobles", 4, (DEFAULT, ()), marks=pytest.mark.slow),
        pytest.param("cunning_agents", 8, (DEFAULT, ()), marks=pytest.mark.slow),
        pytest.param("first_game", 3, CHOSEN, marks=pytest.mark.slow),
        pytest.param("random", 4, ("dark_city", ()), marks=pytest.mark.slow),
        pytest.param("first_game", 2, ("citta_comune", ()), marks=pytest.mark.slow),
    ],
)
def test_honest_games_pass_both_verifiers(
    scenario: str, players: int, edition: tuple[str, Options], tmp_path: Path
) -> None:
    key, options = edition
    game = recorded(setup=from_scenario(scenario, players, edition_key=key, options=options), seed=3)
    paths = files(game, tmp_path)
    assert remembering().main([*map(str, paths)]) == verify(paths).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4, 7])
def test_honest_sealed_drafts_pass_both_verifiers(players: int, tmp_path: Path) -> None:
    paths = files(recorded(setup=sealed_first(players), seed=players), tmp_path)
    assert remembering().main([*map(str, paths)]) == verify(paths).code == 0


@pytest.mark.slow
def test_honest_exchanges_pass_both_verifiers(tmp_path: Path) -> None:
    with theater_first():
        game = recorded(setup=sealed_theater(), seed=1)
        paths = files(game, tmp_path)
        assert remembering().main([*map(str, paths)]) == verify(paths).code == 0
