# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plans: what a call would do, in words, and as a thing that is made once and run often."""
from __future__ import annotations

import contextlib
import json
from ctypes import byref, c_size_t, c_void_p

from . import _streams
from ._arrays import empty_like, library_of, need_no_gradient
from ._calls import Array, operands, result_array
from ._layout import number, prepare
from ._library import handle, library, require, text
from ._routines import ROUTINES


class Plan:
    """How one kind of product is computed. It is made from example arrays, whose values do not count, and runs on others of
    the same shapes, strides, types and device. It has a workspace: one run at a time, so runs on two streams need an order
    between these. A plan that is made while its stream is captured belongs to that CUDA graph. A copy, and a plan that is
    unpickled, computes in the same way, in a workspace of its own.

    >>> import numpy, onepass
    >>> A, x = numpy.ones((3, 2)), numpy.ones(2)
    >>> plan = onepass.Plan(A, x)
    >>> plan.run(A, x, alpha=5)
    array([10., 10., 10.])
    >>> print(plan.explain().splitlines()[0])
    problem   gemv d N row 3x2 lda 2 incx 1 incy 1
    """

    def __init__(self, A: Array, x: Array, out: Array | None = None, routine: str = "gemv", trans: str = "N",
                 uplo: str = "L", accumulate: str = "default", order: str = "default"):
        if routine not in ROUTINES:
            raise ValueError(f"routine = {routine!r}: must be one of {', '.join(ROUTINES)}")
        self._routine, self._option = routine, {"trans": trans, "uplo": uplo}[ROUTINES[routine].option]
        out, _, _, self._layouts = self._look(A, x, out)
        a, _, y = self._layouts
        self._sums = accumulate, order
        self._prepared = prepare(routine, self._option, *self._layouts, *self._sums)
        if self._prepared.is_empty:
            raise ValueError(f"A has the shape {tuple(a[0])}, and the result {tuple(y[0])}: there is nothing to plan")
        self._like = empty_like(A, "A")
        self._own(A, lambda its_handle, pointer: ROUTINES[routine].plan(its_handle, self._prepared.address, pointer))

    def _own(self, A, make) -> None:
        """The plan of C, by a function of a handle, and its workspace. `A`: an array of the kind that this is."""
        self._pointer, device = c_void_p(), self._prepared.device
        with contextlib.nullcontext() if A is None else library_of(A, "A").on(A, device):
            require(make(handle(device), byref(self._pointer)))
            self._give_workspace(A)

    def _look(self, A, x, out):
        """The result, and of the three arrays the addresses, the streams and the layouts."""
        a_address, a, stream = library_of(A, "A").view(A, "A")
        x_address, v, x_stream = library_of(x, "x").view(x, "x", stream)
        out, y_address, y, y_stream = result_array(self._routine, self._option, A, a, v, x_address, out, stream)
        return out, (a_address, x_address, y_address), (stream, x_stream, y_stream), (a, v, y)

    def _give_workspace(self, A) -> None:
        """An array of A's own kind that holds it at a multiple of 256 bytes, prepared for runs on any stream."""
        self._workspace, self._room = None, 0
        if self.workspace_bytes == 0:
            return
        kind = library_of(A, "A")
        self._workspace = kind.empty(A, ((self.workspace_bytes + 255) // A.dtype.itemsize + 1,))
        address, _, stream = kind.view(self._workspace, "workspace")
        self._room = (address + 255) // 256 * 256
        require(library.onepassPlanPrepareWorkspace(self._pointer, self._room, self.workspace_bytes, stream))
        _streams.synchronize(self._prepared.device, stream)

    @property
    def workspace_bytes(self) -> int:
        """Bytes that a run needs beside its operands; often 0."""
        size = c_size_t()
        require(library.onepassPlanWorkspaceSize(self._pointer, byref(size)))
        return size.value

    def run(self, A: Array, x: Array, out: Array | None = None, alpha: complex = 1, beta: complex = 0) -> Array:
        """out = alpha op(A) x + beta out; a new array where `out` is not given."""
        for what, array in (("A", A), ("x", x), ("out", out)):
            need_no_gradient(array, what)
        alpha, beta = number(alpha, "alpha"), number(beta, "beta")
        if out is None and beta != 0:
            raise ValueError(f"beta = {beta}, and there is no out: pass it, or beta=0")
        out, (a, v, y), streams, layouts = self._look(A, x, out)
        for given, planned, name in zip(layouts, self._layouts, ("A", "x", "out")):
            if given != planned:
                raise ValueError(f"{name} has (shape, strides, unit, type, device) {given}, and the plan is for {planned}")
        with library_of(A, "A").on(A, self._prepared.device):
            library_of(out, "out").note_write(out)
            with _streams.joined(self._prepared.device, *streams):
                require(library.onepassPlanRun(self._pointer, streams[0], self._room, self.workspace_bytes,
                                               *operands(self._prepared, alpha, a, v, beta, y)))
        return out

    def explain(self) -> str:
        """The choice, what declined and why, bytes and the time floor."""
        return text(library.onepassPlanExplain, self._pointer)

    def save(self) -> str:
        """The plan as JSON."""
        return text(library.onepassPlanSave, self._pointer)

    def __reduce__(self):
        """For copies and pickles: a plan of C has one owner, so they take its text."""
        return _restored, (type(self), self._routine, self._option, self._layouts, self._sums, self.save(), self._like)

    def __str__(self) -> str:
        return text(library.onepassPlanPrint, self._pointer)

    def __del__(self, destroy=library.onepassPlanDestroy):
        if getattr(self, "_pointer", None):
            destroy(self._pointer)


def _restored(kind: type, routine: str, option: str, layouts: tuple, sums: tuple, saved: str, like: Array | None) -> Plan:
    plan = kind.__new__(kind)
    plan._routine, plan._option, plan._layouts, plan._sums, plan._like = routine, option, layouts, sums, like
    plan._prepared = prepare(routine, option, *layouts, *sums)
    plan._own(like, lambda its_handle, pointer: library.onepassPlanLoad(its_handle, saved.encode(), pointer))
    return plan


def explain(A: Array, x: Array, out: Array | None = None, routine: str = "gemv", trans: str = "N", uplo: str = "L") -> str:
    """How a product of these arrays is computed, in words.

    >>> import numpy, onepass
    >>> print(onepass.explain(numpy.ones((3, 2), "f"), numpy.ones(2, "f")).splitlines()[0])
    problem   gemv s N row 3x2 lda 2 incx 1 incy 1
    """
    return Plan(A, x, out, routine, trans, uplo).explain()


def backends() -> list[dict]:
    """The backends in priority order: name, available, why not, traits.

    >>> import onepass
    >>> [b["name"] for b in onepass.backends()]
    ['cuda', 'cpu', 'sim', 'reference']
    """
    return json.loads(text(library.onepassDescribeBackends))
