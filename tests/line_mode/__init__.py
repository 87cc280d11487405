"""Tests of line mode: the game in lines of text, and in messages for a web page."""
