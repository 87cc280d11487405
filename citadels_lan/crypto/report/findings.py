"""The sentences of verification by code: in English, marked for translation."""

from collections.abc import Mapping
from typing import Final, Protocol


class Translate(Protocol):
    """Puts values into a text by name, translating it first if it can."""

    def __call__(self, message: str, /, **values: object) -> str: ...


def english(message: str, /, **values: object) -> str:
    """The text as it stands."""
    return message.format_map(values)


def msg(text: str) -> str:
    """Mark a text for translation."""
    return text


CONTRADICTIONS: Final[Mapping[str, str]] = {
    # Reading entry by entry
    "order": msg("entry {n} is of a kind that may not stand there"),
    "header": msg("the table described in entry {n} is not the one of this chain"),
    "key": msg("entry {n} has a public key that cannot be used, or one key at two seats"),
    "host": msg("entry {n} has another host key than the host had"),
    "own_key": msg("entry {n} gives the seat of this file to another key"),
    "seats": msg("entry {n} does not fit the number of seats"),
    "value_again": msg("entry {n} has one commitment or anchor twice"),
    "anchors": msg("entry {n} has not the anchors of {player} that this draft needs"),
    "cosignature": msg("entry {n} has a co-signature that is not that of {player}"),
    "words": msg("entry {n} has not exactly the words of the seats that have co-signed"),
    "word": msg("entry {n} has another word of {player} than the one committed to"),
    "close": msg("entry {n} gives another reason for the end of the game than the one there is"),
    "part": msg("entry {n} has another part of the seed for {player} than the one committed to"),
    "claim": msg("entry {n} has a name, or a mark of a bot, that {player} has not signed"),
    "endorsement": msg("entry {n} has an endorsement of the host's key that nobody has signed"),
    "agreement": msg("entry {n} has a commitment of {player} to its part of the seed that it has not signed"),
    "commitment_again": msg("entry {n} repeats a commitment of {player} that is still unopened"),
    "opening": msg("entry {n} has an opening that does not fit what {player} committed to"),
    "revealed": msg("entry {n} reveals a character of {player} without the opening of its pick"),
    "mover": msg("entry {n} has a move for {player} that is not by the one who moved for that seat then"),
    "move_signature": msg("entry {n} has a move or a message for {player} without the correct signature"),
    "handover": msg("entry {n} hands the game over to {player}, who has not signed that or cannot host"),
    "secret": msg("entry {n} opens another secret of the host than was committed to"),
    "away": msg("entry {n} says that {player} is away, as an earlier entry does already"),
    "substitute": msg("entry {n} lets a bot play for {player}, who is not away, or for whom a bot plays already"),
    "substitute_nonce": msg("entry {n} opens a bot's move in entry {move} that does not follow from the secret"),
    "back": msg("entry {n} says that {player} is back, without that player's signature"),
    "round": msg("in entry {n} a round begins that is not the next, or a move comes before its round"),
    "placed": msg("entry {n} places other markers than its move says"),
    "seal_unopened": msg("in entry {n} {player} shows a sealed marker without its opening"),
    "shown": msg("entry {n} shows another marker of {player} than the opening says"),
    "withheld": msg("entry {n} leaves out the opening of entry {move}, which the host had from {player}"),
    "malformed": msg("entry {n} says nothing in this protocol"),
    "snapshot": msg("the view of the table that the host has shown this seat is not the one after entry {n}"),
    # Playing the game again
    "edition": msg("the edition in entry {n}, or one of its options, is not one that this program plays"),
    "setup": msg("the set-up in entry {n} is not one that the rules allow"),
    "no_table": msg("in entry {n} the table goes on by itself when it is somebody's move"),
    "illegal": msg("entry {n} has a move of {player} that the rules do not allow: {line} ({reason})"),
    "notation": msg("entry {n} has a move of {player} that is not written as the notation writes it"),
    "hidden": msg("entry {n} hides a move of {player} that is not hidden, or shows one that is"),
    "event": msg("entry {n} tells {event} (number {index}); with this seed and these moves it is otherwise"),
    "event_count": msg("entry {n} tells {told} events where {expected} come out"),
    "private": msg("entry {n} told somebody in private something else than comes out"),
    # What is public, entry by entry
    "turn": msg("entry {n} is a move of {player}, who has nothing to decide there"),
    "no_events": msg("entry {n} has no events, although its move has a result"),
    "score": msg("entry {n} gives {player} another final score than its city"),
    "winners": msg("entry {n} names other winners than the final scores"),
    "offer": msg("entry {n} lets {player} choose among characters that cannot all be left"),
    "uncalled": msg("entry {n} ends a round in which {player} has a character that was never called"),
    "copies": msg("entry {n} shows a district more often than there are cards of it"),
    "private_event": msg("entry {n} told somebody in private something else than everybody"),
    "leaves": msg("entry {n} tells somebody in private where nothing is told in private"),
    "impossible_event": msg("entry {n} tells of what cannot be at any table"),
    "end": msg("entry {n} ends the game without the signatures of all players who had to agree"),
    "end_signature": msg("entry {n} ends the game with a signature of {player} that this player did not make"),
    # Sealed drafts
    "draft": msg("entry {n} has a message in a sealed draft that cannot stand there"),
    "said_signature": msg("entry {n} has a message of {player} in a sealed draft that it has not signed"),
    "draft_link": msg("entry {n} has a secret link of {player} that does not lead to the anchor of its chain"),
    "draft_key": msg("the box key of entry {n} does not follow from the chain of its seat"),
    "draft_deal": msg("the layout of entry {n} does not follow from the seed of the deal"),
    "draft_box": msg("the box of entry {n} does not hold what its sender has committed to, or cannot hold it"),
    "draft_secret": msg("the complaint of entry {n} has a false secret"),
    "draft_complaint": msg("entry {n} complains about a box that is right"),
    "draft_pick": msg("the commitment to a pick in entry {n} holds no character"),
    "draft_not_offered": msg("entry {n} takes a character that was not offered"),
    "draft_rest": msg("entry {n} passes on another packet than what was left"),
    "draft_given": msg("entry {n} gives another character in an exchange than it can"),
    "draft_denied": msg("in entry {n} a player denied holding the character that was called"),
    "draft_shown": msg("in entry {n} a player showed a character that it did not hold"),
}
"""Contradictions, in the middle of a sentence."""

SENTENCES: Final[Mapping[str, str]] = {
    "host_cheated": msg("Proof that the host cheated ({host}): {what}. The host has signed it."),
    "two_histories": msg(
        "Proof that the host cheated ({host}): two histories, different from entry {n} on, both signed by it."
    ),
    "player_cheated": msg("Proof that {player} cheated: {what}. It is signed with its key."),
    "draft_unclear": msg(
        "Incomplete: in round {round} two players showed the same character. Check the files of all players"
        " together to find who lied."
    ),
    "agreed": msg("Incomplete: the players ended the game without a result. These did not sign that: {names}."),
    "draft_unopened": msg("Incomplete: {player} did not open its sealed drafts at the end of the game."),
    "not_transcript": msg("This is not a transcript of citadels-lan."),
    "other_version": msg(
        "This transcript has the format of another version of citadels-lan. Check it with that version."
    ),
    "other_rules": msg(
        "This game was played with other rules, so this program cannot check it. Install {program} with the rules"
        " {rules} of the edition {edition}. This program is {own} with the rules {own_rules}."
    ),
    "unknown_rules": msg(
        "This game was played with other rules, and the file does not name the program. Check it with the version"
        " that wrote it."
    ),
    "empty": msg("The file is empty."),
    "unreadable": msg("The file cannot be read: {reason}."),
    "too_large": msg("The file is larger than any transcript can be."),
    "record": msg("The file is damaged: at byte {at} there is no record that a transcript has there."),
    "head": msg("The file is damaged: the record at byte {at} should say which game it is of."),
    "footer": msg("The file is damaged: the footer at byte {at} cannot be read."),
    "after_footer": msg("The file is damaged: something stands after its end, at byte {at}."),
    "changed": msg("The file is damaged: it is not what its owner signed at the end."),
    "changed_at": msg("The file is damaged: it is not what its owner signed, and entry {n} is not whole."),
    "signature": msg("The file is damaged: the signature at its end does not fit its contents."),
    "link": msg("The file is damaged: entry {n} is not what was received, or entries before it are missing."),
    "forged": msg(
        "The file is damaged: its entries are not signed by the host that the first one names. Nobody is accused."
    ),
    "owner": msg("The file is damaged: the key at its beginning is not that of its seat."),
    "failed": msg("This program failed to play the game again ({error}): the file is neither proven nor refuted."),
    "torn": msg("The file ends in the middle of a record: it is damaged, or the program was stopped there."),
    "unfinished": msg("Incomplete: the file ends at entry {n}, before the end of the game. There is no winner."),
    "held_back": msg(
        "Incomplete: the last move is made, but the host ({host}) has not closed the record. Chance and hidden"
        " cards cannot be checked, and the game has no winner."
    ),
    "unopened": msg(
        "Incomplete: what {player} sealed in round {round} is not open: it has not opened it, or the host has left"
        " that out."
    ),
    "unopened_rounds": msg(
        "Incomplete: what {player} sealed in {rounds} rounds, first in round {round}, is not open: it has not"
        " opened it, or the host has left that out."
    ),
    "unsigned": msg("Incomplete: the game is all there, but the file is not signed by its owner."),
    "false_alarm": msg(
        "{player} left in alarm at entry {n} ({reason}), but nothing here bears that out: nobody is accused."
    ),
    "told_otherwise": msg(
        "{player} left in alarm, because the host has signed two different entries {n}. Only a file of another"
        " player can prove that: compare the files."
    ),
    "other_table": msg("{other} is of the same game number, but of another table: they cannot be compared."),
}
"""Whole sentences about a file."""

READING: Final[Mapping[str, str]] = {
    "folder": msg("it is a folder"),
    "bare_folder": msg("it is a folder, and no file in it ends in .ctr"),
    "no_file": msg("it is no file but a pipe or a device; `-` reads standard input"),
    "missing": msg("it does not exist"),
    "forbidden": msg("its permissions do not allow it"),
}
"""Why a file cannot be read, by what the system says."""

LABELS: Final[Mapping[str, str]] = {
    # The verdict
    "cheated": msg("PROOF OF CHEATING by {who}."),
    "incomplete": msg("INCOMPLETE: no contradiction found, but a part of the game is missing."),
    "other_rules": msg("NOT CHECKED: the game was played with other rules. No one is accused."),
    # Who
    "player": msg("{name} (seat {seat}, key {key})"),
    "somebody": msg("seat {seat}"),
    "host": msg("key {key}"),
    "named_host": msg("{name}, key {key}"),
    "later_host": msg("{player}, host from entry {n}"),
    "handed_row": msg("Handed over"),
    "handed": msg("to {name} at entry {n}, signed by both hosts"),
    "the_host": msg("the host ({host})"),
    "name_seat": msg("{name} ({seat})"),
    "spectator": msg("a spectator"),
    "person": msg("person"),
    "bot": msg("bot"),
    "guest": msg("person, through the host's computer"),
    "guests_row": msg("Guests"),
    "guests": msg(
        "{names} played through the host's computer: it could see their hands and move for them, so what they have"
        " signed is the host's word, and their seats count with its own"
    ),
    # The game
    "game": msg("Game {game} (rules {rules}, edition {edition})"),
    "seat_column": msg("Seat"),
    "name_column": msg("Name"),
    "key": msg("Key: {words}"),
    "who_column": msg("Who"),
    "moves_column": msg("Moves signed"),
    "heads_column": msg("Rounds signed"),
    "of_all": msg("{some} of {all}"),
    "signed_row": msg("Signed"),
    "signed_all": msg("the history, by all players, after every round and at the end"),
    "signed_so_far": msg("the whole history, by all players, after every round"),
    "signed_but": msg("the whole history, after every round and at the end, but not by {who}"),
    "signed_not": msg("no co-signatures yet"),
    "left_out": msg("{name} ({rounds})"),
    "one_round": msg("round {round}"),
    "many_rounds": msg("{count} rounds, from {round} on"),
    "end": msg("the end"),
    "called_off_row": msg("Called off"),
    "called_off_once": msg(
        "one earlier start of this table ended after all players had committed: one more draw for the host"
    ),
    "called_off": msg(
        "{count} earlier starts of this table ended after all players had committed: {count} more draws for the"
        " host"
    ),
    "protests_row": msg("Protests"),
    "protests": msg("{name} says that a bot moved for this seat while its player was connected ({rounds})"),
    "substitutes_row": msg("Substitute bots"),
    "substitute": msg("for {name} a bot ({level}), from entry {n} to entry {until}; moves: {count}"),
    "substitute_to_end": msg("for {name} a bot ({level}), from entry {n} on; moves: {count}"),
    "substitute_often": msg("for {name} bots, {times} times, first from entry {n} on; moves: {count}"),
    "chain_row": msg("Chain"),
    "chain": msg("{entries} entries, each bound to all before it; host signed {host} times"),
    "hidden_row": msg("Hidden"),
    "hidden": msg("{count} moves, each opened as it was committed to"),
    "hidden_left": msg("{count} moves opened as committed to, {left} not opened yet"),
    "sealed_row": msg("Sealed"),
    "sealed": msg("{count} warrants and threats, each opened as it was sealed"),
    "sealed_left": msg("{count} warrants and threats opened as sealed; not opened: {who}"),
    "sealed_so_far": msg("{count} warrants and threats opened as sealed, {left} still sealed"),
    "drafts_row": msg("Drafts"),
    "drafts": msg("{count} sealed drafts, opened by all players after the game"),
    "drafts_left": msg("{count} sealed drafts, not opened by {who}"),
    "drafts_so_far": msg("{count} sealed drafts; they are opened after the game"),
    "drafts_lied": msg("Proven to have lied there: {who}."),
    "chance_row": msg("Chance"),
    "chance": msg("{count} outcomes in {rounds} rounds, from a seed of host and players"),
    "replayed_row": msg("Replayed"),
    "replayed": msg("{events} events and {leaves} private parts, all as the rules have them"),
    "unchecked_row": msg("Unchecked"),
    "unchecked": msg("chance, events and private parts: for that the whole game must be open"),
    "unchecked_wrong": msg("chance, events and private parts: not to the end, something else is wrong"),
    "compared_row": msg("Compared"),
    "compared": msg("{count} files: one history in all of them, as far as each goes"),
    "compared_not": msg("{count} files: not one history in all of them"),
    "host_row": msg("Host's key"),
    "endorsed_row": msg("Host"),
    "not_endorsed": msg("nobody answers for its key"),
    "head_row": msg("Last hash"),
    "words_row": msg("Words"),
    "words_after": msg("{words} (after round {round})"),
    "words_none": msg("none: not every player who signed last gave a word"),
    "words_use": msg("Read them aloud: who has other words has another history."),
    # A file
    "file_signed": msg("file of {owner}, signed with its key, {entries} entries: {status}"),
    "file_unsigned": msg("file of {owner}, not signed, {entries} entries: {status}"),
    "file_part": msg("file of {owner}, {entries} entries: a part of the same game"),
    "same_as": msg("the same file as {other}"),
    "and_more": msg("{names} and {count} more"),
    "status_0": msg("verified"),
    "status_1": msg("proof of cheating"),
    "status_3": msg("damaged"),
    "status_4": msg("incomplete"),
    "status_5": msg("other rules"),
    # Proof
    "evidence": msg("Evidence {number}, at entry {n}:"),
    "public_bytes": msg("the entry"),
    "signed_bytes": msg("signed by {key}"),
    "signature_bytes": msg("the signature"),
    "do_host": msg(
        "What to do: keep the files as they are, and give copies to all players. Each of them can check the proof."
    ),
    "do_player": msg("What to do: keep the files as they are, and give copies to all players."),
    "do_unopened": msg(
        "What to do: check the files of those who did not open together with these; they can open it still."
    ),
}
"""Parts of a report."""


VERDICTS: Final[Mapping[str, str]] = {
    "verified": msg("VERIFIED: the record is closed, and a replay by the rules gives the same game."),
    "damaged": msg("NOT VERIFIED: a file is damaged or not a transcript. No one is accused."),
}
"""Verdicts with exit codes 0 and 3."""

INCOMPLETE: Final[Mapping[str, str]] = {
    "unfinished": msg("INCOMPLETE: the game was not finished, so it has no winner."),
    "not_closed": msg(
        "INCOMPLETE: the last move is made, but the host ({host}) did not close the record. The game has no"
        " winner."
    ),
    "agreed": msg("INCOMPLETE: the players ended the game without a result. It was the turn of {names}."),
    "not_opened": msg(
        "INCOMPLETE: {names} did not open all hidden moves. Verify their files together with this one."
    ),
    "unsigned": msg("INCOMPLETE: the game is closed, but the file is not signed by its owner."),
}
"""Verdicts with exit code 4."""
