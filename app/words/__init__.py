"""Words in every language, and the sentences that are made of them."""
