"""A seat in a browser (`host --web`): a process of its own beside the host's, and one for each guest.

    host ──lines of JSON──→ python -m citadels_lan.web ──pipes──→ citadels-lan join --pipe, one for each guest
                                  ↑ http, websocket                        │
                               browser                                     └──→ the table, as everybody

Each of them ends when what stands left of it is gone: its standard input ends. docs/web.md tells the rest.
"""
