"""`host --draft`: what goes out with it, and what cannot be."""

from pathlib import Path

import pytest

from citadels_lan.cli.console import Console
from citadels_lan.cli.open.options import with_draft
from citadels_lan.net.host.lobby import check_settings
from citadels_lan.net.wire.errors import Refusal
from citadels_lan.net.wire.messages import Settings
from citadels_lan.texts import load
from tests.facts import first_game

from .program import refused, run


def why_not(settings: Settings) -> str:
    """Why a host cannot play this; empty where it can."""
    try:
        check_settings(settings)
    except Refusal as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("draft", ["open", "sealed"])
def test_the_table_that_is_asked_for(draft: str) -> None:
    assert with_draft(Console(load("en")), first_game(5), draft).draft == draft


def test_a_word_that_it_does_not_know(tmp_path: Path) -> None:
    assert "--draft does not know 'half': it is one of open, sealed." in refused(
        run(tmp_path, "host", "--headless", "--draft", "half")
    )


def test_an_edition_without_a_draft(tmp_path: Path) -> None:
    asked = run(tmp_path, "host", "--headless", "--edition", "citta_comune", "--draft", "sealed")
    assert "This edition has no draft that could be sealed." in refused(asked)


def test_a_host_that_cannot_play_it_says_so_in_a_sentence(tmp_path: Path) -> None:
    """Until a host can: then there is nothing to refuse, and nobody waits for players here."""
    said = why_not(Settings(with_draft(Console(load("en")), first_game(4), "sealed")))
    if said:
        asked = run(tmp_path, "host", "--headless", "--no-mdns", "--port", "0", "--draft", "sealed")
        assert said in refused(asked)


def test_whoever_plays_alone_is_not_asked(tmp_path: Path) -> None:
    """Among bots of this machine it gives nothing."""
    assert "--draft" in refused(run(tmp_path, "play", "--draft", "sealed"))


def test_the_help_says_what_it_gives_and_costs(tmp_path: Path) -> None:
    told = " ".join(run(tmp_path, "host", "--help").stdout.split())
    assert "--draft open|sealed" in told
    assert "not even this machine, knows a player's character before it is called" in told
    assert "everybody must be there at every call" in told
