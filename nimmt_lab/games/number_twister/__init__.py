"""The Number Twister (rules: fan-cards): once a round, a two-digit card counts with its digits swapped."""

__all__: list[str] = []
