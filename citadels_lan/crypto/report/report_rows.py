"""The rows of a game in a report for people: a label, and what was found of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from citadels_lan.crypto.absences import Absence
from citadels_lan.crypto.cosigning import CoSignedRound
from citadels_lan.crypto.log import Header, SeatKind

from .counts import Tally
from .findings import LABELS, Translate
from .model import FileReport, GameReport, endorser, host_text, printable

ROUNDS: Final = 8
"""So many rounds are listed; of more their count is told."""


def missing(header: Header, tally: Tally, say: Translate) -> list[str]:
    """Who has not co-signed which rounds, player by player."""
    return [
        say(LABELS["left_out"], name=player.name, rounds=_rounds(absent, say))
        for seat, player in enumerate(header.players)
        if (absent := tally.absent(seat))
    ]


def _rounds(absent: Sequence[CoSignedRound], say: Translate) -> str:
    """Some rounds, of which the last may be the end of the game."""
    rounds = [one.round for one in absent if not one.over]
    told = [_listed(rounds, say)] if rounds else []
    return ", ".join([*told, *(say(LABELS["end"]) for one in absent if one.over)])


def _listed(rounds: Sequence[int], say: Translate) -> str:
    if len(rounds) > ROUNDS:
        return say(LABELS["many_rounds"], count=len(rounds), round=rounds[0])
    return ", ".join(say(LABELS["one_round"], round=round_) for round_ in rounds)


Rows = Iterator[tuple[str, str]]


def rows(game: GameReport, header: Header, say: Translate) -> Rows:
    """All rows of a game, of which this is the header."""
    best = game.best
    tally = best.tally
    yield from _signed(header, tally, say)
    yield from _guests(header, say)
    yield from _called_off(header, say)
    yield from _protests(header, tally, say)
    yield from _substitutes(header, tally, say)
    yield from _checked(header, best, say)
    yield from _drafts(game, header, say)
    yield from _history(game, header, say)


def _signed(header: Header, tally: Tally, say: Translate) -> Rows:
    absent = missing(header, tally, say)
    if not tally.cosigned:
        sentence = say(LABELS["signed_not"])
    elif absent:
        sentence = say(LABELS["signed_but"], who=", ".join(absent))
    else:
        sentence = say(LABELS["signed_all" if tally.over else "signed_so_far"])
    yield say(LABELS["signed_row"]), sentence


def _guests(header: Header, say: Translate) -> Rows:
    """Whose seats are in the host's hands."""
    names = ", ".join(player.name for player in header.players if player.kind == SeatKind.GUEST)
    if names:
        yield say(LABELS["guests_row"]), say(LABELS["guests"], names=names)


def _called_off(header: Header, say: Translate) -> Rows:
    """How many starts of this table were called off before this game."""
    if count := len(header.called_off):
        text = LABELS["called_off_once" if count == 1 else "called_off"]
        yield say(LABELS["called_off_row"]), say(text, count=count)


def _protests(header: Header, tally: Tally, say: Translate) -> Rows:
    """Whose players say that a bot moved for them although they were connected."""
    label = say(LABELS["protests_row"])
    for seat, player in enumerate(header.players):
        if rounds := [one.round for one in tally.protests(seat)]:
            yield label, say(LABELS["protests"], name=player.name, rounds=_listed(rounds, say))
            label = ""


def _substitutes(header: Header, tally: Tally, say: Translate) -> Rows:
    """For which players substitute bots have moved, how much and how often."""
    label = say(LABELS["substitutes_row"])
    for seat, player in enumerate(header.players):
        absences = [one for one in tally.absences if one.seat == seat and one.bot is not None]
        if absences:
            yield label, _substitute(player.name, absences, say)
            label = ""


def _substitute(name: str, absences: Sequence[Absence], say: Translate) -> str:
    """What substitutes have done for one player."""
    first = absences[0]
    told = {"name": name, "n": first.bot, "count": sum(len(one.moves) for one in absences)}
    if len(absences) > 1:
        return say(LABELS["substitute_often"], times=len(absences), **told)
    text = LABELS["substitute_to_end" if first.until is None else "substitute"]
    return say(text, level=printable(first.level), until=first.until, **told)


def _checked(header: Header, file: FileReport, say: Translate) -> Rows:
    """What was checked, how much of it."""
    tally, counts = file.tally, file.counts
    yield say(LABELS["chain_row"]), say(LABELS["chain"], entries=file.links, host=tally.host)
    hidden, covert = sum(tally.hidden.values()), sum(tally.covert.values())
    sentence = say(LABELS["hidden_left" if covert else "hidden"], count=hidden, left=covert)
    yield say(LABELS["hidden_row"]), sentence
    sealed = sum(tally.sealed.values())
    if tally.unopened and not tally.closed:
        left = sum(map(len, tally.unopened.values()))
        yield say(LABELS["sealed_row"]), say(LABELS["sealed_so_far"], count=sealed, left=left)
    elif tally.unopened:
        who = [
            say(LABELS["left_out"], name=player.name, rounds=_listed(tally.unopened[seat], say))
            for seat, player in enumerate(header.players)
            if seat in tally.unopened
        ]
        yield say(LABELS["sealed_row"]), say(LABELS["sealed_left"], count=sealed, who=", ".join(who))
    elif sealed:
        yield say(LABELS["sealed_row"]), say(LABELS["sealed"], count=sealed)
    if not counts.events:
        yield say(LABELS["unchecked_row"]), say(LABELS["unchecked_wrong" if tally.closed else "unchecked"])
        return
    yield say(LABELS["chance_row"]), say(LABELS["chance"], count=counts.outcomes, rounds=tally.round)
    sentence = say(LABELS["replayed"], events=counts.events, leaves=counts.leaves)
    yield say(LABELS["replayed_row"]), sentence


def _drafts(game: GameReport, header: Header, say: Translate) -> Rows:
    """How many sealed drafts there were, who has not opened them, and who has lied."""
    tally = game.best.tally
    if not tally.drafts:
        return
    names = ", ".join(header.players[seat].name for seat in tally.undrafted)
    key = "drafts_so_far" if not tally.closed else "drafts_left" if names else "drafts"
    yield say(LABELS["drafts_row"]), say(LABELS[key], count=tally.drafts, who=names)
    if lies := game.draft_lies:
        yield "", say(LABELS["drafts_lied"], who=_named(header, lies, say))


def _named(header: Header, rounds: Mapping[int, Sequence[int]], say: Translate) -> str:
    """Players, each with some rounds."""
    return ", ".join(
        say(LABELS["left_out"], name=header.players[seat].name, rounds=_listed(rounds[seat], say))
        for seat in sorted(rounds)
    )


def _history(game: GameReport, header: Header, say: Translate) -> Rows:
    """What one history is known by."""
    best = game.best
    if game.distinct > 1:
        sentence = LABELS["compared" if game.agree else "compared_not"]
        yield say(LABELS["compared_row"]), say(sentence, count=game.distinct)
    label = say(LABELS["handed_row"])
    for later in best.hosts[1:]:
        seat = later.seat or 0
        name = header.players[seat].name if seat < len(header.players) else "?"
        yield label, say(LABELS["handed"], name=name, n=later.first - 1)
        label = ""
    host = header.hostkey
    named = endorser(header) is not None
    yield say(LABELS["endorsed_row"]), host_text(header, host, say) if named else say(LABELS["not_endorsed"])
    yield say(LABELS["host_row"]), host.hex()
    yield say(LABELS["head_row"]), best.head.hex()
    if best.tally.cosigned:
        last = best.tally.cosigned[-1]
        words = " ".join(last.words) or say(LABELS["words_none"])
        if last.words and not last.over:
            words = say(LABELS["words_after"], words=words, round=last.round)
        yield say(LABELS["words_row"]), words
        if last.words:
            yield "", say(LABELS["words_use"])
