"""The board game, 2 to 6 players (rules: board-game): tiles instead of cards, and fields with effects."""

__all__: list[str] = []
