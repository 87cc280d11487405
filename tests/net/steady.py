"""Tables with a chosen cast, whose players choose certain actions if they can."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from citadels_lan.engine import Action, Choice, Deal, TableConfig
from citadels_lan.engine.actions import Bewitch, Bribe, Confiscate, Gather, Marks, Pick, Reveal
from citadels_lan.net.wire.messages import Settings

from .playing import random_action
from .room import Guest, Room

CAST = ("magistrate", "blackmailer", "magician", "king", "bishop", "merchant", "architect", "warlord")
WITCHES = ("witch", "blackmailer", "magician", "king", "bishop", "merchant", "architect", "warlord")


@dataclass(frozen=True)
class Wishes:
    """What a player chooses if possible: the characters to pick; the character to bewitch (`spell`); the
    place `star` of the signed marker, for the verbs in `starred`; and whether to reveal it (`answer`). All
    other choices are random."""

    picks: tuple[str, ...] = ("magistrate", "blackmailer", "witch")
    spell: str = "blackmailer"
    star: int = 0
    starred: str = "warrant threaten"
    answer: bool = False

    def action(self, choices: Sequence[Choice], dice: random.Random) -> Action:
        """Return one of the legal actions: a wished one if there is one, otherwise a random one."""
        for choice in choices:
            if isinstance(choice, Deal) and choice.verb in ("warrant", "threaten"):
                return self._marks(choice, dice)
        listed = [choice for choice in choices if isinstance(choice, Action)]
        wanted: list[Action] = [Bewitch(self.spell), Bribe(False), Gather("gold")]
        wanted += [Confiscate(True)] if self.answer and "warrant" in self.starred else []
        wanted += [Reveal(True)] if self.answer and "threaten" in self.starred else []
        wanted += [Confiscate(False), Reveal(False)]
        wanted += [one for key in self.picks for one in listed if isinstance(one, Pick) and one.character == key]
        return next((one for one in wanted if one in listed), None) or random_action(choices, dice)

    def _marks(self, deal: Deal, dice: random.Random) -> Action:
        every = sorted((one for one in deal.actions() if isinstance(one, Marks)), key=str)
        where = dice.choice(every).characters
        at = self.star % len(where) if deal.verb in self.starred.split() else 0
        return next(one for one in every if (one.characters, one.chosen) == (where, where[at]))


class SteadyRoom(Room):
    """A room with a chosen cast, whose players all have the same wishes. `seed` determines deals and random
    moves."""

    guest = Guest

    def __init__(self, folder: Path, seed: int, wishes: Wishes, cast: tuple[str, ...] = CAST) -> None:
        super().__init__(folder, 4)
        self.dice = random.Random(seed)
        self.core = replace(self.core, game=seed.to_bytes(16, "big"))
        self.open(Settings(TableConfig(4, cast)))
        self.wishes = wishes

    def seat(self, *names: str) -> list[Guest]:
        self.guests += [self.guest(self, name).join() for name in names]
        self.carry()
        return self.guests

    def choice(self, guest: Guest) -> Action:
        from citadels_lan.engine import decisions

        state, seat = guest.state, guest.seat
        return self.wishes.action(decisions(state)[seat], self.dice)

    def asked(self) -> Guest | None:
        """Return the player who has to answer a question about a sealed marker now; None if there is none."""
        return next((guest for guest in self.players if guest.client.question), None)

    def owner(self, kind: str) -> Guest | None:
        """Return the player who has placed markers of this kind in this round; None if no one has."""
        by = next((mark.by for mark in self.game.state.marks if mark.kind == kind), None)
        return next((guest for guest in self.players if guest.client.seat == by), None)

    def until_placed(self, kind: str) -> Guest:
        """Play until a player has placed markers of this kind. Return that player."""
        while (owner := self.owner(kind)) is None:
            sent = self.move()
            assert sent is not None
            assert sent.taken, "a refused move is made again without end"
        return owner

    def until_asked(self) -> Guest | None:
        """Play until a player has to answer a question about a sealed marker. Return that player; None if the
        round ends before."""
        round_ = self.game.host_log.audit.round
        while self.game.host_log.audit.round == round_:
            if (asked := self.asked()) is not None:
                return asked
            if self.move() is None:
                return None
        return None


def counts(guest: Guest, secret: str) -> str:
    """Return the character with the signed marker of this guest, as the guest's client knows it."""
    state = guest.state
    mark = state.mark(secret)
    assert mark is not None
    return mark.character


__all__ = ["CAST", "WITCHES", "SteadyRoom", "Wishes", "counts"]
