# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program under test and compares what it says with golden files."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "figures"))
from record import points_of  # noqa: E402

PROGRAM = os.environ["ONEPASS_PROGRAM"]
GOLDEN = pathlib.Path(__file__).parent / "golden"


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=200,
                          env={**os.environ, **environment}, check=False)


def run_json(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def with_points(record):
    """The record with an object for each point, also where it has tables."""
    return record | {"points": points_of(record)}


def available(backend):
    return any(b["name"] == backend and b["available"] for b in run_json("info", "--json")["backends"])


def numbers_as_hash(text):
    return re.sub(r"\d+(\.\d+)?(e[+-]?\d+)?", "#", text)


def any_layout(text):
    """A help text as every version of CLI11 would have it: defaults as " [x]" or "=x", lines broken anywhere."""
    return re.sub(r"\s+", " ", re.sub(r"(?<=[A-Z\]}])=(\S+)", r" [\1]", text))


def compare(test, name, text, normal=str):
    """UPDATE_GOLDEN=1 writes the file instead; look at the difference before keeping it."""
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text)
    test.assertEqual(normal(path.read_text()), normal(text), f"golden file {name}")
