# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a DLPack capsule says of its array."""
from __future__ import annotations

import ctypes

from ._library import HOST


class _Tensor(ctypes.Structure):
    """DLTensor, at the start of DLManagedTensor."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

_KINDS = {2: "float", 4: "bfloat", 5: "complex"}
_HOST = (1, 3)   # memory of the CPU, pinned or not
_CUDA = (2, 13)  # of a GPU, or managed
DEFAULT_STREAM = 1  # the legacy one; 0 is not allowed


def contiguous(shape) -> tuple:
    """The strides, in elements, of an array without gaps whose last dimension is the fastest."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def view(array, what: str, stream: int):
    """Address, shape, strides in elements, name of the type, device. The array stays the owner of its memory."""
    device, number = array.__dlpack_device__()
    if device not in _HOST + _CUDA:
        raise TypeError(f"{what} is on a device of DLPack's kind {device}: must be a CPU (1) or a CUDA device (2)")
    capsule = array.__dlpack__(stream=stream or DEFAULT_STREAM) if device in _CUDA else array.__dlpack__()
    t = ctypes.cast(_pointer(capsule, b"dltensor"), ctypes.POINTER(_Tensor)).contents
    shape = tuple(t.shape[:t.ndim])
    strides = tuple(t.strides[:t.ndim]) if t.strides else contiguous(shape)
    name = f"{_KINDS.get(t.code, 'kind')}{t.bits}"
    return (t.data or 0) + t.byte_offset, shape, strides, name, number if device in _CUDA else HOST
