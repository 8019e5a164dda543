# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""python -m onepass: the libraries of this package and the backends that work here."""
import argparse
import sys

from . import __version__, backends
from ._library import path

parser = argparse.ArgumentParser(prog="python -m onepass", description="What Onepass has on this machine.")
parser.add_argument("--blas", action="store_const", dest="library", const="libonepass_blas.so",
                    help="print the path of libonepass_blas.so alone, as in LD_PRELOAD=$(python -m onepass --blas) program")
parser.add_argument("--cublas", action="store_const", dest="library", const="libonepass_cublas.so",
                    help="the same of libonepass_cublas.so")
parser.add_argument("--cusolver", action="store_const", dest="library", const="libonepass_cusolver.so",
                    help="the same of libonepass_cusolver.so")
parser.add_argument("--lapack", action="store_const", dest="library", const="libonepass_lapack.so",
                    help="the same of libonepass_lapack.so")
library = parser.parse_args().library
if library is None:
    print(f"Onepass {__version__}: {path()}")
    for backend in backends():
        print(f"  {backend['name']:10}{backend['traits']['name'] if backend['available'] else backend['why_not']}")
elif path(library).exists():
    print(path(library))
else:
    lacked = {"libonepass_lapack.so": "where no BLAS was found",
              "libonepass_cusolver.so": "without CUDA or where no BLAS was found"}.get(library, "without CUDA")
    sys.exit(f"{path(library)} is not there: this package was built {lacked}, or is not installed")
