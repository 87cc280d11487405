"""Games that run in memory, for all tests.

    dice.py     chance from a seed, and a random choice
    table.py    `Play`: the engine, one step after the other
    through.py  whole games as text, for people to read: golden/*.txt

`Play` is the engine alone. `tests.crypto.table.Game` adds a log to it, and `tests.net.room.Room` is the real
table of a host with its clients.
"""
