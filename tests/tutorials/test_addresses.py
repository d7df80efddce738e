"""The addresses that `make lab` prints: Home (which `test_home` opens) and JupyterLab."""

from __future__ import annotations

import logging
import re
import time
import urllib.request
from pathlib import Path

import pytest

from nimmt_lab.commands.addresses import _worth_saying

pytestmark = pytest.mark.lab


def test_both_addresses_are_printed(lab: tuple[str, Path]) -> None:
    address, folder = lab
    log = ""
    for _ in range(100):  # it is printed a moment after the server answers
        log = (folder.parent / "log").read_text()
        if "JupyterLab: " in log:
            break
        time.sleep(0.1)
    home = re.search(r"^Home: +(\S+)$", log, re.MULTILINE)
    jupyter = re.search(r"^JupyterLab: +(\S+)$", log, re.MULTILINE)
    assert home is not None and jupyter is not None, log
    port = address.rpartition(":")[2]
    assert home[1].endswith(f":{port}/voila/render/home.ipynb") and jupyter[1].endswith(f":{port}/lab")
    with urllib.request.urlopen(jupyter[1], timeout=60) as answer:
        assert answer.status == 200 and b"jupyter" in answer.read().lower()


def test_nothing_else_is_in_the_way(lab: tuple[str, Path]) -> None:
    """Neither warnings between libraries nor a server's daily log (the missing token is the tests' choice)."""
    _, folder = lab
    test_both_addresses_are_printed(lab)
    before = (folder.parent / "log").read_text().partition("Home: ")[0]
    assert [line for line in before.splitlines() if line and "authentication is disabled" not in line] == [
        f"Tutorials: {folder}"
    ]


def test_what_is_wrong_is_still_said() -> None:
    def said(text: str) -> bool:
        return _worth_saying(logging.LogRecord("ServerApp", logging.WARNING, "", 0, text, ("home.ipynb",), None))

    assert not said("Notebook %s is not trusted") and said("Notebook %s does not exist")
