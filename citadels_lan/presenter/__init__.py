"""The presenter, without Textual: one game as one player sees it, for screens and line mode alike.

`game.Game` has everything about one game. `prompt` makes the menu of choices and follows the answer, `log` has the
lines of the log, `tutorial` teaches the game. The command line provides `launcher.Launcher`, which hosts and joins
games.
"""
