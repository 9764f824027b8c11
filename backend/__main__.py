"""The `headscope` command: serve, models, attention, corpus, atlas, doctor.

Defines the options; the commands themselves are in `backend.cli`, imported when one is run so that
`headscope --help` and `headscope models` answer at once.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError
from rich.console import Console
from typer import Argument, Option

from backend.cli.options import parse_numbers, parse_sections, with_settings
from backend.settings import Settings
from mha_core.atlas.record import SECTIONS
from mha_core.errors import HeadScopeError

app = typer.Typer(
    name="headscope",
    help="See what every attention head of a transformer does with a sentence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
models_app = typer.Typer(help="Which models are ready, which are not and why.")
app.add_typer(models_app, name="models")
atlas_app = typer.Typer(
    help="What every head of a model does, measured on a corpus.", no_args_is_help=True
)
app.add_typer(atlas_app, name="atlas")


@app.command()
@with_settings
def serve(settings: Settings) -> None:
    """Start the server and open the page."""
    from backend.cli.serve import fetch_missing, serve

    serve(settings, before=fetch_missing)


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context) -> None:
    """List the models: which are ready, which are not and why."""
    if context.invoked_subcommand is None:
        from backend.cli.models import list_models, models_table

        settings = Settings()
        Console().print(models_table(list_models(settings), settings.max_tokens), highlight=False)


@models_app.command("get")
def get(
    names: Annotated[
        list[str] | None, Argument(help="Models to fetch; by default those a server starts with.")
    ] = None,
) -> None:
    """Fetch the weights of models; those that are damaged are fetched again."""
    from backend.cli.fetch import find_model, get_model

    settings = Settings()
    for entry, _ in [find_model(name, settings) for name in names or settings.fetch]:
        source = get_model(entry, settings, verify=True)
        Console().print(f"{entry.name}: {source.path}", highlight=False, soft_wrap=True)


@app.command()
def attention(
    text: Annotated[str, Argument(help="The text to analyse.")],
    out: Annotated[Path, Option(help="File to write: .npz, .safetensors, .json, .csv or .html.")],
    model: Annotated[
        str | None, Option(help="A model's name; by default that of the settings.")
    ] = None,
    text_pair: Annotated[
        str | None, Option(help="A second text, for encoders and encoder-decoders.")
    ] = None,
    stack: Annotated[
        Literal["encoder", "decoder", "cross"] | None,
        Option(help="Which attention of an encoder-decoder; others have one."),
    ] = None,
    layers: Annotated[str | None, Option(help="Layers, like 0,2,5; by default all.")] = None,
    heads: Annotated[str | None, Option(help="Heads, like 0,2,5; by default all.")] = None,
) -> None:
    """Write the attention maps of a text to a file."""
    from backend.cli.attention import write_attention

    chosen = {"layers": parse_numbers(layers), "heads": parse_numbers(heads)}
    write_attention(text, out, model=model, text_pair=text_pair, stack=stack, **chosen)


@app.command()
def corpus(
    model: Annotated[str, Argument(help="A model's name, a directory or a hub id.")],
    file: Annotated[Path, Argument(help="A text file in UTF-8, one text per line.")],
    from_word: Annotated[
        str | None, Option("--from", help="Rank heads by the link from this word ...")
    ] = None,
    to_word: Annotated[str | None, Option("--to", help="... to this one.")] = None,
    marked: Annotated[
        bool,
        Option("--marked", help="Rank heads by the link from {from:it} to {to:animal} in a line."),
    ] = False,
    values: Annotated[
        Literal["raw", "weighted"], Option(help="Attention, or value-weighted attention.")
    ] = "raw",
    out: Annotated[
        Path | None, Option(help="File for all numbers of all heads: .csv or .json.")
    ] = None,
) -> None:
    """Average every metric of every head over the lines of a file."""
    from backend.cli.corpus import run_corpus

    words = {"from_word": from_word, "to_word": to_word}
    run_corpus(model, file, **words, marked=marked, values=values, out=out)


@atlas_app.command("build")
def build(
    model: Annotated[str, Argument(help="A model's name, a directory or a hub id.")],
    treebank: Annotated[
        Path | None,
        Option(help="Directory with a dev and a test file of a treebank, .conllu or .jsonl."),
    ] = None,
    gap: Annotated[Path | None, Option(help="A .tsv file of the GAP coreference corpus.")] = None,
    treebank_source: Annotated[
        str | None, Option(help="Name, version and licence of the treebank, to be kept.")
    ] = None,
    gap_source: Annotated[str | None, Option(help="The same of the GAP file.")] = None,
    only: Annotated[
        list[str] | None,
        Option(
            help=f"Measure only this section, one of {', '.join(SECTIONS)}; may be repeated. By "
            f"default all that can be measured."
        ),
    ] = None,
    seed: Annotated[int, Option(help="For samples, random texts and null models.")] = 0,
    out: Annotated[
        Path | None, Option(help="File to write; by default where the server looks for it.")
    ] = None,
) -> None:
    """Find the roles of all heads of a model; an interrupted run is resumed.

    Without a treebank or GAP, what needs them is left out. Other sections of an atlas of the same
    weights are kept.
    """
    from backend.cli.atlas import build_atlas
    from mha_core.atlas.corpora import Corpora

    settings = Settings()
    files = (treebank or settings.treebank, gap or settings.gap)
    corpora = Corpora(*files, treebank_source, gap_source)
    build_atlas(model, corpora, settings, only=parse_sections(only or ()), seed=seed, out=out)


@app.command()
def doctor(
    check: Annotated[
        bool,
        Option(
            "--check",
            help="Compare every installed model's maps with transformers' own on this device.",
        ),
    ] = False,
) -> None:
    """Show device, memory and versions, and which models will run."""
    from backend.cli.doctor import report_health

    settings = Settings()
    report, healthy = report_health(settings)
    Console().print(report, highlight=False)
    if check and healthy:
        from backend.cli.check import check_models

        report, healthy = check_models(settings)
        Console().print("", report, sep="\n", highlight=False)
    raise typer.Exit(0 if healthy else 1)


def main() -> None:
    """Run the command; HeadScope's own errors are printed without a traceback."""
    try:
        app()
    except HeadScopeError as error:
        sys.exit(f"headscope: {error.message}")
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        sys.exit(f"headscope: {wrong}")


if __name__ == "__main__":
    main()
