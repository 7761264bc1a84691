"""Does the runs of a plan in parallel. Every run leaves its record as it finishes, so an interrupt loses only what is under way."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from . import records
from .records import FORMAT

#: Seconds between lines of progress where standard error is no terminal.
QUIET_INTERVAL = 60.0


def run(plan, data, folder, jobs):
    """Gives sentences about the runs that failed. KeyboardInterrupt stops the workers and passes on."""
    context = multiprocessing.get_context("spawn")
    progress = Progress(len(plan.runs), jobs)
    waiting, failed = dict(plan.runs), []
    previous = signal.signal(signal.SIGTERM, _as_interrupt)
    try:
        while waiting:
            with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
                _drain(pool, waiting, data, folder, jobs, progress, failed)
    except KeyboardInterrupt:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        signal.signal(signal.SIGTERM, previous)
        progress.close()
    return failed


def _drain(pool, waiting, data, folder, jobs, progress, failed):
    """Runs until nothing is left or a worker dies; then the runs under way are recorded as failed and the caller goes on."""
    from .execute import execute

    under_way = {}
    while waiting or under_way:
        for key in _ready(waiting, under_way, jobs):
            del waiting[key]
            under_way[pool.submit(execute, key, data, folder)] = key
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            key = under_way.pop(future)
            try:
                reason = future.result()
            except BrokenProcessPool:
                reason = "the worker process died, perhaps for lack of memory"
                records.write(folder, key, _dead(key, reason))
            if reason:
                failed.append(f"{key}: {reason}")
            progress.step(key)
        if any("worker process died" in sentence for sentence in failed[-len(done) :]):
            return


def _ready(waiting, under_way, jobs):
    """As many runs as there are free workers, whose needs are neither waiting nor under way."""
    open_keys = set(waiting) | set(under_way.values())
    found = []
    for key, needed in waiting.items():
        if len(under_way) + len(found) >= jobs:
            break
        if not any(other in open_keys for other in needed):
            found.append(key)
    return found


def _dead(key, reason):
    return {"format": FORMAT, "problem": key.problem, "method": key.method, "split": key.split, "failed": reason}


def _as_interrupt(*_):
    raise KeyboardInterrupt


def _ignore_interrupts():
    """The parent decides: it terminates the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Progress:
    """One line on a terminal, a line now and then elsewhere."""

    def __init__(self, total, jobs):
        self.total, self.jobs, self.done = total, jobs, 0
        self.start = self.shown = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self, key):
        self.done += 1
        now = time.monotonic()
        if not self.terminal and now - self.shown < QUIET_INTERVAL and self.done < self.total:
            return
        self.shown = now
        spent = now - self.start
        left = spent / self.done * (self.total - self.done)
        line = f"{self.done}/{self.total} runs, {_clock(spent)} spent, about {_clock(left)} left; last: {key}"
        print(f"\r\x1b[2K{line[:118]}" if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def close(self):
        if self.terminal and self.done:
            print(file=sys.stderr)


def _clock(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
