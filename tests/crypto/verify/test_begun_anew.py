"""What a report says of chance that was begun anew, of seats that say they were left out, and of who hosts."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from citadels_lan.crypto.claims import endorse
from citadels_lan.crypto.log import Endorsement, Header
from citadels_lan.crypto.report.model import endorser, host_text
from citadels_lan.crypto.report.report_json import figures
from citadels_lan.crypto.report.report_text import text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.words import key_words
from tests.crypto.table import FP, GAME, HOST, OWNER, begin, header, player
from tests.crypto.tables import restarted
from tests.facts import first_game


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """A report on a game whose second round was begun anew twice: to people, and to programs."""
    game = restarted((1, 2))
    game.disputing = lambda game: {1} if game.host_log.audit.round == 2 else ()
    path = tmp_path_factory.mktemp("anew") / "0.ctr"
    path.write_bytes(game.play().transcript(0))
    report = verify([path])
    assert report.code == 0
    return " ".join(text(report).split()), figures(report)["games"][0]


def test_a_report_tells_of_restarts_and_what_they_may_be_good_for(told: tuple[str, dict[str, Any]]) -> None:
    said, game = told
    assert (
        "Begun anew the chance of one round was begun anew: round 2 without Player 1, round 2 without Player 2"
        " So the host could choose among 3 outcomes of a round's chance, one after another."
    ) in said
    assert game["restarts"] == [{"round": 2, "without": ["b"]}, {"round": 2, "without": ["c"]}]


def test_a_report_tells_who_says_that_it_was_there(told: tuple[str, dict[str, Any]]) -> None:
    said, game = told
    assert "Disputed Player 1 says that it was left out although it was there (said before round 3)" in said
    assert game["disputed"] == [{"seat": "b", "rounds": [3]}]


def test_where_nothing_was_begun_anew_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "0.ctr"
    path.write_bytes(begin(2, followed=False).play().transcript(0))
    report = verify([path])
    assert "Begun anew" not in text(report)
    assert "Disputed" not in text(report)
    (game,) = figures(report)["games"]
    assert (game["restarts"], game["disputed"]) == ([], [])


def with_endorsement(endorsement: Endorsement | None) -> Header:
    return replace(header(first_game(4)), endorsement=endorsement)


def test_a_host_is_named_by_the_key_that_answers_for_it() -> None:
    key = HOST.public
    stranger = header(first_game(4))
    assert host_text(stranger, key) == f"key {' '.join(key_words(OWNER.public))}"
    of_a_player = with_endorsement(endorse(player(1), GAME, FP, key))
    assert endorser(of_a_player) == (player(1).public, 1)
    assert host_text(of_a_player, key) == f"Player 1, key {player(1).public.hex()[:16]}"
    assert host_text(with_endorsement(None), key) == f"key {key.hex()[:16]}"


def test_nobody_is_named_who_has_not_signed_that() -> None:
    key = HOST.public
    forged = with_endorsement(replace(endorse(player(2), GAME, FP, key), key=player(1).public))
    assert endorser(forged) is None
    assert host_text(forged, key) == f"key {key.hex()[:16]}"
    named = with_endorsement(endorse(player(1), GAME, FP, key))
    players = (named.players[0], replace(named.players[1], name="Anna"), *named.players[2:])
    assert "Anna" not in host_text(replace(named, players=players), key)
    assert host_text(named, player(3).public) == f"key {player(3).public.hex()[:16]}"
