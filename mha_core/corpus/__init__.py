"""Texts of the user as a corpus: reading them, finding links in them, averaging over them."""
