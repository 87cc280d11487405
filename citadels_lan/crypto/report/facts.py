"""The facts of a game in the order of the report, each of them once. `report_text` shows them to people,
`report_json` to programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.signatures import Absence
from citadels_lan.crypto.words import key_words

from .model import FACTS, FileReport, GameReport, Tally, Translate, endorser, english, host_text, printable

ROUNDS: Final = 8
"""Most rounds that a sentence lists; for more, it has only their number."""

About: TypeAlias = Callable[[Seated], Any]
"""What the reader knows of a player: a text, data for programs, or nothing."""


class Fact(Struct, frozen=True):
    """A fact of a game: `key` and `data` for the JSON report, `label` and `sentences` for the text. Without
    sentences, the text has no row for it."""

    key: str
    data: Any
    label: str = ""
    sentences: Sequence[str] = ()


def unknown(_: Seated) -> None:
    """Stands for a reader who knows no player."""


def facts(game: GameReport, say: Translate = english, about: About = unknown) -> Iterator[Fact]:
    """All facts of a game; `say` translates, `about` gives the reader's knowledge of a player."""
    best = game.best
    header, tally = best.header, best.tally
    assert header is not None
    yield from _table(best, header, tally)
    yield Fact("players", [_player(header, tally, seat, about) for seat in range(len(header.players))])
    yield Fact("cosigned", tally.cosigned, say("Signed"), [_signed(header, tally, say)])
    yield _guests(header, say)
    yield _called_off(header, say)
    yield _protests(header, tally, say)
    yield _absences(header, tally, say)
    yield from _checked(best, tally, say)
    yield _sealed(header, tally, say)
    yield from _replayed(best, say)
    yield _drafts(game, header, say)
    yield from _history(game, header, say)
    yield _words(tally, say)


def _table(best: FileReport, header: Header, tally: Tally) -> Iterator[Fact]:
    """The settings of the table, and how far the game went."""
    yield Fact("game", best.game)
    for key in ("program", "rules", "edition", "options", "cast"):
        yield Fact(key, getattr(header, key))
    yield Fact("uniques", header.districts)
    yield Fact("certificate", header.fp)
    for key in ("over", "closed"):
        yield Fact(key, getattr(tally, key))
    yield Fact("rounds", tally.round)


def _player(header: Header, tally: Tally, seat: int, about: About) -> dict[str, Any]:
    player = header.players[seat]
    return {
        "seat": seat,
        "name": player.name,
        "kind": player.kind.name.lower(),
        "key": player.key,
        "key_words": key_words(player.key),
        "known": about(player),
        "moves_signed": tally.moves.get(seat, 0),
        "rounds_signed": len(tally.cosigned) - len(tally.absent(seat)),
    }


def _signed(header: Header, tally: Tally, say: Translate) -> str:
    if not tally.cosigned:
        return say(FACTS["signed_not"])
    absent = missing(header, tally, say)
    text = "signed_but" if absent else "signed_all" if tally.over else "signed_so_far"
    return say(FACTS[text], who=", ".join(absent))


def missing(header: Header, tally: Tally, say: Translate) -> list[str]:
    """The rounds without a co-signature, by player. The last one may be the end of the game."""
    texts = []
    for seat in range(len(header.players)):
        absent = tally.absent(seat)
        rounds = [one.round for one in absent if not one.over]
        listed = [_listed(rounds, say)] if rounds else []
        listed += [say("the end") for one in absent if one.over]
        texts += [_in_rounds(header, seat, ", ".join(listed), say)] if listed else []
    return texts


def _in_rounds(header: Header, seat: int, rounds: str, say: Translate) -> str:
    # Translators: a player, and the rounds in which a bot played the seat
    return say("{name} ({rounds})", name=_name(header, seat), rounds=rounds)


def _named(header: Header, rounds: Mapping[int, Sequence[int]], say: Translate) -> str:
    """Return players, each with some rounds, as a list in a sentence."""
    return ", ".join(_in_rounds(header, seat, _listed(own, say), say) for seat, own in sorted(rounds.items()))


def _listed(rounds: Sequence[int], say: Translate) -> str:
    if len(rounds) > ROUNDS:
        return say("{count} rounds, from {round} on", count=len(rounds), round=rounds[0])
    return ", ".join(say("round {round}", round=round_) for round_ in rounds)


def _name(header: Header, seat: int) -> str:
    """A player's name; a false entry may name a seat that does not exist."""
    return header.players[seat].name if seat < len(header.players) else "?"


def _names(header: Header, seats: Iterable[int]) -> str:
    return ", ".join(_name(header, seat) for seat in seats)


def _guests(header: Header, say: Translate) -> Fact:
    """The guests in a browser, whose clients run on the host's computer."""
    seats = [seat for seat, player in enumerate(header.players) if player.kind == SeatKind.GUEST]
    sentences = [say(FACTS["guests"], names=_names(header, seats))] if seats else []
    return Fact("guests", seats, say("Guests"), sentences)


def _called_off(header: Header, say: Translate) -> Fact:
    """The starts of this table that were called off before this game."""
    count = len(header.called_off)
    sentence = say(FACTS["called_off_once" if count == 1 else "called_off"], count=count)
    return Fact("called_off", header.called_off, say("Cancelled"), [sentence] if count else [])


def _protests(header: Header, tally: Tally, say: Translate) -> Fact:
    """The players who state that a bot moved for them while they were connected."""
    protests = {
        seat: [one.round for one in tally.cosigned if seat in one.protests] for seat in range(len(header.players))
    }
    sentences = [
        say(FACTS["protests"], name=_name(header, seat), rounds=_listed(rounds, say))
        for seat, rounds in protests.items()
        if rounds
    ]
    return Fact("protests", by_seat(protests), say("Protests"), sentences)


def by_seat(rounds: Mapping[int, Sequence[int]]) -> list[dict[str, object]]:
    """Seats with some rounds each, without seats that have none."""
    return [{"seat": seat, "rounds": own} for seat, own in sorted(rounds.items()) if own]


def _absences(header: Header, tally: Tally, say: Translate) -> Fact:
    """When players were away, and for whom substitute bots have moved."""
    played = [[one for one in tally.absences if (one.seat, one.bot is None) == (seat, False)] for seat in range(9)]
    sentences = [_substitute(header.players[own[0].seat].name, own, say) for own in played if own]
    return Fact("absences", tally.absences, say("Substitute bots"), sentences)


def _substitute(name: str, absences: Sequence[Absence], say: Translate) -> str:
    """The substitute bots of one player."""
    first, times, count = absences[0], len(absences), sum(len(one.moves) for one in absences)
    key = "substitutes" if times > 1 else "substitute_to_end" if first.until is None else "substitute"
    level, until = printable(first.level), first.until
    return say(FACTS[key], name=name, level=level, times=times, n=first.bot, until=until, count=count)


def _checked(best: FileReport, tally: Tally, say: Translate) -> Iterator[Fact]:
    """The number of checked signatures and hidden moves."""
    chain = {
        "entries": best.links,
        "signatures": best.signatures,
        "move_signatures": sum(tally.moves.values()),
        "cosignatures": sum(len(one.seats) for one in tally.cosigned),
        "openings": best.openings,
    }
    yield Fact("chain", chain, say("Chain"), [say(FACTS["chain"], entries=best.links, host=best.links)])
    count, left = sum(tally.hidden.values()), sum(tally.covert.values())
    sentence = say(FACTS["hidden_left" if left else "hidden"], count=count, left=left)
    yield Fact("hidden", {"opened": tally.hidden, "unopened": tally.covert}, say("Hidden"), [sentence])


def _sealed(header: Header, tally: Tally, say: Translate) -> Fact:
    """The warrants and threats that were opened, and those that were not."""
    count, unopened = sum(tally.sealed.values()), tally.unopened
    key = "sealed" if not unopened else "sealed_left" if tally.closed else "sealed_so_far"
    left, who = sum(map(len, unopened.values())), _named(header, unopened, say)
    sentences = [say(FACTS[key], count=count, left=left, who=who)] if count or unopened else []
    return Fact("sealed", {"opened": tally.sealed, "unopened_rounds": unopened}, say("Sealed"), sentences)


def _replayed(best: FileReport, say: Translate) -> Iterator[Fact]:
    """The results of the replay of a closed game."""
    counts, rounds = best.counts, best.tally.round
    data = {"events": counts.events, "private_parts": counts.leaves}
    if not counts.events:
        sentence = say(FACTS["unchecked_wrong" if best.tally.closed else "unchecked"])
        yield Fact("outcomes", counts.outcomes)
        yield Fact("replayed", data, say("Unchecked"), [sentence])
        return
    sentence = say(FACTS["chance"], count=counts.outcomes, rounds=rounds)
    yield Fact("outcomes", counts.outcomes, say("Random draws"), [sentence])
    sentence = say(FACTS["replayed"], events=counts.events, leaves=counts.leaves)
    yield Fact("replayed", data, say("Replayed"), [sentence])


def _drafts(game: GameReport, header: Header, say: Translate) -> Fact:
    """The sealed drafts: how many there were, who has not opened them, and who has lied."""
    tally, lies = game.best.tally, game.draft_lies
    if tally.drafts is None:
        return Fact("drafts", None)
    key = "drafts_so_far" if not tally.closed else "drafts_left" if tally.undrafted else "drafts"
    who = _names(header, tally.undrafted)
    sentences = [say(FACTS[key], count=tally.drafts, who=who)] if tally.drafts else []
    if lies:
        sentences.append(say(FACTS["drafts_lied"], who=_named(header, lies, say)))
    data = {"dealt": tally.drafts, "unopened": tally.undrafted, "lied": by_seat(lies)}
    return Fact("drafts", data, say("Drafts"), sentences)


def _history(game: GameReport, header: Header, say: Translate) -> Iterator[Fact]:
    """The compared files, the hosts, and the last hash of a history."""
    best, count = game.best, sum(file.same_as is None for file in game.files)
    files = {"paths": [file.path for file in game.files], "distinct": count, "one_history": game.agree}
    sentence = say(FACTS["compared" if game.agree else "compared_not"], count=count)
    yield Fact("files", files, say("Compared"), [sentence] if count > 1 else [])
    handovers = [{"entry": host.first - 1, "seat": host.seat, "key": host.key} for host in best.hosts[1:]]
    handed = [
        say("to {name} at entry {n}, signed by both hosts", name=_name(header, host.seat or 0), n=host.first - 1)
        for host in best.hosts[1:]
    ]
    yield Fact("handovers", handovers, say("Handed over"), handed)
    yield _endorsed(header, say)
    yield Fact("host_key", header.hostkey, say("Host's key"), [header.hostkey.hex()])
    # Translators: the hash of the last entry of the game's record
    yield Fact("last_hash", best.head, say("Last hash"), [best.head.hex()])


def _endorsed(header: Header, say: Translate) -> Fact:
    """The key that endorsed the host's key."""
    if (found := endorser(header)) is None:
        return Fact("endorsed_by", None, say("Host"), [say("no player has signed its key")])
    key, seat = found
    data = {"key": key, "key_words": key_words(key), "seat": seat}
    return Fact("endorsed_by", data, say("Host"), [host_text(header, header.hostkey, say)])


def _words(tally: Tally, say: Translate) -> Fact:
    """The check words of the last co-signatures."""
    if not tally.cosigned:
        return Fact("words", [])
    last = tally.cosigned[-1]
    if not last.words:
        sentences = [say("none: the word of a player who signed last is missing")]
    else:
        words = " ".join(last.words)
        words = words if last.over else say("{words} (after round {round})", words=words, round=last.round)
        sentences = [
            words,
            say("Read them aloud. If a player's words differ, the host showed you different games."),
        ]
    return Fact("words", last.words, say("Words"), sentences)
