"""Where a Label Studio server is and with which token: no plain http elsewhere, no flag."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from phiscan.errors import ConfigError

TOKEN_VARIABLES = ("PHISCAN_LABEL_STUDIO_TOKEN", "LABEL_STUDIO_API_KEY")


@dataclass(frozen=True)
class Connection:
    """A server's address and a token for it; ConfigError for an address that would show the tasks.

    The token is either of Label Studio's: the legacy one (40 hex digits) or a personal access token.
    """

    url: str
    token: str = field(repr=False)
    allow_http: bool = False
    """Lets plain http pass to other machines, for a network that is encrypted below."""

    def __post_init__(self) -> None:
        parts = _split(self.url)
        if parts.scheme != "https" and not self.allow_http and not _is_loopback(parts.hostname or ""):
            raise ConfigError("the server's address must begin with https:// unless it is this machine")
        token = self.token.strip()
        if not token or not token.isascii() or not token.isprintable() or " " in token:
            raise ConfigError("the Label Studio token is empty or holds characters no token has")
        object.__setattr__(self, "token", token)
        # The personal token is traded at an address joined to this one: without the closing slash the
        # last part of a path would be lost.
        object.__setattr__(self, "url", self.url.rstrip("/") + "/")


def connection(url: str, *, allow_http: bool = False) -> Connection:
    """The connection to ``url`` with the token from the environment, else from the keyring.

    PHISCAN_LABEL_STUDIO_TOKEN comes before LABEL_STUDIO_API_KEY; the keyring is asked for service
    "phiscan" and the host as user. ConfigError if none of them has one.
    """
    host = _split(url).hostname or ""
    token = next((os.environ[name] for name in TOKEN_VARIABLES if os.environ.get(name)), None)
    token = token or _from_keyring(host)
    if token is None:
        raise ConfigError(
            "no Label Studio token: set PHISCAN_LABEL_STUDIO_TOKEN, or keep it in the keyring "
            "(service phiscan, user: the server's host)"
        )
    return Connection(url, token, allow_http)


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1)
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment:
        raise ConfigError("the server's address is not one (expected https://host or http://localhost:8080)")
    if "@" in parts.netloc:
        raise ConfigError("the server's address must not hold a user or password")
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _from_keyring(host: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return keyring.get_password("phiscan", host) or None
    except KeyringError:
        return None
