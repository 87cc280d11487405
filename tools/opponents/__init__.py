"""Three opponents that play unlike the bots of the program. They show whether a new bot is strong in general,
or only against bots like itself. Each is a plug-in in one file, for all editions.

    citadels-lan arena sensible,greedy,careful,rusher --plugin tools/opponents/greedy.py …
"""
