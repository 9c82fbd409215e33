"""Models that were trained elsewhere: which there are, who accepts and rejects them."""
