"""The page's files, and the menus and texts it is built from: `/`, `/config`."""
