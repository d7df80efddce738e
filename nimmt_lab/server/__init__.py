"""The Jupyter server behind `nimmt-lab lab`: Home, with a gate in front of every route. SECURITY.md lists the
routes."""

from __future__ import annotations

from typing import Final

__all__ = ["HOME"]

#: Home's address below the server's base address.
HOME: Final = "voila/render/home.ipynb"
