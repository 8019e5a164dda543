# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The examples in Python run, and find their own results right."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize("needed, command", [
    ("torch", ["conjugate_gradient.py", "-n", "200"]), ("torch", ["decode.py", "--width", "256", "--blocks", "2"]),
    ("torch", ["principal_components.py", "-m", "500", "-n", "40"]), ("numpy", ["spin_chain.py", "--sites", "8", "--realisations", "30"]),
    ("numpy", ["music.py", "--picture", os.devnull]), ("numpy", ["refinement.py", "--picture", os.devnull])])
def test_an_example_ends_well(needed, command):
    pytest.importorskip(needed)
    done = subprocess.run([sys.executable, "-B", EXAMPLES / command[0], *command[1:]], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
