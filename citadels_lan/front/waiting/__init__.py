"""Who is waited for: players who are gone, and those who take their time."""
