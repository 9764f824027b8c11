"""Ratios of HeadScope against the floor and against peers, measured in one run."""
