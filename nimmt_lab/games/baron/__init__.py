"""Bull Baron, 2 to 10 players (rules: baron): numbers only decide the order, colours decide the row."""

__all__: list[str] = []
