"""The scripts that draw the pictures of the documentation."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from citadels_lan.presenter.proof import Proof, check
from tests.ui.pictures import the
from tools.animation import animated
from tools.docs_pictures import Table, never

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.slow
async def test_transcript_of_the_game_in_the_docs_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = await Table().until(never)
    assert table.play.over
    proof = the(Proof, check(table.transcript))
    assert proof.sound


def test_animated_picture_draws_unchanged_lines_once() -> None:
    first, second, third = (
        Strip([Segment(text, Style(color="#ff0000", bold=True)), Segment(" <&>")])
        for text in ("one", "two", "six")
    )
    drawing = ElementTree.fromstring(animated([[first, second], [first, third]], "a round", 2.0))
    lines = drawing.findall(f"{SVG}defs/{SVG}g")
    assert ["".join(line.itertext()) for line in lines] == ["one<&>", "two<&>", "six<&>"]
    frames = drawing.findall(f"{SVG}g/{SVG}g")
    shown = [[use.get("href") for use in frame] for frame in frames]
    assert shown == [["#l0", "#l1"], ["#l0", "#l2"]]
    style = drawing.findtext(f"{SVG}style", "")
    assert "film 4s steps(2) infinite" in style
    assert "prefers-reduced-motion" in style
