"""Text under a password, in a file of text: how it is sealed and how it is opened.

    phiscan-annex-1
    <base64, in lines: 16 bytes of salt, 12 bytes of nonce, the sealed text and its 16 bytes of tag>

The key is scrypt(password as UTF-8, salt, n = 2^17, r = 8, p = 1) of 32 bytes (RFC 7914); the seal is
AES-256-GCM (NIST SP 800-38D) with the first line, without its line feed, as associated data. Salt and nonce
are new for every file.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import TYPE_CHECKING

from phiscan.errors import ConfigError, MissingDependencyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HEAD = "phiscan-annex-1"
SHORTEST = 12
"""Characters a password must have: a file can be tried against as many passwords as there is time for."""
_SALT, _NONCE, _TAG = 16, 12, 16


def seal(text: str, password: str) -> str:
    """The content of a file that only ``password`` opens; MissingDependencyError without cryptography."""
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    sealed = _cipher(password, salt).encrypt(nonce, text.encode(), HEAD.encode())
    return f"{HEAD}\n{base64.encodebytes(salt + nonce + sealed).decode()}"


def unseal(content: str, password: str) -> str:
    """The text that :func:`seal` took.

    ConfigError if ``content`` is no such file, if another password sealed it, or if it was changed since.
    """
    head, _, lines = content.partition("\n")
    try:
        sealed = base64.b64decode(lines.replace("\n", ""), validate=True)
    except (binascii.Error, ValueError):
        sealed = b""
    if head != HEAD or len(sealed) < _SALT + _NONCE + _TAG:
        raise ConfigError("--open-annex: is no encrypted annex, or a part of one")
    salt, nonce = sealed[:_SALT], sealed[_SALT : _SALT + _NONCE]
    cipher = _cipher(password, salt)
    from cryptography.exceptions import InvalidTag

    try:
        opened = cipher.decrypt(nonce, sealed[_SALT + _NONCE :], HEAD.encode())
    except InvalidTag:
        raise ConfigError("--open-annex: another password sealed the file, or it was changed since") from None
    return opened.decode()


def _cipher(password: str, salt: bytes) -> AESGCM:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ImportError:
        raise MissingDependencyError.of("an encrypted annex needs cryptography", "encrypt") from None
    # A variable of the environment may hold bytes that are no UTF-8.
    secret = password.encode("utf-8", "surrogateescape")
    return AESGCM(Scrypt(salt=salt, length=32, n=2**17, r=8, p=1).derive(secret))
