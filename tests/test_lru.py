"""The bounded cache: it never holds more than it may, and what was asked for last stays longest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phiscan.lru import Lru


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 900)), max_size=80))
def test_it_never_holds_more_than_its_limit(puts):
    cache: Lru[int] = Lru(3_000)
    for key, size in puts:
        cache.put(str(key).encode(), size, size)
        assert cache.held <= 3_000
        assert (cache.held > 0) == (len(cache) > 0)
        assert cache.get(str(key).encode()) == size


def test_the_one_asked_for_longest_ago_goes_first():
    cache: Lru[str] = Lru(3 * 300)
    for key in (b"a", b"b", b"c"):
        cache.put(key, key.decode(), 90)
    assert cache.get(b"a") == "a"
    cache.put(b"d", "d", 90)
    assert [key for key in (b"a", b"b", b"c", b"d") if cache.get(key) is None] == [b"b"]


def test_what_never_fits_is_not_held():
    cache: Lru[str] = Lru(500)
    cache.put(b"a", "a", 50)
    cache.put(b"b", "b", 5_000)
    assert cache.get(b"b") is None
    assert cache.get(b"a") == "a"
    cache.put(b"a", "larger", 5_000)
    assert len(cache) == cache.held == 0
