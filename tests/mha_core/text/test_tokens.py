"""Tokens, stacks and errors are imported by API schemas, so they must not load torch."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["mha_core.text.tokens", "mha_core.stacks", "mha_core.errors"])
def test_importing_it_loads_neither_torch_nor_transformers(module: str) -> None:
    program = f"import sys, {module}; print({{'torch', 'transformers'}} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
