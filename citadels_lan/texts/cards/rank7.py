"""The texts of rank 7: Architect, Navigator, Scholar."""

from typing import Final

from citadels_lan.engine import actions
from citadels_lan.engine.characters.scholar import StudyRule
from citadels_lan.texts.card import Card, Story, Verb
from citadels_lan.texts.choices.labels import Labeller
from citadels_lan.texts.marks import msg, msg_in


def _study(labeller: Labeller, action: actions.Study) -> str:
    rule = next(rule for rule in labeller.edition.abilities["scholar"].rules if isinstance(rule, StudyRule))
    return labeller.texts.plural("Draw the last card", "Draw {count} cards, keep one", labeller.drawn(rule.cards))


CARDS: Final = (
    Card(
        "architect",
        name=msg_in("character", "Architect"),
        the=msg_in("character", "the Architect"),
        summary=msg("Two cards extra; builds up to three districts."),
        text=msg(
            "The two cards come whatever he gathered, and both stay in his hand. Three districts fit "
            "into his turn, and the Stables besides. One that is confiscated counts among the three. "
            "With two or three players his cards may wait for the turn of the other character, but "
            "the larger limit does not carry over."
        ),
        editions={
            **dict.fromkeys(
                ("classic", "dark_city"),
                Story(
                    text=msg(
                        "The two cards come whatever he gathered, and both stay in his hand. Three districts fit "
                        "into his turn, and his city may grow beyond the number that completes it. With two or "
                        "three players his cards may wait for the turn of the other character, but the larger "
                        "limit does not carry over."
                    ),
                ),
            ),
            "citta_comune": Story(
                text=msg(
                    "The two cards come whatever he gathered, and both stay in his hand. Three districts fit "
                    "into his turn."
                ),
            ),
        },
    ),
    Card(
        "navigator",
        name=msg_in("character", "Navigator"),
        the=msg_in("character", "the Navigator"),
        short=msg_in("short character", "Navigator"),
        summary=msg("Four gold or four cards extra; cannot build at all."),
        text=msg(
            "Besides gathering she takes four gold or four cards, never a mix. In return nothing "
            "rises in her turn: no Stables, nothing by way of Framework or Necropolis. A warrant on "
            "her is wasted. A Witch who takes her place inherits the gift and the ban."
        ),
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "Besides gathering she takes four gold or four cards, never a mix. In return nothing can "
                    "be built in her turn. A Witch who takes her place inherits the gift and the ban."
                ),
            ),
        ),
    ),
    Card(
        "scholar",
        name=msg_in("character", "Scholar"),
        the=msg_in("character", "the Scholar"),
        summary=msg("Draws seven cards and keeps one; builds up to two districts."),
        text=msg(
            "She looks at the seven top cards and keeps one; the rest is shuffled into the deck "
            "rather than put under it. It comes besides her gathering and is not gathering, so "
            "Library and Observatory change nothing. With fewer cards left she looks at those. Two "
            "districts may be built in this turn."
        ),
        verbs=(Verb("study", msg_in("verb", "study seven cards"), label=_study),),
        whys=("study",),
    ),
)
