"""What a board shows, as plain data: the half of the boards that needs no browser and no third-party package."""

__all__: list[str] = []
