# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of any library, seen as an address, what a call depends on beside it, and a stream. Nothing is copied.

The layout of an array is a tuple that is cheap to make and to hash: shape, strides, bytes that a stride counts in (0: in
elements), type, device. The stream is that on which an array is ready: x and out are told that of the call, which is A's.
"""
from __future__ import annotations

import contextlib
import sys

from . import _dlpack
from ._library import HOST

# Of the C interface.
TYPES = {"float32": 0, "float64": 1, "complex64": 2, "complex128": 3, "float16": 4, "bfloat16": 5, "double_double": 6}
SIZES = (4, 8, 8, 16, 2, 2, 16)
NAMES = tuple(TYPES)
_AS_IT_IS = contextlib.nullcontext()


def _type(name: str, what: str) -> int:
    found = TYPES.get(name)
    if found is None:
        raise TypeError(f"{what} has elements of type {name}: must be one of {', '.join(TYPES)}")
    return found


def _name(dtype) -> str:
    """Of a type of NumPy's: two float64 called head and tail are a double_double (onepass.double_double)."""
    is_pair = dtype.names == ("head", "tail") and dtype.itemsize == 16 and dtype[0] == dtype[1] == "f8"
    return "double_double" if is_pair else dtype.name


def needs_gradient(array) -> bool:
    return getattr(array, "requires_grad", False) and sys.modules["torch"].is_grad_enabled()


def need_no_gradient(array, what: str, instead: str = "use onepass.torch.mv, or {}.detach()") -> None:
    """Refuses a tensor whose gradient would be lost in silence."""
    if needs_gradient(array):
        raise ValueError(f"{what} requires grad: {instead.format(what)}")


class _Numpy:
    """Host memory."""

    _types: dict = {}  # by dtype

    @classmethod
    def view(cls, array, what: str, stream: int = 0):
        kind = cls._types.get(array.dtype)
        if kind is None:
            if not array.dtype.isnative:
                raise TypeError(f"{what} has the byte order of another machine: use "
                                f"{what}.astype({what}.dtype.newbyteorder('='))")
            kind = cls._types[array.dtype] = _type(_name(array.dtype), what)
        return array.__array_interface__["data"][0], (array.shape, array.strides, 1, kind, HOST), 0

    @staticmethod
    def empty(array, shape, dtype: str | None = None):
        return sys.modules["numpy"].empty(shape, dtype or array.dtype)

    @staticmethod
    def plain(array):
        """Integers as float64, in this machine's byte order."""
        if array.dtype.kind in "iub":
            return array.astype("float64")
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))

    @staticmethod
    def is_writable(array) -> bool:
        return array.flags.writeable

    @staticmethod
    def note_write(array) -> None:
        pass

    @staticmethod
    def on(array, device):
        return _AS_IT_IS


class _Torch:
    """Either side, on the current stream of the device."""

    _types: dict = {}

    @classmethod
    def view(cls, tensor, what: str, stream: int = 0):
        kind = cls._types.get(tensor.dtype)
        if kind is None:
            kind = cls._types[tensor.dtype] = _type(str(tensor.dtype).partition(".")[2], what)
        if tensor.is_conj() or tensor.is_neg():
            raise ValueError(f"{what} is a lazily conjugated or negated view: use {what}.resolve_conj().resolve_neg(), or "
                             "trans='C'")
        device, stream = HOST, 0
        if tensor.is_cuda:
            device = tensor.get_device()
            stream = sys.modules["torch"].cuda.current_stream(device).cuda_stream
        elif tensor.device.type != "cpu":
            raise TypeError(f"{what} is on {tensor.device}: must be on a CPU or a CUDA device")
        return tensor.data_ptr(), (tensor.shape, tensor.stride(), 0, kind, device), stream

    @staticmethod
    def empty(tensor, shape, dtype: str | None = None):
        return tensor.new_empty(shape, dtype=getattr(sys.modules["torch"], dtype) if dtype else tensor.dtype)

    @staticmethod
    def plain(tensor):
        """Integers as float64; conjugated and negated where that was put off."""
        tensor = tensor.resolve_conj().resolve_neg()
        return tensor if tensor.is_floating_point() or tensor.is_complex() else tensor.double()

    @staticmethod
    def is_writable(tensor) -> bool:
        return True

    @staticmethod
    def note_write(tensor) -> None:
        """By the version, PyTorch knows that a tensor which it saved for a gradient is no longer what it was."""
        sys.modules["torch"].autograd.graph.increment_version(tensor)

    @staticmethod
    def on(tensor, device):
        cuda = sys.modules["torch"].cuda
        return _AS_IT_IS if device == HOST or cuda.current_device() == device else cuda.device(device)


class _Cuda:
    """Device memory by the CUDA array interface, on the stream that it names; if none, the array is ready on all."""

    _names = {"f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128", "f2": "float16"}

    @classmethod
    def view(cls, array, what: str, stream: int = 0):
        seen = array.__cuda_array_interface__
        kind = _type(cls._names.get(seen["typestr"][1:], str(getattr(array, "dtype", seen["typestr"]))), what)
        shape, strides, own = tuple(seen["shape"]), seen.get("strides"), seen.get("stream")
        if own is not None:
            stream = 0 if own == _dlpack.DEFAULT_STREAM else own
        if strides is None:
            return seen["data"][0], (shape, _dlpack.contiguous(shape), 0, kind, 0), stream
        return seen["data"][0], (shape, tuple(strides), 1, kind, 0), stream

    @staticmethod
    def empty(array, shape, dtype: str | None = None):
        raise ValueError(f"a new array of {type(array).__module__} cannot be made here: pass out=")

    @staticmethod
    def plain(array):
        raise TypeError(f"arrays of {type(array).__module__} are not taken here: must be of NumPy, PyTorch or CuPy")

    @staticmethod
    def is_writable(array) -> bool:
        return not array.__cuda_array_interface__["data"][1] and not type(array).__module__.startswith("jax")

    @staticmethod
    def note_write(array) -> None:
        pass

    @staticmethod
    def on(array, device):
        return _AS_IT_IS


class _Cupy(_Cuda):
    """Likewise, on CuPy's current stream."""

    plain = _Numpy.plain

    @classmethod
    def view(cls, array, what: str, stream: int = 0):
        address, layout, _ = super().view(array, what)
        return address, (*layout[:4], array.device.id), sys.modules["cupy"].cuda.get_current_stream().ptr

    @staticmethod
    def empty(array, shape, dtype: str | None = None):
        with array.device:
            return sys.modules["cupy"].empty(shape, dtype or array.dtype)

    @staticmethod
    def is_writable(array) -> bool:
        return True

    @staticmethod
    def on(array, device):
        return array.device


class _Dlpack(_Cuda):
    """Either side by DLPack; on a GPU on the stream of the call, which DLPack makes wait for the producer's."""

    @classmethod
    def view(cls, array, what: str, stream: int = 0):
        address, shape, strides, name, device = _dlpack.view(array, what, stream)
        return address, (shape, strides, 0, _type(name, what), device), stream

    @staticmethod
    def is_writable(array) -> bool:
        return not type(array).__module__.startswith("jax")


class _Pairs:
    """double_double.Pairs: float64 arrays of any library, whose last dimension has heads and tails."""

    @staticmethod
    def view(pairs, what: str, stream: int = 0):
        inner = pairs.array
        address, (shape, strides, unit, kind, device), stream = library_of(inner, what).view(inner, what, stream)
        last = 8 if unit == 1 else 1
        if NAMES[kind] != "float64" or shape[-1] != 2 or strides[-1] != last or any(s % (2 * last) for s in strides[:-1]):
            raise ValueError(f"{what} are pairs of {NAMES[kind]}, of shape {tuple(shape)} and strides {tuple(strides)}: must be "
                             "pairs of float64 without a gap, at distances of whole pairs")
        strides = tuple(s if unit == 1 else s // 2 for s in strides[:-1])
        return address, (tuple(shape[:-1]), strides, unit, TYPES["double_double"], device), stream

    @staticmethod
    def empty(pairs, shape, dtype: str | None = None):
        return type(pairs)(library_of(pairs.array, "A").empty(pairs.array, (*shape, 2)))

    @staticmethod
    def is_writable(pairs) -> bool:
        return library_of(pairs.array, "out").is_writable(pairs.array)

    @staticmethod
    def note_write(pairs) -> None:
        library_of(pairs.array, "out").note_write(pairs.array)

    @staticmethod
    def on(pairs, device):
        return library_of(pairs.array, "A").on(pairs.array, device)


_by_type: dict = {}


def library_of(array, what: str):
    """What knows the arrays of a library: view, empty, plain, is_writable, note_write, on."""
    kind = type(array)
    found = _by_type.get(kind)
    if found is None:
        modules = {base.__module__.partition(".")[0] for base in kind.__mro__}
        if "numpy" in modules and hasattr(array, "__array_interface__"):
            if isinstance(array, sys.modules["numpy"].ma.MaskedArray):
                raise TypeError(f"{what} is a masked array: the mask would be lost. Use {what}.filled(value) or {what}.data")
            found = _Numpy
        elif "torch" in modules and hasattr(array, "data_ptr"):
            found = _Torch
        elif "cupy" in modules:
            found = _Cupy
        elif hasattr(array, "__cuda_array_interface__"):
            found = _Cuda
        elif hasattr(array, "__dlpack__"):
            return _Dlpack  # not kept: another array of this type may be on a GPU
        elif getattr(kind, "is_pairs_of_onepass", False):
            found = _Pairs
        else:
            raise TypeError(f"{what} is a {kind.__name__}: must be an array of NumPy, PyTorch, CuPy, or of a library with "
                            "DLPack or the CUDA array interface")
        _by_type[kind] = found
    return found


def empty_like(array, what: str):
    """An array without elements that stands for this one where others of its kind are to be made; None where none can be."""
    try:
        return library_of(array, what).empty(array, (0,))
    except ValueError:
        return None
