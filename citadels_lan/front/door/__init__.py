"""How friends come in: the code and the link as they are shown and typed, and as a picture for a phone."""
