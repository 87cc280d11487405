"""One key explains: a card, a character, who could still be who, how the screen works."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.style import Style
from rich.text import Text

from citadels_lan.engine import Edition
from citadels_lan.engine.cards import CHARACTERS, DISTRICTS, TYPES
from citadels_lan.engine.state import is_killed
from citadels_lan.front.city_view import brief, callers, in_force, shared
from citadels_lan.front.game import Game
from citadels_lan.front.glyphs import MARKS, MATCHED, WORDS
from citadels_lan.front.identities import known_this_round, possible
from citadels_lan.front.prompt.menu import capital
from citadels_lan.front.tutorial.guide import explained
from citadels_lan.texts import Message, Texts, msg
from citadels_lan.texts.cards import explanation, facts, summary
from citadels_lan.texts.topics import Topic, title, topics_of
from citadels_lan.texts.topics import page as rule_page
from citadels_lan.ui.table.cast_row import mark_signs
from citadels_lan.ui.table.commands import COMMANDS, key_of
from citadels_lan.ui.table.scene import YOU
from citadels_lan.ui.widgets.key_names import shown
from citadels_lan.ui.widgets.look import Look
from citadels_lan.ui.widgets.page import paragraphs

NOT_YET: Final = msg("a type that is not in that city yet; or nobody knows")
NO_KEYMAP: Final[Mapping[str, str]] = MappingProxyType({})
KEYS = (
    ("a-l , .", msg("a card: points at it, or ticks it; Enter builds or chooses it")),
    ("1-9", msg("a player, or a character by its rank; else who that player could be")),
    ("m-z", msg("what has no card, always by the same letter: gold o, cards r, income m, your ability x")),
    ("↑ ↓", msg("the cursor; Enter confirms, Esc goes back a step, Space ticks")),
    ("Tab", msg("to the table and your hand; Enter explains a card")),
)
"""The keys of the question; everything can be clicked as well."""


def page(game: Game, look: Look, key: str, keymap: Mapping[str, str] = NO_KEYMAP) -> Text:
    """The page for a key: a card's, a rule's, a seat's number, `who`, `cast`, and help for anything else."""
    if (rule := Topic("rule", key)) in topics_of(game.edition):
        return paragraphs(look, title(game.texts, rule), rule_page(game.texts, rule, game.edition))
    if key in CHARACTERS or key in DISTRICTS:
        return card(game.texts, look, game.edition, key)
    text = Text()
    if key == "pile":
        return _pile(game, look)
    if key in PAGES:
        PAGES[key](game, look, text)
        return text
    common = game.table.state is not None and shared(game.table.state)
    if common and key.isdigit():
        _part(game, look, text, int(key))
        text.append("\n")
        _signs(game, look, text)
        return text
    if common and key == "who":
        _called(game, look, text)
    elif key == "who" or key.isdigit():
        _who(game, look, text, None if key == "who" else int(key))
    elif key != "cast":
        _help(game, look, text, keymap)
    if key.isdigit():
        _signs(game, look, text)
        text.append("\n")
    _cast(game, look, text)
    return text


def card(texts: Texts, look: Look, edition: Edition, key: str) -> Text:
    """All about a card."""
    text = Text()
    if key in edition.characters:
        text.append(texts.character(key), look.title)
    else:
        text.append(texts.district(key), look.types[edition.types[key]] + Style(bold=True))
    text.append(f"\n{facts(texts, edition, key)}", look.dim)
    said = summary(texts, edition, key)
    if key not in edition.districts or edition.types[key] == "unique":
        text.append(f"\n\n{said}", look.strong)
    return text.append(f"\n\n{explanation(texts, edition, key)}")


def _name(game: Game, seat: int) -> str:
    """The name of a seat; the own one is called so."""
    return game.texts.say(YOU) if seat == game.table.seat else game.names[seat]


def _pile(game: Game, look: Look) -> Text:
    """What lies face up, the top first, then how many of each."""
    texts, view = game.texts, game.table.state
    pile = view.discards if view is not None else []
    text = Text(texts.say(msg("The discard pile")), look.title)
    text.append("\n")
    if not pile:
        return text.append(f"\n{texts.say(msg('No card lies face up beside the deck.'))}")
    top = texts.say(msg("On top: {cards}."), cards=", ".join(map(texts.district, pile[:-6:-1])))
    then = texts.say(msg("When the deck is out, the pile is shuffled and becomes the deck."))
    text.append(f"\n{top} {then}\n\n")
    edition = game.edition
    for key in sorted(set(pile), key=lambda key: (TYPES.index(edition.types[key]), edition.costs[key], key)):
        text.append(f"{pile.count(key):>3}  ", look.bold)
        text.append(f"{brief(texts, edition, key)}\n", look.types[edition.types[key]])
    return text


def _part(game: Game, look: Look, text: Text, seat: int) -> None:
    """A player's part of the common city, and which characters it has called in this cycle."""
    texts, view, edition = game.texts, game.table.state, game.edition
    assert view is not None
    player = view.players[seat]
    text.append(_name(game, seat), look.title).append("\n")
    points = texts.plural("{count} point", "{count} points", player.points)
    gold = texts.plural("{count} gold", "{count} gold", player.gold)
    cards = texts.plural("{count} card in hand", "{count} cards in hand", len(player.hand))
    text.append(f"\n{points}, {gold}, {cards}\n")
    called = ", ".join(map(texts.character, player.revealed)) or "-"
    text.append(f"{texts.say(msg('Called in this cycle'))}: {called}\n\n")
    for district in sorted(player.city, key=lambda one: (TYPES.index(edition.types[one.key]), one.cost, one.key)):
        kind = edition.types[district.key]
        turned = f" ({texts.say(msg('turned'))})" if district.turned else ""
        said = f"{texts.letter(kind)}{district.cost} {texts.district(district.key)}{turned}\n"
        text.append(said, look.types[kind])
    if not player.city:
        text.append(texts.say(msg("No district yet.")), look.dim)


def _called(game: Game, look: Look, text: Text) -> None:
    """The characters called in this cycle, and those that are still in their deck."""
    texts, view = game.texts, game.table.state
    assert view is not None
    text.append(texts.say(msg("Called in this cycle")), look.title).append("\n")
    for key, seat in callers(view).items():
        text.append(f"\n{texts.character(key)}: ", look.bold)
        text.append(_name(game, seat))
        if is_killed(view, key):
            text.append(f" ({texts.say(MARKS['killed'])})")
        if key in in_force(view):
            text.append(f" ({texts.say(msg('in force until all characters have been called'))})", look.accent)
    left = [texts.character(key) for key in view.cast if key not in view.called]
    text.append(f"\n\n{texts.say(msg('Still in the deck ({count}):'), count=len(left))} ", look.title)
    text.append(", ".join(left)).append("\n\n")


def _who(game: Game, look: Look, text: Text, only: int | None) -> None:
    """What a careful player can conclude now."""
    texts, view = game.texts, game.table.state
    text.append(texts.say(msg("Who could still be who")), look.title).append("\n")
    found = possible(view, game.table.seat) if view is not None else {}
    found = {seat: keys for seat, keys in found.items() if only in (None, seat)}
    mine = None if game.hidden or view is None or view.whole else game.table.seat
    own = mine is not None and only in (None, mine)
    if own:
        _own(game, look, text, cards=only is not None)
    for seat, keys in found.items():
        text.append(f"\n{game.names[seat]}: ", look.bold)
        text.append(texts.alternatives([texts.character(key) for key in keys]))
    if not found and not own:
        text.append(f"\n{texts.say(msg('Nobody has a hidden character now.'))}")
    text.append("\n\n")


def _own(game: Game, look: Look, text: Text, *, cards: bool) -> None:
    """The own characters of the round, and with `cards` the own hand."""
    texts, view = game.texts, game.table.state
    assert view is not None
    assert game.table.seat is not None
    player = view.players[game.table.seat]
    text.append(f"\n{texts.say(YOU)}: ", look.title)
    text.append(texts.characters([*player.revealed, *player.concealed]) or look.glyphs.dot)
    if cards:
        text.append(f"\n{texts.plural('{count} card in hand', '{count} cards in hand', len(player.hand))}: ")
        text.append(", ".join(map(texts.district, player.hand)) or look.glyphs.dot)


def _help(game: Game, look: Look, text: Text, keymap: Mapping[str, str]) -> None:
    texts = game.texts
    text.append(texts.say(msg("The keys")), look.title).append("\n\n")
    commands = ((shown(key_of(command.name, keymap)), command.does) for command in COMMANDS)
    for key, meaning in (*KEYS, *commands):
        text.append(f"{key:>10}  ", look.title).append(f"{texts.say(meaning)}\n")
    said = [f"{look.glyphs.gone} {texts.say(msg('out of play, face up'))}"]
    said += [f"{sign} {texts.say(MARKS[kind])}" for kind, sign in mark_signs(look.glyphs)]
    said.append(f"{look.glyphs.tick} {texts.say(msg('has been shown'))}")
    said.append(f"{look.glyphs.dot} {texts.say(NOT_YET)}")
    said.append(f"+ {texts.say(msg('beautified'))}")
    said.append(f"{look.glyphs.turned} {texts.say(msg('turned'))}")
    text.append("\n" + "   ".join(said) + "\n\n", look.dim)
    proofs = [(texts.say(msg("The four words")), texts.say(WORDS)), (look.glyphs.matched, texts.say(MATCHED))]
    if " ".join(game.session.table.words):
        proofs.insert(1, ("", " ".join(game.session.table.words)))
    for head, meaning in proofs:
        text.append(f"{head}: " if head else "", look.title).append(f"{meaning}\n", None if head else look.strong)
    text.append("\n")


def _words(game: Game, look: Look, text: Text) -> None:
    """What the four words and the sign of what matches are for."""
    texts = game.texts
    text.append(texts.say(msg("The four words")), look.title)
    text.append(f"\n{' '.join(game.session.table.words)}\n" if game.session.table.words else "\n", look.strong)
    text.append(f"\n{capital(texts.say(WORDS))}\n")
    text.append(f"\n{texts.say(msg('Against bots you need not look at them.'))}\n\n", look.dim)
    text.append(f"{look.glyphs.matched}  ", look.title).append(f"{texts.say(MATCHED)}\n")


def _signs(game: Game, look: Look, text: Text) -> None:
    """What the signs beside a player mean."""
    say, glyphs = game.texts.say, look.glyphs
    text.append(say(msg("What the signs mean")), look.title).append("\n\n")
    signs: Sequence[tuple[str, Message]] = (
        (glyphs.turn, msg("whose move it is")),
        (glyphs.crown, msg("has the crown: chooses first")),
        (glyphs.tick, msg("has been played")),
        (glyphs.dot, NOT_YET),
        (glyphs.gone, msg("out of play in this round")),
        (glyphs.plot, msg("an empty plot")),
        (glyphs.complete, msg("the city is complete")),
        *((sign, MARKS[kind]) for kind, sign in mark_signs(glyphs)),
    )
    for sign, meaning in signs:
        text.append(f"{sign:>3}  ", look.title).append(f"{say(meaning)}\n")
    text.append("\n")
    for kind in TYPES:
        text.append(f"{game.texts.letter(kind):>3}  ", look.types[kind]).append(f"{game.texts.type(kind)}\n")


def _guide(game: Game, look: Look, text: Text) -> None:
    """What the guide has told so far."""
    glance = game.glance()
    text.append(game.texts.say(msg("What you have met so far")), look.title).append("\n")
    if glance is None:
        return
    for said in filter(None, (explained(game.texts, glance, key) for key in game.guide.told)):
        text.append(f"\n{look.glyphs.mark} {said}\n")


PAGES: Final[Mapping[str, Callable[[Game, Look, Text], None]]] = {
    "words": _words,
    "signs": _signs,
    "guide": _guide,
}
"""Pages that are about no card."""


def _cast(game: Game, look: Look, text: Text) -> None:
    """What each of the characters of this table does."""
    texts, view = game.texts, game.table.state
    if view is None:
        return
    text.append(texts.say(msg("The characters of this game")), look.title).append("\n")
    for key in view.cast:
        rank = "" if shared(view) else f"{game.edition.ranks[key]} "
        text.append(f"\n{rank}{texts.character(key)}", look.bold)
        known = list(known_this_round(texts, view, None if game.hidden else game.table.seat, game.names, key))
        text.append(f" ({', '.join(known)})" if known else "", look.accent)
        text.append(f": {summary(texts, game.edition, key)}")
