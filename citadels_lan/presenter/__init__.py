"""The presenter: one game as one player sees it. Both the screens and line mode use it; it does not need
Textual.

`game.Game` has everything about one game. `prompt` makes the menu of choices and keeps the player's answer in
progress, `log` makes the lines of the log, `tutorial` teaches the game. `launcher.Launcher` is the interface
that hosts and joins games; the command line implements it."""
