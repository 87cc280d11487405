"""This machine as the new host of a table: what it inherits of the game, and how it goes on with it."""
