"""A report for people: the verdict first, then game by game the checks and the signatures, then the
files. About fifteen lines where all is well, and 80 columns wide but for bytes and the names of files."""

import textwrap
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from citadels_lan.crypto.log import Header, Seated, SeatKind
from citadels_lan.crypto.seats import Absence, CoSignedRound
from citadels_lan.crypto.words import key_words
from citadels_lan.engine import seat_name
from citadels_lan.texts.record import HOST_KNOWS, NO_PROMISE, PROMISED, PROMISES

from . import model
from .findings import INCOMPLETE, LABELS, VERDICTS, Translate, english
from .model import sentence

ROUNDS: Final = 8
"""The most rounds that are listed; of more, the text has the count."""


def missing(header: Header, tally: model.Tally, say: Translate) -> list[str]:
    """The rounds without a co-signature, player by player."""
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


def rows(game: model.GameReport, header: Header, say: Translate) -> Rows:
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


def _signed(header: Header, tally: model.Tally, say: Translate) -> Rows:
    absent = missing(header, tally, say)
    if not tally.cosigned:
        sentence = say(LABELS["signed_not"])
    elif absent:
        sentence = say(LABELS["signed_but"], who=", ".join(absent))
    else:
        sentence = say(LABELS["signed_all" if tally.over else "signed_so_far"])
    yield say(LABELS["signed_row"]), sentence


def _guests(header: Header, say: Translate) -> Rows:
    """The guests in a browser, whose clients run at the host."""
    names = ", ".join(player.name for player in header.players if player.kind == SeatKind.GUEST)
    if names:
        yield say(LABELS["guests_row"]), say(LABELS["guests"], names=names)


def _called_off(header: Header, say: Translate) -> Rows:
    """How many starts of this table were called off before this game."""
    if count := len(header.called_off):
        text = LABELS["called_off_once" if count == 1 else "called_off"]
        yield say(LABELS["called_off_row"]), say(text, count=count)


def _protests(header: Header, tally: model.Tally, say: Translate) -> Rows:
    """The players who protest that a bot moved for them while they were connected."""
    label = say(LABELS["protests_row"])
    for seat, player in enumerate(header.players):
        if rounds := [one.round for one in tally.protests(seat)]:
            yield label, say(LABELS["protests"], name=player.name, rounds=_listed(rounds, say))
            label = ""


def _substitutes(header: Header, tally: model.Tally, say: Translate) -> Rows:
    """For which players substitute bots have moved, how much and how often."""
    label = say(LABELS["substitutes_row"])
    for seat, player in enumerate(header.players):
        absences = [one for one in tally.absences if one.seat == seat and one.bot is not None]
        if absences:
            yield label, _substitute(player.name, absences, say)
            label = ""


def _substitute(name: str, absences: Sequence[Absence], say: Translate) -> str:
    """The substitute bots of one player."""
    first = absences[0]
    told = {"name": name, "n": first.bot, "count": sum(len(one.moves) for one in absences)}
    if len(absences) > 1:
        return say(LABELS["substitute_often"], times=len(absences), **told)
    text = LABELS["substitute_to_end" if first.until is None else "substitute"]
    return say(text, level=model.printable(first.level), until=first.until, **told)


def _checked(header: Header, file: model.FileReport, say: Translate) -> Rows:
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


def _drafts(game: model.GameReport, header: Header, say: Translate) -> Rows:
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


def _history(game: model.GameReport, header: Header, say: Translate) -> Rows:
    """The keys, the last hash and the check words of a history."""
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
    named = model.endorser(header) is not None
    yield say(LABELS["endorsed_row"]), model.host_text(header, host, say) if named else say(LABELS["not_endorsed"])
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


WIDTH: Final = 80
NAME: Final = 24
"""Cells for a name; a longer one, which no honest table has, pushes the rest of its line."""
NOTHING: Final = model.Tally()
UNOPENED: Final = ("unopened", "draft_unopened")
"""Codes of what a player has not opened after the game."""
COPIES: Final = 3
"""So many names of files with the same contents are listed."""


About: TypeAlias = Callable[[Seated], str]
"""The reader's knowledge of a player; "" for none."""


def unknown(_: Seated) -> str:
    """The reader knows no player."""
    return ""


def text(report: model.Report, say: Translate = english) -> str:
    """A report as one text; `say` translates."""
    return "\n".join(lines(report, say))


def lines(report: model.Report, say: Translate, about: About = unknown) -> Iterator[str]:
    """The lines of a report; `say` translates, `about` gives the reader's knowledge of a player."""
    yield from textwrap.wrap(verdict(report, say), WIDTH)
    for game in report.games:
        yield ""
        yield from _game(game, say, about)
    copies = _copies(report.loose)
    for file in report.loose:
        if file.same_as is None:
            yield ""
            yield model.printable(file.path)
            yield from _findings(file.findings, None, say)
            yield from _same_as(copies[file.path], say)
    if report.code == 0:
        yield from _promised(report, say)


def _promised(report: model.Report, say: Translate) -> Iterator[str]:
    """The promises of a closed game, and their limits."""
    without = [game for game in report.games if game.best.header is not None and model.alone(game.best.header)]
    yield ""
    if len(without) < len(report.games):
        yield say(PROMISED)
        for number, promise in enumerate(PROMISES, 1):
            yield from _wrapped(f"{number}. {say(promise)}")
    for limit in (HOST_KNOWS, *([NO_PROMISE] if without else [])):
        yield from _wrapped(say(limit))


def verdict(report: model.Report, say: Translate) -> str:
    """The one sentence that says it."""
    headers = [(finding, file.header) for file in report.files for finding in file.findings]
    if report.code == 1:
        who = [_accused(finding, header, say) for finding, header in headers if finding.accused]
        return say(LABELS["cheated"], who=", ".join(dict.fromkeys(who)))
    if report.code == 4:
        missing = [
            header.players[finding.seat].name
            for finding, header in headers
            if finding.code in UNOPENED and finding.seat is not None and header is not None
        ]
        if missing:
            return say(INCOMPLETE["not_opened"], names=", ".join(dict.fromkeys(missing)))
        return _incomplete(report, say)
    return say({0: VERDICTS["verified"], 3: VERDICTS["damaged"], 5: LABELS["other_rules"]}[report.code])


def _incomplete(report: model.Report, say: Translate) -> str:
    """The verdict with the first reason of a game that is not complete."""
    for game in report.games:
        for finding in () if game.complete else game.best.findings:
            if finding.code == "held_back":
                host = game.best.header.hostkey if game.best.header is not None else b""
                return say(INCOMPLETE["not_closed"], host=model.host_text(game.best.header, host, say))
            if finding.code in INCOMPLETE:
                return say(INCOMPLETE[finding.code])
    return say(LABELS["incomplete"])


def _accused(finding: model.Finding, header: Header | None, say: Translate) -> str:
    """Who is proven to have cheated."""
    if finding.accused == "player":
        return model.player_text(header, finding.seat or 0, say)
    return say(LABELS["the_host"], host=model.host_text(header, finding.accused_key or b"", say, finding.host))


# A game


def _game(game: model.GameReport, say: Translate, about: About) -> Iterator[str]:
    best = game.best
    header, tally = best.header, best.tally
    assert header is not None
    yield say(LABELS["game"], game=best.game.hex(), rules=header.rules.hex()[:8], edition=header.config.named)
    yield from _players(header, tally, say, about)
    found = [*rows(game, header, say)]
    width = max(_cells(label) for label, _ in found) + 2
    for label, text in found:
        broken = textwrap.wrap(text, WIDTH - 2 - width, break_long_words=False) or [""]
        yield f"  {_pad(label, width)}{broken[0]}"
        yield from (" " * (width + 2) + line for line in broken[1:])
    shared, complete = game.shared, game.complete
    yield from _findings(shared, header, say, tally)
    if not complete and any(finding.code == "unopened" for file in game.files for finding in file.findings):
        yield from _wrapped(say(LABELS["do_unopened"]))
    yield ""
    copies = _copies(game.files)
    for file in game.files:
        if file.same_as is None:
            part = complete and file.code == 4
            yield from _part(file, say) if part else _file(file, model.own(file, shared), tally, say)
            yield from _same_as(copies[file.path], say)


def _players(header: Header, tally: model.Tally, say: Translate, about: About) -> Iterator[str]:
    """A table of who played, and who signed how much; below a person the words of the key, and what is known of
    it. A bot's key is made for one table; no one compares it."""
    titles = [say(LABELS[f"{column}_column"]) for column in ("seat", "name", "who", "moves", "heads")]
    rows = [titles]
    for seat, player in enumerate(header.players):
        signed = len(tally.cosigned) - len(tally.absent(seat))
        rows.append(
            [
                seat_name(seat),
                player.name,
                say(LABELS[_who(header, seat)]),
                str(tally.moves.get(seat, 0)),
                say(LABELS["of_all"], some=signed, all=len(tally.cosigned)),
            ]
        )
    widths = [max(_cells(row[column]) for row in rows) for column in range(len(titles))]
    widths[1] = min(widths[1], NAME)
    below = [[], *(_key(player, say, about) for player in header.players)]
    for row, more in zip(rows, below, strict=True):
        cells = [
            _pad(text, width, right=column == 3)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(cells).rstrip()
        yield from (" " * (widths[0] + 4) + line for line in more)


def _who(header: Header, seat: int) -> str:
    """The kind of player at a seat, as a key of LABELS."""
    kind = header.players[seat].kind
    return {SeatKind.BOT: "bot", SeatKind.GUEST: "guest"}.get(kind, "person")


def _key(player: Seated, say: Translate, about: About) -> list[str]:
    """The words of a person's key, and below them what is known of it."""
    if player.bot:
        return []
    return [*filter(None, (say(LABELS["key"], words=" ".join(key_words(player.key))), about(player)))]


# Files and findings


def _file(
    file: model.FileReport, findings: Iterable[model.Finding], told: model.Tally, say: Translate
) -> Iterator[str]:
    yield model.printable(file.path)
    label = LABELS["file_signed" if file.signed else "file_unsigned"]
    status = say(LABELS[f"status_{file.code}"])
    yield "  " + say(label, owner=_owner(file, say), entries=file.links, status=status)
    yield from _findings(findings, file.header, say, told)


def _part(file: model.FileReport, say: Translate) -> Iterator[str]:
    """A file that ends early, if another one has the whole game."""
    yield model.printable(file.path)
    yield "  " + say(LABELS["file_part"], owner=_owner(file, say), entries=file.links)
    yield from _findings((one for one in file.findings if one.code not in model.ENDS), file.header, say)


def _owner(file: model.FileReport, say: Translate) -> str:
    return say(LABELS["spectator"]) if file.seat is None else _name(file.header, file.seat, say)


def _copies(files: Iterable[model.FileReport]) -> Mapping[Path, list[Path]]:
    """By the first of some files with the same contents: the others."""
    copies: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        if file.same_as is not None:
            copies[file.same_as].append(file.path)
    return copies


def _same_as(copies: Sequence[Path], say: Translate) -> Iterator[str]:
    if not copies:
        return
    names = ", ".join(map(model.printable, copies[:COPIES]))
    if len(copies) > COPIES:
        names = say(LABELS["and_more"], names=names, count=len(copies) - COPIES)
    yield "  " + say(LABELS["same_as"], other=names)


def _findings(
    findings: Iterable[model.Finding], header: Header | None, say: Translate, told: model.Tally = NOTHING
) -> Iterator[str]:
    for finding in findings:
        if finding.code == "unopened" and told.closed and finding.seat in told.unopened:
            continue  # a row of the game has all of them
        yield from _wrapped(sentence(finding, header, say))
        for number, evidence in enumerate(finding.evidence, 1):
            yield from _evidence(number, evidence, say)
        if finding.kind == "proof":
            yield from _wrapped(say(LABELS["do_host" if finding.accused == "host" else "do_player"]))


def _evidence(number: int, evidence: model.Evidence, say: Translate) -> Iterator[str]:
    yield "    " + say(LABELS["evidence"], number=number, n=evidence.n)
    if evidence.public:
        yield f"      {say(LABELS['public_bytes'])}: {evidence.public.hex()}"
    yield f"      {say(LABELS['signed_bytes'], key=evidence.key.hex())}: {evidence.signed.hex()}"
    yield f"      {say(LABELS['signature_bytes'])}: {evidence.signature.hex()}"


def _wrapped(text: str) -> Sequence[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _name(header: Header | None, seat: int, say: Translate) -> str:
    """A player by name and seat."""
    if header is None or seat >= len(header.players):
        return say(LABELS["somebody"], seat=seat_name(seat))
    return say(LABELS["name_seat"], name=header.players[seat].name, seat=seat_name(seat))


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def _pad(text: str, width: int, *, right: bool = False) -> str:
    room = " " * (width - _cells(text))
    return room + text if right else text + room
