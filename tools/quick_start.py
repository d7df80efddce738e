"""Speed up the start of pytest (`-p tools.quick_start`) by leaving out slow imports that no test needs.

jsonschema compiles some forty grammars for addresses with foreign letters when it finds the package rfc3987_syntax,
which Jupyter brings along: more than a second in every process. Without the package it leaves that format out.
"""

from __future__ import annotations

import sys

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # marks a module as not installed
