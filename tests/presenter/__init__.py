"""Tests of the presenter, without screens."""
