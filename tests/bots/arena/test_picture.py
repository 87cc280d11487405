"""The picture of strengths is well-formed, and shows what it is given."""

from xml.etree import ElementTree

from citadels_lan.bots.arena import WinningShare
from citadels_lan.bots.arena.results import picture

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_intervals_and_par() -> None:
    drawn = picture(
        "A <title> & more", [WinningShare("one", 0.5, 0.4, 0.6), WinningShare("b&w", 0.1, 0.0, 0.25)], 0.25, "par"
    )
    root = ElementTree.fromstring(drawn)
    said = [text.text for text in root.iter(f"{SVG}text")]
    assert {"A <title> & more", "one", "b&w", "par", "50.0 %", "10.0 %", "60 %"} <= set(said)
    assert "70 %" not in said
    _, one, two = root.iter(f"{SVG}rect")
    assert abs(float(one.attrib["width"]) - 5 * float(two.attrib["width"])) < 0.5
    (par,) = (line for line in root.iter(f"{SVG}line") if "stroke-dasharray" in line.attrib)
    left, full = float(one.attrib["x"]), float(one.attrib["width"]) * 2
    assert abs(float(par.attrib["x1"]) - (left + 0.25 * full)) < 0.2
    assert all(float(line.attrib["x2"]) <= 720 for line in root.iter(f"{SVG}line"))
