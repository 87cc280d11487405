"""The output of line mode: the table, the hand, the question and the end, as lines."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Final

from citadels_lan.engine import HIDDEN, State, seat_name
from citadels_lan.engine.edition_actions import Offer
from citadels_lan.engine.events import CastDrawn
from citadels_lan.engine.state import is_killed
from citadels_lan.engine.turn.cities import goal, size
from citadels_lan.front.acquaintances import at_end, badge, evening_lines, in_lobby, key_lines
from citadels_lan.front.attacks import public_effects
from citadels_lan.front.cells import clean
from citadels_lan.front.city_view import callers, in_words, names_standing, names_wanted, plots, shared
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import GUEST, MARKS, WORDS, mark_word
from citadels_lan.front.identities import known_this_round, possible
from citadels_lan.front.plan import sealed_draft
from citadels_lan.front.prompt.menu import Item, capital
from citadels_lan.front.prompt.prompt import Bidding, Prompt, Selection
from citadels_lan.front.tutorial.advice import brings
from citadels_lan.front.tutorial.guide import explained
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.texts import Texts, msg, msgs, terms
from citadels_lan.texts.cards import summary
from citadels_lan.texts.choices import describe, describe_part
from citadels_lan.texts.commands import word
from citadels_lan.texts.sentences.sentence import sentence
from citadels_lan.texts.sentences.teller import score_reason

from .messages import PageChoice, PageQuestion

HELP = (
    msg("a number: that choice; 0: one step back"),
    msg("a move in words: as it is listed, or a line of notation, for example build market"),
    msg("end: end the turn"),
    msg("table, hand, who, log: what lies open, your cards, who could be who, what has happened"),
    msg("city NAME: the city of one player; since: what has happened since your last move"),
    msg("an empty line: the question again; brief: shorter questions, and choices lists them"),
    msg("guide: hints for whoever plays for the first time, on or off; hints: those told so far"),
    msg("hint: what a bot would do, and why; everybody is told that you ask"),
    msg("cast: the characters and unique districts of this game, and what they do"),
    msg("city, pile: the common city and the discard pile, where there are any"),
    msg("keys: the six words of each player's key, and since when you know it"),
    msg("words: four words to read aloud: whoever has others has another history"),
    msg("quit bot: leave a game, and let a bot of the host move for you until you are back"),
    msg("handover NAME: hand the game to this player's computer, if you are the host"),
    msg("rules NAME: explain a card or a rule; say TEXT: chat; lang: the other language; quit: leave"),
)

COMMANDS: Final = MappingProxyType(
    {"end": "end", "explain": "rules", "guide": "guide", "hint": "hint", "cast": "cast", "who": "who"}
)
"""What the guide names, and the command for it."""


def commands(game: Game) -> Mapping[str, str]:
    """The commands that the tutorial names, in the language of the game."""
    return {name: word(game.texts, command) for name, command in COMMANDS.items()}


def round_words(game: Game, update: Cosigned) -> str:
    """The four check words after a round and at the end."""
    said = " ".join(update.words)
    if not said:
        return game.texts.say(msg("There are no check words after round {round}."), round=update.round)
    if update.over:
        return game.texts.say(msg("Words of the whole game: {words}"), words=said)
    return game.texts.say(msg("Words after round {round}: {words}"), round=update.round, words=said)


def words(game: Game) -> Iterator[str]:
    """The words that count now, and what for."""
    yield from game.words()[:1]
    yield f"{game.texts.say(msg('The four words'))}: {game.texts.say(WORDS)}"


def seats(game: Game) -> Iterator[str]:
    """The players in the lobby, and whether this player knows them."""
    texts, lobby = game.texts, game.table.lobby
    for seat, found in zip(lobby, in_lobby(game.known, lobby, game.table.seat), strict=True):
        state = texts.say(msg("ready")) if seat.ready or seat.bot else texts.say(msg("not ready yet"))
        guest = texts.say(GUEST) if seat.guest else ""
        away = texts.say(msg("away, says the host")) if seat.away else ""
        yield f"{clean(seat.name, 40)}: {', '.join(filter(None, (state, guest, badge(texts, found), away)))}"


def keys(game: Game) -> Iterator[str]:
    """The words of each player's key, to compare, as far as the host has sent them."""
    yield from key_lines(game.texts, game.known, game.table.lobby, game.table.seat) or [
        game.texts.say(msg("There are no keys of people to compare here."))
    ]


HOSTING = msg("code, qr, newcode: how friends come in, as a QR code, and a new code")


def help_lines(game: Game) -> Iterator[str]:
    """The commands of line mode."""
    yield from map(game.texts.say, (*HELP, *((HOSTING,) if game.invitation is not None else ())))


def table(game: Game) -> Iterator[str]:
    """All public information of the table."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    said = msgs("Round {round}. Deck: {count} card.", "Round {round}. Deck: {count} cards.")
    yield texts.say(said, count=len(view.deck), round=view.round)
    if shared(view):
        yield from pile(game)
        yield from _called(game)
    if view.faceup:
        yield texts.say(msg("Out of play, face up: {names}."), names=texts.characters(view.faceup))
    for mark in view.marks:
        if mark.character != HIDDEN:
            yield f"{texts.character(mark.character)}: {texts.say(mark_word(view, mark))}"
    types = game.edition.types
    for seat, player in enumerate(view.players):
        crown = texts.say(msg(", crown")) if view.crown == seat else ""
        shown = texts.characters(player.revealed)
        shown = f", {shown}" if shown else ""
        shown += texts.say(msg(", a bot moves for them")) if seat in game.table.substituted else ""
        counts = _counts(texts, view, seat)
        city = ", ".join(f"{texts.district(d.key)} ({texts.letter(types[d.key])}{d.cost})" for d in player.city)
        yield f"{seat_name(seat)} {game.names[seat]}{crown}{shown}: {counts}" + (f": {city}" if city else "")


def log(game: Game) -> Iterator[str]:
    """The whole log."""
    yield from (line.text for line in game.story.lines(game.texts))


def since(game: Game) -> Iterator[str]:
    """The log since this player's last move."""
    lines = [line.text for line in game.story.lines(game.texts, game.story.since or 0)]
    yield from lines or [game.texts.say(msg("Nothing has happened since your last move."))]


def one_city(game: Game, name: str) -> Iterator[str]:
    """One player's city, district by district; the player by the beginning of the name, or the letter."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    wanted_ = name.strip().casefold()
    seats_ = range(len(view.players))
    found = [
        seat for seat in seats_ if game.names[seat].casefold().startswith(wanted_) or seat_name(seat) == wanted_
    ]
    if len(found) != 1:
        yield texts.say(msg("Say whose: `city NAME`, one of {names}."), names=texts.alternatives(list(game.names)))
        return
    seat = found[0]
    yield f"{game.names[seat]}: {_counts(texts, view, seat)}"
    for district in view.players[seat].city:
        words = in_words(texts, game.edition, district.key)
        marks = (district.beautified, msg("beautified")), (district.turned, msg("turned"))
        said = [texts.say(mark) for there, mark in marks if there]
        if count_under := len(district.under):
            said.append(texts.plural("{count} card under it", "{count} cards under it", count_under))
        yield f"  {', '.join((words, *said))}"


def _counts(texts: Texts, view: State, seat: int) -> str:
    """Gold, cards, and how far the seat has come."""
    player = view.players[seat]
    has = terms.gold(texts, player.gold), terms.cards(texts, len(player.hand))
    if shared(view):
        points = texts.plural("{count} point", "{count} points", player.points)
        districts = texts.plural("{count} district", "{count} districts", size(view, seat))
        return ", ".join((*has, points, districts))
    return ", ".join((*has, texts.say(msg("city {size} of {goal}"), size=size(view, seat), goal=goal(view))))


def pile(game: Game) -> Iterator[str]:
    """The discard pile, the top first."""
    texts, view = game.texts, game.table.state
    cards = view.discards if view is not None else []
    if not cards:
        yield texts.say(msg("No card lies face up beside the deck."))
        return
    names = ", ".join(map(texts.district, reversed(cards)))
    yield texts.say(msg("Discard pile, the top first ({count}): {cards}."), count=len(cards), cards=names)


def _called(game: Game) -> Iterator[str]:
    """The characters called in this cycle, and those that are still in their deck."""
    texts, view = game.texts, game.table.state
    assert view is not None
    killed = f", {texts.say(MARKS['killed'])}"
    said = ", ".join(
        f"{texts.character(key)} ({game.names[seat]}{killed if is_killed(view, key) else ''})"
        for key, seat in callers(view).items()
    )
    yield f"{texts.say(msg('Called in this cycle'))}: {said or '-'}"
    left = [texts.character(key) for key in view.cast if key not in view.called]
    yield f"{texts.say(msg('Still in the deck ({count}):'), count=len(left))} {', '.join(left) or '-'}"


def city(game: Game) -> Iterator[str]:
    """The common city: the districts with their owners, and the missing ones."""
    texts, view = game.texts, game.table.state
    if view is None or not shared(view):
        yield texts.say(msg("Everybody has a city of their own: table shows them."))
        return
    yield texts.say(msg("City: {count} of {all} names stand."), count=names_standing(view), all=names_wanted(view))
    for kind, of_type in plots(view).items():
        stand = [f"{texts.district(one.key)} ({game.names[one.owners[-1]]})" for one in of_type if one.owners]
        missing = [texts.district(one.key) for one in of_type if not one.owners]
        yield texts.say(
            msg("{type}: {stand}; missing: {missing}"),
            type=capital(texts.type(kind)), stand=", ".join(stand) or "-", missing=", ".join(missing) or "-",
        )  # fmt: skip


def auction(game: Game) -> Iterator[str]:
    """The auction in progress, and how to bid for a player who may."""
    texts, view = game.texts, game.table.state
    if view is None or view.auction is None:
        return
    now = view.auction
    card = in_words(texts, game.edition, now.card)
    yield texts.say(msg("Auction: {card}, of {name}."), card=card, name=game.names[now.seller])
    if now.bidder is None:
        yield texts.say(msg("No bid yet; at least {gold}."), gold=now.floor)
    else:
        yield texts.say(msg("Highest bid: {gold}, {name}."), gold=now.bid, name=game.names[now.bidder])
    if now.passed:
        yield texts.say(msg("Passed: {names}."), names=texts.listing([game.names[seat] for seat in now.passed]))
    bidding = Bidding.of(game.choices())
    if bidding is not None:
        said = msg("A number from {least} to {most} is your bid; pass: no bid.")
        yield texts.say(said, least=bidding.least, most=bidding.most)


def hand(game: Game) -> Iterator[str]:
    """The own cards and characters."""
    texts, view = game.texts, game.table.state
    if view is None or game.table.seat is None:
        return
    player = view.players[game.table.seat]
    keys = [*player.revealed, *player.concealed]
    if shared(view):  # those called before are of the table
        keys = [view.turn.character] if view.turn is not None and view.turn.seat == game.table.seat else []
    own = [_own(game, key) for key in keys]
    if own:
        yield texts.say(msg("Your characters: {names}."), names=", ".join(own))
    cards = ", ".join(in_words(texts, game.edition, key) for key in game.card_letters.cards) or "-"
    yield texts.say(msg("Gold: {gold}. Hand: {cards}."), gold=player.gold, cards=cards)


def _own(game: Game, key: str) -> str:
    """An own character, with what has befallen it."""
    assert game.table.state is not None
    marks = [mark for mark in public_effects(game.table.state, game.table.seat) if mark.character == key]
    return ": ".join(
        (in_words(game.texts, game.edition, key), *(game.texts.say(MARKS[mark.kind]) for mark in marks))
    )


def who(game: Game) -> Iterator[str]:
    """Who could still be who."""
    view = game.table.state
    if view is None:
        return
    if shared(view):
        yield from _called(game)
    for seat, keys in possible(view, game.table.seat).items():
        yield f"{game.names[seat]}: {game.texts.alternatives([game.texts.character(key) for key in keys])}"


def in_this_game(game: Game) -> Iterator[str]:
    """What is played with, in the words of the event that tells it where it is left to chance, and that the draft
    is sealed."""
    view = game.table.state
    if view is not None and view.cast:
        event = CastDrawn(tuple(view.cast), tuple(view.districts))
        yield sentence(game.texts, event, game.names, game.table.seat) or ""
        yield from filter(None, (sealed_draft(game.texts, game.table.settings),))


def cards(game: Game) -> Iterator[str]:
    """The characters and unique districts of the game, each with what it does."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    for key in (*view.cast, *view.districts):
        is_character = key in game.edition.characters
        known = [*known_this_round(texts, view, game.table.seat, game.names, key)] if is_character else []
        state = f" ({', '.join(known)})" if known else ""
        yield f"{in_words(texts, game.edition, key)}{state}: {summary(texts, game.edition, key)}"


def hints(game: Game) -> Iterator[str]:
    """The tutorial's hints for now, each lesson once. The log lists events already, and a waiting player needs no
    hint about the others."""
    found = game.hints(commands(game))
    said = [hint for hint in found if hint.kind == "idea" or (game.mine and hint.kind != "happened")]
    if said:
        game.guide.tell()
    yield from (f"{game.texts.say(msg('Guide'))}: {hint.text}" for hint in said)


def told_so_far(game: Game) -> Iterator[str]:
    """Every idea that the guide has told."""
    glance = game.glance(commands(game))
    if glance is not None:
        yield from filter(None, (explained(game.texts, glance, key) for key in game.guide.told))


def question(game: Game, prompt: Prompt) -> PageQuestion:
    """The question: each choice has a number; what cannot be chosen has a reason instead."""
    if game.table.state is not None and game.table.state.auction is not None:
        labels = [
            describe(game.texts, bid, game.table.state, game.table.seat or 0, game.names) for bid in game.choices()
        ]
        return PageQuestion(0, game.status(), _numbered(labels), before=tuple(auction(game)), bids=True)
    if prompt.at.selection is not None:
        return _cards(game, prompt, prompt.at.selection)
    numbers, back, end = count(1), len(prompt.at.levels) > 1, prompt.menu.end
    choices = tuple(
        PageChoice(next(numbers), _label(game, item)) if item.open else PageChoice(0, item.barred)
        for item in prompt.items
        if item is not end
    )
    before = (prompt.title,) if prompt.title else ()
    ends = end is not None and end.choice is not None and not back
    return PageQuestion(0, game.status(), choices, before, back=back, end=end.label if end and ends else "")


def _numbered(labels: Iterable[str]) -> tuple[PageChoice, ...]:
    return tuple(PageChoice(number, label) for number, label in enumerate(labels, 1))


def _label(game: Game, item: Item) -> str:
    view, brought = game.table.state, ""
    if game.guide.on and view is not None:
        brought = brings(game.texts, view, game.table.seat, item.choice)
    return f"{item.label} ({brought})" if brought else item.label


def _cards(game: Game, prompt: Prompt, selection: Selection) -> PageQuestion:
    """The question for several cards."""
    texts, pool, (least, most) = game.texts, selection.deal.pool, selection.sizes
    cards = _numbered(in_words(texts, game.edition, pool[place], prompt.menu.out) for place in selection.free())
    before = (describe_part(texts, selection.deal, selection.part, game.names),)
    priced = texts.say(msg("With a least price it is typed: {example}."), example=f"{Offer(pool[0], 3)}")
    after = (priced,) if prompt.at.floor else ()
    return PageQuestion(0, game.status(), cards, before, after, least, most, ticking=True, back=True)


def question_lines(texts: Texts, question: PageQuestion) -> Iterator[str]:
    """A question in lines, without its status."""
    yield from question.before
    for choice in () if question.bids else question.choices:
        yield f"{choice.id:2} {choice.text}" if choice.id else f" - {choice.text}"
    if question.ticking:
        least, most = question.least, question.most
        asked = str(least) if least == most else f"{least}-{most}"
        yield texts.say(msg("Choose {asked} of them: numbers with spaces between; 0 goes back."), asked=asked)
    elif question.back:
        yield f" 0 {texts.say(msg('back'))}"
    yield from question.after
    if question.end:
        yield f"{word(texts, 'end')} {question.end}"


def ending(game: Game) -> Iterator[str]:
    """The result, the proof, the transcript; of a game that ended without a result why, and what is proven."""
    texts, view = game.texts, game.table.state
    if view is None or not game.winners:
        yield from _without_result(game)
        return
    yield from scores(game)
    if level := game.level():
        yield level
    if game.proof is not None:
        yield game.proof.verdict(texts)
        yield from game.proof.sentences(texts)
        yield from game.proof.history(texts)
    yield from evening_lines(texts, game.evening)
    yield from (said for said, _ in at_end(texts, game.known, game.proof, game.table.seat))
    yield from _checkable(game)


def scores(game: Game) -> Iterator[str]:
    """The final scores: the winners first, then by points. Before the record is closed there are no winners."""
    found = () if game.table.state is None else game.table.state.scores
    for seat in sorted(range(len(found)), key=lambda it: (it not in game.winners, -found[it].total)):
        score = found[seat]
        parts = ", ".join(f"{score_reason(game.texts, reason)} {points}" for reason, points in score.parts)
        yield f"{score.total:3} {game.names[seat]}: {parts}"


def _without_result(game: Game) -> Iterator[str]:
    """Why the game stopped, as after a lie in a sealed draft, and the players that the file accuses."""
    if not game.table.halted:
        return
    yield game.status()
    yield from game.proof.sentences(game.texts) if game.proof is not None else ()
    yield from _checkable(game)


def _checkable(game: Game) -> Iterator[str]:
    if game.table.transcript is not None:
        said = msg("Anyone can check it: citadels-lan verify {path}")
        yield game.texts.say(said, path=game.table.transcript)
