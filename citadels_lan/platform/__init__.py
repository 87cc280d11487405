"""The differences between operating systems. No other package checks which system this is.

`files`: where data, settings and logs belong, private files, files that survive a power cut. `locks`: so that two
programs never use one file. `logs`: small private log files. `process`: the standard streams, and the signals that
end a program. `language`: the language of the system. `system`: its kind, terminal, firewall and memory.

Every package may use it, except the engine. If a system lacks something, it is skipped without an error, and the
docstring of the function names the consequence.
"""
