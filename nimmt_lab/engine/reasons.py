"""Why the system or the standard library refused something, as part of one of our errors.

>>> print(reason(FileNotFoundError(errno.ENOENT, "whatever the system calls it")))
No such file or directory
"""

from __future__ import annotations

import errno
from json import JSONDecodeError
from typing import Final

from .sentences import Phrase

__all__ = ["NotRegular", "json_reason", "reason"]

#: What Python's reader of JSON says, by its own words: it has no other names for them.
_JSON: Final = {
    "Expecting value": "json.value",
    "Extra data": "json.extra",
    "Expecting ',' delimiter": "json.comma",
    "Expecting ':' delimiter": "json.colon",
    "Expecting property name enclosed in double quotes": "json.name",
    "Unterminated string starting at": "json.string",
    "Invalid control character at": "json.sign",
}

#: What the system says of files most often, by the names of its numbers.
_SYSTEM: Final = {
    errno.ENOENT: "os.no_such_file",
    errno.EACCES: "os.permission",
    errno.EISDIR: "os.is_directory",
    errno.ENOSPC: "os.no_space",
    errno.EEXIST: "os.file_exists",
    errno.ENOTDIR: "os.not_directory",
}


class NotRegular(OSError):
    """A pipe, a device or a folder where a file is to be written."""


def reason(problem: OSError | ValueError) -> str | Phrase:
    """Why the system refused a file or folder, for the field of an error."""
    if isinstance(problem, NotRegular):
        return Phrase("shared.it_not_regular")
    if not isinstance(problem, OSError):
        return Phrase("shared.name_unusable")
    known = _SYSTEM.get(problem.errno or 0)
    return Phrase(known) if known else problem.strerror or str(problem)


def json_reason(problem: JSONDecodeError) -> str | Phrase:
    """What is wrong with JSON, for the field of an error."""
    known = _JSON.get(problem.msg)
    return Phrase(known) if known else problem.msg
