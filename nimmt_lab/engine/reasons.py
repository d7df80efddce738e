"""Errors of the system and the standard library as parts of our own.

>>> print(reason(FileNotFoundError(errno.ENOENT, "not shown")))
No such file or directory
"""

from __future__ import annotations

import errno
from json import JSONDecodeError
from typing import Final

from .sentences import Phrase

__all__ = ["NotRegular", "json_reason", "reason", "toml_reason"]

#: Messages of Python's JSON parser, which has no other names for them.
_JSON: Final = {
    "Expecting value": "json.value",
    "Extra data": "json.extra",
    "Expecting ',' delimiter": "json.comma",
    "Expecting ':' delimiter": "json.colon",
    "Expecting property name enclosed in double quotes": "json.name",
    "Unterminated string starting at": "json.string",
    "Invalid control character at": "json.sign",
}

#: How frequent messages of Python's TOML parser begin.
_TOML: Final = {
    "Invalid value": "toml.value",
    "Invalid statement": "toml.statement",
    "Invalid initial character for a key part": "toml.key",
    "Expected '=' after a key": "toml.equals",
    "Expected newline or end of document": "toml.newline",
    "Expected ']": "toml.bracket",
    "Cannot overwrite a value": "toml.value_twice",
    "Cannot declare": "toml.table_twice",
    "Unclosed array": "toml.list",
    "Unterminated string": "toml.string",
    "Illegal character": "toml.sign",
}

#: Frequent errors of the file system.
_SYSTEM: Final = {
    errno.ENOENT: "os.no_such_file",
    errno.EACCES: "os.permission",
    errno.EISDIR: "os.is_directory",
    errno.ENOSPC: "os.no_space",
    errno.EEXIST: "os.file_exists",
    errno.ENOTDIR: "os.not_directory",
}


class NotRegular(OSError):
    """A pipe, device or folder in place of a file to write."""


def reason(problem: OSError | ValueError) -> str | Phrase:
    """The reason for a failed file access, as a field of an error."""
    if isinstance(problem, NotRegular):
        return Phrase("shared.it_not_regular")
    if not isinstance(problem, OSError):
        return Phrase("shared.name_unusable")
    known = _SYSTEM.get(problem.errno or 0)
    return Phrase(known) if known else problem.strerror or str(problem)


def json_reason(problem: JSONDecodeError) -> str | Phrase:
    """The defect of JSON text, as a field of an error."""
    known = _JSON.get(problem.msg)
    return Phrase(known) if known else problem.msg


def toml_reason(message: str) -> str | Phrase:
    """The defect of TOML text, as a field of an error."""
    return next((Phrase(key) for start, key in _TOML.items() if message.startswith(start)), message)
