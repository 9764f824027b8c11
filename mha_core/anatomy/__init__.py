"""The computation of attention step by step: what its sizes cost, exercises, a loop over heads."""
