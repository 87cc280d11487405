"""Assigns the hidden characters of a sampled state. First, what one seat knows of the draft becomes a list of
places; then each character that the seat has not seen gets a place in which it can be.

A character leaves the draft at a certain time: before the first pick (laid face down by chance), at a pick
(kept or laid aside), or after the last pick. A character in an offer that a seat received has not left before
that offer; all others have. So each offer divides the characters into two groups, and the places in the same
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
"""Returns how likely a seat is to pick a character, compared with other characters."""

NOBODY: Final = -1
CHANGES: Final = 40
"""How many pairs of characters are considered for an exchange. This is enough for at most nine characters."""


class NoSampledState(ValueError):
    """There is no full state that agrees with the view and the memory of the seat."""


class DraftPlace(Struct):
    """A place where a character can be after the draft or in it.

    `time`: the number of the pick at which the character went there, -1 before the first pick. `holder`: the
    seat that has it; NOBODY if no player has it. `aside`: the seat that laid it aside. `stage`: the possible
    numbers of offers that this bot's seat had received before the character went there, usually one. `waits`:
    the character is among those offered at the present pick.
    """

    time: int
    holder: int
    aside: int = NOBODY
    stage: tuple[int, ...] = ()
    waits: bool = False


class SeenDraft(Struct):
    """The knowledge of a seat about the draft so far. `places` are in order of time. `pickers` are the seats
    that pick, in order; their positions are the times. `own` are the times of the seat's own offers.
    `taken_back`: the character that was first laid face down went into the last offer. `exact`: the offers of
    the other seats follow from the places."""

    places: list[DraftPlace]
    pickers: list[int]
    own: list[int]
    taken_back: bool = False
    exact: bool = True


def deal_characters(
    world: State, view: State, seat: int, memory: Memory, random: Random, weight: Weight | None
) -> None:
    """Put the characters that `seat` does not know into the sampled state `world`, so that the draft agrees
    with all that it knows. `weight` makes likely picks more frequent. Raises NoSampledState."""
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
    """Set `stage` of each place."""
    last = len(draft.pickers) - 1
    for place in draft.places:
        number = sum(time <= place.time for time in draft.own)
        place.stage = (number,)
        if draft.taken_back and place.time >= last and draft.pickers[last] != seat:
            # One of these characters is the first face-down one, which left before all offers.
            place.stage = (0, number)


def _swap(draft: SeenDraft, seat: int, swap: CharacterSwap | None, players: int) -> None:
    """Apply an exchange of characters by the Theater between two other seats: exchange the holders of their
    places. If each of the two may hold two characters, any of their places may be the exchanged one."""
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
    """The assignment of places to the characters: `known` has those that the seat knows, `left` the numbers
    of the free places, `characters` the ones still to be assigned."""

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
        """Assign a place to a character that `picker` is known to have picked, or to have laid aside
        (`laid`)."""
        number, places = self._number(character), self.draft.places
        mine = [at for at in self.left if (places[at].aside if laid else places[at].holder) == picker]
        self._take(character, [at for at in mine if number in places[at].stage] or mine)

    def _take(self, character: str, places: Sequence[int]) -> None:
        if places:
            self.known[character] = places[0]
            self.left.remove(places[0])

    def _number(self, character: str) -> int:
        """Return how many of the offers that this seat received contained `character`."""
        return sum(character in packet for packet in self.seen)

    def dealt(self, random: Random, weight: Weight | None) -> dict[str, int]:
        """Return the number of the place of every character. If no assignment agrees with everything, because
        the seat has not seen the whole round, first ignore the offers and then also silence at calls. Raises
        NoSampledState."""
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
        """Return the numbers of the places in which `character` can be. `staged`: it must agree with this
        seat's offers. `silent`: a called character that no seat revealed is held by no seat that would have
        answered."""
        places, number = self.draft.places, self._number(character)
        seats = self._seats(character)
        remaining = [at for at in self.left if number in places[at].stage] if staged else self.left
        if seats is None:
            return remaining
        if NOBODY in seats and not silent:
            return remaining
        return [at for at in remaining if places[at].holder in seats]

    def _seats(self, character: str) -> tuple[int, ...] | None:
        """Return the seats that may have `character`, judged by the calls so far; NOBODY among them means
        that it may be in no seat. None: the calls say nothing about it."""
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
        """Add to `places` a place for each character of `order` from position `index` on. Return whether that
        was possible."""
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
        """Exchange the places of characters at random, so that an assignment is about as frequent as the
        product of the weights of its picks (Metropolis algorithm, 1953)."""
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
    """Put the characters into the sampled state `world`, as `places` says: into other players' hands, face
    down, and into the present offer."""
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
    """Fill in the offers that the other seats received in this draft. `at` has the character of each
    place."""
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
