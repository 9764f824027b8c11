"""Training from scratch finds what theory and papers say, by HeadScope's own metrics."""

from pathlib import Path

import pytest

from mha_core.learn.record import LossPoint, Point
from mha_core.learn.runner import train_run
from mha_core.learn.runs import create_run
from mha_core.learn.settings import RunSettings

SEED = 11
"""Not that of any run that comes with HeadScope."""


def train(directory: Path, **settings: object) -> tuple[list[Point], list[LossPoint], list[float]]:
    """The points, the losses and the theory's lines of a run from scratch."""
    chosen = RunSettings.model_validate({"seed": SEED, **settings})
    run = create_run(chosen, directory / "run")
    assert train_run(run) == "done"
    events = run.events()
    points = [it for it in events if isinstance(it, Point)]
    losses = [it for it in events if isinstance(it, LossPoint)]
    return points, losses, [line.value for line in run.description.lines]


def best(point: Point, metric: str, layer: int) -> float:
    return max(value for value in point.metrics[metric].value[layer] if value is not None)


def steps_until(points: list[Point], loss: float) -> int:
    return next(point.step for point in points if point.loss < loss)


@pytest.mark.parametrize("n_symbols", [2, 3])
def test_a_model_of_markov_chains_learns_to_count_pairs(n_symbols: int, tmp_path: Path) -> None:
    points, _, (_, counts, pairs) = train(tmp_path, task="markov", n_symbols=n_symbols)
    first, last = points[0], points[-1]
    assert last.loss == pytest.approx(pairs, abs=0.02)
    assert first.loss > counts
    assert best(last, "previous", layer=0) > best(first, "previous", layer=0) + 0.2
    rise = [best(point, "previous", layer=0) for point in points]
    fall = [point.loss for point in points]
    above = [place for place, loss in enumerate(fall) if loss > counts]
    below = [place for place, loss in enumerate(fall) if loss < pairs + 0.02]
    assert rise[below[-1]] > rise[above[-1]], "it rises as the loss falls"
    induction = last.metrics["induction"]
    assert induction.baseline is not None
    assert best(last, "induction", layer=1) > induction.baseline + 0.2


def test_with_a_small_learning_rate_the_loss_rests_at_the_line_of_counts(tmp_path: Path) -> None:
    settings = {"task": "markov", "learning_rate": 3e-4, "steps": 2000, "points": 2}
    _, losses, (_, counts, _) = train(tmp_path, **settings)
    resting = sum(abs(it.loss - counts) < 0.02 for it in losses)
    assert resting >= 0.05 * len(losses)


def test_repetition_takes_two_heads_that_work_together(tmp_path: Path) -> None:
    one = train(tmp_path / "one", task="repeats", n_layers=1)[0]
    keys = train(tmp_path / "keys", task="repeats", n_layers=1, first_layer="shifted_keys")[0]
    two = train(tmp_path / "two", task="repeats")[0]

    assert best(one[-1], "induction", layer=0) < 0.2, "one layer finds nothing"
    assert one[-1].accuracy < 0.4
    assert not [it for it in one[-1].roles if it.role == "induction"]

    assert best(keys[-1], "induction", layer=0) > 0.7, "one layer is enough if keys see the past"
    assert keys[-1].accuracy > 0.8

    assert best(two[-1], "induction", layer=1) > 0.7
    assert best(two[-1], "previous", layer=0) > 0.5
    assert two[-1].accuracy > 0.9
    assert {it.layer for it in two[-1].roles if it.role == "induction"} == {1}


def test_with_the_first_layer_fixed_the_fall_comes_earlier(tmp_path: Path) -> None:
    free = train(tmp_path / "free", task="repeats", points=40)[0]
    fixed = train(tmp_path / "fixed", task="repeats", points=40, first_layer="previous_only")[0]
    assert steps_until(fixed, loss=1.5) < 0.8 * steps_until(free, loss=1.5)


def test_a_model_of_the_language_learns_every_relation(tmp_path: Path) -> None:
    points = train(tmp_path, task="language")[0]
    for name, relation in points[-1].relations.items():
        assert points[0].relations[name].accuracy < 0.8
        assert relation.accuracy > 0.95, name
        assert relation.hard_accuracy is None or relation.hard_accuracy > 0.9, name


def test_a_shipped_run_can_be_trained_again(tmp_path: Path) -> None:
    """Rounding differs between machines, so heads may change places: what was found must not."""
    from mha_core.learn.runs import find_run

    shipped = find_run("repeats", tmp_path)
    settings = shipped.description.settings.model_dump() | {"points": 4}
    last = train(tmp_path, **settings)[0][-1]
    theirs = [it for it in shipped.events() if isinstance(it, Point)][-1]
    assert last.loss == pytest.approx(theirs.loss, abs=0.05)
    for metric, layer in (("previous", 0), ("induction", 1)):
        assert best(last, metric, layer) == pytest.approx(best(theirs, metric, layer), abs=0.15)
