"""Every game of the family: one module per rulebook chapter, one line each here."""

from __future__ import annotations

from nimmt_lab.engine.registry import register

from .advanced import Advanced
from .classic import Classic

register(Classic)
register(Advanced)

__all__ = ["Advanced", "Classic"]
