"""Three opponents that play unlike the bots of the program. A bot that beats them, too, has learned more than
to beat itself. Each is a plug-in in one file, for all editions.

    citadels-lan arena sensible,greedy,careful,rusher --plugin tools/opponents/greedy.py …
"""
