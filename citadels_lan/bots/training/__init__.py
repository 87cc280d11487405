"""How the weights of `search/weights.json` are made: games of the players of thumb, and who won them.

python -m citadels_lan.bots.training --games 2000 --seed 1
"""
