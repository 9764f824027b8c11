"""The sections of an atlas, one file each: what is run, and what is claimed from it."""
