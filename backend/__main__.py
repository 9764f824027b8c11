"""The `headscope` command: serve, models, attention, atlas, doctor.

Each command translates its options to a call and prints the answer. Heavy imports wait inside the
commands, so that `headscope --help` comes at once.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.markup import escape

from backend.cli.options import with_settings
from backend.settings import Settings
from mha_core.errors import HeadScopeError

app = typer.Typer(
    name="headscope",
    help="See what every attention head of a transformer does with a sentence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(help="Which models are here, which are not and why.")
app.add_typer(models_app, name="models")
atlas_app = typer.Typer(help="What every head of a model does, measured on a corpus.")
app.add_typer(atlas_app, name="atlas")


@app.command()
@with_settings
def serve(settings: Settings) -> None:
    """Start the server and open the page."""
    from backend.cli.serve import serve

    serve(settings, before=_get_missing)


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List the models: what is here, what is not and why."""
    from backend.cli.reports import model_infos, models_table

    if context.invoked_subcommand is None:
        Console().print(models_table(model_infos(Settings())))


@models_app.command("get")
def get(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Models to fetch; those a server starts with when none is named."),
    ] = None,
) -> None:
    """Fetch the weights of models, with progress."""
    from backend.cli.fetch import get_model, named

    settings = Settings()
    for entry, _ in [named(name, settings) for name in names or settings.fetch]:
        source = get_model(entry, settings)
        Console().print(f"{entry.name}: {source.path}", highlight=False, soft_wrap=True)


@app.command()
def attention(
    text: Annotated[str, typer.Argument(help="The text to look at.")],
    out: Annotated[
        Path, typer.Option(help="File to write: .npz, .safetensors, .json, .csv or .html.")
    ],
    model: Annotated[str | None, typer.Option(help="A model's name; the default one else.")] = None,
    text_pair: Annotated[
        str | None, typer.Option(help="A second text, for encoders and encoder-decoders.")
    ] = None,
    stack: Annotated[
        Literal["encoder", "decoder", "cross"] | None,
        typer.Option(help="Which attention of an encoder-decoder; others have one."),
    ] = None,
    layers: Annotated[str | None, typer.Option(help="Layers, like 0,2,5; all else.")] = None,
    heads: Annotated[str | None, typer.Option(help="Heads, like 0,2,5; all else.")] = None,
) -> None:
    """Write the attention maps of a text to a file."""
    from backend.attention.schemas import AttentionRequest
    from backend.cli.attention import export, writer_for
    from backend.cli.fetch import get_model, named

    write, settings = writer_for(out), Settings()
    entry, settings = named(model or settings.default_model, settings)
    get_model(entry, settings)
    request = AttentionRequest(
        model=entry.id,
        text=text,
        text_pair=text_pair,
        stack=stack,
        layers=_numbers(layers),
        heads=_numbers(heads),
    )
    export(settings, request, out, write)


@atlas_app.callback(invoke_without_command=True, no_args_is_help=True)
def atlas() -> None:
    """What every head of a model does, measured on a corpus."""


@atlas_app.command("build")
def build(
    model: Annotated[str, typer.Argument(help="A model's name, a directory or a hub id.")],
    treebank: Annotated[
        Path,
        typer.Option(help="Directory with a dev and a test file of a treebank, .conllu or .jsonl."),
    ],
    gap: Annotated[
        Path | None, typer.Option(help="A .tsv file of the GAP coreference corpus.")
    ] = None,
    treebank_source: Annotated[
        str | None, typer.Option(help="Name, version and licence of the treebank, to be kept.")
    ] = None,
    gap_source: Annotated[str | None, typer.Option(help="The same of the GAP file.")] = None,
    seed: Annotated[int, typer.Option(help="For samples, random texts and the control.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="File to write; where the server looks for it else.")
    ] = None,
) -> None:
    """Find the roles of all heads of a model; a stopped run goes on where it was."""
    from backend.cli.atlas import build_atlas
    from mha_core.atlas.corpora import Corpora

    corpora = Corpora(treebank, gap, treebank_source, gap_source)
    build_atlas(model, corpora, Settings(), seed=seed, out=out)


@app.command()
def doctor() -> None:
    """Tell device, memory and versions, and what will run."""
    from backend.cli.reports import doctor_report

    report, healthy = doctor_report(Settings())
    Console().print(report)
    raise typer.Exit(0 if healthy else 1)


def _numbers(listed: str | None) -> tuple[int, ...] | None:
    try:
        return None if listed is None else tuple(int(number) for number in listed.split(","))
    except ValueError:
        raise typer.BadParameter(f"{listed!r} is not a list of numbers like 0,2,5.") from None


def _get_missing(settings: Settings) -> None:
    """Fetch what the page should offer; the server starts without what cannot be had."""
    from backend.cli.fetch import get_model, named

    for name in dict.fromkeys((*settings.fetch, settings.default_model)):
        try:
            get_model(named(name, settings)[0], settings)
        except HeadScopeError as error:
            told = f"[yellow]{escape(error.message)}[/]\nStarting without it."
            Console(stderr=True).print(told, highlight=False)


def main() -> None:
    """Run the command; an error that HeadScope foresaw is told without a traceback."""
    try:
        app()
    except HeadScopeError as error:
        sys.exit(f"headscope: {error.message}")
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        sys.exit(f"headscope: {wrong}")


if __name__ == "__main__":
    main()
