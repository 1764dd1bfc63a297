"""Ed25519 signatures (RFC 8032) over a list of files, in forms that other programs read as well.

The list is what ``sha256sum`` writes, with comment lines above; the signature is 64 bytes over the list as it
stands; the public key is PEM. So ``sha256sum -c`` and ``openssl pkeyutl -verify`` check them without phiscan.
"""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.errors import ConfigError, MissingDependencyError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class Signer(NamedTuple):
    """Who signs."""

    key: Ed25519PrivateKey
    by: str | None = None
    """The signer's own words for it."""


def read_private_key(path: Path, argument: str, *, password_env: str | None = None) -> Ed25519PrivateKey:
    """The private key in a PEM file that only its owner can read.

    ConfigError names ``argument``, never what the file holds; MissingDependencyError without cryptography.
    """
    content = _content(path, argument)
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(f"{argument}: others can read the key; chmod 600 it, and think about a new one")
    password = None
    if password_env is not None:
        password = os.environb.get(password_env.encode(), b"")
        if not password:
            raise ConfigError("--key-password-env: the variable holds no password")
    found = _loaded("load_pem_private_key", content, argument, password)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not isinstance(found, Ed25519PrivateKey):
        raise ConfigError(f"{argument}: is no Ed25519 key")
    return found


def read_public_key(path: Path, argument: str, *, as_written: bool = False) -> Ed25519PublicKey:
    """The public key in a PEM file; errors as :func:`read_private_key`.

    ``as_written``: refused unless every byte is as :func:`public_pem` gives it.
    """
    content = _content(path, argument)
    found = _loaded("load_pem_public_key", content, argument)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if not isinstance(found, Ed25519PublicKey):
        raise ConfigError(f"{argument}: is no Ed25519 key")
    if as_written and content != public_pem(found):
        raise ConfigError(f"{argument}: is not as it was written")
    return found


def fits(key: Ed25519PublicKey, signature: bytes, signed: bytes) -> bool:
    """True if the owner of ``key`` signed exactly these bytes."""
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def public_pem(key: Ed25519PublicKey) -> bytes:
    """The public key as PEM."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PublicKey) -> str:
    """What a person compares a public key by: ``SHA256:`` and the digest of its 32 bytes in base64."""
    digest = hashlib.sha256(key.public_bytes_raw()).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def _content(path: Path, argument: str) -> bytes:
    if not os.path.isfile(path):  # noqa: PTH113 - Path raises OSError for a name that is too long
        what = "is no file" if os.path.lexists(path) else "no such file"  # a pipe would be waited for
        raise ConfigError(f"{argument}: {what}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{argument}: cannot be read ({type(error).__name__})") from None


def _loaded(loader: str, content: bytes, argument: str, password: bytes | None = None) -> Any:
    try:
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives import serialization
    except ImportError:
        raise MissingDependencyError.of("a signature needs cryptography", "encrypt") from None
    private = loader == "load_pem_private_key"
    try:
        return getattr(serialization, loader)(content, *([password] if private else []))
    except TypeError:  # a password is missing, or there is none to give
        how = "needs" if password is None else "takes no"
        raise ConfigError(f"{argument}: the key {how} a password (--key-password-env)") from None
    except (ValueError, UnsupportedAlgorithm):
        wrong = ", or that is not its password" if password else ""
        raise ConfigError(f"{argument}: is no key in PEM{wrong}") from None
