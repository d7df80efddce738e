"""Beat the Buffalo, co-operative, 1 to 6 players (rules: buffalo)."""

__all__: list[str] = []
