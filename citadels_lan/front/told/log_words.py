"""Sentences of the log that are not those of an event."""

from citadels_lan.texts import msg

AWAY = msg("While you were away: {what}")
IN_PLACE = msg("In your place, by a bot of the host: {what}")
SILENCED = msg("You called {character}, who was killed: you lost that turn.")
OUTBID = msg("You are outbid: {name} bids {gold}.")
WATCHING = msg("[watching] {name}")
LOST = msg("You were {character} and were killed: you lose that turn.")
UNSIGNED = msg("Not signed after round {round}: {names}.")
UNSIGNED_END = msg("The end of the game is not signed by {names}.")
LEFT_OUT = msg(
    "The host left out your signature after round {round}, although it was sent. Compare your four words with the"
    " other players."
)
PROTEST = msg("A bot moved although the player was connected, says {names}.")
EMPTY_HANDED = msg("{name} has no gold to rob: the Thief gets nothing.")
EMPTY_HANDED_YOU = msg("You have no gold to rob: the Thief gets nothing.")
UNANSWERED = {
    "": msg("Called: {the}. Nobody answers."),
    "killed": msg("Called: {the}, who was killed. Nobody answers."),
    "robbed": msg("Called: {the}. Nobody answers, and the Thief gets nothing."),
}
"""A call that nobody answers, by the marker on the character."""
BOUND = {
    "killed": (
        msg("KILLED: {character}, your character. Thanks to your Hospital you gather resources."),
        msg("KILLED: {character}. Thanks to the Hospital {name} gathers resources."),
    ),
    "bewitched": (
        msg("BEWITCHED: {character}, your character. You gather, then the Witch goes on."),
        msg("BEWITCHED: {character}. {name} gathers, then the Witch goes on."),
    ),
    "threat": (
        msg("THREATENED: {character}, your character. You gather and answer the threat, then your turn goes on."),
        msg("THREATENED: {character}. {name} gathers and answers the threat, then the turn goes on."),
    ),
}
"""Why a turn begins with gathering alone, by the marker on its character: the own turn, and that of others."""
IN_VAIN = (LOST, SILENCED)
"""A call that brings the player nothing, where no district helps."""
ALSO_COMPLETE = msg("{name}'s city is complete, too.")
ALSO_COMPLETE_YOU = msg("Your city is complete, too.")
