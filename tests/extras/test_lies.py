"""Hosts that lie in one entry: the second verifier names the key that signed it, and no one else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]
import pytest

from tests.effort import one_case

from .outsider import EIGHT, Key, Public, Table, hashed, pack, record, secret, short_game, u
from .second import check, load

Change = Callable[[Public], Public]
HOST: Final = "Player 0 (seat a), host from entry 1"


def put(*path: int, value: Any) -> Change:
    """Replace one value of an entry."""

    def change(public: Public) -> Public:
        *way, last = path
        inner = public
        for index in way:
            inner = inner[index]
        inner[last] = value
        return public

    return change


def entry_of(kind: int, which: int = 0, players: int = 2) -> int:
    """The number of an entry of a kind in the honest game."""
    found = [n for n, _, public, _, _ in short_game(players).deltas if msgpack.unpackb(public)[0] == kind]
    return found[which]


def lying(n: int, change: Change, players: int = 2) -> Table:
    """The game with another entry n."""
    original = Table.__init__

    class Liar(Table):
        def __init__(self, *given: Any, **named: Any) -> None:
            original(self, *given, **named)
            self.changed[n] = change

    return short_game(players, make=Liar)


def forged(which: int) -> Change:
    return lambda public: [*public[:which], bytes(64), *public[which + 1 :]]


def without(which: int) -> Change:
    return lambda public: [*public[:which], [], *public[which + 1 :]]


def reversed_rows(public: Public) -> Public:
    return [public[0], public[1][::-1]]


def twice(public: Public) -> Public:
    return [public[0], [public[1][0], public[1][0]]]


def other_pick(public: Public) -> Public:
    if public[5]:
        public[5][0][4] = "pick warlord" if public[5][0][4] != "pick warlord" else "pick king"
    return public


LIES: Final[dict[str, tuple[int, int, Change]]] = {
    "header: another rules digest": (0, 0, put(1, 2, value=bytes(32))),
    "header: another name": (0, 0, put(1, 14, 0, 0, value="Mallory")),
    "header: a bot called a player": (0, 0, put(1, 14, 1, 2, value=0)),
    "header: one key at two seats": (0, 0, put(1, 14, 1, 1, value=Key(secret("key0")).public)),
    "header: a false endorsement": (0, 0, put(1, 10, 1, value=bytes(64))),
    "header: the host's key at a seat": (0, 0, put(1, 14, 1, 1, value=Key(secret("host")).public)),
    "header: too many starts called off": (0, 0, put(1, 13, value=[[u(n, 32), [0]] for n in range(17)])),
    "header: one start called off twice": (0, 0, put(1, 13, value=[[bytes(32), [0]], [bytes(32), [1]]])),
    "header: an invisible character": (0, 0, put(1, 1, value="outsider\u200d")),
    "header: a string in another form": (0, 0, put(1, 1, value="e\u0301")),
    "commits: a false agreement": (1, 0, put(1, 1, 2, value=bytes(64))),
    "commits: one value twice": (1, 0, put(1, 1, 0, value=hashed("part", bytes(32), u(0, 1), bytes(32)))),
    "commits: a seat is missing": (1, 0, lambda public: [1, public[1][:1]]),
    "commits: anchors in an open draft": (1, 0, put(1, 0, 1, value=[bytes(32), bytes(32)])),
    "table: another layout": (2, 0, put(1, 1, 3, value=["queen"])),
    "table: another first crown": (2, 0, lambda public: [2, [[32, 1 - public[1][0][1]], *public[1][1:]]]),
    "table: a round that is not the next": (2, 1, put(1, 0, 1, value=3)),
    "table: an event of a move": (2, 0, lambda public: [2, [*public[1], [11, 0, "king"]]]),
    "move: a forged signature": (3, 0, forged(6)),
    "move: as if a bot had moved": (3, 0, put(2, value=1)),
    "move: another commitment": (3, 0, put(3, value=bytes(32))),
    "move: openly what is hidden": (3, 2, put(3, value="keep tavern")),
    "move: a character without its opening": (3, -1, without(5)),
    "move: another character": (3, -1, put(4, 0, 2, value="queen")),
    "move: another pick opened": (3, -1, other_pick),
    "move: other markers than were sealed": (3, 3, put(4, 0, 3, value=["king", "bishop", "queen"])),
    "signed: a forged signature": (4, 0, put(1, 0, 3, value=bytes(64))),
    "signed: a made-up protest": (4, 0, put(1, 0, 2, value=1)),
    "signed: other order": (4, 0, reversed_rows),
    "signed: a seat twice": (4, 0, twice),
    "words: another word": (5, 0, put(1, 0, 1, value=bytes(16))),
    "words: one is missing": (5, 0, lambda public: [5, public[1][:1]]),
    "close: another secret": (9, 0, put(3, value=bytes(32))),
    "close: another part": (9, 0, put(4, 0, value=bytes(32))),
    "close: a hidden move is not opened": (9, 0, lambda public: [*public[:2], public[2][1:], *public[3:]]),
    "close: no parts": (9, 0, without(4)),
    "close: agreed, although it is finished": (9, 0, put(1, value=1)),
    "close: signatures that do not belong there": (9, 0, put(5, value=[[0, bytes(64)]])),
}
"""By what is false: the kind of the entry, which one of them, and the change."""


@one_case("lie", LIES)
def test_a_lying_host_is_named(lie: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kind, which, change = LIES[lie]
    n = entry_of(kind, which)
    for viewer in (0, None):
        assert check(tmp_path, lying(n, change).file(viewer)) == 1
        who = "the host, host from entry 1" if kind == 0 else HOST
        assert f"PROOF OF CHEATING: {who}, signed entry {n}:" in capsys.readouterr().out


@one_case("players", [2, 3, 5])
def test_an_honest_game_is_verified(players: int, tmp_path: Path) -> None:
    table = short_game(players)
    assert check(tmp_path, *(table.file(viewer) for viewer in (*range(players), None))) == 0


def test_every_honest_beginning_is_incomplete(tmp_path: Path) -> None:
    table = short_game()
    for entries in range(1, table.n - 1):
        assert check(tmp_path, table.file(0, entries=entries)) == 4


def test_a_false_private_event_names_the_host(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[32, 0]], {1: [[0, [32, 1]]]})
    assert check(tmp_path, table.file(1)) == 1
    assert check(tmp_path, table.file(0)) == 4


def test_a_seat_that_does_not_open_a_seal_makes_the_game_incomplete(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    opening = table.seal(1, "warrant king* bishop merchant")
    table.move(0, "end", [[16, [0, 0], [0]]])
    table.cosign([0, 1])
    table.close(openings=[])
    assert check(tmp_path, table.file(0)) == 4
    assert check(tmp_path, table.file(0), table.file(1, extra=record(b"O", pack([opening])))) == 0


@pytest.mark.parametrize("star", ["bishop", "king"])
def test_another_warrant_than_was_sealed_names_the_host(star: str, tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    opening = table.seal(1, "warrant king* bishop merchant")
    table.move(1, "confiscate yes", [[35, 1, 0, "manor", 1, star, 1]], [table.opened(opening)])
    table.move(0, "end", [[16, [0, 0], [0]]])
    table.cosign([0, 1])
    table.close()
    assert check(tmp_path, table.file(0)) == (0 if star == "king" else 1)


def test_a_seal_that_is_broken_without_its_opening_names_the_host(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    table.seal(1, "threaten king* bishop")
    table.move(1, "reveal yes", [[53, "king", True]])
    assert check(tmp_path, table.file(None)) == 1


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

    def test_a_bot_moves_between_bot_and_back(self, tmp_path: Path) -> None:
        table = self.game()
        table.hide(2, "keep tavern", by=1)
        table.hide(
            2, "warrant king* bishop merchant", [[51, "warrant", 2, ["king", "bishop", "merchant"], "?"]], by=1
        )
        table.move(2, "confiscate yes", [[35, 2, 0, "manor", 1, "king", 1]], by=1)
        table.come_back(2)
        table.move(2, "end")
        assert check(tmp_path, self.finish(table, (0, 1, 2))) == 0

    def test_a_bot_without_an_entry_names_the_host(self, tmp_path: Path) -> None:
        table = self.game("")
        table.move(2, "end", by=1)
        assert check(tmp_path, table.file(0)) == 1

    def test_a_missing_co_signature_is_no_contradiction(self, tmp_path: Path) -> None:
        assert check(tmp_path, self.finish(self.game())) == 0

    @pytest.mark.parametrize("what", [0, 1, 2])
    def test_a_change_that_may_not_be_names_the_host(self, what: int, tmp_path: Path) -> None:
        table = self.game() if what < 2 else Table(3)
        if what == 2:
            table.start()
            table.table([[72, 1]])
        table.entry(6, 2, what, "hard" if what == 1 else "", bytes(64) if what == 2 else b"")
        assert check(tmp_path, table.file(0)) == 1

    def test_a_forged_return_names_the_host(self, tmp_path: Path) -> None:
        table = self.game()
        table.entry(6, 2, 2, "", bytes(64))
        assert check(tmp_path, table.file(0)) == 1


class TestHandovers:
    def game(self) -> Table:
        table = Table(3)
        table.start()
        table.table([[72, 1]])
        table.hand_over(1)
        table.move(0, "end")
        return table

    def test_a_handed_over_game_is_verified(self, tmp_path: Path) -> None:
        table = self.game()
        table.move(0, "end", [[16, [0, 0, 0], [0]]])
        table.cosign([0, 1, 2])
        table.close()
        assert check(tmp_path, table.file(0)) == 0

    def test_a_lie_after_a_handover_names_the_new_host(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        table = self.game()
        table.entry(3, 0, 0, "end", [], [], bytes(64))
        assert check(tmp_path, table.file(0)) == 1
        assert "Player 1 (seat b), host from entry 5" in capsys.readouterr().out

    def test_an_entry_of_the_old_host_damages_the_file(self, tmp_path: Path) -> None:
        table = self.game()
        table.key = table.host
        table.move(0, "end")
        assert check(tmp_path, table.file(0)) == 3

    @pytest.mark.parametrize("key", ["host", "key0"])
    def test_a_handover_to_a_known_key_names_the_host(self, key: str, tmp_path: Path) -> None:
        table = self.game()
        table.hand_over(2, key)
        assert check(tmp_path, table.file(0)) == 1

    def test_a_handover_to_a_guest_names_the_host(self, tmp_path: Path) -> None:
        table = Table(3, kinds=[1, 3, 0])
        table.start()
        table.table([[72, 1]])
        table.hand_over(1)
        assert check(tmp_path, table.file(0)) == 1

    def test_a_handover_without_the_successor_names_the_old_host(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        table = self.game()
        table.entry(7, 2, Key(secret("third")).public, bytes(32), bytes(64))
        assert check(tmp_path, table.file(0)) == 1
        assert "Player 1 (seat b), host from entry 5" in capsys.readouterr().out


def test_an_agreed_end_has_no_result_and_the_signatures_of_all(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("signed", [False, True])
def test_players_may_agree_to_the_end_while_a_round_is_co_signed(signed: bool, tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    table.move(0, "end", [[15]])
    if signed:
        table.cosign([0, 1], words=False)
    table.close(1, agreed=[0, 1])
    assert check(tmp_path, table.file(0)) == 4


class TestOrder:
    def game(self, *, words: bool = True) -> Table:
        """A game after the first co-signature."""
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.move(0, "end", [[15]])
        table.cosign([0, 1], words=words)
        return table

    @pytest.mark.parametrize("words", [True, False])
    def test_a_seat_changes_between_rounds(self, words: bool, tmp_path: Path) -> None:
        table = self.game(words=words)
        table.leave(1, "sensible")
        table.come_back(1)
        table.table([[72, 2]])
        table.hand_over(1)
        assert check(tmp_path, table.file(0)) == 4

    def test_words_after_another_entry_name_the_host(self, tmp_path: Path) -> None:
        table = self.game(words=False)
        table.leave(1)
        table.entry(5, [[0, bytes(16)], [1, bytes(16)]])
        assert check(tmp_path, table.file(0)) == 1

    @pytest.mark.parametrize("away", [False, True])
    @pytest.mark.parametrize("words", [True, False])
    def test_a_handover_waits_for_words_or_the_next_round(self, words: bool, away: bool, tmp_path: Path) -> None:
        table = self.game(words=words)
        if away:
            table.leave(1)
        table.hand_over(1)
        assert check(tmp_path, table.file(0)) == (4 if words else 1)

    @pytest.mark.parametrize("kind", ["seat", "handover"])
    def test_nothing_comes_between_the_end_of_a_round_and_its_signatures(self, kind: str, tmp_path: Path) -> None:
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.move(0, "end", [[15]])
        if kind == "seat":
            table.leave(1)
        else:
            table.hand_over(1)
        assert check(tmp_path, table.file(0)) == 1

    @pytest.mark.parametrize("away", [False, True])
    def test_the_table_does_not_act_between_two_moves(self, away: bool, tmp_path: Path) -> None:
        table = Table()
        table.start()
        table.table([[72, 1]])
        table.move(0, "end")
        if away:
            table.leave(1)
        table.table([])
        assert check(tmp_path, table.file(0)) == 1

    def test_a_player_who_is_away_may_move_sign_and_take_over(self, tmp_path: Path) -> None:
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


def test_an_empty_private_part_names_the_host(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]], {1: []})
    assert check(tmp_path, table.file(1)) == 1


def test_a_forged_agreement_to_the_end_names_the_host(tmp_path: Path) -> None:
    table = Table()
    table.start()
    table.table([[72, 1]])
    table.entry(9, 1, [], table.s, table.parts, [[1, bytes(64)]])
    assert check(tmp_path, table.file(0)) == 1


def test_two_histories_name_the_host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = short_game(), lying(entry_of(9), lambda public: [*public[:2], public[2][::-1], *public[3:]])
    assert check(tmp_path, one.file(0)) == check(tmp_path, other.file(1)) == 0
    assert check(tmp_path, one.file(0), other.file(1)) == 1
    assert f"signed two histories: entry {entry_of(9)}" in capsys.readouterr().out


def test_a_file_with_the_header_of_another_host_accuses_no_one(tmp_path: Path) -> None:
    table = Table()
    mallory = Key(secret("mallory"))
    table.key = mallory
    table.start()
    table.table([[11, 0, "king"]])
    table.host = mallory  # the head of the file
    assert check(tmp_path, table.file(0)) == 3


def test_the_cast_of_the_outsider_is_that_of_the_verifier() -> None:
    assert [*EIGHT] == load("check_log").CLASSIC
