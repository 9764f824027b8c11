"""One map, and the steps behind one weight: `/maps`, `/query-key`."""
