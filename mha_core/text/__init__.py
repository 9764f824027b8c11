"""Tokenized text, and the alignment of two texts."""
