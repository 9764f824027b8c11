"""The page: plain ES modules, served as written. A package only so that the wheel carries it."""
