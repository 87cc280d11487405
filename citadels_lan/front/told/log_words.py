"""Sentences of the log that are not those of an event."""

from citadels_lan.texts import msg

AWAY = msg("While you were away: {what}")
IN_PLACE = msg("In your place, by a bot of the host: {what}")
SILENCED = msg("You called {character}, who was killed: you lost that turn.")
OUTBID = msg("You are outbid: {name} bids {gold}.")
WATCHING = msg("[watching] {name}")
LOST = msg("You were {character} and were killed: you lose that turn.")
WITHOUT = msg("Round {round} began without a share of chance from {names}: away, says the host.")
WITHOUT_END = msg("The end of the game was signed without {names}: away, says the host.")
ANEW = msg(
    "The part of {names} in the chance did not come, says the host: all begin the chance of round {round} anew."
)
ANEW_END = msg("The part of {names} in the chance did not come, says the host: all sign the end of the game anew.")
LEFT_OUT = msg(
    "The host left out your share of chance before round {round}, although it was sent. The others will see in the"
    " log that you say so; compare your four words."
)
COMPLAINT = msg("Left out of a round by the host, although there: so say {names}.")
MISSED = msg("You were {character}, and were not there for the call: you lose this round's turn.")
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
