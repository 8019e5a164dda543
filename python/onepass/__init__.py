# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Onepass: matrix-vector products that read the matrix once.

gemv, symv, hemv and ger take arrays of NumPy (on the CPU), PyTorch and CuPy (on either side), and of any library with DLPack or
the CUDA array interface. onepass.linalg reduces matrices to tridiagonal, bidiagonal and Hessenberg form, and onepass.lapack does
so in LAPACK's terms. onepass.double_double has arrays of numbers with 32 digits. onepass.torch has operators for PyTorch; `python -m onepass` says what this machine has.
"""
from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from . import double_double, lapack, linalg
    from ._calls import gemv, hemv, symv
    from ._library import Error
    from ._plan import Plan, backends, explain
    from ._prefetch import prefetch
    from ._tails import gemv2, hemv2, symv2
    from ._updates import ger

    __version__: str

__all__ = ["Error", "Plan", "backends", "double_double", "explain", "gemv", "gemv2", "ger", "hemv", "hemv2", "lapack",
           "linalg", "prefetch", "symv", "symv2"]

_places = {"gemv": "_calls", "hemv": "_calls", "symv": "_calls", "Error": "_library", "library": "_library",
           "Plan": "_plan", "gemv2": "_tails", "hemv2": "_tails", "symv2": "_tails", "ger": "_updates", "backends": "_plan",
           "explain": "_plan", "prefetch": "_prefetch"}


def __getattr__(name: str):
    # At the first use: onepass.report draws records on machines that have no libonepass.so.
    if name == "__version__":
        value = __getattr__("library").onepassVersion().decode()
    elif name in ("double_double", "lapack", "linalg"):
        value = importlib.import_module("." + name, __name__)
    elif name in _places:
        value = getattr(importlib.import_module("." + _places[name], __name__), name)
    else:
        raise AttributeError(f"module 'onepass' has no attribute {name!r}")
    globals()[name] = value
    return value
