"""The ideas of the game, each with where it is met first: in what is asked, or in what has just happened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from citadels_lan.engine import Event
from citadels_lan.engine import events as ev
from citadels_lan.engine.actions import Build
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.fate import heals
from citadels_lan.texts import Message, msg

from .glance import Glance

Asked = Callable[[Glance], bool]
Seen = Callable[[Event, Glance], bool]
NEAR: Final = 2
"""So many districts before the last one the end is near."""


@dataclass(frozen=True)
class Idea:
    """`text` may name what `glance.values` has. `asked` says whether a question is about it, `seen` whether it is
    met in an event, `past` whether it is too late to tell it."""

    text: Message
    asked: Asked | None = None
    seen: Seen | None = None
    past: Asked = lambda _: False


def _verb(*words: str) -> Asked:
    return lambda glance: any(word in words for word in glance.verbs)


def _on(*kinds: type[Event]) -> Seen:
    return lambda event, _: isinstance(event, kinds)


def _own_city(condition: Asked) -> Asked:
    """Only where everybody has a city of their own."""
    return lambda glance: not glance.common and condition(glance)


def _marked(kind: str, *, mine: bool) -> Seen:
    """Where characters are held; where they are called off a deck, each one's own summary says it."""

    def met(event: Event, glance: Glance) -> bool:
        if not isinstance(event, ev.Marked) or event.kind != kind or glance.common:
            return False
        if not mine or glance.seat is None:
            return not mine
        spared = kind == "killed" and heals(glance.view, glance.seat)
        return event.character in glance.held and event.by != glance.seat and not spared

    return met


def _placed(kind: str) -> Seen:
    return lambda event, _: isinstance(event, ev.Placed) and event.kind == kind


def _destroyed(event: Event, glance: Glance) -> bool:
    return isinstance(event, ev.Destroyed) and event.why == "destroy" and not glance.common


def _near(event: Event, glance: Glance) -> bool:
    wanted = goal(glance.view)
    return isinstance(event, ev.Built) and wanted is not None and size(glance.view, event.seat) >= wanted - NEAR


def _over(glance: Glance) -> bool:
    return glance.view.phase == "over"


def _second_round(event: Event, _: Glance) -> bool:
    return isinstance(event, ev.RoundBegan | ev.LapBegan) and event.round == 2


def _short(glance: Glance) -> bool:
    """Nothing of the hand can be paid, and the gathering is done."""
    turn, seat = glance.view.turn, glance.seat
    done = turn is not None and turn.seat == seat and turn.gathered and not turn.builds and not turn.bound
    return bool(done and "end" in glance.verbs and glance.hand and not any(map(_builds, glance.choices)))


def _builds(choice: object) -> bool:
    return isinstance(choice, Build) or getattr(choice, "verb", "") == "build"


def _unique(glance: Glance) -> bool:
    step = glance.view.steps[-1].cards if glance.step == "keep" else ()
    return any(glance.edition.types.get(card) == "unique" for card in (*glance.hand, *step))


IDEAS: Final[Mapping[str, Idea]] = {
    "goal": Idea(
        msg(
            "You build a city. A district is worth what it costs, and most points win. The round in which a city"
            " reaches {goal} districts is the last."
        ),
        _own_city(lambda glance: bool(glance.choices)),
        lambda event, glance: isinstance(event, ev.RoundBegan) and not glance.common,
    ),
    "common_goal": Idea(
        msg(
            "All build one city together, each a part of it, and no name stands in it twice. Points are counted"
            " each time all characters have been called."
        ),
        lambda glance: glance.common and bool(glance.choices),
        _on(ev.LapBegan),
    ),
    "draft": Idea(
        msg(
            "Each round begins with a secret choice. Your character says when your turn comes, low numbers"
            " first, and what you can do in it. Next round you choose anew."
        ),
        _verb("pick"),
    ),
    "income": Idea(
        msg(
            "Some characters are paid 1 gold for each district of a type in their city: {paid}. So choose what"
            " fits your city."
        ),
        _own_city(lambda glance: "pick" in glance.verbs and bool(glance.paying())),
    ),
    "crown": Idea(
        msg("The crown says who chooses first: now {crown}. It stays there until {four} moves it."),
        _own_city(_verb("pick")),
        _on(ev.Crowned),
    ),
    "out": Idea(
        msg("Face up beside the table, and nobody's in this round: {out}. What lies face down nobody knows."),
        lambda glance: "pick" in glance.verbs and bool(glance.view.faceup),
    ),
    "ranks": Idea(
        msg(
            "Now the characters are called by their numbers. Whoever has the one that is called shows it and"
            " plays. Where nobody answers, nobody has it, or it was murdered."
        ),
        seen=_on(ev.Called),
    ),
    "calling": Idea(
        msg(
            "There is no choice of characters here: each turn calls the next one off a deck, and plays with what"
            " it can do."
        ),
        seen=_on(ev.CharacterCalled),
    ),
    "gather": Idea(
        msg(
            "Each turn begins with gathering: gold, or cards of which one stays. Gold pays, and cards are what"
            " you can build: you need both."
        ),
        _verb("gather"),
    ),
    "types": Idea(
        msg("Colour and letter of a district are its type: {types}. All five in your city are worth 3 points."),
        _own_city(_verb("gather")),
    ),
    "keep": Idea(
        msg(
            "You have drawn cards, and one of them stays, the others go back. Cheap ones stand soon, dear ones"
            " are worth more, and a type that you lack is worth points as well."
        ),
        _verb("keep"),
    ),
    "build": Idea(
        msg(
            "To build is to pay what stands on a card: it goes from your hand into your city. One in a turn as a"
            " rule, and never one that stands there already."
        ),
        _verb("build"),
    ),
    "short": Idea(
        msg(
            "Nothing of your hand can be built now. That happens: the gold you save builds more in the next round."
        ),
        _short,
    ),
    "unique": Idea(
        msg(
            "A unique district counts for points like any other and does something of its own besides; {explain}"
            " explains the card."
        ),
        _unique,
        lambda event, glance: isinstance(event, ev.Built) and glance.edition.types[event.card] == "unique",
    ),
    "end": Idea(msg("When you have done all you want, {end} ends your turn. Nothing else ends it."), _verb("end")),
    "answering": Idea(
        msg(
            "A letter or digit before a choice points at it, and Enter takes it. {explain} explains what is"
            " pointed at, Esc shows the next hint, {guide} ends the hints."
        ),
        lambda glance: not glance.lines and bool(glance.choices),
    ),
    "answering_lines": Idea(
        msg("The number before a choice takes it; {explain} and a name explains a card, {guide} ends the hints."),
        lambda glance: glance.lines and bool(glance.choices),
    ),
    "hint": Idea(
        msg("When in doubt: {hint} shows what a bot would do now, and why. Everybody is told that you ask."),
        lambda glance: glance.advised and bool(glance.choices),
    ),
    "sell": Idea(
        msg("Cards of your hand can be sold to the bank, or offered to the others, who then bid for them."),
        _verb("sell", "offer"),
    ),
    "auction": Idea(
        msg("An auction: bid gold for the card that is offered, or pass; whoever passes bids no more."),
        seen=_on(ev.AuctionBegan),
    ),
    "killed": Idea(
        msg(
            "A murder names a character, and not a player. Whoever holds it stays silent when it is called and"
            " loses the turn; perhaps nobody does."
        ),
        seen=_marked("killed", mine=False),
    ),
    "robbed": Idea(
        msg(
            "A robbery names a character, and not a player. When it is called, whoever holds it gives all gold"
            " to the Thief."
        ),
        seen=_marked("robbed", mine=False),
    ),
    "bewitched": Idea(
        msg(
            "A spell names a character. Whoever holds it only gathers; then the Witch plays on with its powers"
            " and with her own cards."
        ),
        seen=_marked("bewitched", mine=False),
    ),
    "killed_me": Idea(
        msg(
            "You have been murdered: no turn for you in this round. Gold, cards and city stay yours, and in the"
            " next round you choose again."
        ),
        seen=_marked("killed", mine=True),
    ),
    "robbed_me": Idea(
        msg(
            "You will be robbed: when your character is called, all your gold goes to the Thief. Your turn is"
            " yours all the same, and you gather anew."
        ),
        seen=_marked("robbed", mine=True),
    ),
    "warrant": Idea(
        msg(
            "Warrants lie on three characters, and one of them is real. Who carries it may lose the first"
            " district paid for in that turn, and has the gold back."
        ),
        seen=_placed("warrant"),
    ),
    "threat": Idea(
        msg(
            "Threats lie on two characters, and one of them is real. Who carries one pays half the gold, or"
            " refuses and risks all of it."
        ),
        seen=_placed("threat"),
    ),
    "swapped": Idea(
        msg("Two players have swapped all the cards in their hands, however many each had."),
        seen=_on(ev.HandsSwapped),
    ),
    "destroyed": Idea(
        msg(
            "A district can be destroyed: by rank 8, for gold. Never in a complete city, and not in a Bishop's."
            " Without it those points are gone."
        ),
        seen=_destroyed,
    ),
    "moved": Idea(
        msg("A district can go from one city to another: it counts where it stands at the end."),
        seen=_on(ev.DistrictMoved),
    ),
    "taxed": Idea(
        msg(
            "Whoever builds pays 1 gold of tax while the Tax Collector is in play; the Tax Collector takes it all."
        ),
        seen=_on(ev.Taxed),
    ),
    "beautified": Idea(
        msg("A beautified district costs 1 more from now on, and is worth 1 point more."), seen=_on(ev.Beautified)
    ),
    "words": Idea(
        msg(
            "The four words of each round are for games with friends: read them aloud, and if all have the same,"
            " nobody has changed the game. Against bots you can leave them alone."
        ),
        seen=_second_round,
    ),
    "near": Idea(
        msg(
            "The end comes near ({ahead}: {size} of {goal} districts). What you hold in hand counts nothing, so"
            " build what you can."
        ),
        seen=_near,
        past=lambda glance: glance.view.last_round,
    ),
    "complete": Idea(
        msg(
            "A city is complete, and the game ends with this round. The first complete city gets 4 points, any"
            " other 2. All who have not played yet still play."
        ),
        seen=_on(ev.Completed),
        past=_over,
    ),
    "cycle": Idea(
        msg("All characters have been called: points are counted, and they begin anew."), seen=_on(ev.CycleEnded)
    ),
    "over": Idea(
        msg(
            "The game is over. Counted are the costs of your districts, 3 for all five types, 4 for the first"
            " complete city or 2 for another one, and what unique districts give."
        ),
        seen=lambda event, glance: isinstance(event, ev.GameEnded) and not glance.common,
    ),
}
"""In the order in which they are told where several are met at once."""
