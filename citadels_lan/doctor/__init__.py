"""Can this computer host and join a game, and what must be done about it?

advice            what prevents it, and what to do on each system; checks as lines and as JSON
machine           the program, the terminal, the language, the clock, the folder
network           interfaces, port, firewall, and the ways to find games
troubleshooting   all advice as the page docs/troubleshooting.md
"""
