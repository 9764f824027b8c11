"""Treebanks are read whole, and a broken one is refused with the place of the trouble."""

import json
from pathlib import Path

import pytest

from mha_core.atlas.treebank import find_splits, fingerprint, read_treebank
from mha_core.errors import InputError

CONLLU = """\
# sent_id = a-1
# text = Don't go = stay.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_
3.1\tgo\tgo\tVERB\t_\t_\t_\t_\t_\t_
4\t=\t=\tSYM\t_\t_\t5\tcc\t_\t_
5\tstay\tstay\tVERB\t_\t_\t3\tconj\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_
"""
ROW = {
    **{"id": "b-1", "text": "Cats sleep", "words": ["Cats", "sleep"], "upos": ["NOUN", "VERB"]},
    **{"head": [2, 0], "rel": ["nsubj", "root"]},
}


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_conllu_keeps_words_and_leaves_out_ranges_and_empty_nodes(tmp_path: Path) -> None:
    first, second = read_treebank(written(tmp_path / "x.conllu", CONLLU))
    assert (first.id, first.text) == ("a-1", "Don't go = stay.")
    assert first.words == ("Do", "n't", "go", "=", "stay", ".")
    assert first.heads == (2, 2, -1, 4, 2, 2)
    assert first.relations == ("aux", "advmod", "root", "cc", "conj", "punct")
    assert first.upos == ("AUX", "PART", "VERB", "SYM", "VERB", "PUNCT")
    assert (second.text, second.heads) == ("Yes", (-1,))


def test_json_lines_give_the_same_kind_of_sentence(tmp_path: Path) -> None:
    (sentence,) = read_treebank(written(tmp_path / "x.jsonl", json.dumps(ROW) + "\n\n"))
    assert sentence.words == ("Cats", "sleep")
    assert sentence.heads == (1, -1)
    assert sentence.relations == ("nsubj", "root")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.jsonl", "{", "line 1"),
        ("x.jsonl", '{"id": 1}', "line 1"),
        ("x.jsonl", json.dumps({**ROW, "head": [2]}), "each word needs"),
        ("x.jsonl", json.dumps({**ROW, "head": [3, 0]}), "word 3"),
        ("x.jsonl", json.dumps({**ROW, "head": [1, 0]}), "word 1"),
        ("x.jsonl", json.dumps({**ROW, "head": ["_", 0]}), "no number"),
        ("x.jsonl", "\n", "no sentences"),
        ("x.conllu", "1\tword\n", "2 columns"),
        ("x.txt", "", ".jsonl or .conllu"),
    ],
)
def test_a_broken_file_is_refused_in_words(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_treebank(written(tmp_path / name, text))
    assert words in refused.value.message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_treebank(tmp_path / "none.jsonl")


def test_splits_are_told_by_their_names(tmp_path: Path) -> None:
    for name in ("en_ewt-ud-dev.conllu", "en_ewt-ud-test.conllu", "latest.jsonl", "dev.txt"):
        written(tmp_path / name, "")
    names = {split: path.name for split, path in find_splits(tmp_path).items()}
    assert names == {"dev": "en_ewt-ud-dev.conllu", "test": "en_ewt-ud-test.conllu"}


@pytest.mark.parametrize("names", [["x-dev.jsonl"], ["x-dev.jsonl", "y_test.jsonl", "test.conllu"]])
def test_a_directory_needs_one_file_a_split(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        written(tmp_path / name, "")
    with pytest.raises(InputError, match="'test'"):
        find_splits(tmp_path)
    with pytest.raises(InputError, match="no directory"):
        find_splits(tmp_path / "none")


def test_a_fingerprint_tells_files_apart(tmp_path: Path) -> None:
    one, same = written(tmp_path / "a", "x"), written(tmp_path / "b", "x")
    assert fingerprint(one) == fingerprint(same)
    assert fingerprint(one) == "2d711642b726b044"  # the known SHA-256 of "x"
    assert fingerprint(written(tmp_path / "c", "y")) != fingerprint(one)


def test_the_english_web_treebank_is_read_whole(shared_data: Path) -> None:
    splits = find_splits(shared_data / "ud_ewt")
    sizes = {split: len(read_treebank(path)) for split, path in splits.items()}
    assert sizes == {"dev": 2001, "test": 2077}
