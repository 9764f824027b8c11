"""The `headscope` command, one file a subcommand."""
