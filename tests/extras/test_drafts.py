"""Sealed drafts in the second verifier: honest ones, lies of seats, and lies of hosts about them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.effort import one_case

from .drafting import CAST, Drafting, Lie, box_key, box_secret, card, drafted, links, names, sealed_game
from .outsider import Table, link, shuffled
from .second import check

Lies = Mapping[tuple[str, int], Lie]
PLAYERS: Final = 4
CROWN: Final = drafted()[1].crown
NEXT: Final = (CROWN + 1) % PLAYERS


def other_key(_: Drafting, message: list[Any]) -> list[Any]:
    return [0, message[1], box_key(bytes(32))]


def other_deal(drafting: Drafting, message: list[Any]) -> list[Any]:
    """The dealer deals what it likes, and drafts with that."""
    drafting.packet = card(*CAST[:3], *CAST[4:6])
    return [*message[:3], drafting.fix(CROWN, "packet", 0, drafting.packet)[0]]


def other_face_up(_: Drafting, message: list[Any]) -> list[Any]:
    return [message[0], message[1][::-1], *message[2:]]


def no_character(drafting: Drafting, message: list[Any]) -> list[Any]:
    return [2, drafting.fix(NEXT, "pick", 0, 0b11)[0], *message[2:]]


def not_offered(drafting: Drafting, message: list[Any]) -> list[Any]:
    return [2, drafting.fix(NEXT, "pick", 0, drafting.picks[CROWN][0])[0], *message[2:]]


def other_rest(drafting: Drafting, message: list[Any]) -> list[Any]:
    """One character is left in the packet instead of another, in the box too."""
    missing = next(1 << at for at in range(8) if not drafting.packet >> at & 1)
    cards = drafting.packet & (drafting.packet - 1) | missing
    rest, nonce = drafting.fix(NEXT, "packet", 2, cards)
    box = drafting.box("packet", 2, NEXT, (NEXT + 1) % PLAYERS, cards, rest, nonce)
    return [*message[:3], rest, box]


def other_box(drafting: Drafting, message: list[Any]) -> list[Any]:
    """The box does not open to the commitment."""
    to = (NEXT + 1) % PLAYERS
    return [*message[:4], drafting.box("packet", 2, NEXT, to, drafting.packet, message[3], bytes(32))]


def denied(_: Drafting, __: list[Any]) -> list[Any]:
    return [6, bytes(32)]


SEEN_AFTER: Final[dict[str, tuple[tuple[str, int], Lie]]] = {
    "another box key": (("begin", NEXT), other_key),
    "another deal": (("deal", CROWN), other_deal),
    "another face-up order": (("deal", CROWN), other_face_up),
    "no character": (("pick1", NEXT), no_character),
    "a character that was not offered": (("pick1", NEXT), not_offered),
    "another packet": (("pick1", NEXT), other_rest),
    "a box that does not fit": (("pick1", NEXT), other_box),
}
"""By what is false: the message and its seat, and the lie; the last y of all seats proves it."""


def named(seat: int) -> str:
    return f"PROOF OF CHEATING: Player {seat} (seat {'abcd'[seat]}) lied in the sealed draft"


@one_case("lie", SEEN_AFTER)
def test_a_lying_seat_is_named_after_the_game(
    lie: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, what = SEEN_AFTER[lie]
    for viewer in (0, None):
        assert check(tmp_path, sealed_game({where: what}).file(viewer)) == 1
        assert named(where[1]) in capsys.readouterr().out


def test_a_seat_that_denies_its_character_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = sealed_game({("reply", CROWN): denied}, shown=False)
    assert check(tmp_path, table.file(0)) == 1
    assert named(CROWN) in capsys.readouterr().out


@pytest.mark.parametrize("rounds", [1, 3])
def test_honest_drafts_are_verified(rounds: int, tmp_path: Path) -> None:
    table = sealed_game(rounds=rounds)
    assert check(tmp_path, table.file(0), table.file(None)) == 0


@pytest.mark.parametrize("lies", [{}, {("pick1", NEXT): no_character}])
def test_a_seat_that_does_not_open_its_drafts_makes_the_game_incomplete(
    lies: Lies, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(tmp_path, sealed_game(lies, without=NEXT).file(0)) == 4
    assert f"Player {NEXT} " in capsys.readouterr().out


class TestComplaints:
    def draft(self, lies: Lies) -> tuple[Table, Drafting]:
        table = Table(PLAYERS, draft=1)
        table.start()
        table.table([[32, CROWN], [82, "deal", [CROWN], None, None, []]])
        drafting = Drafting(table, CROWN, lies)
        drafting.begin()
        drafting.deal()
        drafting.pick(0)
        drafting.pick(1)
        return table, drafting

    def test_a_true_complaint_names_the_sender(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        table, drafting = self.draft({("pick1", NEXT): other_box})
        drafting.complain((NEXT + 1) % PLAYERS, "pick1")
        table.cosign(range(PLAYERS))
        assert check(tmp_path, table.file(0)) == 1
        assert named(NEXT) in capsys.readouterr().out
        table.close(2, links(drafting))
        assert check(tmp_path, table.file(None)) == 1
        assert named(NEXT) in capsys.readouterr().out

    def test_a_false_complaint_names_the_complainer(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        table, drafting = self.draft({})
        drafting.complain((NEXT + 1) % PLAYERS, "pick1")
        drafting.pick(2)
        drafting.pick(3)
        assert check(tmp_path, table.file(0)) == 1
        assert named((NEXT + 1) % PLAYERS) in capsys.readouterr().out

    def test_a_false_box_secret_names_the_complainer(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        seat = (NEXT + 1) % PLAYERS
        lie = {("complaint", seat): lambda _, message: [*message[:2], box_secret(bytes(32))]}
        table, drafting = self.draft({("pick1", NEXT): other_box} | lie)
        drafting.complain(seat, "pick1")
        assert check(tmp_path, table.file(0)) == 1
        assert named(seat) in capsys.readouterr().out

    def test_close_2_without_a_lie_names_the_host(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        table, drafting = self.draft({})
        table.close(2, links(drafting))
        assert check(tmp_path, table.file(0)) == 1
        assert "another reason to close" in capsys.readouterr().out


def dropped(_: Drafting, message: list[Any]) -> list[Any]:
    return [*message[:1], link(0, "x", 5), *message[2:]]


HOSTS: Final[dict[str, tuple[tuple[str, int], Lie]]] = {
    "an x of another round": (("begin", 0), dropped),
    "a message of another shape": (("begin", 0), lambda _, message: message[:2]),
    "a message of no name": (("begin", 0), lambda _, message: [9, *message[1:]]),
    "the character of rank 4 face up": (("deal", CROWN), lambda _, message: [1, bytes([0, 3]), *message[2:]]),
    "no face-down character": (("deal", CROWN), lambda _, message: [*message[:2], None, message[3]]),
    "a discard": (("pick0", CROWN), lambda _, message: [*message[:2], bytes(32), *message[3:]]),
    "no box": (("pick0", CROWN), lambda _, message: [*message[:4], None]),
    "a reply that opens nothing": (("reply", NEXT), lambda _, __: [6, bytes([1]) * 32]),
}
"""What an honest host does not take: its key is named."""


@one_case("lie", HOSTS)
def test_a_host_that_takes_a_wrong_message_is_named(
    lie: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, what = HOSTS[lie]
    assert check(tmp_path, sealed_game({where: what}).file(0)) == 1
    assert "PROOF OF CHEATING: Player 0 (seat a), host from entry 1, signed entry" in capsys.readouterr().out


def test_a_message_out_of_turn_names_the_host(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(PLAYERS, draft=1)
    table.start()
    table.table([[32, CROWN], [82, "deal", [CROWN], None, None, []]])
    drafting = Drafting(table, CROWN)
    drafting.begin()
    drafting.packet = card(*CAST[:5])
    drafting.pick(0)
    assert check(tmp_path, table.file(0)) == 1
    assert "signed entry 5" in capsys.readouterr().out


def test_names_of_cards() -> None:
    assert names(card("thief", "king")) == ["thief", "king"]


def test_a_move_while_a_pick_is_due_names_the_host(tmp_path: Path) -> None:
    for due in (True, False):
        table = Table(4, draft=1)
        crown = int(shuffled(table.start(), "crown/0/table/0", range(4))[0])
        table.table([[32, crown], [82, "deal", [crown], None, None, []]])
        drafting = Drafting(table, crown)
        drafting.begin()
        drafting.deal()
        for at in range(3 if due else 4):
            drafting.pick(at)
        table.move(crown, "end")
        assert check(tmp_path, table.file(0)) == (1 if due else 4)


def test_a_move_while_replies_are_due_names_the_host(tmp_path: Path) -> None:
    table, _ = drafted()
    table.deltas, table.heads = table.deltas[:9], table.heads[:10]
    table.move(0, "end", [[82, "call", [0, 1, 2, 3], "king", None, []]])
    assert check(tmp_path, table.file(0)) == 4
    table.move(0, "end")
    assert check(tmp_path, table.file(0)) == 1


def test_a_substitute_in_a_sealed_draft_names_the_host(tmp_path: Path) -> None:
    for level, expected in (("", 4), ("sensible", 1)):
        table = Table(4, draft=1)
        crown = int(shuffled(table.start(), "crown/0/table/0", range(4))[0])
        table.table([[32, crown], [82, "deal", [crown], None, None, []]])
        table.leave(1, level)
        assert check(tmp_path, table.file(0)) == expected
