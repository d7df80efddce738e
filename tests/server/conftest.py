"""A server with a token, started in a folder with planted files, on another folder with planted files."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tools.fuzz_routes import Lab, open_lab


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with open_lab(tmp_path_factory.mktemp("guarded")) as lab:
        yield lab
