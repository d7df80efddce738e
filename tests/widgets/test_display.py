"""The display of a record at the end of a notebook cell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nimmt_lab import Baron, Classic, Record
from nimmt_lab.widgets import boards
from tests.support import random_record

ROOT = Path(__file__).resolve().parents[2]


def bundle(record: Record) -> dict[str, Any]:
    data, metadata = record._repr_mimebundle_()
    assert metadata == {}
    return data


def test_with_a_kernel_it_is_a_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    record = random_record(Baron(players=3), seed=2)
    shown = bundle(record)
    assert "application/vnd.jupyter.widget-view+json" in shown
    assert "nimmt-fallback" in shown["text/html"], "without the kernel of then, a still picture"


@pytest.mark.parametrize("shell", [None, SimpleNamespace()], ids=["no notebook", "a prompt"])
def test_without_one_it_is_a_drawing_and_its_own_text(monkeypatch: pytest.MonkeyPatch, shell: object) -> None:
    monkeypatch.setattr(boards, "get_ipython", lambda: shell)
    record = random_record(Classic(players=2, rounds=1), seed=2)
    shown = bundle(record)
    assert shown.keys() == {"text/plain", "text/html"}
    assert shown["text/plain"] == str(record) == record.to_text()
    assert record.game.html(record.final) in shown["text/html"]


def test_text_in_a_record_stays_text() -> None:
    record = Record(Classic(players=2), seed=1, tags={"A": "<b>Ann</b>"})
    assert "<b>Ann" not in bundle(record)["text/html"]


def test_without_any_third_party_package_it_is_still_shown() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from nimmt_lab import Classic, Record;"
        "print('<svg' in Record(Classic(players=2), seed=1)._repr_mimebundle_()[0]['text/html'])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, str(ROOT)], capture_output=True, text=True)
    assert done.stdout.strip() == "True", done.stderr
