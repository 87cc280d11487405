"""Who may hold which character: the draft as one seat saw it, and ways in which it may have gone.

A character leaves the draft at a certain time: before the first pick (face down, by chance), at a pick (kept or
put aside), or after the last one. What a seat was offered was still there, and the rest was gone. So each offer
divides the characters in two, and in the same way the places that they went to.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from citadels_lan.bots.search.memory import CharacterSwap, Memory
from citadels_lan.engine import State, edition_of
from citadels_lan.engine.flow.calling import silenced
from citadels_lan.engine.flow.draft import loses, picks
from citadels_lan.engine.flow.rounds import Rounds
from citadels_lan.engine.pieces import NEITHER

Weight: TypeAlias = Callable[[State, int, str], float]
"""How readily a seat takes a character, as the viewer of this view sees it; 1 where it is like most."""

NOBODY: Final = -1
CHANGES: Final = 40
"""So often two characters may change places: enough for the nine that there are at most."""


class NoWorld(ValueError):
    """Nothing that lies hidden can be so that the seat sees what it sees and remembers what it remembers."""


class DraftPlace(Struct):
    """Where a character goes in the draft: at which `time`, and who holds it then, NOBODY where it lies on the
    table; `aside` is who has laid it there. `stage` are the numbers of own offers that may have gone before.
    `waits`: it is offered just now."""

    time: int
    holder: int
    aside: int = NOBODY
    stage: tuple[int, ...] = ()
    waits: bool = False


class SeenDraft(Struct):
    """The draft so far: every place, in order of time; who picks, by time; the times of the own offers."""

    places: list[DraftPlace]
    pickers: list[int]
    own: list[int]
    taken_back: bool = False
    exact: bool = True


def deal_characters(
    world: State, view: State, seat: int, memory: Memory, random: Random, weight: Weight | None
) -> None:
    """Let the characters that `seat` does not know be somewhere, as a draft may have left them."""
    if not isinstance(edition_of(view).flow, Rounds) or view.phase == "setup":
        return
    draft = _draft(view, seat, memory)
    found = _Deal(view, seat, memory, draft).dealt(random, weight)
    _lay_out(world, view, seat, draft, found, memory.swap)


# The places


def _draft(view: State, seat: int, memory: Memory) -> SeenDraft:
    flow = edition_of(view).flow
    assert isinstance(flow, Rounds)
    players = len(view.players)
    chosen = players in flow.draft.chosen
    first = _first(view, seat, memory, chosen)
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
            places.pop(0)  # a full table: the last to pick has the first one face down, too
            size += 1
            draft.taken_back = True
        if time == view.picks:
            places += [DraftPlace(time, NOBODY, waits=True) for _ in range(size)]
            size = 0
            break
        places.append(DraftPlace(time, picker))
        size -= 1
        if _lays_aside(players, time, chosen):
            places.append(DraftPlace(time, NOBODY, picker))
            size -= 1
    places += [DraftPlace(len(pickers), NOBODY) for _ in range(size)]
    _stage(draft, seat)
    _swap(draft, seat, memory.swap, players)
    return draft


def _lays_aside(players: int, time: int, chosen: bool) -> bool:
    """Whether the pick at this time lays a character aside, too (R024, R346)."""
    return players == 2 if time else chosen


def _first(view: State, seat: int, memory: Memory, chosen: bool) -> int:
    """Who picked first. The view alone tells by the size of the first offer; of the last two players of a full
    table, who see equally many characters, it takes the earlier one, unless the crown is still there."""
    if memory.first is not None:
        return memory.first
    seen, players = view.players[seat].seen, len(view.players)
    if view.rank < 4 or not seen:
        return view.crown
    size = len(view.cast) - len(view.faceup) - (not chosen)
    time = 0
    while size > len(seen[0]) and time < players - 1:
        size -= 1 + _lays_aside(players, time, chosen)
        time += 1
    return (seat - time) % players


def _stage(draft: SeenDraft, seat: int) -> None:
    """Between which own offers each place is taken."""
    last = len(draft.pickers) - 1
    for place in draft.places:
        number = sum(time <= place.time for time in draft.own)
        place.stage = (number,)
        if draft.taken_back and place.time >= last and draft.pickers[last] != seat:
            place.stage = (0, number)  # one of them is the first one face down


def _swap(draft: SeenDraft, seat: int, swap: CharacterSwap | None, players: int) -> None:
    """After a swap between two others each holds what the other one has picked."""
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


# Who goes where


class _Deal:
    """The characters that are not known to the seat, and the places that are left for them."""

    def __init__(self, view: State, seat: int, memory: Memory, draft: SeenDraft) -> None:
        self.view = view
        self.draft = draft
        self.seen = view.players[seat].seen
        self.known: dict[str, int] = {}
        """The places of the known characters, by their number."""
        self.left = list(range(len(draft.places)))
        me = view.players[seat]
        own = [*me.concealed, *me.revealed]
        swap = memory.swap
        if swap is not None and seat in (swap.seat, swap.other):
            own = self._undo(own, seat, swap)
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

    def _undo(self, own: list[str], seat: int, swap: CharacterSwap) -> list[str]:
        """What the seat had picked before it swapped a character; where the other one's was, is taken."""
        mine = seat == swap.seat
        given, received = (swap.given, swap.received) if mine else (swap.received, swap.given)
        self._know(received, swap.other if mine else swap.seat, laid=False)
        return [given if character == received else character for character in own]

    def _know(self, character: str, picker: int, *, laid: bool) -> None:
        """A character that this seat has picked or laid aside."""
        number, places = self._number(character), self.draft.places
        mine = [at for at in self.left if (places[at].aside if laid else places[at].holder) == picker]
        self._take(character, [at for at in mine if number in places[at].stage] or mine)

    def _take(self, character: str, places: Sequence[int]) -> None:
        if places:
            self.known[character] = places[0]
            self.left.remove(places[0])

    def _number(self, character: str) -> int:
        """In how many of the own offers a character was."""
        return sum(character in packet for packet in self.seen)

    def dealt(self, random: Random, weight: Weight | None) -> dict[str, int]:
        """The place of every character. Where what is known cannot all be true, which is so where somebody has not
        seen all of the round, less of it counts."""
        self.random, self.weight = random, weight
        for staged, silent in ((True, True), (False, True), (False, False)):
            allowed = {character: self._allowed(character, staged, silent) for character in self.characters}
            order = sorted(self.characters, key=lambda character: (len(allowed[character]), random.random()))
            found = dict(self.known)
            if self._place(order, 0, allowed, found):
                self._weigh(order, allowed, found)
                self.draft.exact = self.draft.exact and staged
                return found
        raise NoWorld("no draft can have gone like this")

    def _allowed(self, character: str, staged: bool, silent: bool) -> list[int]:
        """The places where a character may be: `staged` by the own offers, `silent` by what was called."""
        places, number = self.draft.places, self._number(character)
        seats = self._seats(character)
        left = [at for at in self.left if number in places[at].stage] if staged else self.left
        if seats is None:
            return left
        if NOBODY in seats and not silent:
            return left
        return [at for at in left if places[at].holder in seats]

    def _seats(self, character: str) -> tuple[int, ...] | None:
        """Who may have a character now, NOBODY among them; None for anybody."""
        view = self.view
        for seat, player in enumerate(view.players):
            if character in player.revealed:
                return (seat,)
        edition = edition_of(view)
        if view.phase == "draft" or edition.ranks[character] > view.rank:
            return None
        if not silenced(view, character):
            return (NOBODY,)
        sick = [
            seat
            for seat, player in enumerate(view.players)
            if player.concealed and not any(edition.effects.get(one.key, NEITHER).heals for one in player.city)
        ]
        return (NOBODY, *sick)

    def _place(
        self, order: Sequence[str], index: int, allowed: Mapping[str, Sequence[int]], found: dict[str, int]
    ) -> bool:
        """Find a place for each character from this one on; whether there is one."""
        if index == len(order):
            return True
        character = order[index]
        taken = set(found.values())
        free = [at for at in allowed[character] if at not in taken]
        self.random.shuffle(free)
        for at in free:
            found[character] = at
            if self._place(order, index + 1, allowed, found):
                return True
        found.pop(character, None)
        return False

    def _weigh(self, order: Sequence[str], allowed: Mapping[str, Sequence[int]], found: dict[str, int]) -> None:
        """Let characters change places until one deal is as likely as the product of its weights says, about
        (Metropolis and others, 1953)."""
        weight, random, view = self.weight, self.random, self.view
        if weight is None or len(order) < 2:
            return
        holders = [place.holder for place in self.draft.places]
        chances = {
            (one, at): 1.0 if holders[at] == NOBODY else weight(view, holders[at], one)
            for one in order
            for at in allowed[one]
        }
        for _ in range(CHANGES):
            one, other = random.sample(order, 2)
            here, there = found[one], found[other]
            if there in allowed[one] and here in allowed[other]:
                now = chances[one, here] * chances[other, there]
                if random.random() * now < chances[one, there] * chances[other, here]:
                    found[one], found[other] = there, here


# The table


def _lay_out(
    world: State, view: State, seat: int, draft: SeenDraft, found: dict[str, int], swap: CharacterSwap | None
) -> None:
    """Put the characters where they are found to be."""
    at = {place: character for character, place in found.items()}
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
        mine = seat == swap.seat
        other = swap.other if mine else swap.seat
        given, received = (swap.given, swap.received) if mine else (swap.received, swap.given)
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
    """Tell the others what they were offered."""
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
