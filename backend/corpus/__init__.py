"""Texts of the user as a corpus: `/corpus`."""
