"""Boards as plain data, without a browser or third-party packages."""

__all__: list[str] = []
