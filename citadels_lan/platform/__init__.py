"""The differences between operating systems. No other package checks which system this is.

`files`: where data, settings and logs belong, private files, files that survive a power cut, locks. `logs`:
small private log files. `process`: the standard streams, and the signals that end a program. `system`: its kind,
terminal, firewall, memory and language.

Every package may use it, except the engine. If a system lacks something, it is skipped without an error, and the
docstring of the function names the consequence.
"""
