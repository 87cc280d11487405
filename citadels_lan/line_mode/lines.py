"""The lines that line mode prints: the table, the hand, the question, the result of the game."""

from collections.abc import Iterator, Mapping
from itertools import count
from types import MappingProxyType
from typing import Final

from citadels_lan.engine import HIDDEN, Edition, State, edition_of, seat_name
from citadels_lan.engine.actions import Offer
from citadels_lan.engine.events import CastDrawn
from citadels_lan.engine.state import Auction, District, is_killed
from citadels_lan.engine.turn.cities import size
from citadels_lan.net.client.updates import Cosigned
from citadels_lan.presenter import facts
from citadels_lan.presenter.attacks import public_effects
from citadels_lan.presenter.game import Game
from citadels_lan.presenter.known_players import at_end, badge, evening_lines, in_lobby, key_lines
from citadels_lan.presenter.plan import sealed_draft
from citadels_lan.presenter.prompt.menu import capital
from citadels_lan.presenter.prompt.prompt import Bidding, Prompt
from citadels_lan.presenter.status import is_ready
from citadels_lan.presenter.symbols import GUEST, MARKS, WORDS, mark_word
from citadels_lan.presenter.text_width import clean
from citadels_lan.texts import Texts, msg, msgs, terms
from citadels_lan.texts.commands import word
from citadels_lan.texts.log import score_lines, sentence
from citadels_lan.texts.moves import describe, describe_part
from citadels_lan.texts.tables import sentences
from citadels_lan.texts.topics import summary

from .page_messages import PageChoice, PageQuestion

COMMANDS: Final = MappingProxyType({"end": "end", "explain": "rules", "hint": "hint"})
"""The word to type in line mode for each command that the tutorial mentions, by the tutorial's name of the
command."""


def commands(game: Game) -> Mapping[str, str]:
    """Return the words to type for the commands that the tutorial mentions, in the language of the game."""
    return {name: word(game.texts, command) for name, command in COMMANDS.items()}


def round_words(game: Game, update: Cosigned) -> str:
    """Return a sentence with the check words after the round of `update`, or of the whole game after its end,
    or a sentence that there are none."""
    text = msg("Check words after round {round}: {words}")
    if update.over or not update.words:
        none = msg("There are no check words after round {round}.")
        text = msg("Check words of the whole game: {words}") if update.words else none
    return game.texts.say(text, round=update.round, words=" ".join(update.words))


def words(game: Game) -> Iterator[str]:
    """Yield the current check words, if there are any, and a sentence about their purpose."""
    yield from filter(None, [game.words()])
    yield f"{game.texts.say(msg('Check words'))}: {game.texts.say(WORDS)}"


def seat_states(game: Game) -> Iterator[tuple[str, str]]:
    """Yield, for each player in the lobby, the name and the state: ready or not, offline, and whether this
    player has met that person before."""
    texts, lobby = game.texts, game.table.lobby
    for seat, acquaintance in zip(lobby, in_lobby(game.known, lobby, game.table.seat), strict=True):
        state = texts.say(msg("ready") if is_ready(seat) else msg("not ready"))
        guest = texts.say(GUEST) if seat.guest else ""
        away = texts.say(msg("offline, according to the host")) if seat.away else ""
        parts = filter(None, (state, guest, badge(texts, acquaintance), away))
        yield clean(seat.name, 40), ", ".join(parts)


def keys(game: Game) -> Iterator[str]:
    """Yield the words of each person's key, so that players can compare them, or a sentence that there are no
    keys."""
    none = game.texts.say(msg("No other person plays here, so there are no keys to compare."))
    yield from key_lines(game.texts, game.known, game.table.lobby, game.table.seat) or [none]


def help_lines(game: Game) -> Iterator[str]:
    """Yield the commands of line mode with their explanations."""
    commands = sentences(__package__, "help.toml")["table"].items()
    yield from (game.texts.say(text) for key, text in commands if key != "hosting" or game.invitation is not None)


def table(game: Game) -> Iterator[str]:
    """Yield all public information of the table."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    yield from of_round(game, view)
    types = game.edition.types
    for seat, player in enumerate(view.players):
        crown = texts.say(msg(", crown")) if view.crown == seat else ""
        characters = f", {texts.characters(player.revealed)}" if player.revealed else ""
        bot = texts.say(msg(", a bot plays")) if seat in game.table.substituted else ""
        city = ", ".join(f"{texts.district(d.key)} ({texts.letter(types[d.key])}{d.cost})" for d in player.city)
        counts = _counts(texts, view, seat) + (f": {city}" if city else "")
        yield f"{seat_name(seat)} {game.names[seat]}{crown}{characters}{bot}: {counts}"


def of_round(game: Game, view: State) -> Iterator[str]:
    """Yield the public facts of the round, without those of single seats: deck, discarded characters,
    markers; with a common city also its size, the discard pile and the called characters."""
    texts = game.texts
    heading = msgs("Round {round}. Deck: {count} card.", "Round {round}. Deck: {count} cards.")
    yield texts.say(heading, count=len(view.deck), round=view.round)
    if facts.shared(view):
        yield _common_city(texts, view)
        yield from pile(game)
        yield from _called(game, view)
    if view.faceup:
        yield texts.say(msg("Discarded face up: {names}."), names=texts.characters(view.faceup))
    for mark in view.marks:
        if mark.character != HIDDEN:
            yield f"{texts.character(mark.character)}: {texts.say(mark_word(view, mark))}"


def log(game: Game) -> Iterator[str]:
    """Yield all lines of the log."""
    return (line.text for line in game.story.lines(game.texts))


def since(game: Game) -> Iterator[str]:
    """Yield the lines of the log since this player's last move."""
    lines = [line.text for line in game.story.lines(game.texts, game.story.since or 0)]
    yield from lines or [game.texts.say(msg("Nothing has happened since your last move."))]


def one_city(game: Game, name: str) -> Iterator[str]:
    """Yield one player's city, a line for each district. `name` is the beginning of the player's name, or the
    letter of the seat."""
    texts, view, typed = game.texts, game.table.state, name.strip().casefold()
    if view is None:
        return
    named = enumerate(game.names)
    seats = [seat for seat, known in named if known.casefold().startswith(typed) or seat_name(seat) == typed]
    if len(seats) != 1:
        yield texts.say(
            msg("Type the player's name: `city NAME`, one of {names}."), names=texts.alternatives(list(game.names))
        )
        return
    yield f"{game.names[seats[0]]}: {_counts(texts, view, seats[0])}"
    for district in view.players[seats[0]].city:
        yield f"  {', '.join((facts.in_words(texts, game.edition, district.key), *notes_of(texts, district)))}"


def notes_of(texts: Texts, district: District) -> Iterator[str]:
    """Yield the special states of a district in a city: beautified, turned, with cards under it."""
    marks = (district.beautified, msg("beautified")), (district.turned, msg("turned"))
    yield from (texts.say(mark) for marked, mark in marks if marked)
    if district.under:
        yield texts.plural("{count} card under it", "{count} cards under it", len(district.under))


def _counts(texts: Texts, view: State, seat: int) -> str:
    """Return a player's gold, number of cards, and progress towards a complete city."""
    player, built = view.players[seat], size(view, seat)
    progress = [texts.say(msg("city {size} of {goal}"), size=built, goal=edition_of(view).goal(view))]
    if facts.shared(view):
        points = texts.plural("{count} point", "{count} points", player.points)
        progress = [points, texts.plural("{count} district", "{count} districts", built)]
    return ", ".join((terms.gold(texts, player.gold), terms.cards(texts, len(player.hand)), *progress))


def pile(game: Game) -> Iterator[str]:
    """Yield the discard pile, the top card first."""
    texts, view = game.texts, game.table.state
    cards = view.discards if view is not None else []
    names = ", ".join(map(texts.district, reversed(cards)))
    text = msg("Discard pile ({count}), from the top: {cards}.")
    yield texts.say(text if cards else msg("The discard pile is empty."), count=len(cards), cards=names)


def _called(game: Game, view: State) -> Iterator[str]:
    """Yield a line with the characters called in this cycle and their players, and a line with the characters
    still in the deck of characters."""
    texts = game.texts
    killed = f", {texts.say(MARKS['killed'])}"
    called = ", ".join(
        f"{texts.character(key)} ({game.names[seat]}{killed if is_killed(view, key) else ''})"
        for key, seat in facts.callers(view).items()
    )
    yield f"{texts.say(msg('Called in this cycle'))}: {called or '-'}"
    rest = [texts.character(key) for key in view.cast if key not in view.called]
    yield f"{texts.say(msg('Still in the deck ({count}):'), count=len(rest))} {', '.join(rest) or '-'}"


def _common_city(texts: Texts, view: State) -> str:
    text = msg("Common city: {count} of {all} different districts are built.")
    return texts.say(text, count=facts.names_standing(view), all=facts.names_wanted(view))


def city(game: Game) -> Iterator[str]:
    """Yield the common city: its built districts with their owners, and the districts that are not built
    yet."""
    texts, view = game.texts, game.table.state
    if view is None or not facts.shared(view):
        yield texts.say(msg("Each player has a separate city. Type table to see them."))
        return
    yield _common_city(texts, view)
    for kind, of_type in facts.plots(view).items():
        stand = [f"{texts.district(one.key)} ({game.names[one.owners[-1]]})" for one in of_type if one.owners]
        missing = [texts.district(one.key) for one in of_type if not one.owners]
        yield texts.say(
            msg("{type}: {stand}; missing: {missing}"),
            type=capital(texts.type(kind)), stand=", ".join(stand) or "-", missing=", ".join(missing) or "-",
        )  # fmt: skip


def _auction(game: Game, auction: Auction) -> Iterator[str]:
    """Yield the state of the present auction, and how to bid if this player may bid."""
    texts, names = game.texts, game.names
    card = facts.in_words(texts, game.edition, auction.card)
    yield texts.say(msg("Auction: {card}, offered by {name}."), card=card, name=names[auction.seller])
    if auction.bidder is None:
        yield texts.say(msg("No bid yet; at least {gold}."), gold=auction.floor)
    else:
        yield texts.say(msg("Highest bid: {gold}, {name}."), gold=auction.bid, name=names[auction.bidder])
    if auction.passed:
        yield texts.say(msg("Passed: {names}."), names=texts.listing([names[seat] for seat in auction.passed]))
    if (bidding := Bidding.of(game.choices())) is not None:
        text = msg("To bid, type a number from {least} to {most}; pass: no bid.")
        yield texts.say(text, least=bidding.least, most=bidding.most)


def hand(game: Game) -> Iterator[str]:
    """Yield the player's hand, and the player's own characters with their markers."""
    texts, view, seat = game.texts, game.table.state, game.table.seat
    if view is None or seat is None:
        return
    player = view.players[seat]
    keys = [*player.revealed, *player.concealed]
    if facts.shared(view):  # Characters that were called before are no longer the player's own.
        keys = [view.turn.character] if view.turn is not None and view.turn.seat == seat else []
    own = []
    for key in keys:
        marks = [texts.say(MARKS[mark.kind]) for mark in public_effects(view, seat) if mark.character == key]
        own.append(": ".join((facts.in_words(texts, game.edition, key), *marks)))
    if own:
        yield texts.say(msg("Your characters: {names}."), names=", ".join(own))
    cards = ", ".join(facts.in_words(texts, game.edition, key) for key in game.card_letters.cards) or "-"
    yield texts.say(msg("Gold: {gold}. Hand: {cards}."), gold=player.gold, cards=cards)


def who(game: Game) -> Iterator[str]:
    """Yield a line for each other player with the characters that this player may hold."""
    view = game.table.state
    if view is None:
        return
    if facts.shared(view):
        yield from _called(game, view)
    for seat, keys in facts.possible(view, game.table.seat).items():
        yield f"{game.names[seat]}: {game.texts.alternatives([game.texts.character(key) for key in keys])}"


def in_this_game(game: Game) -> Iterator[str]:
    """Yield a sentence with the characters and unique districts of the game, and one about the sealed draft,
    if the draft is sealed. Nothing before the game begins."""
    view = game.table.state
    if view is not None and view.cast:
        event = CastDrawn(tuple(view.cast), tuple(view.districts))
        yield sentence(game.texts, event, game.names, game.table.seat) or ""
        yield from filter(None, (sealed_draft(game.texts, game.table.settings),))


def cards(game: Game) -> Iterator[str]:
    """Yield the characters and unique districts of the game with their abilities."""
    texts, view, edition = game.texts, game.table.state, game.edition
    for key in (*view.cast, *view.districts) if view is not None else ():
        known: list[str] = []
        if view is not None and key in edition.characters:
            known = [*facts.known_this_round(texts, view, game.table.seat, game.names, key)]
        state = f" ({', '.join(known)})" if known else ""
        yield f"{facts.in_words(texts, edition, key)}{state}: {summary(texts, edition, key)}"


def question(game: Game, prompt: Prompt) -> PageQuestion:
    """Return the question of `prompt` as a message. Its choices are numbered from 1; a choice that is not
    possible now has the number 0 and a text with the reason."""
    texts, view, status, selection = game.texts, game.table.state, game.status(), prompt.at.selection
    if view is not None and view.auction is not None:
        labels = (describe(texts, bid, view, game.table.seat or 0, game.names) for bid in game.choices())
        bids = tuple(PageChoice(number, label) for number, label in enumerate(labels, 1))
        return PageQuestion(0, status, bids, tuple(_auction(game, view.auction)), bids=True)
    if selection is not None:
        pool, (least, most) = selection.deal.pool, selection.sizes
        places = selection.free()
        cards = tuple(
            PageChoice(
                number, facts.in_words(texts, game.edition, key, prompt.menu.out), key, kind_of(game.edition, key)
            )
            for number, key in enumerate((pool[place] for place in places), 1)
        )
        before = (describe_part(texts, selection.deal, selection.part, game.names),)
        priced = texts.say(msg("To set a minimum price, type: {example}."), example=f"{Offer(pool[0], 3)}")
        after = (priced,) if prompt.at.floor else ()
        return PageQuestion(0, status, cards, before, after, least, most, ticking=True, back=True)
    numbers, back, end = count(1), len(prompt.at.levels) > 1, prompt.menu.end
    choices = []
    for item in prompt.items:
        if not item.open:
            choices.append(PageChoice(0, item.barred))
        elif item is not end:
            choices.append(PageChoice(next(numbers), item.label, item.about, kind_of(game.edition, item.about)))
    title = (prompt.title,) if prompt.title else ()
    ends = end.label if end is not None and end.choice is not None and not back else ""
    return PageQuestion(0, status, tuple(choices), title, back=back, end=ends)


def kind_of(edition: Edition, key: str) -> str:
    """Return the type of a district, or `character` for a character; "" for any other key."""
    return "character" if key in edition.characters else edition.types.get(key, "")


def question_lines(texts: Texts, question: PageQuestion) -> Iterator[str]:
    """Yield the lines of a question: its choices and how to answer. The status line is not included."""
    yield from question.before
    for choice in () if question.bids else question.choices:
        yield f"{choice.id:2} {choice.text}" if choice.id else f" - {choice.text}"
    if question.ticking:
        least, most = question.least, question.most
        asked = str(least) if least == most else f"{least}-{most}"
        yield texts.say(msg("Choose {asked} of them: numbers separated by spaces; 0 goes back."), asked=asked)
    elif question.back:
        yield f" 0 {texts.say(msg('back'))}"
    yield from question.after
    if question.end:
        yield f"{word(texts, 'end')} {question.end}"


def ending(game: Game) -> Iterator[str]:
    """Yield the result, the verdict of the verification, and the path of the transcript. For a game without a
    result: why it ended, and what the transcript proves. Nothing while the game continues."""
    texts, proof, path = game.texts, game.proof, game.table.transcript
    finished = game.table.state is not None and bool(game.winners)
    if not finished and not game.table.halted:
        return
    if finished:
        yield from scores(game)
        yield from filter(None, (game.level(),))
    else:
        yield game.status()
    if proof is not None:
        yield from (proof.verdict(texts),) if finished else ()
        yield from proof.sentences(texts)
        yield from proof.history(texts) if finished else ()
    if finished:
        yield from evening_lines(texts, game.evening)
        yield from (line for line, _ in at_end(texts, game.known, proof, game.table.seat))
    if path is not None:
        yield texts.say(msg("To check the game: citadels-lan verify {path}"), path=path)


def scores(game: Game) -> Iterator[str]:
    """Yield the final scores: the winners first, then the others by points. Before the record is closed no
    one is a winner."""
    if (view := game.table.state) is not None:
        yield from score_lines(game.texts, game.names, view.scores, game.winners)
