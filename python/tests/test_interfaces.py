# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays by DLPack, by the CUDA array interface, and CuPy's."""
import numpy
import pytest
from conftest import numbers

import onepass
from onepass._arrays import library_of

GPU = onepass.backends()[0]["available"]


class Packed:
    """An array of which only DLPack is known."""

    def __init__(self, array):
        self._array = array
        self.shape = array.shape

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_arrays_by_dlpack_are_taken(dtype):
    A, x, out = numbers((4, 6), dtype, 1).astype(dtype)[:, ::-1].copy(), numbers(6, dtype, 2).astype(dtype), numpy.empty(4, dtype)
    assert onepass.gemv(Packed(A.T), Packed(x[:4]), out=Packed(numpy.empty(6, dtype))).shape == (6,)
    onepass.gemv(Packed(A), Packed(x), out=Packed(out))
    numpy.testing.assert_array_equal(out, A @ x)


def test_arrays_by_dlpack_need_out():
    with pytest.raises(ValueError, match="pass out="):
        onepass.gemv(Packed(numpy.ones((2, 2))), Packed(numpy.ones(2)))


@pytest.mark.parametrize("strides, expected", [(None, ((2, 3), (3, 1), 0, 1, 0)), ((8, 16), ((2, 3), (8, 16), 1, 1, 0))])
def test_the_cuda_array_interface_is_read(strides, expected):
    class Array:
        __cuda_array_interface__ = {"data": (4096, False), "shape": (2, 3), "typestr": "<f8", "strides": strides, "stream": 7,
                                    "version": 3}

    array = Array()
    assert library_of(array, "A").view(array, "A") == (4096, expected, 7)


@pytest.mark.skipif(not GPU, reason="needs a GPU and a build with CUDA")
def test_arrays_of_cupy_are_taken(dtype):
    cupy = pytest.importorskip("cupy")
    host_A, host_x = numbers((50, 30), dtype, 1).astype(dtype), numbers(30, dtype, 2).astype(dtype)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        A, x = cupy.asarray(host_A), cupy.asarray(host_x)  # here: such a stream waits for no copy on another
        y = onepass.gemv(A, x, alpha=2)
        stream.synchronize()
    numpy.testing.assert_array_equal(cupy.asnumpy(y), 2 * (host_A @ host_x))
