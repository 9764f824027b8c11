"""`headscope corpus`: a file in, a table on the terminal and all numbers in a file."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from backend.cli.corpus import choose_link, format_for, read_lines
from mha_core.errors import InputError

LINES = "The animal slept because it was old.\n\nThe animal ran when it saw them.\n"


def run(
    *arguments: str, environment: dict[str, str], fails: bool = False
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "backend", "corpus", *arguments],
        env=environment | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done


def test_a_file_becomes_a_table_and_a_file(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "texts.txt").write_text(LINES)
    out = tmp_path / "results.csv"
    words = ("--from", "it", "--to", "animal", "--out", str(out))
    done = run("minilm", str(tmp_path / "texts.txt"), *words, environment=environment)
    assert "2 of 3 texts measured" in done.stdout
    assert "left out, 1: no text in the line (line 2)" in done.stdout
    told = [line for line in done.stdout.splitlines() if str(out) not in line]
    assert max(map(len, told)) <= 80
    rows = list(csv.DictReader(out.read_text().splitlines()))
    best = next(row for row in rows if row["metric"] == "link")
    line = next(line for line in told if line.startswith(f"L{best['layer']} "))
    assert line.split()[:2] == [f"L{best['layer']}", f"H{best['head']}"]
    assert f"{float(best['mean']):.3f}" in line


def test_without_a_link_the_table_has_every_metric(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "texts.txt").write_text(LINES)
    out = tmp_path / "results.json"
    arguments = (str(tmp_path / "texts.txt"), "--values", "weighted", "--out", str(out))
    done = run("headscope-tiny", *arguments, environment=environment)
    answer = json.loads(out.read_text())
    assert answer["values"] == "weighted"
    assert "value-weighted" in done.stdout
    assert all(metric["label"] in done.stdout for metric in answer["metrics"].values())


def test_an_error_is_one_line_with_the_line_of_the_file(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    (tmp_path / "texts.txt").write_text("{from:a} {to:b}\nplain\n")
    arguments = ("headscope-tiny", str(tmp_path / "texts.txt"), "--marked")
    done = run(*arguments, environment=environment, fails=True)
    assert done.stderr.startswith("headscope: Line 2, column 1: there is no mark {from:…}")


def test_lines_have_the_numbers_of_an_editor(tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_bytes("\ufeffone\r\n\r\nthree\x0b\u2028still three".encode())
    assert read_lines(file) == ["one", "", "three\x0b\u2028still three"]


@pytest.mark.parametrize(
    ("content", "words"), [(None, "No such file"), (b"", "is empty"), (b"ok\n\xff", "at byte 4")]
)
def test_a_file_that_cannot_be_read_is_an_error(
    content: bytes | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "texts.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_lines(file)


def test_a_file_that_cannot_be_written_is_an_error_before_any_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.json or \.csv"):
        format_for(tmp_path / "results.npz")
    with pytest.raises(InputError, match="no directory"):
        format_for(tmp_path / "gone" / "results.csv")


@pytest.mark.parametrize(
    ("from_word", "to_word", "marked"),
    [("it", None, False), (None, "it", False), ("", "it", False), ("it", "cat", True)],
)
def test_half_a_link_is_an_error(from_word: str | None, to_word: str | None, marked: bool) -> None:
    with pytest.raises(InputError, match="--from and --to"):
        choose_link(from_word, to_word, marked=marked)


def test_a_link_is_a_choice() -> None:
    assert choose_link(None, None, marked=False) is None
    by_marks, by_words = choose_link(None, None, marked=True), choose_link("a", "b", marked=False)
    assert by_marks is not None
    assert by_marks.marked
    assert by_words is not None
    assert (by_words.from_word, by_words.to_word) == ("a", "b")
