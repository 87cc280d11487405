"""The texts of rank 6: Merchant, Alchemist, Trader."""

from typing import Final

from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.marks import msg, msg_in

CARDS: Final = (
    Card(
        "merchant",
        name=msg_in("character", "Merchant"),
        the=msg_in("character", "the Merchant"),
        summary=msg("Trade districts pay one gold each, and there is one gold extra."),
        text=msg(
            "The extra gold comes at any moment, whether he gathers gold or cards. Income is "
            "collected once and counts the districts that stand at that moment: build a trade "
            "district first to be paid for it too, or collect first when the gold is needed to "
            "build. Threatened, he splits his gold before the extra arrives; bewitched, he leaves "
            "both to the Witch."
        ),
        editions=dict.fromkeys(
            ("classic", "dark_city", "citta_comune"),
            Story(
                text=msg(
                    "The extra gold comes at any moment, whether he gathers gold or cards. Income is "
                    "collected once and counts the districts that stand at that moment: build a trade "
                    "district first to be paid for it too, or collect first when the gold is needed to build."
                ),
            ),
        ),
    ),
    Card(
        "alchemist",
        name=msg_in("character", "Alchemist"),
        the=msg_in("character", "the Alchemist"),
        summary=msg("When his turn ends he gets back the gold he paid to build."),
        text=msg(
            "The gold has to be there when he pays; it returns when the turn ends. Only the price of "
            "districts comes back: not that of the Smithy, not tax, not cards put down for the "
            "Thieves' Den. What the Magistrate confiscated was repaid on the spot and is not repaid "
            "twice. With an empty stash, the Poor House gives its gold before the refund arrives."
        ),
        whys=("refund",),
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "The gold has to be there when he pays; it returns when the turn ends. Only the price of "
                    "districts comes back: not that of the Smithy, and not tax. With an empty stash, the Poor "
                    "House gives its gold before the refund arrives."
                ),
            ),
        ),
    ),
    Card(
        "trader",
        name=msg_in("character", "Trader"),
        the=msg_in("character", "the Trader"),
        summary=msg("Trade districts pay one gold each, and building them uses no limit."),
        text=msg(
            "He builds as many trade districts as he can pay for, and one other besides. The School "
            "of Magic counts for his income, but building it uses the limit like any other unique "
            "district. A trade district that is confiscated costs him no build."
        ),
    ),
)
