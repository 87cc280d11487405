"""Another host: shares, escrow, agreement, and a game that goes on."""
