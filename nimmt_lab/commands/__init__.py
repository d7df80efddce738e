"""The subcommands of `nimmt-lab`, one module each."""

__all__: list[str] = []
