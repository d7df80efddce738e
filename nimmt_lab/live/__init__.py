"""A class together: live lessons and live tables on the teacher's machine (`nimmt-lab class`).

**Protocol.** One WebSocket per page. The first message is `join` (class code, name or own code), `hello` (a token from
an earlier join, the version of the page) or, for the wall, `wall` (the teacher's token). From then on it carries what
`nimmt_lab.screens.connection` carries everywhere: `{"path", "message"}` from the browser; data, parts and messages by
version to it. Pages of the same pupil share one screen, so a second tab shows the same.

**Journal.** `journal.jsonl` in the class's folder: a line for everything that changes the class (somebody joined,
answered, chose a card; the teacher revealed an answer), each with a checksum. `Session.apply` is the only code that
changes the class, for lines just written and for lines read again: a server that was killed and is started again has
the same class. A line is written before anybody hears of the change, so nobody misses a torn last line that is dropped.

**Threads.** The event loop owns the sockets, the session and the journal, and does nothing slow. Each pupil's screens
run in a pool of threads, one message at a time; what they change comes back to the loop as journal entries
(`ClassPage.effects`), which are written before the pupil sees the answer. Bots, experiments and reviews run in another
pool, in slices, so that clicks don't wait for them.

`session`, `table`, `pool`, `limits` and `journal` know no clock, no socket and no thread: time is passed in.
"""

__all__: list[str] = []
