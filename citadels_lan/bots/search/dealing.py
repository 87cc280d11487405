"""Dealing the hidden characters of a sampled state: the draft as one seat saw it, and ways in which it may
have gone.

A character leaves the draft at a certain time: before the first pick (face down, by chance), at a pick (kept
or put aside), or after the last one. Characters in an offer that a seat received had not left before; all
others had. So each offer divides the characters into two groups, and the places that they went to in the same
way.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from citadels_lan.bots.heuristics.mind import first_to_pick
from citadels_lan.bots.search.memory import CharacterSwap, Memory
from citadels_lan.engine import State, edition_of
from citadels_lan.engine.flow.draft import aside_at, loses, picks
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.state import is_killed
from citadels_lan.engine.turn.cities import uniques

Weight: TypeAlias = Callable[[int, str], float]
"""Returns how readily a seat takes a character, compared with other characters."""

NOBODY: Final = -1
CHANGES: Final = 40
"""How often two characters are exchanged. This is enough for at most nine characters."""


class NoSampledState(ValueError):
    """No hidden cards or characters are consistent with the view and the memory of the seat."""


class DraftPlace(Struct):
    """A place where a character goes in the draft, at a `time` (the number of the pick). `holder` is the seat
    that gets it, or NOBODY if it lies on the table; `aside` is the seat that laid it there. `stage` has how many
    offers this bot's seat had received by then; there are several numbers if that is unknown. `waits`: it is in
    the offer of the present pick."""

    time: int
    holder: int
    aside: int = NOBODY
    stage: tuple[int, ...] = ()
    waits: bool = False


class SeenDraft(Struct):
    """The draft so far. `places` are in order of time, `pickers` are the seats by time, and `own` are the
    times of the seat's own offers."""

    places: list[DraftPlace]
    pickers: list[int]
    own: list[int]
    taken_back: bool = False
    exact: bool = True


def deal_characters(
    world: State, view: State, seat: int, memory: Memory, random: Random, weight: Weight | None
) -> None:
    """Put the characters that `seat` does not know into places that are consistent with the draft."""
    if not isinstance(edition_of(view).flow, Rounds) or view.phase == "setup":
        return
    draft = _draft(view, seat, memory)
    places = _Deal(view, seat, memory, draft).dealt(random, weight)
    _lay_out(world, view, seat, draft, places, memory.swap)


# The places


def _draft(view: State, seat: int, memory: Memory) -> SeenDraft:
    flow = edition_of(view).flow
    assert isinstance(flow, Rounds)
    players = len(view.players)
    chosen = players in flow.draft.chosen
    first = first_to_pick(view, seat) if memory.first is None else memory.first
    pickers = [(first + step) % players for step in picks(players)]
    offers = len(view.players[seat].seen)
    draft = SeenDraft([], pickers, [time for time, picker in enumerate(pickers) if picker == seat][:offers])
    places, size = draft.places, len(view.cast) - len(view.faceup)
    if not chosen:
        places.append(DraftPlace(-1, NOBODY))
        size -= 1
    for time, picker in enumerate(pickers[: view.picks + 1]):
        if time and loses(players, time - 1, len(view.cast)):
            places.append(DraftPlace(time - 1, NOBODY))
            size -= 1
        if size == 1:
            # At a full table the last player may also pick the first face-down character.
            places.pop(0)
            size += 1
            draft.taken_back = True
        if time == view.picks:
            places += [DraftPlace(time, NOBODY, waits=True) for _ in range(size)]
            size = 0
            break
        places.append(DraftPlace(time, picker))
        size -= 1
        if aside_at(players, time, face_down=not chosen):
            places.append(DraftPlace(time, NOBODY, picker))
            size -= 1
    places += [DraftPlace(len(pickers), NOBODY) for _ in range(size)]
    _stage(draft, seat)
    _swap(draft, seat, memory.swap, players)
    return draft


def _stage(draft: SeenDraft, seat: int) -> None:
    """Set, for each place, how many offers this seat had received before the character went there."""
    last = len(draft.pickers) - 1
    for place in draft.places:
        number = sum(time <= place.time for time in draft.own)
        place.stage = (number,)
        if draft.taken_back and place.time >= last and draft.pickers[last] != seat:
            # One of these characters is the first face-down one, which left before all offers.
            place.stage = (0, number)


def _swap(draft: SeenDraft, seat: int, swap: CharacterSwap | None, players: int) -> None:
    """Apply an exchange between two other seats: each now holds the character that the other has picked."""
    if swap is None or seat in (swap.seat, swap.other):
        return
    two = [place for place in draft.places if place.holder in (swap.seat, swap.other)]
    if players > 3:
        for place in two:
            place.holder = swap.seat + swap.other - place.holder
        return
    stage = tuple({number for place in two for number in place.stage})
    for place in two:
        place.stage = stage
    draft.exact = False


# Assigning characters to places


class _Deal:
    """The characters that the seat does not know, and the places left for them."""

    def __init__(self, view: State, seat: int, memory: Memory, draft: SeenDraft) -> None:
        self.view = view
        self.draft = draft
        self.seen = view.players[seat].seen
        self.known: dict[str, int] = {}
        """The number of the place of each known character."""
        self.left = list(range(len(draft.places)))
        me = view.players[seat]
        own = [*me.concealed, *me.revealed]
        swap = memory.swap
        if swap is not None and seat in (swap.seat, swap.other):
            # Before the exchange the seat had what it gave, and the other one what it received.
            other, given, received = swap.of(seat)
            self._know(received, other, laid=False)
            own = [given if character == received else character for character in own]
        for character in own:
            self._know(character, seat, laid=False)
        for character in me.laid:
            self._know(character, seat, laid=True)
        step = view.steps[-1] if view.steps else None
        if step is not None and step.verb == "pick" and step.seat == seat:
            for character in step.cards:
                self._take(character, [at for at in self.left if draft.places[at].waits])
        hidden = {*self.known, *view.faceup}
        self.characters = [character for character in view.cast if character not in hidden]

    def _know(self, character: str, picker: int, *, laid: bool) -> None:
        """Record a character that this seat has picked or laid aside."""
        number, places = self._number(character), self.draft.places
        mine = [at for at in self.left if (places[at].aside if laid else places[at].holder) == picker]
        self._take(character, [at for at in mine if number in places[at].stage] or mine)

    def _take(self, character: str, places: Sequence[int]) -> None:
        if places:
            self.known[character] = places[0]
            self.left.remove(places[0])

    def _number(self, character: str) -> int:
        """Return how many of this seat's offers contained a character."""
        return sum(character in packet for packet in self.seen)

    def dealt(self, random: Random, weight: Weight | None) -> dict[str, int]:
        """Return the place of every character. If not all constraints can be met, because the seat has not
        seen the whole round, drop some of them. Raises NoSampledState."""
        self.random, self.weight = random, weight
        for staged, silent in ((True, True), (False, True), (False, False)):
            allowed = {character: self._allowed(character, staged, silent) for character in self.characters}
            order = sorted(self.characters, key=lambda character: (len(allowed[character]), random.random()))
            places = dict(self.known)
            if self._place(order, 0, allowed, places):
                self._weigh(order, allowed, places)
                self.draft.exact = self.draft.exact and staged
                return places
        raise NoSampledState("no draft can have gone like this")

    def _allowed(self, character: str, staged: bool, silent: bool) -> list[int]:
        """Return the possible places of a character, limited by this seat's offers (`staged`) and by the
        calls (`silent`)."""
        places, number = self.draft.places, self._number(character)
        seats = self._seats(character)
        remaining = [at for at in self.left if number in places[at].stage] if staged else self.left
        if seats is None:
            return remaining
        if NOBODY in seats and not silent:
            return remaining
        return [at for at in remaining if places[at].holder in seats]

    def _seats(self, character: str) -> tuple[int, ...] | None:
        """Return the seats that may have a character now, possibly with NOBODY. None means any place."""
        view = self.view
        for seat, player in enumerate(view.players):
            if character in player.revealed:
                return (seat,)
        edition = edition_of(view)
        if view.phase == "draft" or edition.ranks[character] > view.rank:
            return None
        if not is_killed(view, character):
            return (NOBODY,)
        sick = [
            seat
            for seat, player in enumerate(view.players)
            if player.concealed and not any(unique.heals for unique in uniques(view, seat))
        ]
        return (NOBODY, *sick)

    def _place(
        self, order: Sequence[str], index: int, allowed: Mapping[str, Sequence[int]], places: dict[str, int]
    ) -> bool:
        """Find a place for each character from `index` on. Return whether that was possible."""
        if index == len(order):
            return True
        character = order[index]
        taken = set(places.values())
        free = [at for at in allowed[character] if at not in taken]
        self.random.shuffle(free)
        for at in free:
            places[character] = at
            if self._place(order, index + 1, allowed, places):
                return True
        places.pop(character, None)
        return False

    def _weigh(self, order: Sequence[str], allowed: Mapping[str, Sequence[int]], places: dict[str, int]) -> None:
        """Exchange characters until the deal is roughly as likely as the product of its weights (Metropolis
        algorithm, 1953)."""
        weight, random = self.weight, self.random
        if weight is None or len(order) < 2:
            return
        holders = [place.holder for place in self.draft.places]
        chances = {
            (first, at): 1.0 if holders[at] == NOBODY else weight(holders[at], first)
            for first in order
            for at in allowed[first]
        }
        for _ in range(CHANGES):
            first, other = random.sample(order, 2)
            here, there = places[first], places[other]
            if there in allowed[first] and here in allowed[other]:
                now = chances[first, here] * chances[other, there]
                if random.random() * now < chances[first, there] * chances[other, here]:
                    places[first], places[other] = there, here


# The table


def _lay_out(
    world: State, view: State, seat: int, draft: SeenDraft, places: dict[str, int], swap: CharacterSwap | None
) -> None:
    """Put the characters into the sampled state."""
    at = {place: character for character, place in places.items()}
    held: list[list[str]] = [[] for _ in world.players]
    down: list[str] = []
    packet: list[str] = []
    for number, place in enumerate(draft.places):
        if place.waits:
            packet.append(at[number])
        elif place.holder == NOBODY:
            down.append(at[number])
        else:
            held[place.holder].append(at[number])
    if swap is not None and seat in (swap.seat, swap.other):
        other, given, received = swap.of(seat)
        held[other] = [given if character == received else character for character in held[other]]
    world.facedown = down
    for other, player in enumerate(world.players):
        if other != seat:
            player.concealed = [character for character in held[other] if character not in player.revealed]
            player.laid = [at[number] for number, place in enumerate(draft.places) if place.aside == other]
    if draft.exact:
        _offer(world, seat, draft, at)
    step = world.steps[-1] if world.steps else None
    if step is not None and step.verb == "pick" and step.seat != seat:
        world.steps[-1] = step.but(cards=tuple(packet))


def _offer(world: State, seat: int, draft: SeenDraft, at: dict[int, str]) -> None:
    """Fill in the offers that the other seats received."""
    last, me = len(draft.pickers) - 1, world.players[seat]
    first_down = ""
    if draft.taken_back:
        seen = [character for packet in me.seen[: len(draft.own)] for character in packet]
        late = [at[number] for number, place in enumerate(draft.places) if place.time >= last]
        own = draft.pickers[last] == seat
        first_down = me.seen[-1][-1] if own else next((one for one in late if one not in seen), "")
    for time, picker in enumerate(draft.pickers[: world.picks + 1]):
        if picker != seat:
            packet = {at[number] for number, place in enumerate(draft.places) if place.time >= time}
            if time < last:
                packet.discard(first_down)
            world.players[picker].seen.append(tuple(one for one in world.cast if one in packet))
