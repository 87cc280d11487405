"""Three ways of playing that no bot of the program has learnt from or looks ahead with: who beats these too has
not only learnt to beat itself. Each is a plug-in of one file, for all editions.

    citadels-lan arena sensible,greedy,careful,rusher --plugin tools/opponents/greedy.py …
"""
