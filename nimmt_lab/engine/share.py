"""A game or a position as a short text, to send to somebody, and as a link that opens it.

    nimmt1.szI0UjA0UagxNldQsFSoMTZR….7d6de1be

The text has a version, the record's own text (without checks, deflated, in the letters of URLs), and a checksum. A link
ends in it: Home and the web page ask before they open it. Hidden hands stay hidden: what is sent in their place is a
deal that nobody saw.

>>> text = share("12 14 | 37 | 43 44 | 58 ; A: 21 26 77", players=5)
>>> found = read_shared(f"Look: https://example.org/lab/#/analyse/{text}")
>>> found.final.hands[0], sorted(found.hidden)
((21, 26, 77), [1, 2, 3, 4])
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable
from typing import ClassVar, Final

from .asked import Table, only_for_text, state_of
from .cards import seat_letter
from .errors import NimmtError, NotationError
from .files import PathLike, shown, write_file
from .game import Game
from .guess import guess
from .inflect import Figure
from .record import HIDDEN, Record
from .record_text import Reader, header, write_line
from .registry import check_name
from .rng import Rng
from .view import View

__all__ = ["LONGEST", "Page", "is_shared", "read_shared", "share"]

VERSION: Final = 1
#: The most letters of a shared text, which fit into an address everywhere, and of the record in it.
LONGEST: Final = 8_000
MOST: Final = 60_000
_TEXT: Final = re.compile(r"nimmt([0-9]{1,6})\.([A-Za-z0-9_-]*)(?:\.([0-9a-fA-F]*))?")
#: What most records contain, so that it need not be sent. It belongs to version 1 and never changes.
_USUAL: Final = b"hidden: B C D E\nstart:  ; A:  ; B:  ; C:  ; D: \nseed: 0\ngame: classic\nrules: players=4 rounds=1\n"
#: Where links lead to, on the web page and in Home.
PLACE: Final = "#/analyse/"


class Page:
    """One HTML file of a record, to step through in any browser."""

    #: Makes the file's content; the package's front door sets it, because boards are made above the engine.
    maker: ClassVar[Callable[[Record], str] | None] = None


def share(
    what: Record | Table,
    *,
    players: int | None = None,
    game: Game | str | None = None,
    site: str = "",
    html: PathLike | None = None,
) -> str:
    """A record, a state, a view or the text of a position as a short text. With `site`, the address of the web page or
    of Home, the text is a link. With `html`, the name of a file, the replay is also written as one page that opens in
    any browser."""
    record = _record(what, players, game)
    if html is not None and Page.maker is not None:
        write_file(html, Page.maker(record))
    text = _packed(record)
    if len(text) > LONGEST:
        raise NotationError("engine.share_long", count=Figure(len(text)), most=Figure(LONGEST))
    return f"{site.partition('#')[0]}{PLACE}{text}" if site else text


def _record(what: Record | Table, players: int | None, game: Game | str | None) -> Record:
    if isinstance(what, Record):
        only_for_text(players=players, game=game)
        return what
    if isinstance(what, View):
        only_for_text(players=players, game=game)
        state, known = guess(what, Rng.from_seed(0)), {seat for seat, hand in enumerate(what.hands) if hand is not None}
    else:
        state, given = state_of(what, players=players, game=game)
        known = {*given}
    hidden = [seat_letter(seat) for seat in range(state.game.players) if seat not in known]
    tags = {HIDDEN: " ".join(hidden)} if hidden and state.game.hidden_hands else {}
    return Record(state.game, start=str(state.game.position(state)), tags=tags)


def _packed(record: Record) -> str:
    check_name(record.game)
    lines = header(record)
    for index, (label, steps) in enumerate(record.lines):
        last = index == len(record.lines) - 1 and bool(record.final.pending)
        line = write_line(label, steps, whole=not (last and record.game.line_label(record.final) == label))
        lines.append(line)
    whole = "\n".join(lines).encode()
    if len(whole) >= MOST:
        raise NotationError("engine.share_long", count=Figure(len(whole)), most=Figure(MOST))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_USUAL)
    packed = packer.compress(whole) + packer.flush()
    data = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"nimmt{VERSION}.{data}.{_check(data)}"


def _check(data: str) -> str:
    return f"{zlib.crc32(data.encode()):08x}"


def is_shared(text: str) -> bool:
    """Whether a text is, or contains, something shared.

    >>> is_shared("12 | 37 | 43 | 58"), is_shared("https://example.org/#/analyse/nimmt1.abc.0")
    (False, True)
    """
    return _TEXT.search(text) is not None


def read_shared(text: str) -> Record:
    """Read a shared text, also at the end of a link and broken over lines. Refuses all that is incomplete, changed or
    of a newer version."""
    if len(text) > 2 * LONGEST:
        raise NotationError("engine.share_long", count=Figure(len(text)), most=Figure(LONGEST))
    found = _TEXT.search("".join(text.split()))
    if found is None:
        raise NotationError("engine.share_none", got=shown(text))
    if int(found[1]) != VERSION:
        raise NotationError("engine.share_version", got=int(found[1]), known=VERSION)
    data, check = found[2], (found[3] or "").lower()
    if check[:8] != _check(data):
        raise NotationError("engine.share_changed")
    try:
        unpacker = zlib.decompressobj(-15, zdict=_USUAL)
        packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        lines = unpacker.decompress(packed, MOST).decode()
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise NotationError("engine.share_changed")
    except (zlib.error, binascii.Error, UnicodeDecodeError) as error:
        raise NotationError("engine.share_changed") from error
    try:
        return _Shared(lines).read()
    except NimmtError as error:
        raise NotationError("engine.share_refused", error=error) from error


class _Shared(Reader):
    """Reads the record of a shared text: its tags are written by programs, never misspelt by people."""

    def known_keys(self) -> None:
        """Accept every tag."""
