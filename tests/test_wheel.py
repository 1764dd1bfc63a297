"""The wheel brings everything it needs: rules, templates, word lists."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_an_unpacked_wheel_finds_its_rules_and_renders(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    [wheel] = tmp_path.glob("phiscan-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    assert any(name.startswith("phiscan/_data/rules/") and name.endswith(".toml") for name in names)
    assert "phiscan/_data/rules/lexicons/us_states.toml" in names
    assert "phiscan/_data/rules/policies/strict.toml" in names
    assert "phiscan/renderers/templates/report.html.j2" in names
    assert "phiscan/py.typed" in names
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    code = (
        "import phiscan, sys; from pathlib import Path\n"
        "from phiscan.resources import resource_dir\n"
        "assert Path(phiscan.__file__).is_relative_to(sys.argv[1]), phiscan.__file__\n"
        "assert resource_dir('rules').is_relative_to(sys.argv[1])\n"
        "from phiscan.cli import main; sys.argv = ['phiscan', 'rules', 'test']; main()\n"
    )
    tested = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "site")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stderr
    assert ", 0 failed" in tested.stdout
