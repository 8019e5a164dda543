# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs with libonepass_blas.so preloaded, and what it says of the calls that it served."""
import os
import re
import subprocess

LIBRARY = os.environ["ONEPASS_BLAS"]


def run(command, **more):
    """The finished program and its calls that were served, by routine, such as {"dgemv": 12}."""
    first = os.environ.get("ONEPASS_BLAS_BEFORE", "")
    environment = {**os.environ, "LD_PRELOAD": f"{first} {LIBRARY}".strip(), "ONEPASS_INTERPOSE": "log",
                   **more.pop("environment", {})}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **more)
    served = re.search(r"^onepass: calls of BLAS served: (.*)$", done.stderr, re.MULTILINE)
    calls = served.group(1).split(", ") if served and served.group(1) != "none" else []
    return done, {name: int(count) for name, count in map(str.split, calls)}
