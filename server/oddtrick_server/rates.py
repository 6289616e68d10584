"""Token buckets: so many at once, and after that so many a second."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable


class Bucket:
    """One bucket. Time comes in as an argument, in seconds."""

    __slots__ = ("_at", "_burst", "_level", "_per_s")

    def __init__(self, *, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._level = float(burst)
        self._at = 0.0

    def take(self, now: float) -> float:
        """Take one token. Returns 0.0 if there was one, else the seconds until there is."""
        level = min(self._burst, self._level + max(0.0, now - self._at) * self._per_s)
        self._at = now
        if level >= 1.0:
            self._level = level - 1.0
            return 0.0
        self._level = level
        return (1.0 - level) / self._per_s if self._per_s else 3600.0


class Buckets:
    """A bucket for each of many keys; the one unused for longest is forgotten when there are too many."""

    def __init__(self, *, per_s: float, burst: int, keys_max: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._keys_max = keys_max
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, now: float) -> float:
        """Take one token of that key's bucket; as `Bucket.take`."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(per_s=self._per_s, burst=self._burst)
            if len(self._buckets) > self._keys_max:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now)

    def __len__(self) -> int:
        return len(self._buckets)


class Counts:
    """How many of something each key has, never more than a cap."""

    def __init__(self, *, at_most: int) -> None:
        self._at_most = at_most
        self._counts: dict[Hashable, int] = {}

    def enter(self, key: Hashable) -> bool:
        """Count one more for the key; False, and nothing counted, if it has all it may."""
        count = self._counts.get(key, 0)
        if count >= self._at_most:
            return False
        self._counts[key] = count + 1
        return True

    def leave(self, key: Hashable) -> None:
        """Count one less."""
        count = self._counts.get(key, 0) - 1
        if count > 0:
            self._counts[key] = count
        else:
            self._counts.pop(key, None)

    def __getitem__(self, key: Hashable) -> int:
        return self._counts.get(key, 0)
