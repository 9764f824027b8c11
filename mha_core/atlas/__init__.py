"""Corpus runs behind the roles of heads, and their committed results, one JSON a model."""
