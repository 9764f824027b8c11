"""Finds Chromium for tests and benchmarks; run as a program, installs it where that is possible."""

import os
import shutil
import subprocess
import sys

# The headless shell first: without tabs and toolbars it needs a fifth less time for all tests.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
PACKAGES = ("chromium-headless-shell", "chromium")
"""Debian's packages; releases before the headless shell was packaged have the second alone."""

# Chromium takes the last list of features alone, so this one repeats what Playwright turns off.
# The popups of the address bar are pages of their own: each tab would load them too.
DISABLED_FEATURES = (
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
)

# No start-up traffic: the tests watch that the page itself asks nothing of the outside.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    "--process-per-site",
)

HOW_TO = (
    "No Chromium here: install Debian's package `chromium` (apt-get install chromium) or name "
    "another with HEADSCOPE_CHROMIUM=/path/to/chromium."
)


def find() -> str | None:
    """Path of a Chromium, the one named in the environment first."""
    named = os.environ.get("HEADSCOPE_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Install one of Debian's packages, where there is apt and the right to use it."""
    apt, sudo = shutil.which("apt-get"), shutil.which("sudo")
    is_root = os.geteuid() == 0
    if apt is None or not (is_root or sudo):
        sys.exit(HOW_TO)
    may = [] if is_root else [str(sudo), "--non-interactive"]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*may, apt, "update", "-qq"], env=env)
    for package in PACKAGES:
        step = ["install", "-y", "-qq", "--no-install-recommends", package]
        if subprocess.run([*may, apt, *step], env=env).returncode == 0:
            return
    sys.exit(HOW_TO)


if __name__ == "__main__":
    if find() is None:
        install()
