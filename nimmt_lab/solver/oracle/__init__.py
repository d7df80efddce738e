"""Slow yardsticks the tests hold the solver against; nothing else uses them."""
