"""The presenter, without Textual: one game as one player sees it, for the screens and for line mode alike.

`game.Game` has everything about one game. `prompt` makes the menu of choices and follows the answer, `log` has the
lines of the log, `tutorial` explains the game. `launcher.Launcher` opens tables; the command line provides it.
"""
