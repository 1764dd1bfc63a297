"""A cache that forgets what was not asked for longest, bounded by the bytes it says it holds."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")
_ENTRY_BYTES = 200
"""What an entry costs beside its key and value: a slot of the table and two small objects."""


class Lru(Generic[V]):
    """The latest values by key; it lives in memory only and is never written anywhere."""

    def __init__(self, limit: int) -> None:
        """``limit``: bytes of keys and values at most."""
        self._limit = limit
        self._held = 0
        self._entries: OrderedDict[bytes, tuple[V, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def held(self) -> int:
        """Bytes held now, by the callers' own counting."""
        return self._held

    def get(self, key: bytes) -> V | None:
        """The value of ``key``, None if it is not held; asking makes it the latest."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: bytes, value: V, size: int) -> None:
        """Hold a value of ``size`` bytes; the oldest go until all fit, one that never fits is not held."""
        cost = size + len(key) + _ENTRY_BYTES
        old = self._entries.pop(key, None)
        self._held -= old[1] if old else 0
        if cost > self._limit:
            return
        self._entries[key] = (value, cost)
        self._held += cost
        while self._held > self._limit:
            self._held -= self._entries.popitem(last=False)[1][1]
