"""Metrics of attention heads on one text."""
