"""One layer of a model step by step, and the trace of any number: `/learn/anatomy`."""
