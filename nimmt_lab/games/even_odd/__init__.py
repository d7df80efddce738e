"""The Even/Odd card (rules: fan-cards): the marked row receives only cards of the parity it shows."""

__all__: list[str] = []
