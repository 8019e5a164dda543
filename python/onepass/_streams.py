# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Order between CUDA streams by events of the driver, for which the streams of PyTorch, CuPy and all others are the same.

Only arrays of different streams need it. Those of one library are on one stream, its current one.
"""
from __future__ import annotations

import contextlib
import ctypes
import functools
from ctypes import byref, c_char_p, c_int, c_void_p

from ._library import HOST, Error

_NO_TIMING = 2  # CU_EVENT_DISABLE_TIMING
_NOTHING = contextlib.nullcontext()


@functools.lru_cache(maxsize=None)
def _driver():
    return ctypes.CDLL("libcuda.so.1")


def _require(name: str, *arguments) -> None:
    status = getattr(_driver(), name)(*arguments)
    if status != 0:
        text = c_char_p()
        _driver().cuGetErrorString(status, byref(text))
        raise Error("ONEPASS_STATUS_EXECUTION_FAILED", "a stream of the operands could not be waited for: "
                    f"{name} returned {status}, {(text.value or b'').decode()}")


_contexts: dict = {}  # primary ones, by device; they live as long as the process


@contextlib.contextmanager
def _current(device: int):
    """Makes the context that CUDA's runtime uses current. In a new thread it may not be."""
    if device not in _contexts:
        number, context = c_int(), c_void_p()
        _require("cuDeviceGet", byref(number), device)
        _require("cuDevicePrimaryCtxRetain", byref(context), number)
        _contexts[device] = context
    _require("cuCtxPushCurrent_v2", _contexts[device])
    try:
        yield
    finally:
        _driver().cuCtxPopCurrent_v2(byref(c_void_p()))


def _wait(stream: int, other: int) -> None:
    """What comes on a stream starts after what is on the other now."""
    event = c_void_p()
    _require("cuEventCreate", byref(event), _NO_TIMING)
    try:
        _require("cuEventRecord", event, c_void_p(other))
        _require("cuStreamWaitEvent", c_void_p(stream), event, 0)
    finally:
        _driver().cuEventDestroy_v2(event)  # the driver keeps it until it has happened


@contextlib.contextmanager
def _among(device: int, stream: int, others: set):
    with _current(device):
        for other in others:
            _wait(stream, other)
        yield
        for other in others:
            _wait(other, stream)


def joined(device, stream: int, x_stream: int, y_stream: int, *others: int):
    """Around a call on a stream: it starts after what is on the streams of x and out, and what they get next after it."""
    if x_stream == stream == y_stream and not others:
        return _NOTHING
    rest = {x_stream, y_stream, *others} - {stream}
    return _among(device, stream, rest) if rest else _NOTHING


def synchronize(device, stream: int) -> None:
    """Waits for a stream of a device, unless it is being captured: then nothing has happened that could be waited for."""
    if device == HOST:
        return
    with _current(device):
        is_capturing = c_int()
        _require("cuStreamIsCapturing", c_void_p(stream), byref(is_capturing))
        if not is_capturing.value:
            _require("cuStreamSynchronize", c_void_p(stream))
