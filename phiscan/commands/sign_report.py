"""`phiscan report RUN --sign KEY`: a signed list of the files that leave the house."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from phiscan.commands.signed_files import LIST, PUBLIC_KEY, SIGNATURE, SignedList, digests_of
from phiscan.commands.verify_report import check_parts, check_rendered
from phiscan.errors import ConfigError
from phiscan.printable import LONGEST_NAME, is_printable, visible
from phiscan.signing import Signer, fingerprint, public_pem, read_private_key
from phiscan.store import RunDirectory


def read_signer(key_file: Path, *, by: str | None = None, password_env: str | None = None) -> Signer:
    """Who signs with the key in ``key_file``; ConfigError for a key or words that cannot be used."""
    if by is not None and not is_printable(by):
        raise ConfigError(f"--signed-by: must be 1 to {LONGEST_NAME} printable characters")
    return Signer(read_private_key(key_file, "--sign", password_env=password_env), by)


def sign_report(root: Path, signer: Signer) -> str:
    """Write the list, its signature and the public key into a finished run; what to print.

    ConfigError for a run of which a part is not as it was written.
    """
    checks = [*check_parts(root), *check_rendered(root)]
    if any(check.intact is False for check in checks):
        raise ConfigError(
            "--sign: not everything is as it was written; phiscan report RUN --verify says what"
        )
    run = RunDirectory(root)
    public = signer.key.public_key()
    when = datetime.now(UTC).isoformat(timespec="seconds")
    signed = SignedList(when, signer.by, run.parts_digest(), digests_of(root)).text().encode()
    for name, content in (
        (LIST, signed),
        (SIGNATURE, signer.key.sign(signed)),
        (PUBLIC_KEY, public_pem(public)),
    ):
        run.write_document(name, content)
    where = visible(str(root / LIST))
    return f"Signed {len(digests_of(root))} files with the key {fingerprint(public)}: {where}"
