"""The facts of a game in the order of the report, each of them once. `report_text` writes them for people and
for programs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct

from citadels_lan.crypto.auditor import Auditor
from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.signatures import Absence
from citadels_lan.crypto.words import key_words

from . import model
from .model import FACTS, FileReport, GameReport, Translate, endorser, english, host_text, printable

ROUNDS: Final = 8
"""Most rounds that a sentence lists by number. If there are more, it gives only how many."""

About: TypeAlias = Callable[[Seated], Any]
"""A function that returns what the reader of the report knows of a player: a text, data for programs, or
None."""


class Fact(Struct, frozen=True):
    """A fact of a game: `key` and `data` for the JSON report, `label` and `sentences` for the text. Without
    sentences, the text has no row for it."""

    key: str
    data: Any
    label: str = ""
    sentences: Sequence[str] = ()


def unknown(_: Seated) -> None:
    """The default for `about`: the reader knows nothing about any player."""


def facts(game: GameReport, say: Translate = english, about: About = unknown) -> Iterator[Fact]:
    """Yield all facts of a game. `say` translates, and `about` returns what the reader knows of a player."""
    best = game.best
    header, audit = best.header, best.audit
    assert header is not None
    yield from _table(best, header, audit)
    yield Fact("players", [_player(header, audit, seat, about) for seat in range(len(header.players))])
    yield Fact("cosigned", audit.cosigned, say("Signed"), [_signed(header, audit, say)])
    yield from _exceptions(header, audit, say)
    yield from _checked(best, header, audit, say)
    yield from _replayed(best, say)
    yield _drafts(game, header, say)
    yield from _history(game, header, say)
    yield from _endings(best, header, say)


def _table(best: FileReport, header: Header, audit: Auditor) -> Iterator[Fact]:
    """The settings of the table, and how far the game went."""
    yield Fact("game", best.game)
    for key in ("program", "rules", "edition", "options", "cast"):
        yield Fact(key, getattr(header, key))
    yield Fact("uniques", header.districts)
    yield Fact("certificate", header.fp)
    yield Fact("over", audit.over)
    yield Fact("closed", audit.secret is not None)
    yield Fact("rounds", audit.round)


def _player(header: Header, audit: Auditor, seat: int, about: About) -> dict[str, Any]:
    player = header.players[seat]
    return {
        "seat": seat,
        "name": player.name,
        "kind": player.kind.name.lower(),
        "key": player.key,
        "key_words": key_words(player.key),
        "known": about(player),
        "moves_signed": audit.moves.get(seat, 0),
        "rounds_signed": len(audit.cosigned) - len(model.absent(audit, seat)),
    }


def _signed(header: Header, audit: Auditor, say: Translate) -> str:
    if not audit.cosigned:
        return say(FACTS["signed_not"])
    absent = missing(header, audit, say)
    text = "signed_but" if absent else "signed_all" if audit.over else "signed_so_far"
    return say(FACTS[text], who=", ".join(absent))


def missing(header: Header, audit: Auditor, say: Translate) -> list[str]:
    """Return a sentence for each player who did not co-sign all rounds, with the rounds that lack the
    co-signature, and the end of the game if that lacks it."""
    texts = []
    for seat in range(len(header.players)):
        absent = model.absent(audit, seat)
        rounds = [one.round for one in absent if not one.over]
        listed = [_listed(rounds, say)] if rounds else []
        listed += [say("the end") for one in absent if one.over]
        texts += [_in_rounds(header, seat, ", ".join(listed), say)] if listed else []
    return texts


def _in_rounds(header: Header, seat: int, rounds: str, say: Translate) -> str:
    # Translators: a player, and the rounds in which a bot played the seat
    return say("{name} ({rounds})", name=_name(header, seat), rounds=rounds)


def _named(header: Header, rounds: Mapping[int, Sequence[int]], say: Translate) -> str:
    """Return a list for use in a sentence: each player with some round numbers. `rounds` are these numbers by
    seat."""
    return ", ".join(_in_rounds(header, seat, _listed(own, say), say) for seat, own in sorted(rounds.items()))


def _listed(rounds: Sequence[int], say: Translate) -> str:
    if len(rounds) > ROUNDS:
        return say("{count} rounds, from {round} on", count=len(rounds), round=rounds[0])
    return ", ".join(say("round {round}", round=round_) for round_ in rounds)


def _name(header: Header, seat: int) -> str:
    """Return the name of the player at `seat`. Also works for a seat that does not exist, which a false entry
    may name."""
    return header.players[seat].name if seat < len(header.players) else "?"


def _names(header: Header, seats: Iterable[int]) -> str:
    return ", ".join(_name(header, seat) for seat in seats)


def _exceptions(header: Header, audit: Auditor, say: Translate) -> Iterator[Fact]:
    """Yield what was unusual in the game: guests in a browser; called-off starts before it; players who state
    that a bot moved for them while they were connected; absences, and the substitute bots that moved."""
    guests = [seat for seat, player in enumerate(header.players) if player.kind == SeatKind.GUEST]
    sentences = [say(FACTS["guests"], names=_names(header, guests))] if guests else []
    yield Fact("guests", guests, say("Guests"), sentences)
    count = len(header.called_off)
    sentence = say(FACTS["called_off_once" if count == 1 else "called_off"], count=count)
    yield Fact("called_off", header.called_off, say("Cancelled"), [sentence] if count else [])
    protests = {
        seat: [one.round for one in audit.cosigned if seat in one.protests] for seat in range(len(header.players))
    }
    sentences = [
        say(FACTS["protests"], name=_name(header, seat), rounds=_listed(rounds, say))
        for seat, rounds in protests.items()
        if rounds
    ]
    yield Fact("protests", by_seat(protests), say("Protests"), sentences)
    absences, seats = audit.absences.all, range(len(header.players))
    played = [[one for one in absences if (one.seat, one.bot is None) == (seat, False)] for seat in seats]
    sentences = [_substitute(header.players[own[0].seat].name, own, say) for own in played if own]
    yield Fact("absences", absences, say("Substitute bots"), sentences)


def by_seat(rounds: Mapping[int, Sequence[int]]) -> list[dict[str, object]]:
    """Return `rounds` as a list of `{"seat", "rounds"}`, without seats that have no rounds."""
    return [{"seat": seat, "rounds": own} for seat, own in sorted(rounds.items()) if own]


def _substitute(name: str, absences: Sequence[Absence], say: Translate) -> str:
    """Return a sentence about the substitute bots that played for the player `name`."""
    first, times, count = absences[0], len(absences), sum(len(one.moves) for one in absences)
    key = "substitutes" if times > 1 else "substitute_to_end" if first.until is None else "substitute"
    level, until = printable(first.level), first.until
    return say(FACTS[key], name=name, level=level, times=times, n=first.bot, until=until, count=count)


def _checked(best: FileReport, header: Header, audit: Auditor, say: Translate) -> Iterator[Fact]:
    """Yield the numbers of checked signatures, of hidden moves, and of warrants and threats that were opened
    or not opened."""
    chain = {
        "entries": best.links,
        "signatures": best.signatures,
        "move_signatures": sum(audit.moves.values()),
        "cosignatures": sum(len(one.seats) for one in audit.cosigned),
        "openings": len(audit.concealed.opened),
    }
    yield Fact("chain", chain, say("Chain"), [say(FACTS["chain"], entries=best.links, host=best.links)])
    hidden, covert = model.opened(audit, sealed=False), model.unopened_hidden(audit)
    count, left = sum(hidden.values()), sum(covert.values())
    sentence = say(FACTS["hidden_left" if left else "hidden"], count=count, left=left)
    yield Fact("hidden", {"opened": hidden, "unopened": covert}, say("Hidden"), [sentence])
    sealed, rounds = model.opened(audit, sealed=True), model.unopened(audit)
    key = "sealed" if not rounds else "sealed_left" if audit.secret is not None else "sealed_so_far"
    count, left, who = sum(sealed.values()), sum(map(len, rounds.values())), _named(header, rounds, say)
    sentences = [say(FACTS[key], count=count, left=left, who=who)] if sealed or rounds else []
    yield Fact("sealed", {"opened": sealed, "unopened_rounds": rounds}, say("Sealed"), sentences)


def _replayed(best: FileReport, say: Translate) -> Iterator[Fact]:
    """Yield the results of replaying a closed game; nothing for any other game."""
    counts, rounds = best.counts, best.audit.round
    data = {"events": counts.events, "private_parts": counts.leaves}
    if not counts.events:
        sentence = say(FACTS["unchecked_wrong" if best.audit.secret is not None else "unchecked"])
        yield Fact("outcomes", counts.outcomes)
        yield Fact("replayed", data, say("Unchecked"), [sentence])
        return
    sentence = say(FACTS["chance"], count=counts.outcomes, rounds=rounds)
    yield Fact("outcomes", counts.outcomes, say("Random draws"), [sentence])
    sentence = say(FACTS["replayed"], events=counts.events, leaves=counts.leaves)
    yield Fact("replayed", data, say("Replayed"), [sentence])


def _drafts(game: GameReport, header: Header, say: Translate) -> Fact:
    """Return the fact about sealed drafts: how many there were, which players have not opened theirs, and
    which players have lied."""
    audit, lies = game.best.audit, game.draft_lies
    if audit.drafts is None:
        return Fact("drafts", None)
    dealt, left = sum(bool(record.packets) for record in audit.drafts.rounds), model.undrafted(audit)
    key = "drafts_so_far" if audit.secret is None else "drafts_left" if left else "drafts"
    sentences = [say(FACTS[key], count=dealt, who=_names(header, left))] if dealt else []
    if lies:
        sentences.append(say(FACTS["drafts_lied"], who=_named(header, lies, say)))
    data = {"dealt": dealt, "unopened": left, "lied": by_seat(lies)}
    return Fact("drafts", data, say("Drafts"), sentences)


def _history(game: GameReport, header: Header, say: Translate) -> Iterator[Fact]:
    """Yield the facts about the compared files, the hosts and the hash of the last entry."""
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


def _endings(best: FileReport, header: Header, say: Translate) -> Iterator[Fact]:
    """The key that endorsed the host's key, the last hash, and the check words of the last co-signatures."""
    data, sentence = None, say("no player has signed its key")
    if (found := endorser(header)) is not None:
        data = {"key": found[0], "key_words": key_words(found[0]), "seat": found[1]}
        sentence = host_text(header, header.hostkey, say)
    yield Fact("endorsed_by", data, say("Host"), [sentence])
    yield Fact("host_key", header.hostkey, say("Host's key"), [header.hostkey.hex()])
    # Translators: the hash of the last entry of the game's record
    yield Fact("last_hash", best.head, say("Last hash"), [best.head.hex()])
    if not best.audit.cosigned:
        yield Fact("words", [])
        return
    last = best.audit.cosigned[-1]
    if not last.words:
        sentences = [say("none: the word of a player who signed last is missing")]
    else:
        words = " ".join(last.words)
        words = words if last.over else say("{words} (after round {round})", words=words, round=last.round)
        sentences = [
            words,
            say("Read them aloud. If a player's words differ, the host showed you different games."),
        ]
    yield Fact("words", last.words, say("Words"), sentences)
