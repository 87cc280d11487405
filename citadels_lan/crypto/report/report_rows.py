"""The rows of a game in a report for people: a label, and what was found of it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from citadels_lan.crypto.log import Header
from citadels_lan.crypto.stand_ins import Stint

from .counts import Tally
from .findings import LABELS, Translate
from .model import (
    FileReport,
    GameReport,
    endorser,
    host_text,
    printable,
)

ROUNDS: Final = 8
"""So many rounds are listed; of more their count is told."""


def left_out(header: Header, tally: Tally, say: Translate) -> list[str]:
    """Who has not signed the history before which rounds, player by player."""
    return [
        say(LABELS["left_out"], name=player.name, rounds=_rounds(tally, [one.round for one in absent], say))
        for seat, player in enumerate(header.players)
        if (absent := tally.absent(seat))
    ]


def _rounds(tally: Tally, rounds: Sequence[int], say: Translate) -> str:
    """Some rounds, of which the last may be the end of the game."""
    if len(rounds) > ROUNDS:
        return _listed(rounds, say)
    played = _listed([round_ for round_ in rounds if round_ <= tally.round], say)
    return ", ".join(filter(None, (played, say(LABELS["end"]) if rounds[-1] > tally.round else "")))


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
    yield from _restarts(header, tally, say)
    yield from _disputes(header, tally, say)
    yield from _stand_ins(header, tally, say)
    yield from _checked(header, best, say)
    yield from _drafts(game, header, say)
    yield from _history(game, header, say)


def _signed(header: Header, tally: Tally, say: Translate) -> Rows:
    absent = left_out(header, tally, say)
    if not tally.beacons:
        sentence = say(LABELS["signed_not"])
    elif absent:
        sentence = say(LABELS["signed_but"], who=", ".join(absent))
    else:
        sentence = say(LABELS["signed_all" if tally.over else "signed_so_far"])
    yield say(LABELS["signed_row"]), sentence


def _guests(header: Header, say: Translate) -> Rows:
    """Whose seats are in the host's hands."""
    if header.guests is not None:
        names = ", ".join(header.players[seat].name for seat in header.guests)
        yield say(LABELS["guests_row"]), say(LABELS["guests"], names=names)


def _restarts(header: Header, tally: Tally, say: Translate) -> Rows:
    """Whose links were missed before which rounds, and what that may have been good for."""
    if not tally.restarts:
        return
    which = [
        say(
            LABELS["restart"],
            round=_rounds(tally, [round_], say),
            names=", ".join(header.players[seat].name for seat in seats),
        )
        for round_, seats in tally.restarts
    ]
    told = ", ".join(which[:ROUNDS])
    if len(which) > ROUNDS:
        told = say(LABELS["and_more"], names=told, count=len(which) - ROUNDS)
    rounds = Counter(round_ for round_, _ in tally.restarts)
    label = LABELS["restarted_once" if len(rounds) == 1 else "restarted"]
    yield say(LABELS["restarts_row"]), say(label, count=len(rounds), which=told)
    yield "", say(LABELS["outcomes"], count=max(rounds.values()) + 1)


def _disputes(header: Header, tally: Tally, say: Translate) -> Rows:
    """Who says that it was left out although it was there."""
    label = say(LABELS["disputed_row"])
    for seat, rounds in tally.disputed.items():
        name = header.players[seat].name
        yield label, say(LABELS["disputed"], name=name, rounds=_rounds(tally, rounds, say))
        label = ""


def _stand_ins(header: Header, tally: Tally, say: Translate) -> Rows:
    """For whom others have moved, how much and how often, and whose owner was there, as it says."""
    label = say(LABELS["stand_ins_row"])
    for seat, player in enumerate(header.players):
        stints = [stint for stint in tally.stand_ins if stint.seat == seat]
        if stints:
            yield label, _stood_in(player.name, stints, say)
            label = ""
        if disputed := sum(stint.disputed for stint in stints):
            yield "", say(LABELS["stood_in_disputed"], name=player.name, times=disputed)


def _stood_in(name: str, stints: Sequence[Stint], say: Translate) -> str:
    """What stand-ins have done for one player."""
    first = stints[0]
    told = {"name": name, "n": first.n, "count": sum(len(stint.moves) for stint in stints)}
    if len(stints) > 1:
        return say(LABELS["stood_in_often"], times=len(stints), **told)
    text = LABELS["stood_in_to_end" if first.until is None else "stood_in"]
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
            say(
                LABELS["left_out"],
                name=player.name,
                rounds=_listed(tally.unopened[seat], say),
            )
            for seat, player in enumerate(header.players)
            if seat in tally.unopened
        ]
        yield say(LABELS["sealed_row"]), say(LABELS["sealed_left"], count=sealed, who=", ".join(who))
    elif sealed:
        yield say(LABELS["sealed_row"]), say(LABELS["sealed"], count=sealed)
    if not counts.events:
        yield say(LABELS["unchecked_row"]), say(LABELS["unchecked_wrong" if tally.closed else "unchecked"])
        return
    there = "chance_left" if any(tally.absent(seat) for seat in range(len(header.players))) else "chance"
    yield say(LABELS["chance_row"]), say(LABELS[there], count=counts.outcomes, rounds=tally.round)
    sentence = say(LABELS["replayed"], events=counts.events, leaves=counts.leaves)
    yield say(LABELS["replayed_row"]), sentence


def _drafts(game: GameReport, header: Header, say: Translate) -> Rows:
    """What the sealed drafts come to: what was drawn, what was opened, without whom, and who has lied."""
    tally = game.best.tally
    drafts = tally.drafts
    if drafts is None or not drafts.dealt:
        return
    picks, proven = sum(drafts.picks.values()), sum(drafts.proven.values())
    told = {"count": drafts.dealt, "drawn": drafts.drawn, "picks": picks, "proven": proven, "left": picks - proven}
    whole = not drafts.closed and drafts.drawn == drafts.dealt
    key = "drafts_so_far" if not tally.closed else "drafts" if whole else "drafts_left"
    yield say(LABELS["drafts_row"]), say(LABELS[key], **told)
    if tally.closed and drafts.closed:
        names = ", ".join(header.players[seat].name for seat in drafts.closed)
        yield "", say(LABELS["drafts_closed"], who=names)
    if drafts.left_out:
        yield "", say(LABELS["drafts_without"], who=_named(header, drafts.left_out, say))
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
    host = header.hostkey
    named = endorser(header) is not None
    yield say(LABELS["endorsed_row"]), host_text(header, host, say) if named else say(LABELS["not_endorsed"])
    yield say(LABELS["host_row"]), host.hex()
    yield say(LABELS["head_row"]), best.head.hex()
    if best.tally.beacons:
        last = best.tally.beacons[-1]
        words = " ".join(last.words)
        if not best.tally.over:
            words = say(LABELS["words_before"], words=words, round=last.round)
        yield say(LABELS["words_row"]), words
        yield "", say(LABELS["words_use"])
