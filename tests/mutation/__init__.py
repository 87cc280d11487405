"""Small mistakes put into the rules of the engine, one at a time, to see whether rulings and tests find them."""
