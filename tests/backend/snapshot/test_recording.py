"""What a snapshot records of an analysis, and how exactly."""

import json
from dataclasses import replace

import numpy as np
import pytest

from backend.snapshot.recording import (
    ATLAS_PARTS,
    LONGEST_NOTE,
    PRECISION,
    Remarks,
    check_notes,
    record,
    write_snapshot,
)
from mha_core.atlas.record import Atlas
from mha_core.atlas.summary import summarize
from mha_core.errors import InputError, NoSuchHead
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.meter import Meter
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis, analyse
from mha_core.runs.value_weights import value_norms
from tests.made_up_atlas import make_up_atlas
from tests.recorded_page import Recorded, inflated, read, recorded

TEXT = "The animal didn't cross the street because it was too tired."


def made(
    model: LoadedModel, text: str = TEXT, pair: str | None = None
) -> tuple[Analysis, Meter, Recorded]:
    tokenized = model.tokenize(text, pair)
    analysis, meter = analyse(model, tokenized), Meter.of(model, tokenized)
    return analysis, meter, read(record(model, analysis, None, Remarks()))


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_every_weight_is_kept_to_half_a_step_of_its_root(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    analysis, _, found = made(model)
    assert len(found.codes) == model.architecture.n_layers
    for (_, layer), codes in found.codes.items():
        roots = analysis.patterns(layer).sqrt().numpy()
        assert np.abs(codes / 255 - roots).max() <= 1 / 510 + 1e-6


def test_the_file_says_how_its_weights_are_rounded(minilm: LoadedModel) -> None:
    _, _, found = made(minilm)
    assert found.plain["about"] == PRECISION
    assert "1/255" in PRECISION
    assert "(code / 255) ** 2" in found.plain["layout"]


def test_lengths_of_vectors_are_kept_in_parts_of_the_longest(minilm: LoadedModel) -> None:
    analysis, _, found = made(minilm)
    heads, n_tokens = minilm.architecture.n_heads, analysis.n_tokens
    kept = np.frombuffer(inflated(found.plain["norms"]), "<u2").reshape(-1, heads, n_tokens)
    for capture, parts in zip(analysis.layers, kept, strict=True):
        norms = value_norms(capture.v[0], minilm.grams[capture.site]).numpy()
        longest = norms.max(-1, keepdims=True)
        assert np.abs(parts / 65_535 * longest - norms).max() <= longest.max() / 65_535


def test_a_long_text_is_pooled_and_says_so(minilm: LoadedModel) -> None:
    analysis, _, found = made(minilm, "word " * 200)
    assert analysis.n_tokens == 202
    layer = found.plain["layers"][0]
    assert (layer["rows"], layer["n_queries"], layer["pooled"]) == (101, 202, True)
    assert found.plain["norms"] is None
    strongest = analysis.patterns(0).sqrt().amax((1, 2)).mul(255).round().numpy()
    assert (found.codes["encoder", 0].max((1, 2)) == strongest).all()


def test_measures_and_labels_are_those_of_the_meter(smollm2: LoadedModel) -> None:
    analysis, meter, found = made(smollm2, "one two one two")
    for capture, told in zip(analysis.layers, found.rest["measures"], strict=True):
        [measured] = meter.measure(
            [meter.summarize(meter.maps(capture, capture.weights(), weighted=True))]
        )
        assert told["layer"] == measured.layer
        assert [[label["label"] for label in it] for it in told["labels"]] == [
            [label.label for label in it] for it in measured.labels
        ]
        for name in METRICS:
            values = [np.nan if it is None else it for it in told["raw"][name]]
            if METRICS[name].kind == "number":
                expected = measured.raw[name].numpy()
                np.testing.assert_allclose(values, expected, atol=6e-5)


def test_a_model_in_whose_words_nothing_is_defined_leaves_no_gap_in_json(
    minilm: LoadedModel,
) -> None:
    _, _, found = made(minilm, "Hi")
    assert "NaN" not in json.dumps(found.rest)
    assert found.rest["start"]["opportunities"]["induction"]["n"] == 0
    assert found.rest["measures"][0]["raw"]["induction"] == [None] * minilm.architecture.n_heads


def test_tokens_and_texts_are_plain_for_whoever_reads_the_file(minilm: LoadedModel) -> None:
    analysis, _, found = made(minilm, "Hello there.", "General Kenobi!")
    assert found.plain["text"] == "Hello there."
    assert found.plain["text_pair"] == "General Kenobi!"
    assert found.plain["tokens"] == [token.text for token in analysis.tokenized.tokens]
    assert [token["segment"] for token in found.rest["start"]["tokens"]][-1] == 1
    assert [it["id"] for it in found.rest["config"]["filters"]] == ["all", "aa", "ab", "ba", "bb"]


def test_roles_with_their_evidence_go_along_and_distances_stay(minilm: LoadedModel) -> None:
    atlas = Atlas.model_validate(make_up_atlas())
    tokenized = minilm.tokenize(TEXT)
    analysis = analyse(minilm, tokenized)
    found = read(record(minilm, analysis, atlas, Remarks())).rest["atlas"]
    summary = summarize(atlas).model_dump(mode="json")
    assert {name: part for name, part in found.items() if name != "revision_matches"} == {
        name: summary[name] for name in ATLAS_PARTS
    }
    assert found["revision_matches"] is False
    assert "distances" not in found


def test_notes_and_view_are_kept_as_they_are(minilm: LoadedModel) -> None:
    tokenized = minilm.tokenize(TEXT)
    analysis = analyse(minilm, tokenized)
    remarks = Remarks("pins=3.1h", {"3.1": "</script> “it” → animal"})
    html = write_snapshot(record(minilm, analysis, None, remarks))
    found = recorded(html)
    assert found.plain["notes"] == remarks.notes
    assert found.plain["view"] == remarks.view
    assert html.count("</script>") == 3
    assert html == write_snapshot(record(minilm, analysis, None, remarks)), "the same every time"


@pytest.mark.parametrize(
    ("notes", "error", "says"),
    [
        ({"6.0": "a"}, NoSuchHead, "layers are 0 to 5"),
        ({"0.12": "a"}, NoSuchHead, "heads are 0 to 11"),
        ({"L3 H5": "a"}, InputError, "as in 3.5"),
        ({"٣.1": "a"}, InputError, "as in 3.5"),
        ({"03.1": "a"}, InputError, "as in 3.5"),
        ({"3.5": "a" * (LONGEST_NOTE + 1)}, InputError, "2,001 characters and the limit is 2,000"),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused(
    minilm: LoadedModel, notes: dict[str, str], error: type[InputError], says: str
) -> None:
    analysis = analyse(minilm, minilm.tokenize("Hi"))
    with pytest.raises(error, match=says):
        check_notes(analysis, notes)


def test_a_family_without_known_projections_has_no_lengths(minilm: LoadedModel) -> None:
    stranger = replace(minilm, architecture=replace(minilm.architecture, family="stranger"))
    _, _, found = made(stranger)
    assert found.plain["norms"] is None
    assert {layer["weighted"] for layer in found.rest["measures"]} == {None}
