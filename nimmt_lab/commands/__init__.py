"""The subcommands of `nimmt-lab`, one module each."""
