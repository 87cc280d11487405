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


def _always(_: Glance) -> bool:
    return True


@dataclass(frozen=True)
class Idea:
    """A lesson of the tutorial. `text` and `after` may contain the values of `glance.values`. `asked` returns
    whether a question is about it, `seen` whether an event is. `text` is true as long as `timely` returns True;
    then comes `after`, in the past tense, or the idea is dropped."""

    text: Message
    asked: Asked | None = None
    seen: Seen | None = None
    timely: Asked = _always
    after: Message | None = None

    def now(self, glance: Glance) -> Message | None:
        """The text that is true now; None if the idea is outdated."""
        return self.text if self.timely(glance) else self.after

    @property
    def passing(self) -> bool:
        """Whether the idea becomes outdated and no question brings it: such ideas come first."""
        return self.asked is None and self.timely is not _always


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


def _marks_me(kind: str) -> Asked:
    """Whether such a marker lies on an own character that has not been called yet."""
    return lambda glance: any(mark.kind == kind and mark.character in glance.held for mark in glance.view.marks)


def _placed(kind: str) -> Seen:
    return lambda event, _: isinstance(event, ev.Placed) and event.kind == kind


def _destroyed(event: Event, glance: Glance) -> bool:
    return isinstance(event, ev.Destroyed) and event.why == "destroy" and not glance.common


def _near(event: Event, glance: Glance) -> bool:
    wanted = goal(glance.view)
    return isinstance(event, ev.Built) and wanted is not None and size(glance.view, event.seat) >= wanted - NEAR


def _is_near(glance: Glance) -> bool:
    wanted = goal(glance.view)
    return not glance.view.last_round and wanted is not None and size(glance.view, glance.ahead()) >= wanted - NEAR


def _going(glance: Glance) -> bool:
    return glance.view.phase != "over"


def _choosing_on(glance: Glance) -> bool:
    """Whether there is another round to choose characters in."""
    return not glance.view.last_round


def _discarded(glance: Glance) -> bool:
    return "pick" in glance.verbs and bool(glance.view.faceup)


def _second_round(event: Event, _: Glance) -> bool:
    return isinstance(event, ev.RoundBegan | ev.LapBegan) and event.round == 2


def _short(glance: Glance) -> bool:
    """Nothing of the hand can be paid, and the gathering is done."""
    turn, seat = glance.view.turn, glance.seat
    done = turn is not None and turn.seat == seat and turn.gathered and not turn.builds and not turn.bound
    can_end = "end" in glance.verbs and not glance.view.last_round
    return bool(done and can_end and glance.hand and not any(map(_builds, glance.choices)))


def _builds(choice: object) -> bool:
    return isinstance(choice, Build) or getattr(choice, "verb", "") == "build"


def _unique(glance: Glance) -> bool:
    step = glance.view.steps[-1].cards if glance.step == "keep" else ()
    return any(glance.edition.types.get(card) == "unique" for card in (*glance.hand, *step))


IDEAS: Final[Mapping[str, Idea]] = {
    "goal": Idea(
        msg(
            "You build a city. Each district is worth the gold it costs, and the most points win. The round in"
            " which a city gets {goal} districts is the last."
        ),
        _own_city(lambda glance: bool(glance.choices)),
        lambda event, glance: isinstance(event, ev.RoundBegan) and not glance.common,
    ),
    "common_goal": Idea(
        msg(
            "All players build one city together, each their own part. You cannot build a district that another"
            " player has. Points are counted each time all characters have been called."
        ),
        lambda glance: glance.common and bool(glance.choices),
        _on(ev.LapBegan),
    ),
    "draft": Idea(
        msg(
            "Each round begins with a secret choice of characters. Your character decides when your turn comes and"
            " what you can do in it. Low numbers play first."
        ),
        _verb("pick"),
    ),
    "income": Idea(
        msg(
            "Some characters get 1 gold for each district of a type in their city: {paid}. Choose one that fits"
            " your city."
        ),
        _own_city(lambda glance: "pick" in glance.verbs and bool(glance.paying())),
    ),
    "crown": Idea(
        msg("The player with the crown chooses first: now {crown}. It stays there until {four} moves it."),
        _own_city(_verb("pick")),
        _on(ev.Crowned),
        timely=_choosing_on,
    ),
    "out": Idea(
        msg("Discarded face up: {out}. No player can have them in this round. What lies face down is secret."),
        _discarded,
        timely=_discarded,
    ),
    "ranks": Idea(
        msg(
            "Characters are called in rank order. If yours is called, you reveal it and take your turn. If there"
            " is no answer, no player has it, or it was killed."
        ),
        seen=_on(ev.Called),
    ),
    "calling": Idea(
        msg("Here you do not choose a character: you call the next one from a deck and play with its ability."),
        seen=_on(ev.CharacterCalled),
    ),
    "gather": Idea(
        msg(
            "Start each turn by gathering resources: take 2 gold, or draw 2 cards and keep 1. You need both gold"
            " and cards to build."
        ),
        _verb("gather"),
    ),
    "types": Idea(
        msg(
            "The colour and letter of a district show its type: {types}. All five types in your city are worth 3"
            " points."
        ),
        _own_city(_verb("gather")),
    ),
    "keep": Idea(
        msg(
            "When you draw cards you keep one. Cheap districts are built soon, expensive ones are worth more, and"
            " a type that you lack is worth points, too."
        ),
        _verb("keep"),
    ),
    "build": Idea(
        msg(
            "Building: pay a district's cost and put it in your city. The limit is usually one per turn, and no"
            " district twice."
        ),
        _verb("build"),
    ),
    "short": Idea(
        msg("You cannot build a card of your hand now. That happens: save your gold for your next turn."),
        _short,
        timely=_short,
    ),
    "unique": Idea(
        msg("A unique district scores like any other and has an effect of its own. {explain} explains the card."),
        _unique,
        lambda event, glance: isinstance(event, ev.Built) and glance.edition.types[event.card] == "unique",
    ),
    "end": Idea(msg("When you have done all you want, end your turn ({end})."), _verb("end")),
    "answering": Idea(
        msg(
            "The letter or digit of a choice selects it, and Enter confirms. {explain} explains what is selected,"
            " Esc shows the next tip, {guide} turns the tips off."
        ),
        lambda glance: not glance.lines and bool(glance.choices),
    ),
    "answering_lines": Idea(
        msg("The number of a choice takes it. {explain} and a name explains a card, {guide} turns the tips off."),
        lambda glance: glance.lines and bool(glance.choices),
    ),
    "hint": Idea(
        msg("When in doubt: {hint} shows what a bot would do now, and why. All players see that you ask."),
        lambda glance: glance.advised and bool(glance.choices),
    ),
    "sell": Idea(
        msg("You can sell hand cards to the bank, or offer them to the other players in an auction."),
        _verb("sell", "offer"),
    ),
    "auction": Idea(
        msg("In an auction you bid gold for the offered card, or pass. A player who passes cannot bid again."),
        seen=_on(ev.AuctionBegan),
    ),
    "killed": Idea(
        msg(
            "The Assassin names a character, not a player. The player who has it does not reveal it and loses the"
            " turn. Perhaps no player has it."
        ),
        seen=_marked("killed", mine=False),
    ),
    "robbed": Idea(
        msg(
            "The Thief names a character, not a player. When it is called, its player gives all gold to the Thief."
        ),
        seen=_marked("robbed", mine=False),
    ),
    "bewitched": Idea(
        msg(
            "The Witch names a character. Its player only gathers resources. Then the Witch plays with that"
            " character's ability and her own cards."
        ),
        seen=_marked("bewitched", mine=False),
    ),
    "killed_me": Idea(
        msg("Your character was killed: it loses its turn in this round. You keep your gold, cards and city."),
        seen=_marked("killed", mine=True),
        timely=_marks_me("killed"),
        after=msg("Your character was killed and lost its turn. You kept your gold, cards and city."),
    ),
    "robbed_me": Idea(
        msg(
            "You will be robbed: when your character is called, the Thief takes all your gold. You still get your"
            " normal turn."
        ),
        seen=_marked("robbed", mine=True),
        timely=_marks_me("robbed"),
        after=msg("You were robbed: the Thief took all your gold. You did not lose your turn."),
    ),
    "warrant": Idea(
        msg(
            "The Magistrate puts warrants on three characters, and one is signed. Its player may lose the first"
            " district paid for in that turn, and gets the gold back."
        ),
        seen=_placed("warrant"),
    ),
    "threat": Idea(
        msg(
            "The Blackmailer threatens two characters, and one threat has the flower. Each player pays half the"
            " gold, or refuses and risks all of it."
        ),
        seen=_placed("threat"),
    ),
    "swapped": Idea(
        msg("Two players have swapped hands: all their cards, however many each had."),
        seen=_on(ev.HandsSwapped),
    ),
    "destroyed": Idea(
        msg(
            "The Warlord can destroy a district for gold, but not in a complete city or the Bishop's. Its points"
            " are lost."
        ),
        seen=_destroyed,
    ),
    "moved": Idea(
        msg("A district can move to another city. It scores where it stands at the end."),
        seen=_on(ev.DistrictMoved),
    ),
    "taxed": Idea(
        msg(
            "With the Tax Collector in the game, each build costs 1 gold of tax. The Tax Collector takes all of"
            " it."
        ),
        seen=_on(ev.Taxed),
    ),
    "beautified": Idea(
        msg("A beautified district costs 1 gold more and is worth 1 point more for the rest of the game."),
        seen=_on(ev.Beautified),
    ),
    "words": Idea(
        msg(
            "The four check words of each round are for games with friends. Read them aloud: with the same words,"
            " all see the same game. Against bots, ignore them."
        ),
        seen=_second_round,
    ),
    "near": Idea(
        msg(
            "The game is almost over ({ahead}: {size} of {goal} districts). Cards in hand score nothing, so build"
            " now."
        ),
        seen=_near,
        timely=_is_near,
    ),
    "complete": Idea(
        msg(
            "A city is complete, so this round is the last. The first complete city gets 4 points, any other 2."
            " Players who have not played yet still play."
        ),
        seen=_on(ev.Completed),
        timely=_going,
    ),
    "cycle": Idea(
        msg("When all characters have been called, points are counted and the characters are shuffled again."),
        seen=_on(ev.CycleEnded),
    ),
    "over": Idea(
        msg(
            "The game is over. You score the costs of your districts, 3 for all five types, 4 for the first"
            " complete city or 2 for another one, and unique districts."
        ),
        seen=lambda event, glance: isinstance(event, ev.GameEnded) and not glance.common,
    ),
}
"""In the order in which they are told where several are met at once."""
