"""Settings: precedence, refusals, and the template."""

import tomllib

import pytest

from phiscan.config import ScanConfig, assignments, config_template, load_config
from phiscan.errors import ConfigError


def write(tmp_path, text):
    path = tmp_path / "scan.toml"
    path.write_text(text)
    return path


def test_flags_before_environment_before_file_before_defaults(tmp_path):
    path = write(
        tmp_path, "[regenerate]\nmax_new_tokens = 1\n[model]\nbatch_size = 2\n[match]\ntemplate_patients = 9"
    )
    environment = {
        "PHISCAN_REGENERATE_MAX_NEW_TOKENS": "3",
        "PHISCAN_MODEL_BATCH_SIZE": "4",
        "PHISCAN_DEBUG": "1",
    }
    config = load_config(path, {"regenerate": {"max_new_tokens": 5}}, environment)
    assert config.regenerate.max_new_tokens == 5
    assert config.model.batch_size == 4
    assert config.match.template_patients == 9
    assert config.verify == ScanConfig().verify


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[regenerate]\nmax_tokens_secret = 3", "regenerate.max_tokens_secret: unknown setting"),
        ("[secret]\na = 1", "secret: unknown setting"),
        ("model = 3", "must be a table"),
        ('"secret value\\n" = 3', "[(a name that cannot be shown)] must be a table"),
        ('["secret value\\n"]\na = 3', "(a name that cannot be shown): unknown setting"),
        ('[model]\n"secret value\\u001b[31m" = 3', "model.(a name that cannot be shown): unknown setting"),
        (
            '[model]\nbackend = "secret value"',
            "model.backend: none of that name; there are: echo, transformers",
        ),
        ("[regenerate]\nprefix_lengths = [100, 50]", "regenerate.prefix_lengths"),
        ("not toml at all", "not a TOML file"),
        ("[verify]\ndate_order = 'secret value'", "verify.date_order"),
    ],
)
def test_bad_settings_are_named_and_never_quoted(tmp_path, text, words):
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, text), environment={})
    assert str(caught.value).startswith("--config: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret value" not in str(caught.value)


def test_missing_file_and_unknown_environment_setting(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml", environment={})
    with pytest.raises(ConfigError, match=r"environment: model\.colour: unknown setting"):
        load_config(environment={"PHISCAN_MODEL_COLOUR": "red"})


def test_assignments():
    assert assignments(["regenerate.prefix_lengths=[10, 20]", "model.device=cpu"]) == {
        "regenerate": {"prefix_lengths": [10, 20]},
        "model": {"device": "cpu"},
    }
    for wrong in ("model", "model.device", "=3", "model=3"):
        with pytest.raises(ConfigError, match=r"section\.key=value"):
            assignments([wrong])


def test_the_template_holds_every_setting_at_its_default():
    parsed = tomllib.loads(config_template())
    assert ScanConfig.model_validate(parsed) == ScanConfig()
    for section, settings in ScanConfig().model_dump().items():
        for name, value in settings.items():
            shown = f"# {name} is not set" if value is None else f"{name} = "
            assert shown in config_template(), (section, name)
