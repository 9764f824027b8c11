"""Metrics of every head on a text: `/metrics`, `/heads`, `/edges`."""
