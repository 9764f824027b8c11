"""The record is plain data that API schemas can import without loading a deep learning library."""

import subprocess
import sys


def test_the_record_needs_no_torch_and_no_transformers() -> None:
    code = (
        "import sys, mha_core.atlas.storage; "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
