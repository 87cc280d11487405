"""Another host: what lets a game go on where the host's machine is gone (docs/protocol.md, section 17).

shamir      a secret in shares, of which so many together give it
shares      the host's secret in shares, each for one seat, and for whoever is to be the new host
escrow      what else the host knows of a move, in its entry, for whoever has the secret
agreement   which seats have to agree on a new host, and what they sign
host_keys   who signs which entries
"""
