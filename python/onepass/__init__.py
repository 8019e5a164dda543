# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Onepass: matrix-vector products that read the matrix once.

gemv, symv and hemv take arrays of NumPy (on the CPU), PyTorch and CuPy (on either side), and of any library with DLPack or
the CUDA array interface. onepass.torch has operators for PyTorch; `python -m onepass` says what this machine has.
"""
from ._calls import gemv, hemv, symv
from ._library import Error, library
from ._plan import Plan, backends, explain

__version__ = library.onepassVersion().decode()
__all__ = ["Error", "Plan", "backends", "explain", "gemv", "hemv", "symv"]
