"""The classic game, 2 to 10 players (rules: classic)."""

__all__: list[str] = []
