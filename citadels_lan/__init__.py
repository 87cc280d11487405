"Play Citadels with friends on one network, each in a terminal."

__version__ = "0.1.0"
PROGRAM = f"citadels-lan {__version__}"
"""Name and version, as other programs and the files of games see them."""
PROTOCOL = 4
"""The version of docs/protocol.md that this program speaks."""
