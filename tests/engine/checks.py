"""Properties that hold in every game."""

from collections.abc import Sequence

from citadels_lan.engine import (
    Action,
    Deal,
    Table,
    acting,
    decide,
    decisions,
    decode_event,
    encode_event,
    evolve,
    expand,
    play_listed,
    play_move,
    redact,
    refusal,
    view,
)
from citadels_lan.engine.choices import Choice
from tests.engine.candidates import candidates
from tests.engine.games import Game, RandomChance, cards_drawn, cards_of, from_bank, gold_of
from tests.play.dice import some

MOST_EXPANDED = 3000


def keeps_cards_and_gold(game: Game) -> None:
    """Play a game. Check that it ends, that no card and no gold appears or disappears, that no gold is
    negative, that no held character also lies face down, and that `acting` and `decisions` name the same
    seats."""
    cards, gold = cards_of(game.state), gold_of(game.state)
    while not game.over:
        before = game.state.copy()
        said, events = game.step()
        cards += cards_drawn(events, before)
        gold += sum(map(from_bank, events))
        assert gold_of(game.state) == gold, said
        assert cards_of(game.state) == cards, said
        assert all(player.gold >= 0 for player in game.state.players), said
        held = {card for player in game.state.players for card in (*player.concealed, *player.revealed)}
        assert held.isdisjoint(game.state.facedown), said
        assert acting(game.state) == tuple(decisions(game.state)), said
        if game.state.paused is not None:  # until the Witch continues, or the round is over
            assert game.state.phase != "draft", said
            assert game.state.turn is None or not game.state.turn.resumed, said
    assert game.state.phase != "over" or len(game.state.scores) == game.setup.players


def square_commutes(game: Game) -> None:
    """Play a game. Check that a view evolved by events, which were redacted, encoded and decoded, equals the
    view of the evolved state, and that the acting seat finds the same choices in its own view."""
    viewers = [None, *range(game.setup.players)]
    views = {viewer: view(game.state, viewer) for viewer in viewers}
    mirror = game.state.copy()
    for said, events in game.steps():
        for event in events:
            mirror = evolve(mirror, event)
            for viewer in viewers:
                told = decode_event(encode_event(redact(event, viewer)))
                views[viewer] = evolve(views[viewer], told)
                assert views[viewer] == view(mirror, viewer), (said, event, viewer)
        assert mirror == game.state
        asked = game.asked()
        if asked is not None:
            seat, choices = asked
            assert plain_choices(decisions(views[seat])[seat]) == plain_choices(choices), said


def plain_choices(choices: Sequence[Choice]) -> list[object]:
    """Return choices as values that can be compared: a Deal without its function."""
    return [(c.verb, c.pool, c.names, c.sizes) if isinstance(c, Deal) else c for c in choices]


def listed(choices: Sequence[Choice]) -> set[Action] | None:
    """Return all actions for which the choices stand, or None if they are too many."""
    if sum(choice.count() for choice in choices if isinstance(choice, Deal)) > MOST_EXPANDED:
        return None
    return set(expand(choices))


def listed_is_accepted(game: Game, every: float) -> None:
    """Play a game. At the part `every` of its decisions, check that exactly the listed moves are accepted,
    only from the acting seat, and that `decide` never changes the state."""
    for said, _ in game.steps():
        asked = game.asked()
        if asked is None or game.rng.random() > every:
            continue
        seat, choices = asked
        offered = listed(choices)
        if offered is None:
            continue
        before = game.state.copy()
        for action in (*candidates(game.rng, game.state, seat), game.rng.choice(sorted(offered, key=str))):
            accepted = refusal(game.state, seat, action) is None
            assert accepted == (action in offered), (said, str(action))
            if accepted:
                decide(game.state, seat, action, RandomChance(game.moves))
            other = (seat + 1) % game.setup.players
            assert refusal(game.state, other, action) is not None
        assert game.state == before


def listed_plays_as_any_other(game: Game) -> None:
    """Play a game. Check that `play_listed` gives the same events as `play_move`, also on a table that stores
    no events."""
    for said, _ in game.steps():
        asked = game.asked()
        if asked is None:
            continue
        seat, choices = asked
        action = some(game.rng, game.rng.choice(choices))
        usual = Table(game.state.copy(), RandomChance(game.moves))
        quick = Table(game.state.copy(), RandomChance(game.moves), keeps=False)
        play_move(usual, seat, action)
        play_listed(quick, seat, action)
        assert quick.state == usual.state, (said, str(action))
        assert usual.events
        assert not quick.events
