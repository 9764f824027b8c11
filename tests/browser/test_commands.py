"""The commands people copy really get the maps on screen, whatever stands in the text."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.api_client import ask_server
from tests.browser.exported_files import open_export

HOSTILE = 'it\'s "so" $HOME `ls` \\ 100 %\nnext\tline <b>& fünf 🦊 日本'


@pytest.fixture
def clipboard(page: Page, server: str) -> Page:
    """The page with leave to use the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server)
    return page


COPIED = {"curl": "command", "python": "program"}


def copied(page: Page, name: str) -> str:
    page.locator(f"#export [data-format={name}]").click()
    expect(page.locator(".copy-box")).to_contain_text(f"The {COPIED[name]} is on the clipboard")
    text = page.locator(".copied").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == text
    return text


def test_the_copied_commands_get_the_pinned_maps(clipboard: Page, server: str) -> None:
    open_export(clipboard, server, text=HOSTILE, pins="3.1h,mean(0.*)h", values="weighted")
    usual = {"model": "minilm", "text": HOSTILE, "values": "weighted"}
    one = ask_server(server, "maps", **usual, combine="head", cells=[{"layer": 3, "head": 1}])
    mean = ask_server(server, "maps", **usual, combine="mean", cells=[{"layer": 0}])
    expected = [one["pattern"], mean["pattern"]]

    said = run(["sh", "-e", "-c", copied(clipboard, "curl")])
    assert [json.loads(line)["pattern"] for line in said.splitlines()] == expected

    told = (
        copied(clipboard, "python") + "\nprint(json.dumps([it['pattern'] for it in maps.values()]))"
    )
    said = run([sys.executable, "-c", told])
    assert json.loads(said.splitlines()[-1]) == expected
    assert said.splitlines()[0].startswith("L3 H1 value-weighted ")


def test_with_nothing_pinned_the_copied_commands_get_all_heads(
    clipboard: Page, server: str, tmp_path: Path
) -> None:
    open_export(clipboard, server, text=HOSTILE, values="weighted")
    question = {"model": "minilm", "text": HOSTILE, "values": "weighted"}
    answer = ask_server(server, "attention", **question)
    expected = np.array([it["pattern"] for it in answer["attention"]], np.float32)

    run(["sh", "-e", "-c", copied(clipboard, "curl")], tmp_path)
    with np.load(tmp_path / "all-heads-value-weighted.npz") as arrays:
        np.testing.assert_array_equal(arrays["attention"].reshape(expected.shape), expected)

    saved = "\nnumpy.save('out', maps['all heads value-weighted']['attention'])"
    told = copied(clipboard, "python") + saved
    run([sys.executable, "-c", told], tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy").reshape(expected.shape), expected)


def run(command: list[str], folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_without_a_clipboard_the_command_is_shown_selected(page: Page, server: str) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
    open_export(page, server, pins="3.1h")
    page.locator("#export [data-format=curl]").click()
    expect(page.locator(".copy-box")).to_contain_text("Ctrl+C")
    box = page.locator(".copied")
    expect(box).to_be_focused()
    chosen = box.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)")
    assert chosen == box.input_value()
    assert chosen.startswith("curl ")
