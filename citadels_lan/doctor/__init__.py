"""Can this machine host and join a table, and what has to be done about it?

check             one thing that was looked at: fine, worth knowing, or in the way
advice            what is in the way, and what to do about it on each system
machine           the program, the terminal, the language, the clock, the folder
ways              each way in which tables are found, asked alone on each interface
network           interfaces, port, firewall, and these ways
examine           all of it, one after the other
checks_text       checks as lines, and as data for programs
troubleshooting   all advice as the page docs/troubleshooting.md
"""
