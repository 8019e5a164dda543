# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What scripts that write records have in common."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commit():
    if told := os.environ.get("ONEPASS_COMMIT"):  # where the sources lie without their history
        return told
    words = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def write(record, path):
    """One line for each point, so that two records can be compared."""
    head = json.dumps({key: value for key, value in record.items() if key != "points"}, indent=1)[:-2]
    lines = ",\n  ".join(json.dumps(point) for point in record["points"])
    pathlib.Path(path).write_text(f'{head},\n "points": [\n  {lines}]\n}}\n', encoding="utf-8")
