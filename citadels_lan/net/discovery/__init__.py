"""Tables on this network: announcing one, and finding them."""
