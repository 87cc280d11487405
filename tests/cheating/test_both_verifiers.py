"""The lies that a client, `verify` and the second verifier find: one list for all three.

`tests/crypto/contradictions` has a row for each contradiction in the entries of a host. `TABLE` has the lies of
hosts, of guests, and of all seats but one together that are more than one false entry. `DRAFT_LIES` has the
lies of seats in a sealed draft. Every other signature in the files is correct: the liar has its own keys and
those of its helpers. If no key lied, the report has the text `shown`. The second verifier does not know the
rules of the card game, so it does not find what only a replay or the bookkeeping finds (`RULED`).

Attacks that leave no trace in files have tests elsewhere: players who return after a kick and seats of a rematch
in `cli/test_hosted.py`, look-alike names in `people/test_people.py`, and codes at the door in `net/join`.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NoReturn
from unittest import mock

import pytest
from msgspec import Struct
from msgspec.structs import replace

from citadels_lan.crypto import log
from citadels_lan.crypto.codec import digest, pack
from citadels_lan.crypto.report import report_text
from citadels_lan.crypto.report import verify as verifying
from citadels_lan.crypto.report.model import CONTRADICTIONS, Report, english, host_text, player_text
from citadels_lan.crypto.report.verify import verify
from citadels_lan.crypto.seed import SeededChance
from citadels_lan.crypto.transcript import Alarmed
from citadels_lan.engine.rules_digests import RULES
from tests.crypto.contradictions import BOOKS, CLIENT, ROWS, VERIFY, Case, Games
from tests.crypto.draft.lies import CODES
from tests.crypto.forging import Draft, Forge, drafts, find, refused, saved
from tests.crypto.log.test_handover import SECOND, Handing, handed, handover
from tests.crypto.sealed.files import sealed_first
from tests.crypto.sealed.test_games import LIES, OF_DEALER, PLAYERS, complains, lied
from tests.crypto.table import HOST, Game, begin, player
from tests.crypto.tables import sealing
from tests.effort import one_case, quick
from tests.extras.second import RULED, remembering

from .rewriting import FORGERIES, THEIRS, Impostor, deltas, file, honest, impostures, of_theirs, otherwise

PEOPLE: Final = (log.SeatKind.HOST, log.SeatKind.PLAYER, log.SeatKind.PLAYER, log.SeatKind.PLAYER)
Files = Sequence[bytes]
Build = Callable[[Games], Files]


class Row(Struct, frozen=True):
    """One lie in the list. `who` lies, and how: `lie`. `code` and `second` are the expected exit codes of
    `verify` and of the second verifier. `accused` is a key of ACCUSED. `shown` is a text that the report must
    contain."""

    who: str
    lie: str
    code: int
    second: int
    accused: str
    build: Build
    shown: str = ""


ACCUSED: Final[dict[str, tuple[set[str], bytes]]] = {
    "": (set(), b""),
    "Player 0": ({"Player 0"}, HOST.public),
    "Player 1, who took over": ({"Player 1"}, SECOND.public),
    "Player 1, host by guests": ({"Player 1", "the host"}, THEIRS.public),
}
"""The accused by name of the row: the names that the verifiers print, and the key. The second verifier prints
no name from a false header."""


@pytest.fixture(scope="session")
def games(duel: Game, four: Game, marked: Game, stood: Game) -> Games:
    """Return the honest games from which examples are made."""
    return Games(duel, four, marked, stood)


@pytest.fixture(scope="session")
def people(marked: Game, stood: Game) -> Games:
    """Return honest games; in the first two all seats have human players, and the player of seat 0 endorses
    the host's key."""
    two, four = (begin(players, followed=False, kinds=PEOPLE[:players]).play() for players in (2, 4))
    return Games(two, four, marked, stood)


# How files are made


def changed(change: Callable[[list[Draft]], object], forge: Callable[[], Forge] = Forge) -> Build:
    """Return a builder: the file of seat 0 in the game of four players, after `change` has changed its
    entries."""

    def build(games: Games) -> Files:
        entries = drafts(games.four)
        change(entries)
        return [forge().file(entries)]

    return build


def without(kind: type, number: int) -> Callable[[list[Draft]], object]:
    """Return a change that deletes the entry with this `number` among those of a kind."""

    def change(entries: list[Draft]) -> None:
        del entries[[at for at, one in enumerate(entries) if isinstance(one.entry, kind)][number]]

    return change


def passed_on(
    change: Callable[[list[Draft], int], object] = lambda entries, n: None,
    forge: Callable[[], Forge] = Handing,
    entry: Callable[[], Draft] = lambda: handover(1),
) -> Build:
    """Return a builder: the game of four players with a handover to seat 1 as entry `n`, after `change` has
    changed its entries."""

    def build(games: Games) -> Files:
        entries, n = handed(games.four, entry=entry())
        change(entries, n)
        return [forge().file(entries)]

    return build


def lying_at(more: int) -> Callable[[list[Draft], int], object]:
    """Return a change: the move `more` entries after the handover (negative: before it) claims to be a
    substitute bot's."""

    def change(entries: list[Draft], n: int) -> None:
        move = entries[at := find(entries, log.Move, after=n + more)].entry
        assert isinstance(move, log.Move)
        entries[at].entry = replace(move, by=log.SUBSTITUTE, sig=b"")

    return change


class Rewriting(Handing):
    """A forge in which the successor also signs the entries before the handover."""

    def __init__(self) -> None:
        super().__init__()
        self.host = SECOND


class OldHost(Handing):
    """A forge in which the old host still signs the entries after the handover."""

    def __init__(self) -> None:
        super().__init__()
        self.hosts = {}


def old_branch(games: Games) -> Files:
    """Return files of a host that hands the game over, and then continues it with other players as if it had
    not."""
    entries, _ = handed(games.four, entry=handover(1))
    return [Handing().file(entries, 1), Forge().file(drafts(games.four), 2)]


def second_game(games: Games) -> Files:
    return [games.duel.transcript(0), begin(2, seed=2, followed=False, kinds=PEOPLE).play().transcript(1)]


def second_end(games: Games) -> Files:
    entries = drafts(games.duel)
    close = entries[-1].entry
    assert isinstance(close, log.Close)
    entries[-1].entry = replace(close, openings=close.openings[::-1])
    return [games.duel.transcript(0), Forge().file(entries, 1)]


def never_closed(games: Games) -> Files:
    entries = drafts(games.four)
    return [Forge().file(entries[: find(entries, log.Close)])]


def after_the_end(entries: list[Draft]) -> None:
    entries.append(handover(1))


def other_seed(games: Games) -> Files:
    """Return files of a game with another seed than the one that follows from the parts."""

    def chance(seed: bytes) -> SeededChance:
        return SeededChance(digest("mine", seed))

    return [begin(2, chance=chance, followed=False, kinds=PEOPLE).play().transcript(1)]


def other_rules(games: Games) -> Files:
    with mock.patch.dict(RULES, {"2016": bytes(32)}):
        return [begin(2, followed=False, kinds=PEOPLE).play().transcript(1)]


def absent(round_: int) -> Build:
    """Return a builder: seat 2 does not co-sign after round `round_` (0: after the game)."""

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
    """Return a builder: a bot plays seat 2 in round 2 (`to_the_end`: until the end of the game) although its
    player is connected. `protesting`: that player protests in the next co-signature."""

    def build(games: Games) -> Files:
        game = begin(3, followed=False, kinds=PEOPLE)

        def gone(game: Game) -> list[int]:
            audit = game.host_log.audit
            here = audit.round == 2 and not audit.expects(log.CoSigned)
            return [2] if here or (to_the_end and audit.round >= 2) else []

        game.gone = gone
        game.protesting = lambda game: [2] if protesting and game.host_log.audit.round == 2 else []
        return [game.play().transcript(0)]

    return build


def called_off(games: Games) -> Files:
    starts = [log.CalledOff(bytes([number]) * 32, (1,)) for number in range(3)]
    return [begin(3, followed=False, kinds=PEOPLE, called_off=starts).play().transcript(1)]


def anchors_again(games: Games) -> Files:
    """Return files in which one seat has the chain commitments of another. An honest host rejects them when
    they arrive."""
    entries = drafts(begin(setup=sealed_first(4), followed=False, kinds=PEOPLE))
    commits = entries[1].entry
    assert isinstance(commits, log.Commits)
    first, second, *rest = commits.seats
    entries[1].entry = log.Commits((first, replace(second, anchors=first.anchors), *rest))
    return [Forge().file(entries, finish=False)]


def rewritten(forged: Callable[[int], bytes]) -> Build:
    """Return a builder: the files of two guests who have rewritten a closed game, made by `forged`, and the
    file of the honest player."""
    return lambda games: [forged(1), forged(2), honest().transcript(0)]


def made_up(games: Games) -> Files:
    """Return files of guests who play the game again at a new host, whose key one of them endorses."""
    told = deltas(otherwise(), 1)
    entry = log.Open(of_theirs(otherwise().host_log.header))
    told[0] = replace(told[0], public=pack(entry))
    return [file(1, told, signer=THEIRS, after=0, host=THEIRS.public), honest().transcript(0)]


def own_edit(games: Games) -> Files:
    """Return the file of a player who changed a move in it and signed it again."""
    entries = drafts(games.duel)
    move = entries[at := find(entries, log.Move, hidden=False)].entry
    assert isinstance(move, log.Move)
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

TABLE: Final[list[Row]] = [
    Row(
        "host", "leaves a move out", 1, 1, "Player 0", changed(without(log.Move, 9), lambda: Forge(players=False))
    ),
    Row("host", "plays with another seed than the parts give", 1, 1, "Player 0", other_seed),
    Row("host", "plays two games under one number", 1, 1, "Player 0", second_game),
    Row("host", "signs two ends", 1, 1, "Player 0", second_end),
    Row("host", "never closes", 4, 4, "", never_closed, "has not closed the record"),
    Row("host", "hands over after the end", 1, 1, "Player 0", changed(after_the_end, Handing)),
    Row("host", "drops a co-signature", 0, 0, "", absent(2), "not by Player 2"),
    Row("host", "drops the last co-signature", 0, 0, "", absent(0), "not by Player 2"),
    Row("host", "drops a word", 0, 0, "", no_words, "none: the word of a player who signed last is missing"),
    Row(
        "host",
        "lets a bot play for a connected player",
        0,
        0,
        "",
        bot_for_a_connected_seat(True),
        "while the player was online",
    ),
    Row("host", "lets a bot play to the end", 0, 0, "", bot_for_a_connected_seat(False, True), "not by Player 2"),
    Row("host", "calls starts off until it likes the deal", 0, 0, "", called_off, "3 starts of this game were"),
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
    Row("guest", "leaves in alarm for nothing", 4, 4, "", own_alarm, "do not confirm it"),
    Row("guest", "changes the footer", 3, 3, "", own_footer),
    Row("guest", "presents the file of another player", 3, 3, "", anothers_file),
    Row("guest", "signs entries with a key of its own", 3, 3, "", imposture, "No one is accused"),
    Row("guest", "does not open what it sealed", 4, 4, "", silent_seals, "did not open all hidden moves"),
]
# Contradictions in entries

SEALED: Final = {"draft", "draft_link", "said_signature"} | {f"draft_{code}" for code in CODES}
"""Contradictions that other tests provoke: `tests/crypto/sealed`, and `tests/crypto/draft` for lies of
players."""
ONE_OF_EACH: Final = {row[0]: row for row in ROWS}.values()
"""One example of each contradiction."""


def test_every_contradiction_has_an_example() -> None:
    assert {code for code, _ in ROWS} | BOOKS | SEALED == CONTRADICTIONS.keys()


@pytest.mark.parametrize("which", quick(Games.__struct_fields__, "duel"))
def test_unchanged_entries_are_accepted(games: Games, tmp_path: Path, which: str) -> None:
    game: Game = getattr(games, which)
    for players in (True, False):
        assert refused(drafts(game), forge=Forge(players=players)) is None
        file = saved(tmp_path / "a.ctr", Forge(players=players).file(drafts(game)))
        assert verify([file]).code in (0, 4), "only sealed moves may be unopened"


@one_case(("code", "what"), quick(ROWS, *ONE_OF_EACH), parts=8)
def test_contradiction_is_found_by_client_and_both_verifiers(
    games: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, what: str
) -> None:
    case = ROWS[code, what](games)
    fault = refused(case.entries, case.viewer, forged(case))
    report = agreed_on(tmp_path, forged(case).file(case.entries, case.viewer), code, capsys)
    if case.by == VERIFY:
        assert fault is None, "a client cannot know yet"
        if code == "edition":
            assert [finding.code for finding in report.findings] == ["other_rules"]
        else:
            assert proven(report) == [(code, case.n)]
        return
    assert fault is not None
    assert (fault.code, fault.n) == (code, case.n or fault.n)
    if case.by == CLIENT:  # The client stores the entry and leaves.
        alarm = Alarmed(fault.n, fault.code)
        data = forged(case).file(case.entries[: fault.n], case.viewer, alarm=alarm)
        ((found, n),) = proven(agreed_on(tmp_path, data, code, capsys))
        assert (found, n) == (code, fault.n) or (found in BOOKS and n < fault.n)


def forged(case: Case) -> Forge:
    return Forge(forged=case.forged, players=case.players)


def agreed_on(folder: Path, data: bytes, code: str, capsys: pytest.CaptureFixture[str]) -> Report:
    """Verify a file with both verifiers. Check that the exit codes are equal, unless the contradiction `code`
    needs the rules, and that no other key than the host's is accused. Return the report of `verify`."""
    report, second, said = judged(folder, [data], capsys)
    ruled = any({finding.contradiction, code} & RULED for finding in report.findings)
    assert second == report.code or ruled, said
    assert {key for _, key in by_first(report) | by_second(said)} <= {HOST.public}
    return report


def proven(report: Report) -> list[tuple[str, int]]:
    """Return the proven contradictions in a report: code and entry. There must be no other findings about the
    file."""
    assert report.code == 1
    assert {(one.code, one.kind) for one in report.findings} == {("host_cheated", "proof")}
    return [(one.contradiction, int(one.details["n"])) for one in report.findings]


def test_internal_error_of_the_verifying_program_accuses_no_one(
    games: Games, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise KeyError("a fault of ours")

    file = saved(tmp_path / "a.ctr", Forge().file(drafts(games.duel)))
    monkeypatch.setattr(verifying, "compare", fail)
    report = verify([file])
    assert [(one.code, one.kind) for one in report.findings] == [("failed", "damaged")]
    assert report.code == 3
    assert "a fault of ours" not in str(report.findings[0].details)


# The table


IN_QUICK_RUNS: Final = (
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


def by_first(report: Report) -> set[tuple[str, bytes]]:
    """Return whom `verify` accuses: names and keys."""
    found = set()
    for told in report.files:
        for one in told.findings:
            if one.accused_key is not None:
                player = player_text(told.header, one.seat or 0)
                host = host_text(told.header, one.accused_key, english, one.host)
                found.add((name_in(player if one.accused == "player" else host), one.accused_key))
    return found


def by_second(said: str) -> set[tuple[str, bytes]]:
    """Return whom the second verifier accuses, read from its output: the name after the verdict, and the key
    below it."""
    proofs = re.findall(r"PROOF OF CHEATING: (.+?)(?: signed| lied).*?key ([0-9a-f]{64})", said, re.DOTALL)
    return {(name_in(name), bytes.fromhex(key)) for name, key in proofs}


def name_in(text: str) -> str:
    """Return the name in `text` that stands before the seat or the key; "" for a host that is named only by
    its key."""
    found = re.match(r"Player \d+", text)
    return found[0] if found else "the host"


def judged(folder: Path, files: Files, capsys: pytest.CaptureFixture[str]) -> tuple[Report, int, str]:
    """Verify files with both verifiers. Return the report of `verify`, and the exit code and the output of
    the second verifier."""
    paths = [saved(folder / f"{at}.ctr", data) for at, data in enumerate(files)]
    capsys.readouterr()
    second: int = remembering().main([*map(str, paths)])
    return verify(paths), second, capsys.readouterr().out


def test_list_of_lies_has_thirty_rows_and_all_kinds_of_liars() -> None:
    assert len({(row.who, row.lie) for row in TABLE}) == len(TABLE) >= 30
    assert all((row.code == 1) == bool(row.accused) for row in TABLE)


@one_case("row", ROWS_OF_RUNS, ids=lambda row: f"{row.who}: {row.lie}", parts=6)
def test_both_verifiers_accuse_the_liar(
    row: Row, people: Games, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, second, said = judged(tmp_path, row.build(people), capsys)
    names, key = ACCUSED[row.accused]
    for found, accused, code in ((report.code, by_first(report), row.code), (second, by_second(said), row.second)):
        assert found == code, (report.findings, said)
        assert {one for _, one in accused} == ({key} if code == 1 else set())
        assert {name for name, _ in accused} <= names
    assert row.shown in " ".join(report_text.text(report).split())


def test_games_with_the_same_id_from_different_hosts_are_not_compared(people: Games, tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{at}.ctr", data) for at, data in enumerate(made_up(people)[::-1])]
    honest_file, other = verify(paths).files
    assert (honest_file.code, {one.code for one in other.findings}) == (0, {"host_cheated", "other_table"})


@pytest.mark.slow
@one_case("name", DRAFT_LIES, parts=4)
def test_both_verifiers_accuse_the_liar_in_a_sealed_draft(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lying = complains if name == "complains" else LIES[name]
    game, liar, _ = lied(lying, PLAYERS.get(name, 4), "deal" if name in OF_DEALER else "step")
    files = [game.transcript(seat) for seat in range(len(game.state.players))]
    report, second, said = judged(tmp_path, files, capsys)
    expected = {(f"Player {liar}", player(liar).public)}
    assert (report.code, by_first(report)) == (second, by_second(said)) == (1, expected)
