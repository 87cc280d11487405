"""Bots that think for long do so in processes of their own: neither a table nor a screen waits for them."""
