# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""libonepass.so by ctypes: where it is, what its functions take, and handles, one per thread and device."""
from __future__ import annotations

import ctypes
import os
import pathlib
import threading
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p

HOST = "host"  # the device of host memory; a GPU is its number


class Error(RuntimeError):
    """What the library refused, in its own words. `status` is its name, such as "ONEPASS_STATUS_INVALID_LD"."""

    def __init__(self, status: str, text: str):
        super().__init__(text)
        self.status = status

    def __reduce__(self):
        return type(self), (self.status, *self.args), self.__dict__


class GemvProblem(Structure):
    """onepassGemvProblem_t"""

    _fields_ = [("type_a", c_int), ("type_x", c_int), ("type_y", c_int), ("op", c_int), ("layout", c_int), ("m", c_int64),
                ("n", c_int64), ("lda", c_int64), ("incx", c_int64), ("incy", c_int64), ("batch", c_int64),
                ("pointer_array", c_int), ("stride_a", c_int64), ("stride_x", c_int64), ("stride_y", c_int64),
                ("scalars", c_int), ("alignment_a", c_int64), ("accumulate", c_int), ("order", c_int)]


class SymvProblem(Structure):
    """onepassSymvProblem_t"""

    _fields_ = [("type_a", c_int), ("type_x", c_int), ("type_y", c_int), ("hermitian", c_int), ("uplo", c_int),
                ("layout", c_int), ("n", c_int64), ("lda", c_int64), ("incx", c_int64), ("incy", c_int64),
                ("batch", c_int64), ("pointer_array", c_int), ("stride_a", c_int64), ("stride_x", c_int64),
                ("stride_y", c_int64), ("scalars", c_int), ("alignment_a", c_int64), ("accumulate", c_int), ("order", c_int)]


class GerProblem(Structure):
    """onepassGerProblem_t"""

    _fields_ = [("type", c_int), ("conjugate", c_int), ("layout", c_int), ("m", c_int64), ("n", c_int64), ("lda", c_int64),
                ("incx", c_int64), ("incy", c_int64), ("batch", c_int64), ("pointer_array", c_int), ("stride_a", c_int64),
                ("stride_x", c_int64), ("stride_y", c_int64), ("scalars", c_int), ("alignment_a", c_int64)]


class LapackProblem(Structure):
    """onepassLapackProblem_t"""

    _fields_ = [("routine", c_int), ("type", c_int), ("fill", c_int), ("vect", c_int), ("side", c_int), ("op", c_int),
                ("m", c_int64), ("n", c_int64), ("k", c_int64), ("ilo", c_int64), ("ihi", c_int64), ("lda", c_int64),
                ("ldc", c_int64), ("job", c_int), ("ldu", c_int64), ("ldvt", c_int64), ("batch", c_int), ("batch_count", c_int64),
                ("stride_a", c_int64), ("stride_w", c_int64), ("range", c_int), ("il", c_int64), ("iu", c_int64),
                ("vl", c_double), ("vu", c_double), ("stride_u", c_int64), ("stride_vt", c_int64),
                ("plain_v", c_int)]


class LapackOperands(Structure):
    """onepassLapackOperands_t"""

    _fields_ = [("a", c_void_p), ("d", c_void_p), ("e", c_void_p), ("tau", c_void_p), ("taup", c_void_p), ("c", c_void_p),
                ("w", c_void_p), ("info", c_void_p), ("u", c_void_p), ("vt", c_void_p), ("found", c_void_p)]


_VARIABLES = {"libonepass.so": "ONEPASS_LIBRARY", "libonepass_lapack.so": "ONEPASS_LAPACK_LIBRARY"}


def path(name: str = "libonepass.so") -> pathlib.Path:
    """A library of this package, or that which $ONEPASS_LIBRARY or, for the reductions, $ONEPASS_LAPACK_LIBRARY names."""
    return pathlib.Path(os.environ.get(_VARIABLES.get(name, "")) or pathlib.Path(__file__).parent / name)


def _load() -> ctypes.CDLL:
    place = path()
    if not place.exists():
        raise ImportError(f"{place} is not there: run `pip install .` in the sources of Onepass, or set ONEPASS_LIBRARY "
                          "to a libonepass.so")
    library = ctypes.CDLL(str(place))
    operands = [c_void_p] * 5  # alpha, A, x, beta, y
    text = [c_char_p, c_size_t, POINTER(c_size_t)]
    for name, arguments in {
            "onepassCreateOn": [POINTER(c_void_p), c_char_p], "onepassSetStream": [c_void_p, c_void_p],
            "onepassGemv": [c_void_p, c_void_p, *operands], "onepassSymv": [c_void_p, c_void_p, *operands],
            "onepassGemv2": [c_void_p, c_void_p, *[c_void_p] * 7], "onepassSymv2": [c_void_p, c_void_p, *[c_void_p] * 7],
            "onepassGer": [c_void_p, c_void_p, *[c_void_p] * 4],
            "onepassPrefetch": [c_void_p, c_int, c_int64, c_int64, c_void_p, c_int64, c_size_t],
            "onepassRmsNorm": [c_void_p, c_int, c_int64, c_int64, c_void_p, c_int64, c_void_p, c_double, c_void_p, c_int64],
            "onepassSwiglu": [c_void_p, c_int, c_int64, c_int64, c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_int64],
            "onepassRotary": [c_void_p, c_int, c_int64, c_int64, c_void_p, c_int64, c_void_p, c_void_p, c_void_p, c_int64],
            "onepassPlanGemv": [c_void_p, c_void_p, POINTER(c_void_p)],
            "onepassPlanSymv": [c_void_p, c_void_p, POINTER(c_void_p)],
            "onepassPlanLoad": [c_void_p, c_char_p, POINTER(c_void_p)], "onepassPlanDestroy": [c_void_p],
            "onepassPlanWorkspaceSize": [c_void_p, POINTER(c_size_t)],
            "onepassPlanPrepareWorkspace": [c_void_p, c_void_p, c_size_t, c_void_p],
            "onepassPlanRun": [c_void_p, c_void_p, c_void_p, c_size_t, *operands],
            "onepassPlanPrint": [c_void_p, *text], "onepassPlanExplain": [c_void_p, *text],
            "onepassPlanSave": [c_void_p, *text], "onepassDescribeBackends": text}.items():
        getattr(library, name).argtypes = arguments
    for name in ("onepassLastErrorMessage", "onepassStatusName", "onepassVersion"):
        getattr(library, name).restype = c_char_p
    return library


library = _load()


def require(status: int) -> None:
    """Raises what a call returned, unless it went well."""
    if status != 0:
        raise Error(library.onepassStatusName(status).decode(), library.onepassLastErrorMessage().decode())


def text(function, *arguments) -> str:
    """A text of the library, whatever its length."""
    length = c_size_t()
    require(function(*arguments, None, 0, byref(length)))
    buffer = ctypes.create_string_buffer(length.value + 1)
    require(function(*arguments, buffer, len(buffer), byref(length)))
    return buffer.value.decode()


def _refuse_copies(self, *_):
    """The __reduce__ of what owns something of the library's that has one owner: a copy would give it away twice."""
    raise TypeError(f"a {type(self).__name__} of onepass cannot be copied or pickled: it owns a handle of the library, which "
                    "serves one thread")


class _Handle:
    """A handle that one thread uses, and the stream that it is set to."""

    __reduce__ = _refuse_copies

    def __init__(self, idle: list, create):
        self._idle = idle
        try:
            self.pointer, self.stream = idle.pop()
        except IndexError:
            self.pointer, self.stream = create(), 0

    def __del__(self):
        if hasattr(self, "pointer"):
            self._idle.append((self.pointer, self.stream))


class Handles(threading.local):
    """Handles of a library, one per thread and device.

    Those that a thread left behind, `idle` by device, serve the next one. They are never destroyed: a CUDA graph may use
    their workspaces.
    """

    __reduce__ = _refuse_copies

    def __init__(self, idle: dict, create, set_stream):
        self._by_device, self._idle, self._create, self._set_stream = {}, idle, create, set_stream

    def get(self, device, stream: int = 0) -> int:
        """This thread's handle for operands on a device, set to a stream."""
        found = self._by_device.get(device)
        if found is None:
            found = self._by_device[device] = _Handle(self._idle.setdefault(device, []), lambda: self._create(device))
        if found.stream != stream:
            self._set_stream(found.pointer, stream)
            found.stream = stream
        return found.pointer


def host_backend(others: tuple = ()) -> str:
    """That of host memory: ONEPASS_BACKEND may name another than cpu. `others`: those that a library does not have."""
    named = os.environ.get("ONEPASS_BACKEND", "cpu")
    return "cpu" if named in ("cuda", *others) else named


def _create(device) -> int:
    made = c_void_p()
    require(library.onepassCreateOn(byref(made), (host_backend() if device == HOST else "cuda").encode()))
    return made.value


handle = Handles({}, _create, lambda pointer, stream: require(library.onepassSetStream(pointer, stream))).get
