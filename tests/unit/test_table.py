"""The player's table: whole sittings from typed lines, and how typed text is understood."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.game import Game, load
from interpreter.play import answers
from interpreter.play.table import COMMANDS, play
from interpreter.play.words import HELP, WORDS, all_words
from interpreter.runtime.record import Record
from interpreter.runtime.texts import PLAIN, Language

GAMES = Path(__file__).parents[1] / "games"


@pytest.fixture(scope="module")
def sparta() -> Game:
    return load("grid_sparta")


@pytest.fixture(scope="module")
def muster() -> Game:
    return load(GAMES / "muster")


@pytest.fixture(scope="module")
def hounds() -> Game:
    return load(GAMES / "hare_and_hounds")


class Sitting:
    """A sitting at the table with given lines: what was printed, and the record that is left."""

    def __init__(
        self,
        game: Game,
        typed: str,
        monkeypatch: pytest.MonkeyPatch,
        path: Path | None = None,
        bots: dict[str, str] | None = None,
        language: Language = PLAIN,
        record: Record | None = None,
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        out = io.StringIO()
        self.record = record or Record.new(game, None, None, 1, path, bots=bots, language=language)
        self.code = play(self.record, bots=bots or {}, language=language, out=out, interactive=False)
        self.text = out.getvalue()
        self.record.close()

    @property
    def chosen(self) -> list[str]:
        return [step for answer in self.record.answers for step in answer.choose]


def test_a_short_sitting_word_for_word(
    muster: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    path = tmp_path / "game.petteia"
    sitting = Sitting(muster, "northern_1\n2\nno\nquit\n", monkeypatch, path)
    assert sitting.code == 0
    assert sitting.chosen == ["go northern_1 ford", "no"]
    golden(GAMES.parent / "data" / "sitting.txt", sitting.text.replace(str(path), "PATH"))


def test_a_whole_game_to_its_end_and_how_to_see_it_again(
    hounds: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "game.petteia"
    bots = {"hounds": "random", "hare": "random"}
    sitting = Sitting(hounds, "", monkeypatch, path, bots)
    assert sitting.code == 0
    outcome = sitting.record.position.outcome
    assert outcome is not None
    assert sitting.text.splitlines()[-2] in ("Hare wins: the hare has slipped past", f"Hounds wins: {outcome.text}")
    assert sitting.text.splitlines()[-1] == f"look at it again by `petteia replay {path}`"


def test_a_choice_can_be_typed_in_many_ways(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for typed in (
        "go spartan_1 b3",
        "spartan_1 b3",
        "Spartan 1 b3",
        "SPARTAN_1 B3",
        "Spärtan_1  b3",
        "sp 1 b3",
        "move spartan 1 to b3",
        "1\nb3",
        "1\n7",
        "spartan_1\nb3",
        "!spartan_1 b3",
        "b3\nspartan_1",
    ):
        assert Sitting(sparta, typed + "\n", monkeypatch).chosen == ["go spartan_1 b3"], typed


def test_a_number_beyond_the_list_and_unknown_words_change_nothing(
    sparta: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(sparta, "9\n0\nspartan_11\nb9 b9\nundoo\n\n", monkeypatch)
    assert "there is no number 9: the list ends at 8" in sitting.text
    assert "there is no number 0: the list ends at 8" in sitting.text
    assert "nothing here is called `spartan_11`\ndid you mean `spartan_1`" in sitting.text
    assert "nothing here is called `undoo`\ndid you mean `undo`?" in sitting.text
    assert sitting.chosen == []


def test_undo_goes_back_to_the_last_choice_of_a_person(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(sparta, "spartan_1 b3\nundo\nspartan_2 c3\n", monkeypatch, bots={"achaea": "random"})
    assert sitting.chosen[0] == "go spartan_2 c3"
    assert len(sitting.chosen) == 2
    assert "taken back; 0 choices stand" in sitting.text


def test_undo_within_the_steps_of_an_answer_goes_back_to_the_whole_list(
    sparta: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = Sitting(sparta, "spartan_1\nundo\n2\nc3\nundo\nundo\n", monkeypatch)
    assert sitting.text.count("(80 choices)") == 4  # at first, back to the list, the other side, at first again
    assert "there is nothing to undo" in sitting.text


def test_everything_that_happened_is_in_the_log(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = Sitting(sparta, "spartan_1 b3\nachaean_1 b8\nlog\nlog 1\n", monkeypatch)
    assert "   1  Spartan 1 goes to b3\n   2  Achaean 1 goes to b8\n" in sitting.text
    assert sitting.text.count("   2  Achaean 1 goes to b8\n") == 2


def test_show_finds_boards_pieces_spaces_and_helps_with_others(muster: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "show pieces\nshow ford\nshow southern army 2\nshow options\nshow rules\nshow gat\nquit\n"
    text = Sitting(muster, typed, monkeypatch).text
    assert "Northern army 1   northern_1   Hill Fort   North" in text
    assert "여울  (ford)\n  worth: 2\n  here: –\n  leads to: Hill Fort, Gate, Quay\n" in text
    assert "Southern army 2  (southern_2)\n  is at: Moor\n  owner: South\n" in text
    assert "  No army is ever driven off: no\n" in text
    assert "there is nothing called `gat` to show\ndid you mean `gate`?" in text


def test_show_tells_the_face_that_a_thing_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = Sitting(load("sparta"), "\nshow cleon\nquit\n", monkeypatch).text
    assert "Cleon  (cleon)\n  When he is spent, gain a Talent.\n  is at: ready leaders (Athens)\n" in text
    assert "three Talents" not in text


def test_where_a_list_may_go_is_marked_on_the_board(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Sitting(sparta, "spartan_8\nshow\n", monkeypatch).text
    assert " 3  ·  ·  ·  ·  ·  · <·><·><·><·> 3" in text


def test_leaving_says_where_the_game_is(muster: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for number, typed in enumerate(("quit\n", "", "northern_1\n")):
        path = tmp_path / f"game {number}.petteia"
        sitting = Sitting(muster, typed, monkeypatch, path)
        assert sitting.code == 0
        assert sitting.text.splitlines()[-1] == f"the game is not over; go on with it by `petteia resume '{path}'`"
        assert Record.open(path, lambda _: muster, write=False).answers == []
    assert "it is not saved" in Sitting(muster, "", monkeypatch).text


def test_an_interrupt_leaves_a_save(muster: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Interrupting(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    path = tmp_path / "game.petteia"
    record = Record.new(muster, path=path)
    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", Interrupting("northern_1 ford\n"))
    assert play(record, bots={}, language=PLAIN, out=out, interactive=False) == 0
    record.close()
    assert f"petteia resume {path}" in out.getvalue()
    assert [a.choose for a in Record.open(path, lambda _: muster, write=False).answers] == [("go northern_1 ford",)]


def test_a_game_goes_on_after_resuming(muster: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "game.petteia"
    Sitting(muster, "northern_1 ford\n", monkeypatch, path)
    record = Record.open(path, lambda _: muster)
    sitting = Sitting(muster, "log\nsouthern_1 ford\n", monkeypatch, record=record)
    assert "going on after 1 choices" in sitting.text
    assert sitting.chosen == ["go northern_1 ford", "go southern_1 ford"]


def test_a_choice_named_like_a_command_is_still_reached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "muster"
    shutil.copytree(GAMES / "muster", folder)
    for path in (folder / "map.yaml", *folder.glob("scenarios/*.yaml")):
        path.write_text(path.read_text(encoding="utf-8").replace("mill", "undo"), encoding="utf-8")
    game = load(folder)
    assert Sitting(game, "northern_1\nundo\n", monkeypatch).chosen == []
    assert Sitting(game, "northern_1\n!undo\n", monkeypatch).chosen == ["go northern_1 undo"]
    assert Sitting(game, "northern_1\n1\n", monkeypatch).chosen == ["go northern_1 undo"]


def test_stops_where_the_record_says(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record.new(sparta)
    record.max_plies = 1
    sitting = Sitting(sparta, "spartan_1 b3\nachaean_1 b8\n", monkeypatch, record=record)
    assert "stopped after 1 choices" in sitting.text
    assert sitting.chosen == ["go spartan_1 b3"]


def test_odd_input_is_only_not_understood(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "\x1b[31mred\n" + "x" * 5000 + "\n\u202eabc\n1_000\n１\n" + "9" * 400 + "\n!\n! \n"
    sitting = Sitting(sparta, typed, monkeypatch)
    assert sitting.code == 0
    printed = [line for line in sitting.text.splitlines() if not line.startswith("Your choice>")]
    assert "\x1b" not in "\n".join(printed)
    assert "\u202e" not in "\n".join(printed)
    assert sitting.chosen == []


def test_fixed_words_can_be_translated(muster: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    language = Language({"Your choice": "선택", "{player} to choose": "{player} 차례", "North": "북", "undo": "취소"})
    text = Sitting(muster, "northern_1 ford\n취소\n", monkeypatch, language=language).text
    assert "북 차례" in text
    assert "선택> " in text
    assert "taken back" in text
    assert set(WORDS.values()) | set(HELP) | set(HELP.values()) <= set(all_words())


def test_help_explains_every_command(sparta: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Sitting(sparta, "help\n", monkeypatch).text
    for command in COMMANDS:
        assert command == "help" or f"\n  {command} " in text
    assert max(map(len, text.splitlines())) <= 80


# ---- how a text is understood ---------------------------------------------------------------------------------------


def test_texts_are_compared_without_what_keyboards_differ_in() -> None:
    assert answers.plain("  Éphèse_2 ") == answers.plain("e\u0301phe\u0300se 2")
    assert answers.plain("King\u2019s") == answers.plain("king's")
    assert answers.plain("여울") == answers.plain("\u110b\u1167\u110b\u116e\u11af")


def test_a_figure_at_the_end_is_never_cut_short(sparta: Game) -> None:
    decision = sparta.start().decision
    assert decision is not None
    found = answers.narrow(decision, decision.choices, "b1")
    assert found == []  # b10 is no choice now, and b1 begins it only by its letters
    assert {c.id for c in answers.narrow(decision, decision.choices, "sp 1 a")} == {"go spartan_1 a1"} | {
        f"go spartan_1 a{n}" for n in (2, 3)
    }


def test_every_choice_is_found_by_its_id_its_sentence_and_its_steps(muster: Game, hounds: Game, sparta: Game) -> None:
    for game in (muster, hounds, sparta):
        decision = game.start().decision
        assert decision is not None
        for choice in decision.choices:
            assert answers.narrow(decision, decision.choices, choice.id) == [choice]
            assert answers.narrow(decision, decision.choices, choice.text) == [choice]
            focus = decision.choices
            for _ in range(4):
                listed = answers.items(decision, focus)
                focus = list(next(item for item in listed if choice in item.choices).choices)
                if len(focus) == 1:
                    break
            assert focus == [choice]


def test_the_tab_key_offers_the_next_word(sparta: Game) -> None:
    decision = sparta.start().decision
    assert decision is not None
    every = decision.choices
    assert answers.completions(decision, every, "spartan_1 b") == ["b2", "b3"]
    assert answers.completions(decision, every, "go spartan_1 b") == ["b2", "b3"]
    assert "spartan_8" in answers.completions(decision, every, "sp")
    assert answers.completions(decision, every, "zzz") == []
    first = [c for c in every if c.id.startswith("go spartan_1 ")]
    assert answers.completions(decision, first, "b") == ["b2", "b3"]
