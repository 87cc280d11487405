"""Tables with a chosen cast, and players with preferences."""

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
    """What players choose if they can: the characters to pick, the character to bewitch, the place of the
    marker that counts (if its verb is in `starred`), and whether they open it. Other choices are random."""

    picks: tuple[str, ...] = ("magistrate", "blackmailer", "witch")
    spell: str = "blackmailer"
    star: int = 0
    starred: str = "warrant threaten"
    answer: bool = False

    def action(self, choices: Sequence[Choice], dice: random.Random) -> Action:
        """Choose one of these actions."""
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
    """A table with a chosen cast, whose players all have the same preferences. `seed` decides deals and
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
        """The player who has to answer about a sealed marker now."""
        return next((guest for guest in self.players if guest.client.question), None)

    def owner(self, kind: str) -> Guest | None:
        """The player who has placed markers of a kind in this round."""
        by = next((mark.by for mark in self.game.state.marks if mark.kind == kind), None)
        return next((guest for guest in self.players if guest.client.seat == by), None)

    def until_placed(self, kind: str) -> Guest:
        """Play until markers of a kind are placed. Return their player."""
        while (owner := self.owner(kind)) is None:
            sent = self.move()
            assert sent is not None
            assert sent.taken, "a refused move is made again without end"
        return owner

    def until_asked(self) -> Guest | None:
        """Play until a player is asked about the markers, or the round is over."""
        round_ = self.game.host_log.audit.round
        while self.game.host_log.audit.round == round_:
            if (asked := self.asked()) is not None:
                return asked
            if self.move() is None:
                return None
        return None


def counts(guest: Guest, secret: str) -> str:
    """Return the character with this player's marker that counts, as the client knows it."""
    state = guest.state
    mark = state.mark(secret)
    assert mark is not None
    return mark.character


__all__ = ["CAST", "WITCHES", "SteadyRoom", "Wishes", "counts"]
