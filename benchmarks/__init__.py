"""Benchmarks: HeadScope against the bare forward pass, and against BertViz."""
