"""The texts of the districts that do nothing by themselves."""

from typing import Final

from citadels_lan.texts.card import Card
from citadels_lan.texts.marks import msg_in

CARDS: Final = (
    Card(
        "manor",
        name=msg_in("district", "Manor"),
    ),
    Card(
        "castle",
        name=msg_in("district", "Castle"),
    ),
    Card(
        "palace",
        name=msg_in("district", "Palace"),
    ),
    Card(
        "temple",
        name=msg_in("district", "Temple"),
    ),
    Card(
        "church",
        name=msg_in("district", "Church"),
    ),
    Card(
        "monastery",
        name=msg_in("district", "Monastery"),
    ),
    Card(
        "cathedral",
        name=msg_in("district", "Cathedral"),
    ),
    Card(
        "tavern",
        name=msg_in("district", "Tavern"),
    ),
    Card(
        "market",
        name=msg_in("district", "Market"),
    ),
    Card(
        "trading_post",
        name=msg_in("district", "Trading Post"),
        short=msg_in("short district", "Trading P."),
    ),
    Card(
        "docks",
        name=msg_in("district", "Docks"),
    ),
    Card(
        "harbor",
        name=msg_in("district", "Harbor"),
    ),
    Card(
        "town_hall",
        name=msg_in("district", "Town Hall"),
    ),
    Card(
        "watchtower",
        name=msg_in("district", "Watchtower"),
        short=msg_in("short district", "Watchtower"),
    ),
    Card(
        "prison",
        name=msg_in("district", "Prison"),
    ),
    Card(
        "barracks",
        name=msg_in("district", "Barracks"),
    ),
    Card(
        "battlefield",
        name=msg_in("district", "Battlefield"),
        short=msg_in("short district", "Battlef."),
    ),
    Card(
        "fortress",
        name=msg_in("district", "Fortress"),
    ),
)
