"""The texts of unique districts that change what building costs and allows."""

from typing import Final

from citadels_lan.engine import events
from citadels_lan.texts.card import Card, Story
from citadels_lan.texts.marks import msg, msg_in

CARDS: Final = (
    Card(
        "factory",
        name=msg_in("district", "Factory"),
        summary=msg("Your other unique districts cost one gold less to build."),
        text=msg(
            "Only the payment shrinks: points, destruction and odd or even go by the card. It gives "
            "no discount on itself. If a district bought at a discount is confiscated, you get back "
            "what you really paid."
        ),
        editions=dict.fromkeys(
            ("dark_city", "citta_comune"),
            Story(
                text=msg(
                    "Only the payment shrinks: points and destruction go by the card. It gives no discount on "
                    "itself. The Alchemist gets back what was really paid."
                ),
            ),
        ),
    ),
    Card(
        "framework",
        name=msg_in("district", "Framework"),
        short=msg_in("short district", "Framework"),
        summary=msg("Destroy it instead of paying for a district you build."),
        text=msg(
            "It replaces the whole price, be it of the dearest card you hold. The build still uses "
            "your limit and is taxed if you have gold. The Magistrate cannot confiscate it, as "
            "nothing was paid; the next one you pay for, he can. It is no help to the Navigator. "
            "When five districts stand, the Framework among them, it cannot pay for the Monument."
        ),
        told={
            (events.Destroyed, "framework"): (
                msg("You take down instead of paying: {card}."),
                msg("{name} takes down instead of paying: {card}."),
            )
        },
        refusals={"no_framework": msg("There is no Framework in your city to give up.")},
    ),
    Card(
        "monument",
        name=msg_in("district", "Monument"),
        summary=msg("Counts as two districts towards completing your city."),
        text=msg(
            "It cannot be built when five or more districts stand, however it is paid. It is two "
            "districts only for whether a city is complete; for types, odd costs and unique "
            "districts it is one. Moving to another city it may complete that one and open the first "
            "again. A Magistrate with five districts cannot confiscate it."
        ),
        refusals={"monument_late": msg("With five districts or more it can no longer be built: {card}.")},
    ),
    Card(
        "necropolis",
        name=msg_in("district", "Necropolis"),
        summary=msg("May be built by destroying one of your districts instead of paying."),
        text=msg(
            "Any district of your city will do, the Keep too; coins on it and cards under it are "
            "lost. The build uses the limit and is taxed. With nothing paid it cannot be "
            "confiscated, but the next paid district can. Bought with gold, it is a district like "
            "any other."
        ),
        told={
            (events.Destroyed, "sacrifice"): (
                msg("You give up instead of paying: {card}."),
                msg("{name} gives up instead of paying: {card}."),
            )
        },
        refusals={"no_sacrifice": msg("Giving up a district does not pay for this card: {card}.")},
    ),
    Card(
        "quarry",
        name=msg_in("district", "Quarry"),
        summary=msg("You may build districts that your city already has."),
        text=msg(
            "As many copies as you like. It is about building only: what you get as Magistrate, "
            "Diplomat or Marshal must still be new to your city. If the Quarry goes, copies already "
            "built stay."
        ),
        editions={
            "dark_city": Story(
                msg("You may build a district that your city already has, one double at a time."),
                msg(
                    "As long as your city has one name twice, no other double can be built. It is about "
                    "building only: an exchange must never bring a name twice. If the Quarry goes, the double "
                    "stays."
                ),
            ),
            "citta_comune": Story(
                msg("You may build a district that your part already has, one double at a time."),
                msg(
                    "Never one that stands in another player's part. The double scores like any district, but "
                    "it is not one of the 42. As long as your part has one name twice, no other double can "
                    "be built."
                ),
            ),
        },
    ),
    Card(
        "secret_vault",
        name=msg_in("district", "Secret Vault"),
        short=msg_in("short district", "Vault"),
        summary=msg("Cannot be built; shown from your hand at the end, three points."),
        text=msg(
            "Nothing brings it into a city: no Framework, no Wizard, no Cardinal. Until the end it "
            "is a card like others, to be discarded, given away or paid with. It counts if it is in "
            "your hand when the game ends; under the Museum it is worth one point like any card "
            "there."
        ),
        refusals={"never_built": msg("It can never be built: {card}.")},
    ),
    Card(
        "stables",
        name=msg_in("district", "Stables"),
        summary=msg("Building it does not use your building limit."),
        text=msg(
            "They rise besides the district of the turn, before it or after it, once you have "
            "gathered. If they are confiscated you may still build another. Not even they can be "
            "built in the Navigator's turn."
        ),
    ),
    Card(
        "thieves_den",
        name=msg_in("district", "Thieves' Den"),
        short=msg_in("short district", "Thieves D."),
        summary=msg("Cards of your hand may pay for it, one gold each."),
        text=msg(
            "As much of its price as you like may be hand cards, which go under the deck; the Den "
            "itself is not one of them, and overpaying is not possible. When it is confiscated, or "
            "when the Alchemist is refunded, gold comes back and cards do not."
        ),
        refusals={"no_cards_as_gold": msg("Only the Thieves' Den can be paid for with cards.")},
    ),
)
