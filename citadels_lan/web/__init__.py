"""Guests in a browser (`host --web`): one server process of the host, and a client process for each guest.

    host ──lines of JSON──→ python -m citadels_lan.web ──pipes──→ citadels-lan join --pipe, one for each guest
                                  ↑ http, websocket                        │
                               browser                                     └──→ the table, as every other client

Each process ends when its standard input ends. docs/web.md describes the rest.
"""
