"""One Label Studio server for all tests of a session; each test makes projects of its own."""

import pytest
from live.server import ABSENT, PROGRAM, fresh, make_template, new_admin


@pytest.fixture(scope="session")
def label_studio_admin():
    if not PROGRAM.is_file():
        pytest.skip(ABSENT)
    return new_admin()


@pytest.fixture(scope="session")
def label_studio_template(label_studio_admin, tmp_path_factory):
    """A folder with a migrated database, for ``fresh``."""
    return make_template(tmp_path_factory.mktemp("label-studio") / "template", label_studio_admin)


@pytest.fixture(scope="session")
def label_studio(label_studio_template, label_studio_admin):
    """The server that is up for the whole session: url, admin, token, log()."""
    with fresh(label_studio_template, label_studio_template.parent / "server", label_studio_admin) as server:
        yield server
