"""Slow yardsticks the tests hold the solver against; nothing else uses them."""

__all__: list[str] = []
