"""What every front end is made of, without Textual: one game as one person sees it, and what they may do.

`game.Game` is everything about one game; `menu` makes the tree of choices, `prompt` answers it, `log` tells what
happened, `guess` says who could be who. `launcher.Launcher` opens tables, and the command line provides it;
`launcher.Place` is a session with, at the host, what friends need to come.
"""
