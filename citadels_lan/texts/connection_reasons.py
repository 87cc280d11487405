"""Why a host or a client rejects a connection, a request or a move: an English sentence for each code.

`texts` collects them for translation by the name of the table. The engine's codes are in `refusals`.
"""

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {
    # Reaching a table
    "unreachable": "There is no answer from {address}: check the address and that the host is running.",
    "not_citadels": "What answers at {address} is no citadels-lan table: check address and port.",
    "no_answer": "The other side stopped answering: check the network.",
    "lost": "The connection to the host was lost: trying again.",
    "malformed": "The other side sent something that this protocol does not know: use the same version on both.",
    "too_slow": "The joining took too long: try again.",
    "crowded": "Too many are trying to join at once: try again.",
    # Versions
    "other_version": "The host has {host}, and the joining player has {joining}. Install the host's version.",
    "other_rules": "This game needs {program} (rules {rules}). Install that version.",
    # Proving who one is
    "bad_key": "The key of this installation cannot be used: remove the identity file to get a new one.",
    "bad_signature": "The other side could not prove who it is: do not play there.",
    "other_host": "At this address is another table now: look for yours in the list of tables.",
    "fork": "Your transcript and the host's log are not of the same game: keep your file and ask the host.",
    "older_host": "The host resumed from an older copy of its journal and stopped. Your program connects again"
    " when the host resumes from the newest copy.",
    "no_name": "A name needs at least one letter that can be shown: choose another.",
    # The code
    "code_needed": "This table asks for a code: ask whoever opened it.",
    "wrong_code": "That is not the code of this table: ask whoever opened it, and type it again.",
    "too_many_tries": "Too many wrong codes from here: try again in {seconds} seconds.",
    "too_many_guesses": "Somebody is guessing this table's code: try again in {seconds} seconds, or join with the"
    " table's link.",
    "code_unasked": "This table has no code, and you gave one: if it is the right table, join without a code.",
    "bad_code": "A code has at least {least} words of letters, and at most {most} characters: choose another.",
    # The lobby
    "table_full": "The table is full ({players} seats): join as a spectator, or ask the host for a larger one.",
    "spectators_full": "There is no room for more spectators.",
    "playing": "The game has begun: you may join as a spectator.",
    "owner_only": "Only the host can do that.",
    "seats_taken": "There are {seated} at the table: that is too many for {players} seats.",
    "too_many_bots": "{bots} bots do not fit at a table for {players}.",
    "called_off": "A player left before the game could start. You are back in the lobby.",
    "called_off_often": "{count} starts of this table were called off. A game cannot list more: close the table"
    " and host a new one.",
    "seats_free": "Seats still free: {free}. Wait, or play with fewer.",
    "not_ready": "{name} is not ready yet.",
    "not_in_lobby": "The game has begun: that is for the lobby only.",
    "own_seat": "That seat is the host's own: for fewer bots change their number.",
    "removed": "Whoever opened this table has sent you away: ask them for the new code, if you are to come back.",
    "no_level": "There is no bot of that kind.",
    "no_bots": "At this table no bot moves for anybody who is gone.",
    "not_gone": "That player is here: nobody else moves for them.",
    "paused": "The game is paused: go on first.",
    "not_playing": "There is no game yet.",
    "spectator": "Spectators only watch and talk.",
    # Playing
    "stale": "The table has moved on meanwhile: choose again.",
    "back": "The signature that takes the seat back is wrong: restart the program.",
    "substitute": "A bot of the host plays your seat: take it back first.",
    "no_substitute": "In a sealed draft no bot can play for a player.",
    "catching_up": "Still receiving what happened meanwhile: wait a moment.",
    "not_your_turn": "It is not your move now.",
    "notation": "That is not a move in this notation.",
    "game_full": "This game has {entries} entries, more than its files may hold: it ends here, without a winner.",
    "signature": "The move's signature is wrong: restart the program.",
    "hidden": "The move was sent openly where it must be hidden, or the other way round: restart the program.",
    "opening": "A commitment and its opening do not fit: restart the program.",
    "part": "The part of the seed is not the one promised: restart the program.",
    "value_used": "This commitment or key is already used in this game. Restart the program.",
    "used": "That commitment was used before: restart the program.",
    "too_fast": "Slower, please: too many messages.",
    "empty": "There is nothing to say in that.",
    # A sealed draft
    "draft_turn": "The table waits for something else in this draft: restart the program.",
    "draft_form": "What was said in the draft is not what belongs there: restart the program.",
    "draft_opening": "The character shown is not the one that was picked: restart the program.",
    # Handing a game over
    "handing_over": "The game is being handed over to another player's computer. Try again in a moment.",
    "no_player": "No player is called {name}.",
    "no_successor": "{name} cannot host. Choose a person who plays on their own computer.",
    "successor_away": "{name} is not connected. You are still the host.",
    "successor_silent": "{name}'s computer does not answer. You are still the host.",
    "declined": "{name}'s computer cannot take the game over ({reason}). You are still the host.",
    "successor_unreached": "{names} cannot connect to {name}'s computer. Check the firewall there. You are still"
    " the host.",
    "cannot_host": "This program cannot host games.",
    "no_port": "This computer could not open a port or store the game.",
    "journal_differs": "The journal of the host is not that of the game in your transcript.",
    "handed_over": "The game continues on {name}'s computer.",
    "handed": "Handed to {name} at entry {n}.",
    "not_handed": "{path} belongs to a game that was not handed to you yet. Join the game to receive the rest.",
    # The end of a connection
    "left": "Left the table.",
    "replaced": "The same player has joined from elsewhere; this connection is closed.",
    "dropped": "Nothing was heard for too long; joining again continues.",
    "flooding": "This program has sent far more than a player can: come back in {seconds} seconds.",
    "behind": "This connection is too slow; joining again continues.",
    "closing": "The host closed the game.",
    "over": "The game is over.",
    "host_failed": "The host's program has made a mistake and the table has stopped: nobody did anything wrong."
    " Its report is on the host's machine.",
    "undecided": "The host's program has made a mistake with this move, and nothing has happened: choose another.",
    "disk_full": "The disk of the host's machine is full, so the game pauses: it goes on by itself once there is"
    " room.",
    "own_disk_waits": "The disk of this machine is full: the game waits for you, and goes on by itself once there"
    " is room.",
    "no_room": "There is no room for a game in {path}: free {megabytes} MB there, or choose another folder.",
    "draft_lie": "A player lied in the sealed draft, and all files prove it: the game ends without a result."
    " citadels-lan verify names the player.",
    "resumed": "The host has resumed this game. It continues when a player on another computer is back.",
    "open_elsewhere": "This table is open already, at {address}: go on there. Two programs that go on with one"
    " game would sign two histories of it.",
    "later_entries": "{name} has later entries of this game ({count}). Resume from the newest copy of the"
    " journal.",
    "signed_elsewhere": "Another program has continued this game from a copy of the journal and signed another"
    " entry {n}. Resume from the newest copy only.",
    "entry": "Entry {n} contradicts what came before it: the host cheats or is broken. Keep the transcript.",
    "not_agreed": "The host has begun another table than its lobby showed ({what}): your program has given it"
    " nothing, and left.",
    "unsigned": "The host has sent as entry {n} something that it has not signed: that proves nothing, but the"
    " game cannot go on. Keep the transcript.",
    "two_histories": "The host has signed two histories of this game: for entry {n} it has signed {theirs} and"
    " {ours}. Keep the transcript and check it together with those of the others.",
    "not_journal": "{path} is not a journal of this program: choose another.",
    "journal_version": "{path} has the format of another version of citadels-lan. Resume it with that version.",
    "journal_rules": "{path} was played with other rules. Resume it with {program} (rules {rules}).",
    "journal_damaged": "{path} is damaged at record {record}. Resume from a copy of it.",
    "journal_used": "{path} is in use: its table is still open in another window. Close that first.",
    "failed": "This program has made a mistake of its own and cannot go on here: restart it.",
    "failed_report": "This program has made a mistake of its own and cannot go on here: restart it. The report is"
    " in {path}.",
    "key_missing": "The key file {path} of your seat is missing. Put it back to continue this game.",
    "storage": "The transcript or a key could not be written: check the folder {path}.",
}
"""English texts by code; the fields in braces are details."""
