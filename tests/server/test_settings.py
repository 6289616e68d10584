"""What an operator may choose, and how he is told what will not do."""

from pathlib import Path
from typing import get_type_hints

import pytest

from oddtrick_server.app import App
from oddtrick_server.limits import DEFAULT_LIMITS, Limits, may_be_zero
from oddtrick_server.settings import BadSetting, Settings, load_settings
from support.wire import dial


def test_options_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    """Of two places that set a thing, the nearer wins; what nobody sets has its default."""
    file = tmp_path / "oddtrick.toml"
    file.write_text('port = 1\nhost = "a"\nstore = "memory"\norigins = ["https://a.example"]\n', encoding="utf-8")
    settings = load_settings(
        options={"port": 3, "host": None},
        environment={"ODDTRICK_PORT": "2", "ODDTRICK_HOST": "b", "ODDTRICK_ALLOW_SEEDS": "yes", "HOME": "x"},
        file=str(file),
    )
    assert (settings.port, settings.host, settings.store, settings.allow_seeds) == (3, "b", "memory", True)
    assert settings.origins == ("https://a.example",)
    assert settings.log_format == Settings().log_format


def test_limits_may_be_set_in_the_file(tmp_path: Path) -> None:
    """The table [limits] changes those bounds it names, and no other."""
    file = tmp_path / "oddtrick.toml"
    file.write_text("[limits]\nmailbox_max = 7\ncommit_s = 2\n", encoding="utf-8")
    limits = load_settings(file=str(file)).limits
    assert (limits.mailbox_max, limits.commit_s) == (7, 2.0)
    assert limits.batch_max == DEFAULT_LIMITS.batch_max


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"ODDTRICK_PORT": "many"}, "ODDTRICK_PORT='many'"),
        ({"ODDTRICK_PORT": "70000"}, "port 70000"),
        ({"ODDTRICK_ALLOW_SEEDS": "perhaps"}, "ODDTRICK_ALLOW_SEEDS"),
        ({"ODDTRICK_LOG_FORMAT": "xml"}, "log_format 'xml'"),
        ({"ODDTRICK_LOG_LEVEL": "loud"}, "log_level 'loud'"),
        ({"ODDTRICK_ORIGINS": "example.org"}, "origins 'example.org'"),
        ({"ODDTRICK_ORIGINS": "https://*.example"}, "every site is named by itself, as https://example.org"),
        ({"ODDTRICK_ORIGINS": "https://Cards.example"}, "a browser says https://cards.example"),
        ({"ODDTRICK_ORIGINS": "https://cards.example:443"}, "a browser says https://cards.example"),
        ({"ODDTRICK_ORIGINS": "http://cards.example:80"}, "a browser says http://cards.example"),
        ({"ODDTRICK_ORIGINS": "https://cards.example/whist"}, "a browser says https://cards.example"),
        ({"ODDTRICK_ORIGINS": "https://ann@cards.example"}, "a browser says https://cards.example"),
        ({"ODDTRICK_ORIGINS": "https://k\u00e4rten.example"}, "a browser says https://xn--krten-gra.example"),
        ({"ODDTRICK_ORIGINS": "https://cards.example:x"}, "is a scheme and a host"),
        ({"ODDTRICK_ORIGINS": "https://"}, "is a scheme and a host"),
        ({"ODDTRICK_PORT": "9" * 5000}, "ODDTRICK_PORT="),
        ({"ODDTRICK_HOST": ""}, "host '': is an address; 0.0.0.0 for all"),
        ({"ODDTRICK_HOST": " "}, "host ' '"),
        ({"ODDTRICK_PROT": "8765"}, "ODDTRICK_PROT: there is no such setting; ODDTRICK_PORT?"),
        ({"ODDTRICK_ADMIN_KEYFILE": "k"}, "ODDTRICK_ADMIN_KEY_FILE?"),
        ({"ODDTRICK_CONFIGS": "k"}, "ODDTRICK_CONFIG?"),
        ({"ODDTRICK_Port": "1"}, "ODDTRICK_Port: there is no such setting"),
        ({"ODDTRICK_": "1"}, "ODDTRICK_: there is no such setting"),
        ({"ODDTRICK_MAILBOX_MAX": "7"}, "ODDTRICK_MAILBOX_MAX: there is no such setting"),
        ({"ODDTRICK_LIMITS": "7"}, "ODDTRICK_LIMITS: limits are set in a file"),
        (
            {"ODDTRICK_REDIS": "redis://a:1", "ODDTRICK_STORE": "memory"},
            "ODDTRICK_STORE: redis and store are one setting",
        ),
    ],
)
def test_a_bad_setting_is_named(environment: dict[str, str], says: str) -> None:
    """A setting that will not do is refused in one line that names it."""
    with pytest.raises(BadSetting, match=r"^[^\n]+$") as refused:
        load_settings(environment=environment)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour = 1", "no setting 'colour'"),
        ('port = "x"', "port is a whole number, and not 'x'"),
        (
            'trusted_proxies = "127.0.0.1"',
            """trusted_proxies is a list of texts, as ["one", "two"], and not '127.0.0.1'""",
        ),
        ("allow_seeds = 1", "allow_seeds is true or false, and not 1"),
        ("port = -1", "port is 0 or more"),
        ("[limits]\nhello_s = -1", "hello_s is 0 or more"),
        ("[limits]\nhello_s = 1" + "0" * 400, "hello_s is 0 or more, and of 18 digits at most"),
        ("[limits]\nmailbox_max = 1" + "0" * 400, "mailbox_max is 0 or more, and of 18 digits at most"),
        ("[limits]\nhello_s = '1'", "hello_s is a number, and not '1'"),
        ("[limits]\nmailbox_max = -1", "mailbox_max is 0 or more"),
        ("[limits]\nbatch_max = 0", "batch_max is more than 0"),
        ("[limits]\nping_interval_s = 0", "ping_interval_s is more than 0"),
        ("[limits]\nsweep_s = nan", "sweep_s is 0 or more"),
        ("[limits]\nhello_s = inf", "hello_s is 0 or more"),
        ("[limits]\nnone = 1", "no setting 'none'"),
        ("limits = 3", "limits is a table"),
        ("port = ", "cannot be read"),
        ("port = " + "9" * 5000, "cannot be read"),
        ("origins = " + "[" * 5000, "cannot be read"),
        ('redis = "redis://a:1"\nstore = "memory"', "redis and store are one setting"),
        ("redis = 3", "store is a text, in quotes, and not 3"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    """A file that will not do is refused in a line that names it and what is wrong."""
    file = tmp_path / "oddtrick.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSetting) as refused:
        load_settings(file=str(file))
    assert str(file) in str(refused.value)
    assert says in str(refused.value)


@pytest.mark.parametrize("host", ["", " "])
def test_no_host_is_not_every_host(tmp_path: Path, host: str) -> None:
    """Wherever an empty address comes from it is refused: it would open the server to the whole network."""
    file = tmp_path / "oddtrick.toml"
    file.write_text(f'host = "{host}"', encoding="utf-8")
    for given in ({"options": {"host": host}}, {"environment": {"ODDTRICK_HOST": host}}, {"file": str(file)}):
        with pytest.raises(BadSetting, match=r"is an address; 0\.0\.0\.0 for all"):
            load_settings(**given)


@pytest.mark.parametrize("name", [name for name in get_type_hints(Settings) if name != "limits"])
def test_every_setting_but_the_limits_may_stand_in_the_environment(name: str) -> None:
    """No variable that names a setting is taken for a slip; and the variable that names the file is none."""
    said = ""
    try:
        load_settings(environment={f"ODDTRICK_{name.upper()}": "1", "ODDTRICK_CONFIG": "f", "OTHER_PROT": "1"})
    except BadSetting as wrong:
        said = str(wrong)
    assert "no such setting" not in said


def test_redis_is_another_name_of_the_store(tmp_path: Path) -> None:
    """What `--redis` takes may stand in the file and in the environment, and the nearer place wins under either name."""
    file = tmp_path / "oddtrick.toml"
    file.write_text('redis = "redis://a:1"', encoding="utf-8")
    assert load_settings(file=str(file)).store == "redis://a:1"
    assert load_settings(file=str(file), environment={"ODDTRICK_STORE": "memory"}).store == "memory"
    file.write_text('store = "memory"', encoding="utf-8")
    assert load_settings(file=str(file), environment={"ODDTRICK_REDIS": "redis://b:1"}).store == "redis://b:1"


def test_a_file_that_is_not_there_is_named() -> None:
    """A missing file is one clear line, not a traceback."""
    with pytest.raises(BadSetting, match=r"nowhere\.toml"):
        load_settings(file="nowhere.toml")


@pytest.mark.parametrize("name", sorted(name for name in get_type_hints(Limits) if may_be_zero(name)))
async def test_a_server_runs_with_any_bound_at_zero_that_may_be(tmp_path: Path, name: str) -> None:
    """Whatever bound may be 0, a server with it starts, answers a guest who does not exceed it, and stops."""
    file = tmp_path / "oddtrick.toml"
    file.write_text(f'store = "memory"\nport = 0\n[limits]\n{name} = 0\n')
    async with App(load_settings(file=str(file))) as app:
        peer = await (await dial(app.url)).hello("Anna")
        table = (await peer.ok(t="create", bots=3))["table"]
        await peer.ok(t="sit", table=table)
        await peer.ok(t="start", table=table)
        await peer.event("deal_committed")
        await peer.ok(t="ping")
        await peer.close()


@pytest.mark.parametrize(
    "origin", ["https://cards.example", "http://localhost:3000", "https://[::1]:8443", "app://whist"]
)
def test_an_origin_that_a_browser_sends_is_taken(origin: str) -> None:
    """A scheme and a host, with a port that is not the scheme's own, may stand in the list."""
    assert Settings(origins=(origin,)).origins == (origin,)
