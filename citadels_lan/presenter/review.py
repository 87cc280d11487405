"""The decisions of a finished game with a bot's estimates: a review of a player, and explanations why one
move is better than another."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Final

from citadels_lan.bots.search import reviews
from citadels_lan.bots.search.memory import Memory, remember
from citadels_lan.bots.search.reviews import CostlyMove, Decision, Review, Weighed, weigh
from citadels_lan.bots.thinking import ThinkingPool
from citadels_lan.crypto.replay import Played
from citadels_lan.engine import HIDDEN, Action, Deal, State, decisions, events, evolve, parse, redact, view
from citadels_lan.engine.actions import Keep, Pick, Theater
from citadels_lan.texts import Texts, msg, msg_in, msgs
from citadels_lan.texts.moves import describe
from citadels_lan.texts.tables import sentences

from .bot_hint import BotHint, NoHint, thought
from .recording import Recording


def decided(recording: Recording, seat: int) -> Iterator[Decision]:
    """Yield every decision of the seat in which it had several choices, with only the information that the
    seat had at that time."""
    state, memory = recording.steps[0].state, Memory()
    before = view(state, seat) if state.whole else state
    for step, played in enumerate(recording.steps[1:], 1):
        choices = decisions(before).get(seat, ()) if played.seat == seat else ()
        # A move without an alternative is no decision to review.
        if (len(choices) > 1 or any(isinstance(one, Deal) for one in choices)) and (line := _line(played, before)):
            yield Decision(step, seat, before, deepcopy(memory), line)
        for event in played.events:
            told = redact(event, seat)
            remember(memory, before, told)
            before = evolve(before, told)


def decision_at(recording: Recording, step: int) -> Decision | None:
    """Return the decision in a step; None if the player had no choice, or the file does not contain the
    decision."""
    seat = recording.steps[step].seat
    if seat is None or (not recording.open and seat != recording.owner):
        return None
    return next((one for one in decided(recording, seat) if one.step == step), None)


def _line(played: Played, before: State) -> str:
    """Return the notation of a move. If the move is hidden, it is derived from its events (picks, exchanges,
    kept cards); "" if that is not possible."""
    if played.line:
        return played.line
    for event in played.events:
        match event:
            case events.Picked(_, character, laid):
                return str(Pick(character, next(iter(laid), None)))
            case events.Inquired("swap", (other,), _, int() as by, (given,)) if given != HIDDEN:
                return str(Theater(other, given if len(before.players[by].concealed) > 1 else None))
            case events.Kept(_, kept):
                return str(Keep(kept))
    return ""


SIGNED: Final = ("lead",)
"""Figures of an estimate that can be negative, so they are shown with a sign."""


def percent(texts: Texts, chance: float) -> str:
    """Return a probability in percent. 0 and 100 are avoided, because an estimate is never certain."""
    return texts.say(msg("{percent}%"), percent=min(99, max(1, round(100 * chance))))


@dataclass(frozen=True)
class Wording:
    """Texts about the moves in a decision of `seat`, which a bot has estimated. `own`: the reader is that
    player."""

    texts: Texts
    view: State
    seat: int
    names: Sequence[str]
    own: bool = False

    def label(self, move: Weighed) -> str:
        """Return a move as the list of choices shows it."""
        return describe(self.texts, parse(move.line, self.seat), self.view, self.seat, self.names)

    def rated(self, move: Weighed) -> str:
        """Return a move with its chance to win. For a pick, the move is written as the character's name
        alone."""
        character = self._chosen(move)
        name = self.texts.character(character) if character else self.label(move)
        return f"{name} ({percent(self.texts, move.chance)})"

    def why(self, better: Weighed, worse: Weighed) -> str:
        """Return a sentence about why `better` is better than `worse`. Both were estimated in the same
        sampled states."""
        found, say = reviews.reason(worse.parts, better.end, worse.end), self.texts.say
        if found is None:
            return say("Why: many small differences add up.")
        name, character = found.figure, self._chosen(worse)
        city = say("your city") if self.own else say("{name}'s city", name=self.names[self.seat])
        other = self.texts.the(character) if character else say("“{word}”", word=self.label(worse))
        figures = {"better": self._figure(name, found.better), "worse": self._figure(name, found.worse)}
        text, count = sentences(__package__, "review.toml")["why"][name], 1 if figures["better"] == "1" else 2
        return say(text, count=count, city=city, other=other, **figures)

    def about_as_good(self, move: Weighed) -> str:
        return self.texts.say("About as good: {move}.", move=self.rated(move))

    def compared(self, best: Weighed, other: Weighed) -> str:
        """Return a sentence about why `best` is better than `other`, or that both are about as good."""
        return self.why(best, other) if other.worse else self.about_as_good(other)

    def chances(self, moves: Sequence[Weighed]) -> Iterator[str]:
        """Yield each move with its chance to win and the error of the estimate, the best first."""
        yield self.texts.say("Chance to win:")
        for move in moves:
            error = max(1, round(100 * move.error))
            yield f"{percent(self.texts, move.chance):>5} ±{error:<2} {self.label(move)}"

    def _chosen(self, move: Weighed) -> str:
        """Return the character that a move picks; "" for other moves, and for a pick that also discards a
        character."""
        action = parse(move.line, self.seat)
        return action.character if isinstance(action, Pick) and action.discarding is None else ""

    def _figure(self, figure: str, value: float) -> str:
        if figure in reviews.SHARES:
            return str(round(100 * value))
        said = f"{value:+.1f}" if figure in SIGNED else f"{value:.1f}"
        # Italian writes a comma between whole numbers and tenths.
        point = self.texts.say(msg_in("between whole and tenths", "."))
        return said.removesuffix(".0").replace(".", point)


BY_WHAT: Final = msg(
    "Chances to win are estimated: the rest of the round is simulated many times, using only what the player could"
    " see."
)


def seat_review(texts: Texts, review: Review, names: Sequence[str], seat: int) -> Iterator[str]:
    """Yield the whole review of a seat in lines."""
    mistakes = msgs("{name}: the biggest mistake", "{name}: the {count} biggest mistakes")
    head = mistakes if review.moves else msg("{name}: no clear mistake.")
    yield texts.say(head, count=len(review.moves), name=names[seat])
    for number, move in enumerate(review.moves, 1):
        first, *rest = costly(texts, move, names)
        yield ""
        yield f"{number}. {first}"
        yield from (f"   {line}" for line in rest)
    yield ""
    if review.looked < review.decisions:
        said = msg("Time ran out after {looked} of {decisions} decisions.")
        yield texts.say(said, looked=review.looked, decisions=review.decisions)
    yield texts.say(BY_WHAT)


def costly(texts: Texts, move: CostlyMove, names: Sequence[str]) -> Iterator[str]:
    """Yield lines about a mistake: when it happened, what the player chose, what would have been better, and
    why."""
    view = move.decision.view
    wording = Wording(texts, view, move.decision.seat, names)
    yield texts.say("Round {round}, move {move}", round=max(view.round, 1), move=move.decision.step + 1)
    yield texts.say("Chosen: {move}", move=wording.rated(move.made))
    yield texts.say("Better: {move}", move=wording.rated(move.better))
    yield wording.why(move.better, move.made)


# Learning from mistakes


def attempt(mistake: CostlyMove, action: Action) -> tuple[Weighed, bool]:
    """Estimate the move `action` in the decision of a mistake. Return the estimate, and whether the move is
    about as good as the better one."""
    for known in (mistake.better, mistake.made):
        if str(action) == known.line:
            return known, known is mistake.better
    at, random = mistake.decision, Random(f"attempt/{mistake.decision.step}/{action}")
    moves = [action, parse(mistake.better.line, at.seat)]
    weighed = reviews.weigh_these(at.view, at.seat, moves, at.memory, reviews.SECOND_LOOK, random)
    own = next(move for move in weighed if move.line == str(action))
    return own, not (own.worse and own.gap >= reviews.LEAST)


@dataclass(frozen=True)
class Exercise:
    """One mistake of a review as an exercise (number `number` of `count`): the player looks for a better
    move."""

    mistake: CostlyMove
    number: int
    count: int
    names: Sequence[str]

    def wording(self, texts: Texts) -> Wording:
        """Return the texts about moves of this decision, addressed to the player who made it."""
        decision = self.mistake.decision
        return Wording(texts, decision.view, decision.seat, self.names, own=True)

    def question(self, texts: Texts) -> str:
        """Return a sentence about the move that the player made, and the task to find a better one."""
        made = self.wording(texts).rated(self.mistake.made)
        text = msg("{number}/{count} · Round {round}. You chose: {move}. Find a better choice.")
        round_ = max(self.mistake.decision.view.round, 1)
        return texts.say(text, number=self.number, count=self.count, round=round_, move=made)

    def solution(self, texts: Texts) -> str:
        """Return the better move and the reason."""
        wording, mistake = self.wording(texts), self.mistake
        better = texts.say("Better: {move}", move=wording.rated(mistake.better))
        return f"{better}. {wording.why(mistake.better, mistake.made)}"

    def position(self, texts: Texts) -> Iterator[str]:
        """Yield the question, and what the player could see in this decision, in lines."""
        view, seat = self.mistake.decision.view, self.mistake.decision.seat
        yield self.question(texts)
        for other, player in enumerate(view.players):
            city = texts.listing([texts.district(district.key) for district in player.city]) or "-"
            text = msg("{name}: gold {gold}, cards {cards}, city: {city}")
            cards = len(player.hand)
            yield texts.say(text, name=self.names[other], gold=player.gold, cards=cards, city=city)
        own = view.players[seat]
        hand = texts.listing([texts.district(key) for key in own.hand]) or "-"
        yield texts.say("Your hand: {cards}", cards=hand)
        if own.concealed:
            yield texts.say("Your character: {names}", names=texts.characters(own.concealed))

    def choices(self, texts: Texts) -> list[tuple[Action, str]]:
        """Return the choices of the decision with their labels."""
        decision = self.mistake.decision
        choices = decisions(decision.view)[decision.seat]
        better = parse(self.mistake.better.line, decision.seat)
        actions = [choice for choice in choices if isinstance(choice, Action)]
        # Of cards that are distributed only two ways are listed: there may be thousands.
        actions += [] if better in actions else [parse(decision.line, decision.seat), better]
        labels = (describe(texts, action, decision.view, decision.seat, self.names) for action in actions)
        return list(zip(actions, labels, strict=True))

    async def judge(self, texts: Texts, pool: ThinkingPool, action: Action) -> tuple[str, bool]:
        """Return a sentence about the move `action`, and whether it is about as good as the better one.
        Raises NoHint."""
        weighed, good = await thought(pool.submit(attempt, self.mistake, action))
        rated = self.wording(texts).rated(weighed)
        if not good:
            return texts.say("✗ {move}. This is not better. Try another choice.", move=rated), False
        if weighed.line == self.mistake.better.line:
            return f"✓ {self.solution(texts)}", True
        return f"✓ {rated}. {self.solution(texts)}", True


def exercises(review: Review, names: Sequence[str]) -> list[Exercise]:
    """Return the mistakes of a review as exercises, in the order of the game."""
    moves = sorted(review.moves, key=lambda move: move.decision.step)
    return [Exercise(move, number, len(moves), names) for number, move in enumerate(moves, 1)]


async def learn(
    texts: Texts,
    mistakes: Sequence[Exercise],
    pool: ThinkingPool,
    ask: Callable[[], str],
    tell: Callable[[str], object],
) -> None:
    """Go through the mistakes in lines: show each one, and let the player look for a better move. `ask`
    returns a typed line, "" at the end of the input; `tell` prints a line."""
    for exercise in mistakes:
        choices = exercise.choices(texts)
        listed = [f"{number:2} {label}" for number, (_, label) in enumerate(choices, 1)]
        for line in (*exercise.position(texts), *listed, texts.say(ASKED)):
            tell(line)
        while (typed := (await asyncio.to_thread(ask)).lower()) and typed.strip() != "n":
            typed = typed.strip()
            if typed == "q":
                return
            if typed == "s":
                tell(exercise.solution(texts))
            elif typed.isdecimal() and 1 <= int(typed) <= len(choices):
                text, _ = await exercise.judge(texts, pool, choices[int(typed) - 1][0])
                tell(text)
            else:
                tell(texts.say(ASKED))


ASKED: Final = msg("Type a number; s: solution, n: next, q: quit.")
NO_MISTAKE: Final = msg("No clear mistake in this game. Well played!")


async def explain(pool: ThinkingPool, recording: Recording, step: int) -> tuple[Decision, list[Weighed]]:
    """Return the decision in a step, and estimates of its moves, the best first. Raises NoHint."""
    decision = await asyncio.to_thread(decision_at, recording, step)
    if decision is None:
        raise NoHint(msg("This move was not a decision, or the file does not contain it."))
    view, seat = decision.view, decision.seat
    made = parse(decision.line, seat)
    weighing = pool.submit(weigh, view, seat, decisions(view)[seat], decision.memory, reviews.HINT, "why", made)
    return decision, await thought(weighing)


def explanation_lines(
    texts: Texts, decision: Decision, moves: Sequence[Weighed], names: Sequence[str]
) -> Iterator[str]:
    """Yield lines about a decision: which move its player made, the better move and the reason, and all moves
    with their chances to win."""
    wording = Wording(texts, decision.view, decision.seat, names)
    best, made = moves[0], next(move for move in moves if move.line == decision.line)
    yield f"{names[decision.seat]}: {wording.rated(made)}"
    yield ""
    if made is not best and made.worse:
        yield texts.say("Better: {move}", move=wording.rated(best))
        yield wording.why(best, made)
    elif made is not best:
        yield wording.about_as_good(best)
    elif len(moves) > 1:
        if moves[1].worse:
            yield texts.say("This is the best move.")
        yield wording.compared(best, moves[1])
    yield ""
    yield from wording.chances(moves)
    yield ""
    yield texts.say(BY_WHAT)


def hint_lines(texts: Texts, advice: BotHint, names: Sequence[str]) -> Iterator[str]:
    """Yield lines about a hint: the best move, why it is better than the next one, and all moves with their
    chances to win."""
    wording = Wording(texts, advice.view, advice.seat, names, own=True)
    best, *others = advice.moves
    yield texts.say("Best: {move}.", move=wording.rated(best))
    if others:
        yield wording.compared(best, others[0])
    yield ""
    yield from wording.chances(advice.moves)
