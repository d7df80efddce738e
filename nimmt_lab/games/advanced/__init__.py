"""Advanced mode, 2 to 6 players (rules: advanced): known cards and an open draft, then the classic game."""

__all__: list[str] = []
