# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""python -m onepass: the libraries of this package and the backends that work here."""
import argparse

from . import __version__, backends
from ._library import path

parser = argparse.ArgumentParser(prog="python -m onepass", description="What Onepass has on this machine.")
parser.add_argument("--blas", action="store_true",
                    help="print the path of libonepass_blas.so alone, as in LD_PRELOAD=$(python -m onepass --blas) program")
if parser.parse_args().blas:
    print(path("libonepass_blas.so"))
else:
    print(f"Onepass {__version__}: {path()}")
    for backend in backends():
        print(f"  {backend['name']:10}{backend['traits']['name'] if backend['available'] else backend['why_not']}")
