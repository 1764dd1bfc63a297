"""Sealed text opens with its password alone, as the documented format says."""

import base64
import hashlib
import sys

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from phiscan.encryption import HEAD, seal, unseal
from phiscan.errors import ConfigError, MissingDependencyError

TEXT = "Mara Quillon \U0001f600\n" * 9
PASSWORD = "three invented words"


@pytest.fixture(scope="module")
def sealed():
    return seal(TEXT, PASSWORD)


def refused(content, password=PASSWORD):
    with pytest.raises(ConfigError) as caught:
        unseal(content, password)
    assert "\n" not in str(caught.value)
    assert "Quillon" not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


def test_it_comes_back_and_no_two_files_are_alike(sealed):
    assert unseal(sealed, PASSWORD) == TEXT
    assert "Quillon" not in sealed
    assert seal(TEXT, PASSWORD) != sealed


def test_the_documented_format_opens_it_without_phiscan(sealed):
    head, _, lines = sealed.partition("\n")
    raw = base64.b64decode(lines)
    key = hashlib.scrypt(PASSWORD.encode(), salt=raw[:16], n=2**17, r=8, p=1, maxmem=2**28, dklen=32)
    assert AESGCM(key).decrypt(raw[16:28], raw[28:], head.encode()).decode() == TEXT


def test_another_password_or_a_changed_byte_is_refused(sealed):
    assert "another password" in refused(sealed, "three other words")
    raw = bytearray(base64.b64decode(sealed.partition("\n")[2]))
    raw[40] ^= 1
    assert "another password" in refused(f"{HEAD}\n{base64.encodebytes(raw).decode()}")


@pytest.mark.parametrize(
    "content",
    ["", "<html>", f"{HEAD}\n", f"{HEAD}\nQUJD\n", f"{HEAD}\n!!!!", "phiscan-annex-2\n" + "QUJD" * 99],
)
def test_what_is_no_sealed_file_is_refused_before_a_key_is_made(content):
    assert "no encrypted annex" in refused(content)


def test_without_the_library_the_way_to_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(MissingDependencyError, match=r"phiscan\[encrypt\]"):
        seal(TEXT, PASSWORD)
