"""One map, one row of every map, the steps behind one weight: `/maps`, `/rows`, `/query-key`."""
