"""The command line: one file per group of commands, each a thin shell over the other rooms."""
