"""The doctor: what it finds on machines of all kinds, and what it advises."""
