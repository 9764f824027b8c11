"""Command-line options: one for each setting, so that a setting is declared once."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic.fields import FieldInfo

from backend.settings import Settings
from mha_core.atlas.record import SECTIONS, SectionName


def with_settings(command: Callable[[Settings], None]) -> Callable[..., None]:
    """A command of Settings as one with an option for each; the environment gives the rest."""

    def run(**given: Any) -> None:  # noqa: ANN401 (each option has its own type)
        command(Settings(**{name: value for name, value in given.items() if value is not None}))

    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(field)
        )
        for name, field in Settings.model_fields.items()
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__doc__, run.__name__ = command.__doc__, command.__name__
    return run


def _annotation(field: FieldInfo) -> Any:  # noqa: ANN401 (a type made at run time)
    # Typer parses numbers, switches and paths; pydantic parses the text of the others.
    type_ = field.annotation if field.annotation in (int, bool, Path) else str
    default = field.get_default(call_default_factory=True)
    shown = ",".join(default) if isinstance(default, tuple) else default
    show_default = "none" if shown in (None, "") else str(shown)
    option = typer.Option(help=field.description, show_default=show_default)
    return Annotated[type_ | None, option]


def parse_numbers(listed: str | None) -> tuple[int, ...] | None:
    """The numbers of a list like "0,2,5"."""
    try:
        return None if listed is None else tuple(int(number) for number in listed.split(","))
    except ValueError:
        raise typer.BadParameter(f"{listed!r} is not a list of numbers like 0,2,5.") from None


def parse_sections(named: Sequence[str]) -> tuple[SectionName, ...]:
    """The sections of an atlas with these names, in their order."""
    for name in named:
        if name not in SECTIONS:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(SECTIONS)}.")
    return tuple(name for name in SECTIONS if name in named)
