"""Agreeing on another host (docs/protocol.md, section 17).

pledges     what a seat has agreed to, on its disk
datagrams   what the seats tell each other
succession  what one seat makes of it
"""
