"""One page's work: in order, in slices, and never more than its share of the threads for clicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from nimmt_lab.live import worker as module
from nimmt_lab.live.worker import AT_ONCE, InOrder, Pool, Worker


class Noted(InOrder):
    """Remembers the pool of each job."""

    def __init__(self) -> None:
        super().__init__()
        self.pools: list[Pool] = []

    def run(
        self, job: Callable[[], None], done: Callable[[BaseException | None], None], *, pool: Pool
    ) -> Callable[[], bool]:
        self.pools.append(pool)
        return super().run(job, done, pool=pool)


class Watch:
    """Clocks that only a job moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.spent = 0.0
        monkeypatch.setattr(module.time, "monotonic", lambda: self.now)  # type: ignore[attr-defined]
        monkeypatch.setattr(module.time, "thread_time", lambda: self.spent)  # type: ignore[attr-defined]

    def compute(self, seconds: float) -> None:
        self.now += seconds
        self.spent += seconds


def made(runner: InOrder) -> Worker:
    def failed(problem: BaseException) -> None:
        raise problem

    return Worker(runner, lambda: None, failed)


def test_a_busy_page_waits_with_the_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, runner = Watch(monkeypatch), Noted()
    greedy, modest = made(runner), made(runner)
    while not greedy.is_greedy:
        greedy.put(lambda: watch.compute(0.5))
        runner.pump()
    assert watch.spent == pytest.approx(AT_ONCE, abs=1.0)
    runner.pools.clear()
    greedy.put(lambda: None)
    modest.put(lambda: None)
    runner.pump()
    assert runner.pools == ["long", "click"]
    watch.now += 100  # forgiven with time
    greedy.put(lambda: None)
    assert runner.pools[-1] == "click"


def test_messages_come_before_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, runner = Watch(monkeypatch), InOrder()
    page, order = made(runner), []

    def work() -> Iterator[None]:
        for number in range(4):
            watch.compute(1.0)
            order.append(f"slice {number}")
            yield

    page.put(lambda: page.drive(work()))
    runner.run(lambda: page.put(lambda: order.append("click")), lambda problem: None, pool="click")
    runner.pump()
    assert order == ["click", "slice 0", "slice 1", "slice 2", "slice 3"]


def test_a_job_that_fails_does_not_stop_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    runner, done = InOrder(), []
    problems: list[BaseException] = []
    page = Worker(runner, lambda: None, problems.append)
    page.put(lambda: (_ for _ in ()).throw(ValueError("mine")))
    page.put(lambda: done.append(1))
    runner.pump()
    assert done == [1] and [type(one) for one in problems] == [ValueError]
