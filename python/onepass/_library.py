# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""libonepass.so by ctypes: where it is, what its functions take, and handles, one per thread and device."""
from __future__ import annotations

import ctypes
import os
import pathlib
import threading
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t, c_void_p

HOST = "host"  # the device of host memory; a GPU is its number


class Error(RuntimeError):
    """What the library refused, in its own words. `status` is its name, such as "ONEPASS_STATUS_INVALID_LD"."""

    def __init__(self, status: str, text: str):
        super().__init__(text)
        self.status = status


class GemvProblem(Structure):
    """onepassGemvProblem_t"""

    _fields_ = [("type_a", c_int), ("type_x", c_int), ("type_y", c_int), ("op", c_int), ("layout", c_int), ("m", c_int64),
                ("n", c_int64), ("lda", c_int64), ("incx", c_int64), ("incy", c_int64), ("batch", c_int64),
                ("pointer_array", c_int), ("stride_a", c_int64), ("stride_x", c_int64), ("stride_y", c_int64),
                ("scalars", c_int), ("alignment_a", c_int64)]


class SymvProblem(Structure):
    """onepassSymvProblem_t"""

    _fields_ = [("type_a", c_int), ("type_x", c_int), ("type_y", c_int), ("hermitian", c_int), ("uplo", c_int),
                ("layout", c_int), ("n", c_int64), ("lda", c_int64), ("incx", c_int64), ("incy", c_int64),
                ("batch", c_int64), ("pointer_array", c_int), ("stride_a", c_int64), ("stride_x", c_int64),
                ("stride_y", c_int64), ("scalars", c_int), ("alignment_a", c_int64)]


class GerProblem(Structure):
    """onepassGerProblem_t"""

    _fields_ = [("type", c_int), ("conjugate", c_int), ("layout", c_int), ("m", c_int64), ("n", c_int64), ("lda", c_int64),
                ("incx", c_int64), ("incy", c_int64), ("batch", c_int64), ("pointer_array", c_int), ("stride_a", c_int64),
                ("stride_x", c_int64), ("stride_y", c_int64), ("scalars", c_int), ("alignment_a", c_int64)]


def path(name: str = "libonepass.so") -> pathlib.Path:
    """The library of this package, or for libonepass.so that of $ONEPASS_LIBRARY."""
    given = os.environ.get("ONEPASS_LIBRARY")
    return pathlib.Path(given) if given and name == "libonepass.so" else pathlib.Path(__file__).parent / name


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
            "onepassGer": [c_void_p, c_void_p, *[c_void_p] * 4],
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


# Handles that a thread left behind, as (pointer, stream) by device, serve the next one. They are never destroyed: a CUDA
# graph may use their workspaces.
_idle: dict = {}


class _Handle:
    """onepassHandle_t of one thread, and the stream that it is set to."""

    def __init__(self, device, backend: str):
        self._device = device
        left = _idle.get(device)
        if left:
            self.pointer, self.stream = left.pop()
            return
        made = c_void_p()
        require(library.onepassCreateOn(byref(made), backend.encode()))
        self.pointer, self.stream = made.value, 0

    def __del__(self, idle=_idle):
        if hasattr(self, "pointer"):
            idle.setdefault(self._device, []).append((self.pointer, self.stream))


class _Handles(threading.local):
    def __init__(self):
        self.by_device = {}


_handles = _Handles()


def handle(device, stream: int = 0) -> int:
    """This thread's handle for operands on a device, set to a stream. ONEPASS_BACKEND may name another host backend."""
    found = _handles.by_device.get(device)
    if found is None:
        named = os.environ.get("ONEPASS_BACKEND", "cpu")
        found = _Handle(device, ("cpu" if named == "cuda" else named) if device == HOST else "cuda")
        _handles.by_device[device] = found
    if found.stream != stream:
        require(library.onepassSetStream(found.pointer, stream))
        found.stream = stream
    return found.pointer
