# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs with libonepass_lapack.so preloaded, and what it says of the calls that it served."""
import os
import re
import subprocess

LIBRARY = os.environ["ONEPASS_LAPACK"]


def run(command, preloaded=True, **more):
    """The finished program and its calls that were served, by routine, such as {"dsytrd": 12}."""
    environment = dict(os.environ)
    if preloaded:
        environment.update(LD_PRELOAD=LIBRARY, ONEPASS_INTERPOSE="log")
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, **more)
    served = re.search(r"^onepass: calls of LAPACK served: (.*)$", done.stderr, re.MULTILINE)
    calls = served.group(1).split(", ") if served and served.group(1) != "none" else []
    return done, {name: int(count) for name, count in map(str.split, calls)}
