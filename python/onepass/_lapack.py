# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""libonepass_lapack.so by ctypes, and calls of it on arrays: operands in column-major storage, batches of small
eigenproblems and singular value decompositions in one call, others matrix by matrix."""
from __future__ import annotations

import ctypes
import itertools
import math
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_void_p
from typing import Any, NamedTuple

from ._arrays import NAMES, SIZES, library_of, need_no_gradient
from ._library import HOST, Error, Handles, LapackOperands, LapackProblem, host_backend, path
from ._library import library as _products

Array = Any  # of NumPy, PyTorch or CuPy

ROUTINES = {name: number for number, name in enumerate(
    ("sytrd", "gebrd", "gehrd", "orgtr", "orgbr", "orghr", "ormtr", "ormbr", "ormhr", "syevd", "geqrf", "orgqr", "ormqr",
     "gesvd"))}
_TYPES = ("float32", "float64", "complex64", "complex128")
_REAL = {"complex64": "float32", "complex128": "float64"}


def _load() -> ctypes.CDLL:
    place = path("libonepass_lapack.so")
    if not place.exists():
        raise ImportError(f"{place} is not there: this package was built where no BLAS was found (Debian: libopenblas-dev)")
    try:
        library = ctypes.CDLL(str(place))
    except OSError as error:
        raise ImportError(f"{place} cannot be loaded; it needs the BLAS that it was built with: {error}") from error
    for name, arguments in {
            "onepassLapackCreateOn": [POINTER(c_void_p), c_char_p], "onepassLapackSetStream": [c_void_p, c_void_p],
            "onepassLapackWorkspace": [c_void_p, POINTER(LapackProblem), POINTER(c_size_t)],
            "onepassLapackRun": [c_void_p, POINTER(LapackProblem), POINTER(LapackOperands), c_void_p, c_size_t]}.items():
        getattr(library, name).argtypes, getattr(library, name).restype = arguments, c_int
    library.onepassLapackLastErrorMessage.restype = c_char_p
    return library


_library = _load()


def _require(status: int) -> None:
    if status != 0:
        raise Error(_products.onepassStatusName(status).decode(), _library.onepassLapackLastErrorMessage().decode())


def _create(device) -> int:
    made = c_void_p()
    backend = host_backend(others=("sim",)) if device == HOST else "cuda"
    _require(_library.onepassLapackCreateOn(byref(made), backend.encode()))
    return made.value


_handle = Handles({}, _create, lambda pointer, stream: _require(_library.onepassLapackSetStream(pointer, stream))).get


def _place(device) -> str:
    return "the host" if device == HOST else f"GPU {device}"


def _in_bytes(layout: tuple) -> tuple:
    """The strides of a layout."""
    _, strides, unit, kind, _ = layout
    return tuple(s * (unit or SIZES[kind]) for s in strides)


class Operand(NamedTuple):
    """Matrices or vectors of a batch. `steps`: bytes from one to the next, by leading dimension."""

    array: Array
    address: int
    steps: tuple
    ld: int = 1

    def at(self, index: tuple) -> int:
        return self.address + sum(i * step for i, step in zip(index, self.steps))


class Call:
    """The operands of one call: arrays of one library, in one memory, of one type, with the same leading dimensions."""

    def __init__(self, array: Array, what: str):
        self._kind, self._what = library_of(array, what), what
        plain = self._kind.plain(array)
        _, layout, self._stream = self._kind.view(plain, what)
        self.type, self._device = NAMES[layout[3]], layout[4]
        if self.type not in _TYPES:
            raise TypeError(f"{what} has elements of type {self.type}: must be {', '.join(_TYPES)}, or integers")
        if len(plain.shape) < 2:
            raise ValueError(f"{what} has the shape {tuple(plain.shape)}: must have at least two dimensions")
        self._size = SIZES[layout[3]]
        self._aligned = self._size // 2 if self.type in _REAL else self._size  # as C aligns them
        self._like, self.batch, self.shape = plain, tuple(plain.shape[:-2]), tuple(plain.shape[-2:])

    def _seen(self, array: Array, what: str) -> tuple:
        """An array that belongs to this call without a doubt, its address, and its strides in bytes."""
        kind = library_of(array, what)
        need_no_gradient(array, what, "use {}.detach()")
        if kind is not self._kind:
            raise TypeError(f"{what} is an array of {type(array).__module__}, and {self._what} of "
                            f"{type(self._like).__module__}: must be of one library")
        plain = kind.plain(array)
        address, layout, _ = kind.view(plain, what)
        if NAMES[layout[3]] != self.type:
            raise TypeError(f"{what} is {NAMES[layout[3]]}, and {self._what} {self.type}: must be one type")
        if layout[4] != self._device:
            raise ValueError(f"{what} is on {_place(layout[4])}, and {self._what} on {_place(self._device)}: must be in one "
                             "memory")
        return plain, address, _in_bytes(layout)

    def _on_elements(self, address: int, strides: tuple) -> bool:
        return all(distance % self._aligned == 0 for distance in (address, *strides))

    def _operand(self, array: Array, ld: int = 1) -> Operand:
        address, layout, _ = self._kind.view(array, "result")
        return Operand(array, address, _in_bytes(layout), ld)

    @property
    def on_gpu(self) -> bool:
        return self._device != HOST

    def on_device(self):
        """Where arrays of this call are made and copied."""
        return self._kind.on(self._like, self._device)

    def vector(self, length: int, real: bool = False) -> Operand:
        """A new one for each matrix of the batch."""
        name = _REAL.get(self.type, self.type) if real else self.type
        return self._operand(self._kind.empty(self._like, (*self.batch, max(0, length)), name))

    def info(self) -> Operand:
        """A new int for each matrix of the batch."""
        floats = self._operand(self._kind.empty(self._like, (*self.batch, 1), "float32"))  # of which a view knows the address
        int32 = sys.modules[type(self._like).__module__.partition(".")[0]].int32
        return floats._replace(array=floats.array.view(int32)[..., 0])

    def matrix(self, rows: int, columns: int) -> Operand:
        """A new one for each of the batch, column by column."""
        stored = self._kind.empty(self._like, (*self.batch, columns, rows), self.type)
        return self._operand(stored.swapaxes(-1, -2), max(1, rows))

    def copied(self, array: Array, what: str) -> Operand:
        """Matrices of the caller's in storage of their own."""
        plain = self._seen(array, what)[0]
        copy = self.matrix(*plain.shape[-2:])
        with self.on_device():
            copy.array[...] = plain
        return copy

    def taken(self, array: Array, what: str, written: bool) -> Operand:
        """Matrices of the caller's as they lie there, if they lie column by column and may be written; else copied."""
        plain, address, strides = self._seen(array, what)
        (rows, columns), (down, across) = plain.shape[-2:], strides[-2:]
        by_columns = (down == self._size or rows <= 1) and (across >= self._size * max(1, rows) or columns <= 1)
        may_write = self._kind.is_writable(plain) and 0 not in strides[:-2]
        if not by_columns or not self._on_elements(address, strides) or across % self._size or (written and not may_write):
            return self.copied(array, what)
        if written:
            self._kind.note_write(plain)
        return Operand(plain, address, strides, max(1, rows, across // self._size if columns > 1 else 1))

    def given(self, array: Array, what: str, written: bool, overwrite: bool = False) -> Operand:
        """`taken`, but for matrices that are written and that the caller wants to keep."""
        return self.copied(array, what) if written and not overwrite else self.taken(array, what, written)

    def tau(self, array: Array, length: int) -> Operand:
        """The factors of reflectors, as a reduction returned them."""
        plain, address, strides = self._seen(array, "tau")
        expected = (*self.batch, max(0, length))
        if tuple(plain.shape) != expected:
            raise ValueError(f"tau has the shape {tuple(plain.shape)}: must be {expected}")
        if self._on_elements(address, strides) and (strides[-1] == self._size or length <= 1):
            return Operand(plain, address, strides)
        copy = self.vector(length)
        with self.on_device():
            copy.array[...] = plain
        return copy

    def _together(self, problem: LapackProblem, operands: dict) -> int:
        """Makes a problem one of many matrices. How many of the leading dimensions are left, because these matrices do not lie
        one behind the other."""
        first = last = len(self.batch) - 1
        while first > 0 and all(o.steps[first - 1] == o.steps[first] * self.batch[first] for o in operands.values()):
            first -= 1
        rows, columns = self.shape
        step, least = operands["a"].steps[last], (problem.lda * (columns - 1) + rows) * self._size
        if step % self._size or step < least:
            first = last + 1
        problem.batch, problem.batch_count = 1, math.prod(self.batch[first:])
        problem.stride_a, problem.stride_w = max(0, step // self._size), min(rows, columns)
        problem.stride_u, problem.stride_vt = (operands[name].steps[last] // self._size if name in operands else 0
                                               for name in ("u", "vt"))
        return first

    def run(self, routine: str, fields: dict, together: bool = False, **operands: Operand) -> None:
        """On the stream of the arrays. On a GPU the workspace is an array, too: its library knows when it is free again.

        together: matrices of leading dimensions are a batch of the routine, as far as they lie so."""
        problem = LapackProblem(routine=ROUTINES[routine], type=NAMES.index(self.type),
                                **{"ilo": 1, **fields}, **{f"ld{name}": operands[name].ld if name in operands else 1
                                                           for name in ("a", "c", "u", "vt")})
        outer = self._together(problem, operands) if together and self.batch else len(self.batch)
        size, workspace = c_size_t(), None
        with self.on_device():
            handle = _handle(self._device, self._stream)
            _require(_library.onepassLapackWorkspace(handle, byref(problem), byref(size)))
            if self._device != HOST and size.value:
                memory = self._kind.empty(self._like, (size.value,), "uint8")
                workspace = memory.data_ptr() if hasattr(memory, "data_ptr") else memory.data.ptr
            for index in itertools.product(*map(range, self.batch[:outer])):
                pointers = LapackOperands(**{name: operand.at(index) for name, operand in operands.items()})
                _require(_library.onepassLapackRun(handle, byref(problem), byref(pointers), workspace,
                                                   size if workspace else 0))
