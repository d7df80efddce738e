"""Which programs in lesson files a person has confirmed, by the fingerprint of the file.

The list is in the person's own settings and never in the folder of the lessons, so that a folder from somebody else
confirms nothing. A changed file has another fingerprint and is asked about again.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import make_folder, parse_json, read_text, write_file

__all__ = ["confirm", "confirmed", "settings_folder", "short"]

FILE: Final = "confirmed-lessons.json"
FORMAT: Final = "nimmt-confirmed/1"
#: Names another folder for settings.
VARIABLE: Final = "NIMMT_SETTINGS"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
#: Confirmed in this process: where nothing can be written, and in a browser.
_now: set[str] = set()


def short(fingerprint: str) -> str:
    """A fingerprint to compare by eye.

    >>> short("0123456789abcdef" * 4)
    '0123-4567-89ab'
    """
    return "-".join(fingerprint[at : at + 4] for at in (0, 4, 8))


def settings_folder() -> Path:
    if named := os.environ.get(VARIABLE):
        return Path(named)
    if sys.platform == "win32" and (roaming := os.environ.get("APPDATA")):
        return Path(roaming) / "nimmt-lab"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "nimmt-lab"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nimmt-lab"


def confirmed(fingerprint: str) -> bool:
    """Whether the person at this computer has confirmed the file with this fingerprint."""
    return fingerprint in _now or fingerprint in _kept()


def confirm(fingerprint: str, *, keep: bool = True) -> None:
    """Confirm a file, for this process or for good."""
    if not _DIGEST.fullmatch(fingerprint):
        raise NotationError("shared.another_format")
    _now.add(fingerprint)
    if keep and fingerprint not in (before := _kept()):
        folder = settings_folder()
        make_folder(folder, private=True)
        data = {"format": FORMAT, "confirmed": sorted({*before, fingerprint})}
        write_file(folder / FILE, json.dumps(data, indent=1) + "\n", follow=False)


def _kept() -> frozenset[str]:
    """The confirmed fingerprints; none if the list cannot be read."""
    path = settings_folder() / FILE
    if not os.path.lexists(path):
        return frozenset()
    try:
        data = parse_json(read_text(path, follow=False))
    except NotationError:
        return frozenset()
    known = data.get("confirmed") if isinstance(data, dict) and data.get("format") == FORMAT else None
    found = known if isinstance(known, list) else []
    return frozenset(one for one in found if isinstance(one, str) and _DIGEST.fullmatch(one))
