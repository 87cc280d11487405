"""Drawing an auction: the card, the highest bid, who still bids, and what Enter does for the player asked."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style

from citadels_lan.engine.actions import other_seats
from citadels_lan.engine.state import Auction
from citadels_lan.engine.turn.cities import standing
from citadels_lan.front.asking.bidding import Bidding
from citadels_lan.front.card_labels import brief
from citadels_lan.front.cells import cut
from citadels_lan.texts import msg
from citadels_lan.ui.widgets import card_style
from citadels_lan.ui.widgets.drawing import Drawing, Pen
from citadels_lan.ui.widgets.key_names import printed

from .scene import Scene

OWN_BID = 2
"""Lines of the own bid."""
NAME = 12
"""Cells of a bidder's name at most."""


class Bidder(NamedTuple):
    """How somebody stands in an auction."""

    sign: str
    name: str
    style: Style


def draw_auction(
    scene: Scene, drawing: Drawing, auction: Auction, bidding: Bidding | None, width: int, height: int
) -> None:
    """Everything that everybody sees of an auction, and the own bid."""
    _card(scene, drawing, auction, width)
    _highest(scene, drawing, auction, width)
    _bidders(scene, drawing, auction, width)
    if bidding is not None:
        if len(drawing.lines) + OWN_BID < height:
            Pen(drawing)
        _own_bid(scene, drawing, bidding, width)


def _card(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    texts, look = scene.texts, scene.look
    pen = Pen(drawing).write(f" {texts.say(msg('AUCTION'))} ", look.title + Style(reverse=True)).write(" ")
    card = brief(texts, scene.edition, auction.card)
    pen.thing(
        "district", auction.card, card, card_style.style(look, scene.edition, auction.card) + Style(bold=True)
    )
    owners = [seat for seat, player in enumerate(scene.view.players) if standing(player, auction.card)]
    stands = (
        texts.say(msg("stands: {name}"), name=scene.called(owners[0])) if owners else texts.say(msg("missing"))
    )
    said = f" {texts.say(msg('of {name}'), name=scene.called(auction.seller))} ({stands})"
    if cell_len(said) > width - pen.x - 1:  # whose it is the log says as well
        said = f" ({stands})"
    pen.write(cut(said, width - pen.x - 1, look.glyphs.cut))


def _highest(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    texts, look = scene.texts, scene.look
    if auction.bidder is None:
        said = texts.say(msg("No bid yet; at least {gold}."), gold=auction.floor)
        Pen(drawing).write(f" {cut(said, width - 2)}", look.dim)
        return
    gold = texts.plural("{count} gold", "{count} gold", auction.bid)
    pen = Pen(drawing).write(f" {texts.say(msg('Highest bid'))}: ").write(gold, look.gold + Style(bold=True))
    style = look.title if auction.bidder == scene.reader else look.bold
    pen.write(cut(f", {scene.called(auction.bidder)}", width - pen.x - 1, look.glyphs.cut), style)


def _bidders(scene: Scene, drawing: Drawing, auction: Auction, width: int) -> None:
    """Those who may bid, clockwise from the seller, with a sign that says how each stands."""
    pen = Pen(drawing).write(" ")
    for bidder in _all(scene, auction):
        text = f"{bidder.sign}{bidder.name}"
        if pen.x + cell_len(text) + 2 > width and pen.x > 1:
            pen = Pen(drawing).write(" ")
        pen.write(text, bidder.style).write("  ")


def _all(scene: Scene, auction: Auction) -> Sequence[Bidder]:
    look, glyphs, asked = scene.look, scene.look.glyphs, scene.deciding
    least = auction.floor if auction.bidder is None else auction.bid + 1
    found = []
    for seat in other_seats(len(scene.view.players), auction.seller):
        name = cut(scene.called(seat), NAME, glyphs.cut)
        if seat == auction.bidder:
            found.append(Bidder(glyphs.complete, name, look.gold + Style(bold=True)))
        elif seat in auction.passed:
            found.append(Bidder(glyphs.gone, name, look.struck))
        elif seat in asked and seat != scene.reader:
            found.append(Bidder(glyphs.turn, name, look.title))
        elif scene.view.players[seat].gold < least:
            found.append(Bidder(glyphs.dot, name, look.dim))
        else:
            found.append(Bidder(" ", name, Style()))
    return found


def _own_bid(scene: Scene, drawing: Drawing, bidding: Bidding, width: int) -> None:
    texts, look = scene.texts, scene.look
    pen, passes = Pen(drawing).write(look.glyphs.turn, look.title), texts.say(msg("pass"))
    said = texts.plural("bid {count} gold", "bid {count} gold", bidding.amount) if bidding.amount else passes
    style = look.strong if bidding.possible else look.danger
    pen.thing("press", "enter", printed(texts, "Enter"), look.title).write(" ")
    pen.thing("press", "enter", said, style)
    if bidding.amount:
        pen.write("    ").thing("press", "p", "p", look.title).write(" ").thing("press", "p", passes, look.strong)
    limits = texts.say(msg("0-9 type a bid, {least} to {most}"), least=bidding.least, most=bidding.most)
    Pen(drawing).write(f" {cut(limits, width - 2)}", look.dim if bidding.possible else look.danger)
