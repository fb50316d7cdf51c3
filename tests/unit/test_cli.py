"""The command line: every verb, and a plain message with the right exit code for everything that is wrong."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.play import index
from interpreter.play.cli import main

ROOT = Path(__file__).resolve().parents[2]
MUSTER = str(ROOT / "tests" / "games" / "muster")
DROPPING = str(ROOT / "tests" / "data" / "dropping")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written into the user's folders."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*argv: object, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = main([str(one) for one in argv])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return run


@pytest.fixture(scope="session")
def known_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the shipped games, made once."""
    place = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(place))
        index.entries(index.shipped())
    return place / "petteia" / "index.json"


@pytest.fixture
def indexed(known_games: Path, tmp_path: Path, own_folders: None) -> None:
    """The shipped games were listed before."""
    place = tmp_path / "cache" / "petteia" / "index.json"
    place.parent.mkdir(mode=0o700, parents=True)
    shutil.copy(known_games, place)


def process(*argv: object, **more: object) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own."""
    command = [sys.executable, "-m", "interpreter", *map(str, argv)]
    options: dict[str, object] = {"cwd": ROOT, "capture_output": True, "text": True, "stdin": subprocess.DEVNULL}
    return subprocess.run(command, check=False, **{**options, **more})  # type: ignore[call-overload,no-any-return]


def test_who_does_not_find_a_saved_game_is_told_the_last_one(run: Run, tmp_path: Path) -> None:
    run("play", "grid_sparta", "--seed", 3)
    run("play", "grid_sparta", "--save", tmp_path / "named")
    (last,) = (tmp_path / "data" / "petteia" / "games").iterdir()
    for verb in ("resume", "replay"):
        code, _, err = run(verb, "gone")
        assert code == 2
        assert err == f"error: there is no file `gone`\nhelp: the last game that was given no file is `{last}`\n"


# ---- wrong usage ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "message", "help"),
    [
        (["plya"], "no verb `plya`", "`play`"),
        (["frobnicate"], "no verb `frobnicate`", "verbs: list, validate"),
        (["trace", "x"], "`petteia trace` does not exist yet", "later version"),
        (["play"], "`GAME` is missing", "--help"),
        (["play", "grid_spata"], "no game or folder `grid_spata`", "`grid_sparta`"),
        (["play", MUSTER, "--sede", "3"], "no flag `--sede`", "`--seed`"),
        (["play", MUSTER, "--seed", "x"], "`x` is no whole number", ""),
        (["play", MUSTER, "--seed", "-1"], "-1 is not from 0", ""),
        (["play", MUSTER, "more"], "`more` is one argument too many", ""),
        (["play", MUSTER, "--option", "bloodles=yes"], "no option `bloodles`", "`bloodless`"),
        (["play", MUSTER, "--option", "bloodless"], "does not set an option", ""),
        (["play", MUSTER, "--option", "bloodless=perhaps"], "does not set an option", ""),
        (["play", MUSTER, "--option", "bloodless=on", "--option", "bloodless=off"], "both yes and no", ""),
        (["play", DROPPING, "--scenario", "t"], "no scenario `t`", "scenarios: s"),
        (["play", MUSTER, "--bot", "random"], "does not say which side", "--bot north=random"),
        (["play", MUSTER, "--bot", "nort=random"], "no side `nort`", "`north`"),
        (["play", MUSTER, "--bot", "north=randon"], "no bot `randon`", "`random`"),
        (["play", MUSTER, "--bot", "north=random", "--bot", "north=random"], "two bots", ""),
        (["play", MUSTER, "--lang", "xx"], "no texts in `xx`", "languages: en"),
        (["play", MUSTER, "--backend", "wsm"], "no `wsm` (did you mean `wasm`?)", ""),
        (["play", MUSTER, "--seat", "north"], "`--seat` is for other programs", "--protocol jsonl"),
        (["play", MUSTER, "--protocol", "xml"], "no `xml` (one of: jsonl)", ""),
        (["simulate", MUSTER, "--games", "0"], "0 is not from 1", ""),
        (["simulate", MUSTER, "--games"], "`--games`: a value is missing", ""),
        (["perft", MUSTER], "`--depth` is missing", ""),
        (["validate", MUSTER, "--format", "jsn"], "did you mean `json`", ""),
        (["resume", "/no/such/file"], "there is no file `/no/such/file`", "check how its name is spelt"),
        (["replay", MUSTER], "is a folder, not a saved game", ""),
        (["test", "nonsense"], "no game or folder `nonsense`", ""),
        (["show", MUSTER, "mpa"], "no topic `mpa`", "`map`"),
        (["replay", "\0"], "no name of a file", ""),
    ],
)
def test_wrong_usage(argv: list[str], message: str, help: str, run: Run) -> None:
    code, out, err = run(*argv)
    assert code == 2
    assert out == ""
    assert message in err
    assert help in err


def test_help_and_version(run: Run) -> None:
    code, out, _ = run()
    assert code == 2
    for verb in ("list", "validate", "play", "resume", "replay", "simulate", "perft", "test", "show"):
        assert f"\n  {verb} " in out
        code, text, _ = run(verb, "--help")
        assert code == 0
        assert f"usage: petteia {verb}" in text
    assert run("--help")[:2] == (0, out)
    assert run("--version")[1].startswith("petteia ")


# ---- files that are wrong -------------------------------------------------------------------------------------------


def test_wrong_scripts(tmp_path: Path, run: Run) -> None:
    script = tmp_path / "script.yaml"
    save = tmp_path / "save.jsonl"

    def played(data: bytes) -> tuple[int, str]:
        script.write_bytes(data)
        code, _, err = run("play", MUSTER, "--script", script, "--save", save)
        return code, err

    for data, message in (
        (b"", "the file says nothing"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"north: go northern_1 ford", "a script is a list of steps"),
        (b"- north", "this is no step"),
        (b"- {north: x, south: y}", "this is no step"),
        (b"- north: {a: b}", "this is no step"),
        (b"- noth: x", "no player `noth`"),
        (b"- dice: [hit]", "stands before the first choice"),
        (b"- north: [", "unclosed"),
        (b"a\0b", "invisible character"),
    ):
        code, err = played(data)
        assert (code, message in err.replace("`[` is never closed", "unclosed")) == (1, True), err
        assert not save.exists(), "a script that cannot be read begins no game"
    with script.open("wb") as file:
        file.truncate(100_000_000)
    code, _, err = run("play", MUSTER, "--script", script)
    assert (code, "larger than 2 MB" in err) == (1, True)
    assert "is a folder" in run("play", MUSTER, "--script", tmp_path)[2]
    assert "the file is not there" in run("play", MUSTER, "--script", tmp_path / "nothing")[2]


def test_a_script_stops_where_it_is_wrong(tmp_path: Path, run: Run) -> None:
    """What was played stays; the place of the wrong step is shown."""
    script, save = tmp_path / "script.yaml", tmp_path / "save.jsonl"
    for last, message in (
        ("north: go northern_1 mill", "`north` is not asked here, but `south`"),
        ("south: go southern_1 fort", "did you mean `go southern_1 ford`"),
    ):
        script.write_text(f"- north: go northern_1 ford\n- {last}\n")
        code, _, err = run("play", MUSTER, "--script", script, "--save", save)
        assert code == 1
        assert "script.yaml:2:" in err
        assert message in err
        assert "1. north: go northern_1 ford" in run("replay", save)[1]
        save.unlink()


def test_scripts_and_play_agree(tmp_path: Path, run: Run) -> None:
    script, save = tmp_path / "script.yaml", tmp_path / "save.jsonl"
    script.write_text("- red: [red_stone_1, red_stone_3, done]\n- blue: done\n")
    assert run("play", DROPPING, "--script", script, "--save", save)[0] == 0
    out = run("replay", save)[1]
    assert (
        "1. red: drop red_stone_1, drop red_stone_3, done\n   Red drops Red stone 1, Red stone 3\n2. blue: done\n"
        in out
    )
    assert out.splitlines()[0] == "Dropping (s, seed 1)"


def test_files_that_cannot_be_written(tmp_path: Path, run: Run) -> None:
    there = tmp_path / "there"
    there.write_text("x")
    code, _, err = run("play", MUSTER, "--save", there)
    assert (code, "exists already" in err, there.read_text()) == (2, True, "x")
    code, _, err = run("play", MUSTER, "--save", there / "below")
    assert code == 2
    assert "--save FILE" in err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is permitted to root")
def test_missing_permission(tmp_path: Path, run: Run) -> None:
    closed = tmp_path / "closed"
    closed.write_text("x")
    closed.chmod(0)
    for argv in (["resume", closed], ["play", MUSTER, "--script", closed]):
        code, _, err = run(*argv)
        assert code in (1, 2)
        assert "permi" in err


def test_damaged_save(tmp_path: Path, run: Run) -> None:
    save = tmp_path / "save.jsonl"
    run("play", MUSTER, "--save", save, "--bot", "north=random", "--bot", "south=random", "--max-plies", 5)
    data = save.read_bytes()
    save.write_bytes(data[:-20])
    for argv in (["resume", save], ["replay", save], ["replay", save, "--verify"]):
        code, _, err = run(*argv)
        assert code == 1
        assert f"line 6 of `{save}` is damaged: it breaks off" in err
        assert f"the game up to choice 4 can be kept: `petteia resume {save} --keep-intact`" in err
        assert save.read_bytes() == data[:-20]
    code, _, err = run("resume", save, "--keep-intact")
    assert code == 0
    assert (tmp_path / "save.jsonl.damaged").read_bytes() == data[:-20]
    assert run("replay", save, "--verify")[0] == 0
    assert run("replay", save, "--to", 4)[0] == 0
    assert "only" in run("replay", save, "--to", 5000)[2]


def test_changed_rules(tmp_path: Path, run: Run) -> None:
    folder, save = tmp_path / "dropping", tmp_path / "save.jsonl"
    shutil.copytree(DROPPING, folder)
    script = tmp_path / "s.yaml"
    script.write_text("- red: [red_stone_1, done]\n- blue: done\n")
    assert run("play", folder, "--save", save, "--script", script)[0] == 0
    rules = folder / "rules" / "10.effects"
    rules.write_text(rules.read_text().replace("s.at is cell by", "s.at is cell and s != red_stone_1 by"))
    data = save.read_bytes()
    for argv in (["resume", save], ["replay", save], ["resume", save, "--new-rules"]):
        code, _, err = run(*argv)
        assert code == 1
        assert "choice 1 (`drop red_stone_1, done`, line 2 of" in err
        assert "the rules have changed" in err
        assert save.read_bytes() == data


def test_games_with_errors(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "muster"
    shutil.copytree(MUSTER, folder)
    assert run("validate", folder)[0] == 0
    rules = next((folder / "rules").glob("*.effects"))
    rules.write_text(rules.read_text() + "\nfun wrong() -> int = nowhere\n")
    for verb in (["play"], ["simulate"], ["perft", "--depth", "1"], ["show"], ["validate"]):
        code, out, err = run(verb[0], folder, *verb[1:])
        assert code == 1, verb
        assert "nowhere" in out + err
        assert "1 error" in out + err
    code, out, _ = run("validate", folder, "--format", "json")
    found = json.loads(out)
    assert (code, found["errors"]) == (1, 1)
    assert found["diagnostics"][0]["span"]["path"].endswith(rules.name)
    code, out, _ = run("validate", rules, "--format", "github")
    assert code == 1
    assert out.startswith("::error file=")
    code, _, err = run("validate", tmp_path / "cache", tmp_path)
    assert code in (1, 2)


def test_set_ups_are_tried(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "dropping"
    shutil.copytree(DROPPING, folder)
    scenario = folder / "scenarios" / "s.yaml"
    scenario.write_text(scenario.read_text() + "setup: |\n  while true:\n      move red_stone_1 to box\n")
    code, out, _ = run("validate", folder)
    assert code == 1
    assert "the set-up `s` cannot be made" in out


# ---- verbs ----------------------------------------------------------------------------------------------------------


def test_list(run: Run) -> None:
    code, out, _ = run("list")
    assert code == 0
    assert "grid_sparta: " in out
    assert "scenario standard" in out
    assert "option friendly_trap=yes" in out
    assert "% reconstructed" in out
    found = json.loads(run("list", "--json")[1])
    assert [one["game"] for one in found["games"]] == [folder.name for folder in index.shipped()]


def test_the_index_is_used_and_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "dropping"
    shutil.copytree(DROPPING, folder)
    described: list[Path] = []
    real = index.describe

    def watch(one: Path) -> index.Entry:
        described.append(one)
        return real(one)

    monkeypatch.setattr(index, "describe", watch)
    first = index.entries([folder])
    assert index.entries([folder]) == first
    assert len(described) == 1
    text = (folder / "game.yaml").read_text()
    (folder / "game.yaml").write_text(text.replace("title: Dropping", "title: Let fall"))
    assert index.entries([folder])[0]["title"] == "Let fall"
    assert len(described) == 2
    place = tmp_path / "cache" / "petteia" / "index.json"
    good = place.read_bytes()
    for number, damaged in enumerate((b"", good[:-9], good.replace(b"Let fall", b"Let fell"), b"\xff" * 50, b"{}")):
        place.write_bytes(damaged)
        assert index.entries([folder])[0]["title"] == "Let fall"
        assert len(described) == 3 + number
        assert place.read_bytes() == good
    place.unlink()
    place.mkdir()
    assert index.entries([folder])[0]["title"] == "Let fall", "without an index it only takes longer"


def test_perft(run: Run) -> None:
    for backend in ("python", "wasm"):
        code, out, _ = run("perft", "grid_sparta", "--depth", 2, "--backend", backend)
        assert code == 0
        assert out.splitlines()[-1] == "6400"
        assert f"{backend} backend" in out
    assert run("perft", MUSTER, "--depth", 0)[1].splitlines()[-1] == "1"


def test_simulate(run: Run) -> None:
    code, out, err = run("simulate", MUSTER, "--games", 40, "--seed", 5, "--json", "--option", "bloodless=YES")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["games"], found["seed"], found["options"]) == (40, 5, {"bloodless": True})
    code, out, _ = run("simulate", MUSTER, "--games", 40)
    assert code == 0
    assert "40 games from seed 1" in out


def test_check(tmp_path: Path, run: Run) -> None:
    """`--check` over all scenarios and campaigns, in both backends; what is broken is told with how to see it."""
    code, out, err = run("simulate", MUSTER, "--scenario", "all", "--games", 2, "--check", "--backend", "both")
    assert (code, err) == (0, "")
    assert [line.split(",")[0] for line in out.splitlines() if line.startswith("muster")] == [
        "muster (standard",
        "muster (surprise",
        "muster (two_wars",
    ]
    assert "invariants hold in all of 26 positions" in out
    folder = tmp_path / "muster"
    shutil.copytree(MUSTER, folder)
    (folder / "invariants.yaml").write_text("- {that: round < 3, text: it is short}\n")
    code, out, err = run("simulate", folder, "--scenario", "all", "--games", 2, "--check", "--seed", 7)
    assert (code, out) == (1, "")
    assert err.count("error[broken-invariant]: this must always hold: it is short") == 3
    assert "in game 0 of standard, seed 7, ply 6" in err
    command = re.findall(r"`petteia (play .*?)` plays it again", err)[0]
    assert command.endswith(
        "--scenario standard --option bloodless=no --bot north=random --bot south=random --max-plies 6"
    )
    assert run(*command.split(" "))[0] == 0


def test_a_game_of_a_simulation_can_be_played(tmp_path: Path, run: Run) -> None:
    """`simulate --seed N`, game i, is `play --seed N+i`."""
    found = json.loads(run("simulate", MUSTER, "--games", 1, "--seed", 17, "--json")[1])
    save = tmp_path / "save.jsonl"
    assert run("play", MUSTER, "--seed", 17, "--bot", "north=random", "--bot", "south=random", "--save", save)[0] == 0
    out = run("replay", save)[1]
    winner = next((p for p, wins in found["results"]["wins"].items() if wins), None)
    assert f"{winner} wins: " in out if winner else "a draw: " in out
    assert f"{found['decisions']} choices verified" in out


def test_play_leaves_a_save(tmp_path: Path, run: Run) -> None:
    """Without `--save` into the user's folder, and the path is told; the end of the input leaves what was played."""
    code, out, _ = run("play", MUSTER, "--seed", 3, stdin="go northern_1 ford\n")
    assert code == 0
    saves = list((tmp_path / "data").rglob("*.jsonl"))
    assert len(saves) == 1
    assert str(saves[0]) in out.replace("\n", "")
    assert "1. north: go northern_1 ford" in run("replay", saves[0])[1]
    code, out, _ = run("resume", saves[0], "--bot", "north=random", "--bot", "south=random")
    assert code == 0
    assert " wins: " in run("replay", saves[0])[1] or "a draw: " in run("replay", saves[0])[1]
    for backend in ("python", "wasm"):
        assert run("replay", saves[0], "--verify", "--backend", backend)[0] == 0


def test_cap(tmp_path: Path, run: Run) -> None:
    save = tmp_path / "save.jsonl"
    bots = ("--bot", "north=random", "--bot", "south=random")
    assert run("play", MUSTER, *bots, "--max-plies", 4, "--save", save)[0] == 0
    assert run("replay", save)[1].splitlines()[-1].startswith("4 choices verified")
    script = tmp_path / "s.yaml"
    script.write_text("- red: done\n- blue: done\n")
    code, out, _ = run("play", DROPPING, "--script", script, "--max-plies", 1, "--save", tmp_path / "t.jsonl")
    assert code == 0
    assert "stopped after 1 plies" in out


def test_show(run: Run, tmp_path: Path) -> None:
    assert run("show", MUSTER)[0] == 0
    for form in ("python", "wat"):
        code, out, _ = run("show", MUSTER, "core", "--emit", form)
        assert code == 0
        assert out
    picture = tmp_path / "map.svg"
    assert run("show", MUSTER, "map", "--svg", picture)[0] == 0
    assert picture.read_text().lstrip().startswith("<")


def test_rule_tests(run: Run) -> None:
    code, out, _ = run("test", "grid_sparta")
    assert code == 0
    assert " passed, 0 failed" in out


# ---- the process ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("indexed")
def test_without_terminal_nothing_is_coloured() -> None:
    for argv in (["list"], ["plya"], ["validate", MUSTER]):
        done = process(*argv)
        assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.usefixtures("indexed")
def test_list_imports_little() -> None:
    """Listing games again imports nothing that takes long."""
    heavy = ("lark", "networkx", "jsonschema", "rich", "prompt_toolkit", "wasmtime", "yaml")
    program = (
        "import sys\nfrom interpreter.play.cli import main\nmain(['list'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.usefixtures("indexed")
def test_closed_output() -> None:
    """Without any output, and with an output that nobody reads."""
    for line in ("list --json", f"play {MUSTER} --bot north=random --bot south=random"):
        command = f"{sys.executable} -m interpreter {line}"
        for shell, codes in (
            (f"{command} >&-; echo $? >&2", ("0",)),
            (f"{command} | (exec <&-; sleep 0.1); echo ${{PIPESTATUS[0]}} >&2", ("0", "141")),
        ):
            done = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=True)
            assert done.stderr.strip() in codes


@pytest.mark.usefixtures("indexed")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_full_disk() -> None:
    with open("/dev/full", "w") as full:
        done = process("list", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert "no space left" in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_text_that_cannot_be_shown_or_read(tmp_path: Path) -> None:
    """Streams of other encodings: characters are replaced, nothing breaks."""
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("play", "grid_sparta", "--lang", "ko", "--save", tmp_path / "s", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    command = [sys.executable, "-m", "interpreter", "play", MUSTER, "--save", str(tmp_path / "t")]
    raw = subprocess.run(command, cwd=ROOT, input=b"go \xff\xfe\n", capture_output=True, check=False)
    assert (raw.returncode, raw.stderr) == (0, b"")


def _heed() -> None:
    """Listens to Ctrl-C, even if the tests were started in the background by a shell that has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "argv", [["simulate", MUSTER, "--games", "1000000", "--jobs", "2", "--backend", "python"], ["play", MUSTER]]
)
def test_interrupted(argv: list[str], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "interpreter",
        *argv,
        *(["--save", str(tmp_path / "s")] if argv[0] == "play" else []),
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
        preexec_fn=_heed,
    ) as one:
        until = time.monotonic() + 60
        while argv[0] == "play" and not (tmp_path / "s").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(1.5)
        os.killpg(one.pid, signal.SIGINT)
        out, err = one.communicate(timeout=60)
    assert "Traceback" not in out + err
    if argv[0] == "play":
        assert one.returncode == 0
        assert process("replay", tmp_path / "s").returncode == 0
    else:
        assert one.returncode == 130
        assert "interrupted" in err
