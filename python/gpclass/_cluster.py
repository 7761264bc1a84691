"""The rows of a cluster, from the side of the client: what there is, some of it taken, and questions to the rest.

The table is never sent anywhere: tasks read its partitions where they are. Nothing but sums of a fixed size comes back, is held
here, and is added up in the order of the partitions.
"""

from __future__ import annotations

import threading
import time

import numpy as np

from . import _shards

# Most shards: neighbouring partitions share one where there are more. The client holds the sums of each.
MOST_SHARDS = 128
# How often the client looks whether there are still workers, in seconds.
POLL = 0.25


class Cluster:
    """Partitions of rows on the workers of a client."""

    def __init__(self, client, parts, patience):
        self.client, self.patience = client, patience
        self._stopped = threading.Event()
        self._held = []
        self.parts = [self._computed(part) for part in parts]

    # ------------------------------------------------------------------ tasks

    def _computed(self, part):
        """The pieces of a partition as results of tasks; what is None stays so."""
        return tuple(None if piece is None else self.client.compute(piece) for piece in part)

    def submit(self, task, *arguments):
        future = self.client.submit(task, *arguments, pure=False)
        self._held.append(future)
        return future

    def results(self, futures):
        """What tasks return, in their order, as soon as all have; the first failure is raised."""
        from distributed import KilledWorker, wait

        seen = time.monotonic()
        try:
            while not all(future.done() for future in futures):
                if self._stopped.is_set():
                    raise RuntimeError("the fit was ended")
                if any(future.status in ("error", "cancelled", "lost") for future in futures):
                    break
                try:
                    wait(futures, timeout=POLL)
                except TimeoutError:
                    seen = self._look_for_workers(seen)
            return self.client.gather(futures)
        except KilledWorker as error:
            raise RuntimeError(
                f"the workers that were given a part of the rows died one after the other ({error}): "
                "give them more memory, or the table smaller partitions"
            ) from None
        except _cancelled() as error:
            raise RuntimeError(f"the cluster dropped the work ({error or 'its scheduler is gone'}): start it anew and fit again") from None
        finally:
            self._release(futures)

    def _look_for_workers(self, seen):
        """The time at which there was a worker last; raises where that is too long ago."""
        if self.client.status != "running":
            raise RuntimeError("the connection to the cluster's scheduler is lost: start the cluster anew and fit again")
        if self.client.nthreads():
            return time.monotonic()
        if time.monotonic() - seen > self.patience:
            raise RuntimeError(
                f"the cluster has had no workers for {self.patience:g} seconds: start some and fit again (patience says how long to wait)"
            )
        return seen

    def _release(self, futures):
        gone = {future.key for future in futures}
        self._held = [future for future in self._held if future.key not in gone]

    def stop(self):
        """Ends whatever is waited for, and lets go of everything. The partitions are the caller's: they are not cancelled."""
        self._stopped.set()
        self.client.cancel(self._held)
        self._held, self.parts = [], []

    # ------------------------------------------------------------------- rows

    def describe(self):
        """The account of every partition."""
        return self.results([self.submit(_shards.describe, *part) for part in self.parts])

    def take(self, which):
        """Some rows of every partition of which some are wanted, by positions among those that count."""
        wanted = [(part, rows) for part, rows in zip(self.parts, which) if rows is None or len(rows)]
        return self.results([self.submit(_shards.take, *part, rows) for part, rows in wanted])


class Asking:
    """What the library asks when it needs rows that are not here."""

    def __init__(self, cluster, counted, taken, classes, class_weight):
        self._cluster, self._classes, self._class_weight = cluster, classes, class_weight
        self._groups = _groups(counted, taken)
        self._taken = taken
        self._rows = [sum(counted[p] - len(taken[p]) for p in group) for group in self._groups]
        self._plans, self._lock = {}, threading.Lock()
        self.names = self.kinds = None

    def rows(self):
        return self._rows

    def encoded_by(self, encoder):
        """Rows are read once, and kept by the workers in the form that steps need."""
        cluster = self._cluster
        threads = sum(cluster.client.nthreads().values())
        self._threads = max(1, threads // max(1, len(self._groups)))
        self._encoder = cluster.submit(_shards.same, encoder)
        parts = cluster.parts

        def prepared(group):
            rows = [parts[p] for p in group], [self._taken[p] for p in group]
            return cluster.submit(_shards.prepare, *rows, self.names, self.kinds, self._classes, self._class_weight)

        self._shards = [prepared(group) for group in self._groups]
        cluster.parts = []

    def answers(self, plan, together, own):
        cluster, classes = self._cluster, len(self._classes)
        plan, together = self._sent(plan), cluster.submit(_shards.same, together)
        steps = [
            cluster.submit(_shards.step, shard, self._encoder, plan, classes, together, said, self._threads)
            for shard, said in zip(self._shards, own)
        ]
        answers = cluster.results(steps)
        cluster._release([together])
        return [(_shards.aligned(sums), log_scale, settled) for sums, log_scale, settled in answers]

    def _sent(self, plan):
        with self._lock:
            if plan not in self._plans:
                self._plans[plan] = self._cluster.submit(_shards.same, plan)
            return self._plans[plan]


def _groups(counted, taken):
    """Neighbouring partitions that make a shard, as positions; those that have no rows left are in none."""
    left = [p for p in range(len(counted)) if counted[p] > len(taken[p])]
    count = min(MOST_SHARDS, len(left))
    return [left[k * len(left) // count : (k + 1) * len(left) // count] for k in range(count)]


def _cancelled():
    from concurrent.futures import CancelledError

    from distributed import client

    own = getattr(client, "FutureCancelledError", CancelledError)
    return (CancelledError, own)


def drawn(counted, rows, seed):
    """Positions of rows to take from every partition, among those that count: so many in all, each as likely."""
    ends = np.cumsum(counted)
    chosen = np.sort(np.random.default_rng(seed).choice(int(ends[-1]), size=rows, replace=False))
    split = np.split(chosen, np.searchsorted(chosen, ends[:-1]))
    return [part - (end - count) for part, end, count in zip(split, ends, counted)]
