"""The Mountain card (rules: fan-cards): the marked row goes down instead of up."""

__all__: list[str] = []
