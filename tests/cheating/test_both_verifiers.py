"""What both verifiers say of lies: their exit codes, and the name and key that they accuse.

`TABLE` has a row for each lie of a host, of guests, and of all seats but one together. Every other signature in
the files is correct: the liar has its own keys and those of its helpers. Where no key lied, `shown` is what the
report says. The second verifier does not know the rules of the card game, so it cannot find
what only a replay finds; these rows have another exit code for it.

Attacks that leave no trace in files have tests elsewhere: players who return after a kick and seats of a rematch
in `cli/test_rematch.py`, look-alike names in `people/test_people.py`, and codes at the door in `net/join`.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final
from unittest import mock

import pytest
from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto.chance import SeededChance
from citadels_lan.crypto.log import (
    SUBSTITUTE,
    CalledOff,
    Close,
    Commits,
    CoSigned,
    Move,
    Open,
    SeatKind,
    encode_entry,
)
from citadels_lan.crypto.packing import digest
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report.findings import english
from citadels_lan.crypto.report.model import Report, host_text, player_text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.transcript import Alarmed
from citadels_lan.engine.rules_digests import RULES
from tests.crypto import table
from tests.crypto.conftest import FIRST, MARKED, has_everything
from tests.crypto.contradictions import ROWS, Games
from tests.crypto.forging import Draft, Forge, drafts, find, saved
from tests.crypto.log.test_handover import SECOND, Handing, handed, handover
from tests.crypto.sealed.files import sealed_first
from tests.crypto.sealed.test_lies import LIES, OF_DEALER, PLAYERS, complains, lied
from tests.crypto.table import HOST, Game, begin, player
from tests.crypto.tables import sealing, substitute_markers
from tests.crypto.verify.cheating.test_impostors import Impostor, impostures
from tests.crypto.verify.cheating.test_rewritten import (
    FORGERIES,
    THEIRS,
    deltas,
    file,
    honest,
    of_theirs,
    otherwise,
)
from tests.effort import one_case
from tests.extras.second import remembering

PEOPLE: Final = (SeatKind.HOST, SeatKind.PLAYER, SeatKind.PLAYER, SeatKind.PLAYER)
Files = Sequence[bytes]
Build = Callable[[Games], Files]


class Row(Struct, frozen=True):
    """Who lies, and how; the exit codes of `verify` and of the second verifier; who is accused, a key of ACCUSED;
    and what the report shows besides."""

    who: str
    lie: str
    code: int
    second: int
    accused: str
    build: Build
    shown: str = ""


ACCUSED: Final[dict[str, tuple[set[str], bytes]]] = {
    "": (set(), b""),
    "host": ({"the host"}, HOST.public),
    "Player 0": ({"Player 0"}, HOST.public),
    "Player 0, by a false header": ({"Player 0", "the host"}, HOST.public),
    "Player 1, who took over": ({"Player 1"}, SECOND.public),
    "Player 1, host by guests": ({"Player 1", "the host"}, THEIRS.public),
}
"""Names as the verifiers print them, and the key. No seat answers for the key of `host`. The second verifier takes
no name from a header that is false."""


# How files are made


def of(code: str, what: str = "") -> Build:
    """The file of one player of a game that contradicts with this code (`tests/crypto/contradictions`)."""

    def build(games: Games) -> Files:
        case = ROWS[code, what](games)
        return [Forge(forged=case.forged, players=case.players).file(case.entries, case.viewer)]

    return build


def changed(change: Callable[[list[Draft]], object], forge: Callable[[], Forge] = Forge) -> Build:
    """The file of seat 0 of the game of four after a change of its entries."""

    def build(games: Games) -> Files:
        entries = drafts(games.four)
        change(entries)
        return [forge().file(entries)]

    return build


def without(kind: type, number: int) -> Callable[[list[Draft]], object]:
    """Leave out an entry of a kind."""

    def change(entries: list[Draft]) -> None:
        del entries[[at for at, one in enumerate(entries) if isinstance(one.entry, kind)][number]]

    return change


def passed_on(
    change: Callable[[list[Draft], int], object] = lambda entries, n: None,
    forge: Callable[[], Forge] = Handing,
    entry: Callable[[], Draft] = lambda: handover(1),
) -> Build:
    """The game of four after it was handed over to seat 1 as entry `n`, and changed."""

    def build(games: Games) -> Files:
        entries, n = handed(games.four, entry=entry())
        change(entries, n)
        return [forge().file(entries)]

    return build


def lying_at(more: int) -> Callable[[list[Draft], int], object]:
    """Say that a bot made a move so many entries after the handover, or before it."""

    def change(entries: list[Draft], n: int) -> None:
        move = entries[at := find(entries, Move, after=n + more)].entry
        assert isinstance(move, Move)
        entries[at].entry = replace(move, by=SUBSTITUTE, sig=b"")

    return change


class Rewriting(Handing):
    """The successor signs all entries."""

    def __init__(self) -> None:
        super().__init__()
        self.host = SECOND


class OldHost(Handing):
    """The old host signs on after the handover."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts = {}


def old_branch(games: Games) -> Files:
    """The host hands over, and continues with other players as if it had not."""
    entries, _ = handed(games.four, entry=handover(1))
    return [Handing().file(entries, 1), Forge().file(drafts(games.four), 2)]


def second_game(games: Games) -> Files:
    return [games.duel.transcript(0), begin(2, seed=2, followed=False, kinds=PEOPLE).play().transcript(1)]


def second_end(games: Games) -> Files:
    entries = drafts(games.duel)
    close = entries[-1].entry
    assert isinstance(close, Close)
    entries[-1].entry = replace(close, openings=close.openings[::-1])
    return [games.duel.transcript(0), Forge().file(entries, 1)]


def never_closed(games: Games) -> Files:
    entries = drafts(games.four)
    return [Forge().file(entries[: find(entries, Close)])]


def after_the_end(entries: list[Draft]) -> None:
    entries.append(handover(1))


def other_seed(games: Games) -> Files:
    """The host plays with another seed than the parts give."""

    def chance(seed: bytes) -> SeededChance:
        return SeededChance(digest("mine", seed))

    return [begin(2, chance=chance, followed=False, kinds=PEOPLE).play().transcript(1)]


def other_rules(games: Games) -> Files:
    with mock.patch.dict(RULES, {"2016": bytes(32)}):
        return [begin(2, followed=False, kinds=PEOPLE).play().transcript(1)]


def absent(round_: int) -> Build:
    """Seat 2 is missing in the co-signature after a round; 0 is the end."""

    def build(games: Games) -> Files:
        game = begin(3, followed=False, kinds=PEOPLE)

        def present(game: Game) -> list[int]:
            number = 0 if game.host_log.audit.over else game.host_log.audit.round
            return [0, 1] if number == round_ else [0, 1, 2]

        game.present = present
        return [game.play().transcript(0)]

    return build


def no_words(games: Games) -> Files:
    game = begin(3, followed=False, kinds=PEOPLE)
    game.silent = lambda game: [2] if game.host_log.audit.over else []
    return [game.play().transcript(0)]


def bot_for_a_connected_seat(protesting: bool, to_the_end: bool = False) -> Build:
    """A bot plays seat 2 in round 2, or from there to the end; its player protests as soon as it can sign."""

    def build(games: Games) -> Files:
        game = begin(3, followed=False, kinds=PEOPLE)

        def gone(game: Game) -> list[int]:
            audit = game.host_log.audit
            here = audit.round == 2 and not audit.expects(CoSigned)
            return [2] if here or (to_the_end and audit.round >= 2) else []

        game.gone = gone
        game.protesting = lambda game: [2] if protesting and game.host_log.audit.round == 2 else []
        return [game.play().transcript(0)]

    return build


def called_off(games: Games) -> Files:
    starts = [CalledOff(bytes([number]) * 32, (1,)) for number in range(3)]
    return [begin(3, followed=False, kinds=PEOPLE, called_off=starts).play().transcript(1)]


def anchors_again(games: Games) -> Files:
    """A seat has the anchors of another one. An honest host rejects them when they arrive."""
    entries = drafts(begin(setup=sealed_first(4), followed=False, kinds=PEOPLE))
    commits = entries[1].entry
    assert isinstance(commits, Commits)
    first, second, *rest = commits.seats
    entries[1].entry = Commits((first, replace(second, anchors=first.anchors), *rest))
    return [Forge().file(entries, finish=False)]


def rewritten(forged: Callable[[int], bytes]) -> Build:
    """The files of both guests who rewrite a closed game, and that of the honest player."""
    return lambda games: [forged(1), forged(2), honest().transcript(0)]


def made_up(games: Games) -> Files:
    """Guests play the game again at a host of their own that one of them answers for."""
    told = deltas(otherwise(), 1)
    entry = Open(of_theirs(otherwise().host_log.header))
    told[0] = replace(told[0], public=encode_entry(entry))
    return [file(1, told, signer=THEIRS, after=0, host=THEIRS.public), honest().transcript(0)]


def own_edit(games: Games) -> Files:
    """A player changes a move in the own file and signs the file again."""
    entries = drafts(games.duel)
    move = entries[at := find(entries, Move, hidden=False)].entry
    assert isinstance(move, Move)
    entries[at].entry = replace(move, what="end")
    forge = Forge(resign=False)
    forge.signatures = {n: games.duel.host_log.signature(n) for n in range(1, len(entries) + 1)}
    return [forge.file(entries, 1)]


def own_cut(games: Games) -> Files:
    return [Forge().file(drafts(games.duel)[:40], 1)]


def own_alarm(games: Games) -> Files:
    return [Forge().file(drafts(games.duel), 1, finish=False, alarm=Alarmed(40, "impossible_event"))]


def own_footer(games: Games) -> Files:
    data = bytearray(games.duel.transcript(1))
    data[-1] ^= 1
    return [bytes(data)]


def anothers_file(games: Games) -> Files:
    return [games.duel.transcript(1, finish=False).replace(player(1).public, player(0).public, 1)]


def imposture(games: Games) -> Files:
    return [impostures(Impostor().file(drafts(games.duel), 1, finish=False))]


def silent_seals(games: Games) -> Files:
    return [sealing(silent=True).transcript(0)]


# The table

HOST_LIES: Final = (
    ("gives a player another name", "claim", "another name", "Player 0, by a false header"),
    ("calls a player a bot", "claim", "another kind", "Player 0, by a false header"),
    ("gives two seats one key", "key", "one key at two seats", "Player 0, by a false header"),
    ("signs a header for another certificate", "header", "another certificate", "Player 0, by a false header"),
    ("claims an endorsement that no one has signed", "endorsement", "by nobody", "Player 0, by a false header"),
    ("leaves a seat out of the commitments", "seats", "commits: a seat too few", "Player 0"),
    ("exchanges the commitments of two seats", "agreement", "of another seat", "Player 0"),
    ("changes the commitment of a seat", "agreement", "of seat 1 to another commitment", "Player 0"),
    ("writes one commitment for two seats", "value_again", "one commitment of two seats", "Player 0"),
    ("changes the header after the players agreed", "agreement", "to another table", "Player 0"),
    ("forges a move", "move_signature", "", "Player 0"),
    ("repeats an earlier move of a seat", "move_signature", "of another move of the same seat", "Player 0"),
    ("writes an open move where a hidden one is due", "hidden", "an open move that hides", "Player 0"),
    ("repeats a commitment to a pick", "commitment_again", "", "Player 0"),
    ("reveals another character", "revealed", "another character", "Player 0"),
    ("reveals a character without its opening", "revealed", "without its opening", "Player 0"),
    ("opens a pick with another nonce", "opening", "another nonce", "Player 0"),
    ("opens a pick as that of another seat", "opening", "of another seat", "Player 0"),
    ("opens a pick before it is called", "opening", "too early", "Player 0"),
    ("places other markers than were sealed", "placed", "others than the move says", "host"),
    ("opens a warrant with the star elsewhere", "opening", "of a seal with another character", "host"),
    ("breaks a seal without its opening", "seal_unopened", "confiscate yes", "host"),
    ("shows a flower where none is", "shown", "a flower where none is", "host"),
    ("leaves out the opening of a hidden move", "withheld", "", "Player 0"),
    (
        "lets a bot move for a seat that is not away",
        "mover",
        "a bot's move although no bot plays the seat",
        "Player 0",
    ),
    (
        "takes a move of a player while a bot plays",
        "mover",
        "the player's move while a bot plays the seat",
        "host",
    ),
    ("lets a bot move after the player is back", "mover", "a bot's move after the player is back", "host"),
    ("changes the nonce of a bot", "substitute_nonce", "", "host"),
    ("forges a return", "back", "without a signature", "host"),
    ("takes the return of another seat", "back", "signed by another player", "host"),
    ("forges a co-signature", "cosignature", "of seat 1", "Player 0"),
    ("writes a protest that no one made", "cosignature", "it does not protest: seat 1", "Player 0"),
    ("repeats the co-signature of the round before", "cosignature", "of the round before", "Player 0"),
    ("changes a word after it was committed", "word", "of seat 1", "Player 0"),
    ("leaves out a word and keeps the others", "words", "without seat 1", "Player 0"),
    ("leaves out the co-signatures of a round", "order", "a round without co-signatures before it", "Player 0"),
    ("counts a round twice", "round", "another number: the next", "Player 0"),
    (
        "contradicts a public event in private",
        "private_event",
        "other cards than everybody is told of",
        "Player 0",
    ),
    ("opens another secret at the end", "secret", "", "Player 0"),
    ("opens another part at the end", "part", "of seat 1", "Player 0"),
    ("calls a finished game ended by agreement", "close", "agreed", "Player 0"),
    ("claims a proven lie in an open draft", "close", "a lie that is not proven", "Player 0"),
    ("ends the game without a player", "end", "that a seat at the table has not signed", "Player 0"),
    ("forges an agreement to end the game", "end_signature", "of the only person", "Player 0"),
    (
        "hands the game over to a player who did not accept",
        "handover",
        "that the successor has not accepted",
        "Player 0",
    ),
)
"""Lies that both verifiers find: the lie, the contradiction in `tests/crypto/contradictions`, and the accused."""
RULES_ALONE: Final = (
    ("pays more gold than is taken", "event", "more gold than is taken"),
    ("leaves out what comes of a move", "event_count", "one too few"),
    ("lets a seat make an illegal move", "illegal", ""),
    ("deals a seat another card than the deck has", "private", "another card"),
)
"""Lies that only a replay finds."""
TABLE: Final[list[Row]] = [
    *(Row("host", lie, 1, 1, accused, of(code, what)) for lie, code, what, accused in HOST_LIES),
    *(Row("host", lie, 1, 0, "Player 0", of(code, what)) for lie, code, what in RULES_ALONE),
    Row("host", "leaves a move out", 1, 1, "Player 0", changed(without(Move, 9), lambda: Forge(players=False))),
    Row("host", "plays with another seed than the parts give", 1, 1, "Player 0", other_seed),
    Row("host", "plays two games under one number", 1, 1, "Player 0", second_game),
    Row("host", "signs two ends", 1, 1, "Player 0", second_end),
    Row("host", "never closes", 4, 4, "", never_closed, "has not closed the record"),
    Row("host", "hands over after the end", 1, 1, "Player 0", changed(after_the_end, Handing)),
    Row("host", "drops a co-signature", 0, 0, "", absent(2), "not by Player 2"),
    Row("host", "drops the last co-signature", 0, 0, "", absent(0), "not by Player 2"),
    Row("host", "drops a word", 0, 0, "", no_words, "none: not every player who signed last gave a word"),
    Row(
        "host",
        "lets a bot play for a connected player",
        0,
        0,
        "",
        bot_for_a_connected_seat(True),
        "while its player was connected",
    ),
    Row("host", "lets a bot play to the end", 0, 0, "", bot_for_a_connected_seat(False, True), "not by Player 2"),
    Row(
        "host", "calls starts off until it likes the deal", 0, 0, "", called_off, "3 earlier starts of this table"
    ),
    Row("host", "writes anchors of a seat twice", 1, 1, "Player 0", anchors_again),
    Row("host", "has other rules", 5, 0, "", other_rules, "played with other rules"),
    Row("old host", "lies before it hands over", 1, 1, "Player 0", passed_on(lying_at(-6))),
    Row("old host", "signs on after it handed over", 3, 3, "", passed_on(forge=OldHost)),
    Row("old host", "continues with other players", 1, 1, "Player 0", old_branch),
    Row(
        "old host",
        "hands over to a key of the table",
        1,
        1,
        "Player 0",
        passed_on(entry=lambda: handover(1, player(2).public)),
    ),
    Row(
        "old host",
        "takes the acceptance of another seat",
        1,
        1,
        "Player 0",
        passed_on(forge=lambda: Handing(accepts=2)),
    ),
    Row("successor", "lies", 1, 1, "Player 1, who took over", passed_on(lying_at(10))),
    Row("successor", "rewrites what was before", 3, 3, "", passed_on(lying_at(-6), Rewriting)),
    *(
        Row("all guests but one", f"rewrite a closed game: {forged.__name__}", 3, 3, "", rewritten(forged))
        for forged in FORGERIES
    ),
    Row("all guests but one", "play it again at a host of their own", 1, 1, "Player 1, host by guests", made_up),
    Row("guest", "changes a move in the own file", 3, 3, "", own_edit),
    Row("guest", "cuts the own file", 4, 4, "", own_cut, "before the end of the game"),
    Row("guest", "leaves in alarm for nothing", 4, 4, "", own_alarm, "nothing here bears that out"),
    Row("guest", "changes the footer", 3, 3, "", own_footer),
    Row("guest", "presents the file of another player", 3, 3, "", anothers_file),
    Row("guest", "signs entries with a key of its own", 3, 3, "", imposture, "Nobody is accused"),
    Row("guest", "does not open what it sealed", 4, 4, "", silent_seals, "did not open all hidden moves"),
]
IN_QUICK_RUNS: Final = (
    "reveals another character",
    "writes a protest that no one made",
    "opens another part at the end",
    "hands over after the end",
    "drops the last co-signature",
    "lies",
    "rewrite a closed game: agreed_on",
    "changes a move in the own file",
)
ROWS_OF_RUNS: Final = [
    row if row.lie in IN_QUICK_RUNS else pytest.param(row, marks=pytest.mark.slow) for row in TABLE
]
DRAFT_LIES: Final = sorted({*LIES, "complains"} - {"loses_another"})


@pytest.fixture(scope="session")
def games() -> Games:
    return made()


@cache
def made() -> Games:
    """Honest games. In those without markers the player of seat 0 answers for the host."""
    sealing = (table.recorded(setup=MARKED, seed=seed) for seed in range(FIRST, 200))
    marked = next(game for game in sealing if has_everything(game))
    two, four = (begin(players, followed=False, kinds=PEOPLE[:players]).play() for players in (2, 4))
    return Games(two, four, marked, substitute_markers())


def by_first(report: Report) -> set[tuple[str, bytes]]:
    """The accused of `verify`: names and keys."""
    found = set()
    for told in report.files:
        for one in told.findings:
            if one.accused_key is not None:
                player = player_text(told.header, one.seat or 0)
                host = host_text(told.header, one.accused_key, english, one.host)
                found.add((name_in(player if one.accused == "player" else host), one.accused_key))
    return found


def by_second(said: str) -> set[tuple[str, bytes]]:
    """The accused of the second verifier: the name after the verdict, and the key below it."""
    proofs = re.findall(r"PROOF OF CHEATING: (.+?)(?: signed| lied).*?key ([0-9a-f]{64})", said, re.DOTALL)
    return {(name_in(name), bytes.fromhex(key)) for name, key in proofs}


def name_in(text: str) -> str:
    """The name in front of a seat or a key. A host that no seat answers for has no name."""
    found = re.match(r"Player \d+", text)
    return found[0] if found else "the host"


def judged(folder: Path, files: Files, capsys: pytest.CaptureFixture[str]) -> tuple[Report, int, str]:
    """The report of `verify`, and the exit code and the text of the second verifier."""
    paths = [saved(folder / f"{at}.ctr", data) for at, data in enumerate(files)]
    capsys.readouterr()
    second: int = remembering().main([*map(str, paths)])
    return verify(paths), second, capsys.readouterr().out


def test_table_has_forty_lies_and_all_kinds_of_liars() -> None:
    assert len({(row.who, row.lie) for row in TABLE}) == len(TABLE) >= 40
    assert all((row.code == 1) == bool(row.accused) for row in TABLE)


@one_case("row", ROWS_OF_RUNS, ids=lambda row: f"{row.who}: {row.lie}", parts=6)
def test_both_verifiers_name_who_lied(
    row: Row, games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, second, said = judged(tmp_path, row.build(games), capsys)
    names, key = ACCUSED[row.accused]
    for found, accused, code in ((report.code, by_first(report), row.code), (second, by_second(said), row.second)):
        assert found == code, (report.findings, said)
        assert {one for _, one in accused} == ({key} if code == 1 else set())
        assert {name for name, _ in accused} <= names
    assert row.shown in " ".join(report_text.text(report).split())


@pytest.mark.slow
@one_case("name", DRAFT_LIES, parts=4)
def test_both_verifiers_name_who_lied_in_a_sealed_draft(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lying = complains if name == "complains" else LIES[name]
    game, liar, _ = lied(lying, PLAYERS.get(name, 4), "deal" if name in OF_DEALER else "step")
    files = [game.transcript(seat) for seat in range(len(game.state.players))]
    report, second, said = judged(tmp_path, files, capsys)
    expected = {(f"Player {liar}", player(liar).public)}
    assert (report.code, by_first(report)) == (second, by_second(said)) == (1, expected)
