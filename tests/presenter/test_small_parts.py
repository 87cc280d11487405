"""Text in cells, invitations, errors, possible characters, and the results of an evening."""

import pytest
from rich.cells import cell_len

from citadels_lan.crypto.log import SeatKind
from citadels_lan.engine.score import Score
from citadels_lan.engine.state import Player, State
from citadels_lan.net.join.join_code import JoinCode, link
from citadels_lan.net.wire.messages import Seat
from citadels_lan.presenter.error_messages import because, parted
from citadels_lan.presenter.facts import possible
from citadels_lan.presenter.invitation import NOWHERE, OPEN, Invitation, invitation_lines
from citadels_lan.presenter.known_players import Evening, Sum, evening_lines
from citadels_lan.presenter.log import chat_line
from citadels_lan.presenter.symbols import ASCII, UNICODE, suitable
from citadels_lan.presenter.text_width import clean, cut, pad, wrap
from citadels_lan.texts import load
from citadels_lan.texts.refusals import CONNECTION
from tests.effort import one_case, quick
from tests.ui.fake import FakeSession


def test_text_shortened_twice_has_one_ellipsis() -> None:
    for text in ("😀" * 24, "Zoë " * 9):
        assert not any("……" in cut(cut(text, first), then) for first in range(30) for then in range(30))


@pytest.mark.parametrize("text", ["short", "国国国国国国国国", "e\u0301" * 12, "", "a" * 50, "x国" * 9])
def test_shortened_and_padded_text_has_the_given_width(text: str) -> None:
    for width in range(12):
        assert cell_len(cut(text, width)) <= width
        assert cell_len(pad(text, width)) == width


def test_wrapped_text_keeps_every_word() -> None:
    text = "one two three " + "x" * 30 + " 国国国国国国 end"
    for width in (1, 2, 5, 8, 40):
        lines = wrap(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert width < 3 or all(cell_len(line) <= width for line in lines)


def test_text_of_other_players_is_shown_without_control_characters() -> None:
    assert clean("\x1b[2J\u202eA\u200bda\ufe0f\n\t!") == "[2JAda !"
    assert chat_line("A\x07", "b\u2066").name == "A"


def test_symbols_of_the_screen_are_one_cell_wide() -> None:
    for signs in (UNICODE, ASCII):
        for sign in signs:
            assert all(cell_len(char) == 1 for char in sign)
    assert all(sign.isascii() for sign in ASCII)
    assert suitable({"TERM": "dumb"}, "utf-8") is ASCII
    assert suitable({}, "latin-1") is ASCII
    assert suitable({"TERM": "xterm"}, "utf-8") is UNICODE


ANNA, BRUNO = Seat("Anna", key=b"a" * 32), Seat("Bruno", key=b"b" * 32)
BOT = Seat("Cosimo", SeatKind.BOT, key=b"c" * 32)


def over(winners: list[int], *points: int) -> State:
    """Return a finished game with these winners and points."""
    state = FakeSession(3).full_state
    state.winners = tuple(winners)
    state.scores = tuple(Score((("districts", total),)) for total in points)
    return state


def test_results_of_an_evening_are_summed_by_player_key() -> None:
    evening, texts = Evening(), load("en")
    evening.add((ANNA, BRUNO, BOT), over([0], 20, 15, 10))
    assert list(evening_lines(texts, evening)) == []
    renamed = Seat("Anna P.", key=ANNA.key)
    other_bot = Seat("Cosimo", SeatKind.BOT, key=b"d" * 32)
    evening.add((BRUNO, renamed, other_bot), over([0, 2], 18, 12, 18))
    assert evening.sums() == [Sum("Bruno", 2, 1, 33), Sum("Anna P.", 2, 1, 32), Sum("Cosimo", 2, 1, 28)]
    assert list(evening_lines(texts, evening))[1] == "Bruno: 1 won, 33 points in 2 games"


@one_case("code", [*CONNECTION, "no_such_code"])
@pytest.mark.parametrize("language", quick(["en", "it"], "it"))
def test_disconnection_code_without_details_gives_a_sentence(code: str, language: str) -> None:
    assert because(load(language), code, {})


def test_wrong_code_after_reconnecting_is_explained_by_a_new_code() -> None:
    assert "new code" in parted(load("en"), "wrong_code", {})
    assert parted(load("en"), "closing", {}) == because(load("en"), "closing", {})


CAST = ("assassin", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")


def drafted(seat: int, packet: tuple[str, ...], faceup: list[str]) -> State:
    """Return the state of a draft with five players, in which `seat` received the characters `packet` and
    picked the first one."""
    players = [Player(concealed=["?"]) for _ in range(5)]
    players[seat] = Player(concealed=[packet[0]], seen=[packet])
    state = State(edition="2016", cast=CAST, districts=(), players=players, deck=[], round=1, phase="turns")
    state.crown, state.faceup = 2, faceup
    return state


def test_possible_characters_follow_from_the_draft() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    found = possible(view, 3)
    assert found[2] == ["assassin", "magician"], "the first drafter had what did not reach me"
    assert found[4] == found[0] == found[1] == ["thief", "bishop", "merchant", "architect"]


def test_characters_of_called_ranks_are_no_longer_possible() -> None:
    view = drafted(3, ("king", "thief", "bishop", "merchant", "architect"), ["warlord"])
    view.rank = 6
    assert possible(view, 3)[0] == ["architect"]


def test_two_player_draft_excludes_no_character() -> None:
    players = [Player(concealed=["king"]), Player(concealed=["?"])]
    view = State(edition="2016", cast=CAST, districts=(), players=players, deck=[], round=1, phase="draft")
    assert "king" not in possible(view, 0)[1]
    assert len(possible(view, None)[1]) == 8


EN = load("en")


def test_new_code_changes_the_join_command_and_the_link() -> None:
    door = JoinCode.of("zebra opera radio")
    invitation = Invitation(("192.168.1.7:47110",), door, lambda: link("192.168.1.7", 47110, door.token))
    before = invitation.ways()
    assert before == [
        "citadels-lan join 192.168.1.7:47110 --code zebra opera radio",
        f"citadels://192.168.1.7:47110/#{door.token}",
    ]
    door.renew()
    assert [f"--code {door.code}" in invitation.ways()[0], door.token in invitation.ways()[1]] == [True, True]
    assert set(before).isdisjoint(invitation.ways())


def test_open_table_without_network_has_no_invitation() -> None:
    invitation = Invitation((), JoinCode())
    assert (invitation.ways(), invitation.qr()) == ([], ())
    assert list(invitation_lines(EN, invitation)) == [EN.say(OPEN), EN.say(NOWHERE)]
