"""Tests of the list of people."""
