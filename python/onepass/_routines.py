# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""The routines y = alpha op(A) x + beta y, one entry each: their option, their problem, their functions in C."""
from __future__ import annotations

from typing import Callable, NamedTuple

from ._library import GemvProblem, SymvProblem, library


class Routine(NamedTuple):
    """`problem` makes that of the C interface, from the value of the option, the rows of A and the fields that all have."""

    option: str           # the argument that says how A is read
    values: dict          # what it may be, with the numbers of the C interface
    is_symmetric: bool    # so A is square
    needs_complex: bool
    problem: Callable
    run: Callable
    plan: Callable


OPS = {"N": 0, "T": 1, "C": 2}
TRIANGLES = {"L": 0, "U": 1}
ACCUMULATE = {"default": 0, "wider": 1, "twice": 2}
ORDER = {"default": 0, "canonical": 1}

ROUTINES = {
    "gemv": Routine("trans", OPS, is_symmetric=False, needs_complex=False,
                    problem=lambda op, rows, fields: GemvProblem(op=op, m=rows, **fields),
                    run=library.onepassGemv, plan=library.onepassPlanGemv),
    "symv": Routine("uplo", TRIANGLES, is_symmetric=True, needs_complex=False,
                    problem=lambda uplo, rows, fields: SymvProblem(hermitian=0, uplo=uplo, **fields),
                    run=library.onepassSymv, plan=library.onepassPlanSymv),
    "hemv": Routine("uplo", TRIANGLES, is_symmetric=True, needs_complex=True,
                    problem=lambda uplo, rows, fields: SymvProblem(hermitian=1, uplo=uplo, **fields),
                    run=library.onepassSymv, plan=library.onepassPlanSymv),
}
