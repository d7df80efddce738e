"""What the README shows must run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nimmt_lab import Position, Record
from nimmt_lab.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    scope: dict[str, object] = {}
    exec(example, scope)
    assert "CardPlaced(rule=ClassicRule." in capsys.readouterr().out
    assert Record.load(tmp_path / "first.nimmt") == scope["record"]


def test_the_position_and_the_command_work(capsys: pytest.CaptureFixture[str]) -> None:
    [position] = re.findall(r"`(\d+[^`]*\| [^`]*)`", README)
    assert str(Position.parse(position)) == position
    [command] = re.findall(r"`nimmt-lab (check tests/\S+)`", README)
    verb, path = command.split()
    assert main([verb, str(ROOT / path)]) == 0
    assert "0 failed" in capsys.readouterr().out
