"""A progress bar appears with the first report, and not before."""

import pytest

from backend.cli.fetch import find_model, show_progress
from backend.settings import Settings


def test_without_a_report_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress():
        pass
    assert capsys.readouterr() == ("", "")


def test_the_last_report_is_shown_even_if_the_work_fails(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def work() -> None:
        with show_progress() as report:
            report("Fetching it", 1, 4)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    printed = capsys.readouterr().out
    assert "Fetching it" in printed
    assert "25%" in printed


def test_a_model_of_the_command_line_is_added_to_the_settings() -> None:
    settings = Settings(extra_models=("org/one",))
    assert find_model("org/one", settings)[1] is settings
    entry, with_it = find_model("org/two", settings)
    assert entry.hub_id == "org/two"
    assert with_it.extra_models == ("org/one", "org/two")
