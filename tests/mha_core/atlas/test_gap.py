"""GAP is read as it is written, and its nearest-name baseline is the known one."""

from pathlib import Path

import pytest

from mha_core.atlas.gap import read_gap
from mha_core.errors import InputError

HEADING = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
TEXT = 'Ann met "Bo" and she left'
ITEM = f"t-1\t{TEXT}\tshe\t17\tAnn\t0\tTRUE\tBo\t9\tFALSE\tu\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_an_item_says_where_its_names_stand(tmp_path: Path) -> None:
    neither = ITEM.replace("TRUE", "FALSE")
    items = read_gap(written(tmp_path / "gap.tsv", HEADING + ITEM + neither))
    item = items[0]
    assert [item.text[slice(*span)] for span in (item.pronoun, *item.candidates)] == [
        *("she", "Ann", "Bo")
    ]
    assert (item.id, item.answer, item.nearest) == ("t-1", 0, 1)
    assert [item.line for item in items] == [0, 1]
    assert items[1].answer is None


def test_an_item_knows_its_document_and_is_one_itself_where_the_file_has_none(
    tmp_path: Path,
) -> None:
    (item,) = read_gap(written(tmp_path / "gap.tsv", HEADING + ITEM))
    assert item.document == "u"
    without = (HEADING + ITEM).replace("\tURL", "").replace("\tu\n", "\n")
    (item,) = read_gap(written(tmp_path / "without.tsv", without))
    assert item.document == "t-1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEADING, "no items"),
        (HEADING + ITEM.replace("\t17\t", "\t18\t"), "item 1"),
        (HEADING + ITEM.replace("TRUE", "perhaps"), "item 1"),
        (HEADING + "t-1\tshort\n", "item 1"),
        ("a\tb\n1\t2\n", "item 1"),
    ],
)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_gap(written(tmp_path / "gap.tsv", text))
    with pytest.raises(InputError, match="cannot be read"):
        read_gap(tmp_path / "none.tsv")


def test_the_nearest_name_is_right_half_of_the_time(shared_data: Path) -> None:
    items = read_gap(shared_data / "gap" / "gap-test.tsv")
    asked = [item for item in items if item.answer is not None]
    assert (len(items), len(asked)) == (2000, 1773)
    right = sum(item.nearest == item.answer for item in asked) / len(asked)
    assert right == pytest.approx(0.501, abs=5e-4)
    assert len({item.document for item in items}) == 1825
