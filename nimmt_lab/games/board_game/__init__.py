"""The board game, 2 to 6 players (rules: board-game): tiles instead of cards, fields that do things."""

__all__: list[str] = []
