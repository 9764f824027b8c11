"""The computation of attention step by step: its matrices, edits, where numbers come from."""
