"""The Jumping Cow (rules: fan-cards): a cow takes up a place in a row and jumps on when somebody joins it."""

__all__: list[str] = []
