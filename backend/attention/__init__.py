"""Tokens and attention maps of a text: `/tokenize`, `/attention`."""
