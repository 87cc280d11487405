"""What verification says, by code: English sentences, marked for translation."""

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
    "own_part": msg("entry {n} has another part of the seed than this seat gave"),
    "seats": msg("entry {n} does not fit the number of seats"),
    "part": msg("entry {n} has another part of the seed for {player} than was committed to"),
    "claim": msg("entry {n} has a name, or a mark of a bot, that {player} has not signed"),
    "endorsement": msg("entry {n} has an endorsement of the host's key that nobody has signed"),
    "agreement": msg("entry {n} has a commitment of {player} to its part of the seed that it has not signed"),
    "part_signature": msg("entry {n} has a signature on the seed that is not that of {player}"),
    "commitment_again": msg("entry {n} repeats a commitment of {player} that is still unopened"),
    "opening": msg("entry {n} has an opening that does not fit what {player} committed to"),
    "revealed": msg("entry {n} reveals a character of {player} without the opening of its pick"),
    "seal": msg("entry {n} has not one signature for each move since the last seal"),
    "move_signature": msg("entry {n} has a signature for the move in entry {move} that is not that of {player}"),
    "secret": msg("entry {n} opens another secret of the host than was committed to"),
    "stand_in": msg("entry {n} gives the seat of {player} to a stand-in while another one moves for it"),
    "stand_in_claim": msg("entry {n} gives the seat of {player} to a stand-in that has not signed that"),
    "back": msg("entry {n} says that {player} is back, which it has not signed, or was not away"),
    "present": msg("entry {n} names seats for another round, or some that may not take part in this one"),
    "here": msg("entry {n} says that {player} takes part in the round, with a signature that is not of that"),
    "restart": msg("entry {n} misses the links of seats that were not to give any"),
    "beacons": msg("entry {n} has not one link for each seat that takes part"),
    "beacon": msg("entry {n} has a link of {player} that does not lead to the anchor"),
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
    # Sealed drafts
    "box": msg("entry {n} has not one usable key for the boxes of each seat"),
    "draft_anchor": msg("entry {n} has not an own second chain for each seat"),
    "draft": msg("entry {n} has something of {player} in a sealed draft that it cannot say there"),
    "call": msg("entry {n} has replies to another call, or of seats that were not asked"),
    "reply": msg("entry {n} has a reply to a call that opens nothing"),
    "reply_signature": msg("entry {n} has a reply of {player} to a call that it has not signed"),
    "draft_link": msg("entry {n} has a link of {player} that does not lead to the anchor of its second chain"),
    "stand_in_draft": msg("entry {n} has a stand-in for {player} whose draft nobody else could have gone on with"),
    "draft_deal": msg("the layout in round {round} does not come out of the seed"),
    "draft_box": msg("a box in round {round} does not hold what its sender has committed to, or cannot hold it"),
    "draft_key": msg("the key shown in round {round} has not sealed the box that was complained of"),
    "draft_complaint": msg("the box that was complained of in round {round} is as it should be"),
    "draft_pick": msg("the commitment to a pick in round {round} holds no character"),
    "draft_not_offered": msg("in round {round} a character was taken that was not offered"),
    "draft_rest": msg("in round {round} something else was passed on than was left"),
    "draft_given": msg("in round {round} another character was given in an exchange than could be"),
    "draft_denied": msg("in round {round} a character was called, and whoever held it said that it did not"),
    "draft_shown": msg("in round {round} a character was shown that had been given away, or was never held"),
}
"""What contradicts what, in the middle of a sentence."""

SENTENCES: Final[Mapping[str, str]] = {
    "host_cheated": msg("Proof that the host cheated ({host}): {what}. The host has signed it."),
    "two_histories": msg(
        "Proof that the host cheated ({host}): two histories, different from entry {n} on, both signed by it."
    ),
    "player_cheated": msg("Proof that {player} cheated: {what}. It is signed with its key."),
    "draft_unclear": msg(
        "Incomplete: what was said in the sealed draft of round {round} does not fit together, and it is not known"
        " yet whose lie it is: the files of all seats will tell."
    ),
    "draft_unopened": msg(
        "Incomplete: the sealed picks of {player} are not open: it has not given its link at the end, or the host"
        " has left that out."
    ),
    "not_transcript": msg("This is not a transcript of citadels-lan."),
    "other_version": msg("This transcript is from another version of citadels-lan: check it with that version."),
    "other_edition": msg(
        "This game was played in the edition {edition}, which this program does not know:"
        " check it with a version that does."
    ),
    "other_rules": msg(
        "This game was played by the rules {rules}; this program knows {own}: check it with the right version."
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
    "unfinished": msg("Incomplete: the file has {n} entries and no end, so the game was not finished."),
    "held_back": msg(
        "The game was finished, and its end is signed by all who were there; but the host ({host}) has not opened"
        " its secret, so chance and hidden cards cannot be checked."
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
    "verified": msg("VERIFIED: played by the rules, and nothing has been changed since."),
    "cheated": msg("PROOF OF CHEATING by {who}."),
    "not_opened": msg("INCOMPLETE: what is there fits, but sealed moves were not opened by {who}."),
    "incomplete": msg("INCOMPLETE: what is there fits together, but something is missing."),
    "damaged": msg("NOT VERIFIED: not every file is a whole transcript. Nobody is accused."),
    # Who
    "player": msg("{name} (seat {seat}, key {key})"),
    "somebody": msg("seat {seat}"),
    "host": msg("key {key}"),
    "named_host": msg("{name}, key {key}"),
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
    "signed_all": msg("the whole history, by everybody, before every round and at the end"),
    "signed_so_far": msg("the whole history, by everybody, before every round"),
    "signed_but": msg("the whole history, before every round and at the end, but not by {who}"),
    "signed_not": msg("by nobody yet"),
    "left_out": msg("{name} ({rounds})"),
    "one_round": msg("round {round}"),
    "many_rounds": msg("{count} rounds, from {round} on"),
    "end": msg("the end"),
    "restarts_row": msg("Begun anew"),
    "restarted_once": msg("the chance of one round was begun anew: {which}"),
    "restarted": msg("the chance of {count} rounds was begun anew: {which}"),
    "restart": msg("{round} without {names}"),
    "outcomes": msg("So the host could choose among {count} outcomes of a round's chance, one after another."),
    "disputed_row": msg("Disputed"),
    "disputed": msg("{name} says that it was left out although it was there (said before {rounds})"),
    "stand_ins_row": msg("Stood in"),
    "stood_in": msg("for {name} a bot ({level}) made {count} moves, from entry {n} to entry {until}"),
    "stood_in_to_end": msg("for {name} a bot ({level}) made {count} moves, from entry {n} on"),
    "stood_in_often": msg("for {name} bots made {count} moves, {times} times, first from entry {n} on"),
    "stood_in_disputed": msg("{name} says that it was there when a bot took its seat ({times})"),
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
    "drafts": msg(
        "{count} sealed, all dealt as the seed has it; {picks} picks, each opened as it was committed to"
    ),
    "drafts_left": msg(
        "{count} sealed, {drawn} of them shown to be dealt as the seed has it; of {picks} picks {proven} opened as"
        " committed to"
    ),
    "drafts_closed": msg("Not all opened by {who}."),
    "drafts_so_far": msg("{count} sealed; of {picks} picks {proven} opened as committed to, {left} still sealed"),
    "drafts_without": msg("The draft went on without {who}."),
    "drafts_lied": msg("Proven to have lied there: {who}."),
    "chance_row": msg("Chance"),
    "chance": msg("{count} outcomes in {rounds} rounds, from shares of the host and all players"),
    "chance_left": msg("{count} outcomes in {rounds} rounds, from shares of the host and who was there"),
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
    "words_before": msg("{words} (before round {round})"),
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
    # Proof
    "evidence": msg("Evidence {number}, at entry {n}:"),
    "public_bytes": msg("the entry"),
    "signed_bytes": msg("signed by {key}"),
    "signature_bytes": msg("the signature"),
    "do_host": msg(
        "What to do: keep the files as they are and give them to everybody. Whoever checks them finds the same, "
        "whatever the host says."
    ),
    "do_player": msg("What to do: keep the files as they are and give them to everybody."),
    "do_unopened": msg(
        "What to do: check the files of those who did not open together with these; they can open it still."
    ),
}
"""Parts of a report."""

MESSAGES: Final[Mapping[str, str]] = {**CONTRADICTIONS, **SENTENCES}
