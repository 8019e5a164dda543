# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is refused says which argument, and what would be right. Nothing is copied in silence."""
import pathlib
import subprocess
import sys

import numpy
import pytest

import onepass

A, X = numpy.ones((4, 3)), numpy.ones(3)


@pytest.mark.parametrize("error, text, call", [
    (ValueError, "trans = 'X': must be one of N, T, C", lambda: onepass.gemv(A, X, trans="X")),
    (ValueError, "uplo = 'X': must be one of L, U", lambda: onepass.symv(A[:3], X, uplo="X")),
    (ValueError, "x has 4 elements, and op.A. of 4x3 needs 3", lambda: onepass.gemv(A, numpy.ones(4))),
    (ValueError, "y has the shape .3,.: must be .4,.", lambda: onepass.gemv(A, X, out=numpy.ones(3))),
    (ValueError, "y has the shape .3,.: must be .4,.", lambda: onepass.gemv(A, X, numpy.ones(3), beta=1)),
    (ValueError, "A is 4x3: a symmetric matrix is square", lambda: onepass.symv(A, X)),
    (ValueError, "at least two dimensions", lambda: onepass.gemv(X, X)),
    (ValueError, "x is a scalar", lambda: onepass.gemv(A, numpy.float64(1) * numpy.ones(()))),
    (ValueError, "beta = 2, and there is no y", lambda: onepass.gemv(A, X, beta=2)),
    (ValueError, "strides .8, 2.: one of them must be 1", lambda: onepass.gemv(numpy.ones((4, 8))[:, ::2], numpy.ones(4))),
    (ValueError, "strides .-3, 1.: one of them must be 1", lambda: onepass.gemv(A[::-1], X)),
    (ValueError, "x has a stride of 0", lambda: onepass.gemv(A, numpy.broadcast_to(numpy.ones(1), 3))),
    (ValueError, "leading dimensions of A, .2,., and of x, .3,.",
     lambda: onepass.gemv(numpy.ones((2, 4, 3)), numpy.ones((3, 3)))),
    (ValueError, "leading dimensions of A have strides",
     lambda: onepass.gemv(numpy.ones((2, 5, 4, 3))[:, :2], numpy.ones((2, 2, 3)))),
    (ValueError, "y is one vector seen several times",
     lambda: onepass.gemv(numpy.ones((2, 4, 3)), X, out=numpy.lib.stride_tricks.as_strided(numpy.ones(4), (2, 4), (0, 8)))),
    (ValueError, "read-only", lambda: onepass.gemv(A, X, out=numpy.broadcast_to(numpy.ones(1), 4))),
    (ValueError, "out is x", lambda: onepass.gemv(A[:3], X, out=X)),
    (ValueError, "multiples of its 8-byte elements",
     lambda: onepass.gemv(A, numpy.zeros(3, [("v", "f8"), ("w", "i4")])["v"])),
    (ValueError, "nothing to plan", lambda: onepass.Plan(numpy.ones((3, 0)), numpy.ones(0))),
    (ValueError, "routine = 'trmv'", lambda: onepass.Plan(A, X, routine="trmv")),
    (TypeError, "A has elements of type int64: must be one of float32", lambda: onepass.gemv(A.astype("int64"), X)),
    (TypeError, "A is float64, x float32, y float64: must be one type", lambda: onepass.gemv(A, X.astype("f"))),
    (TypeError, "byte order", lambda: onepass.gemv(A, X.astype(numpy.dtype("f8").newbyteorder()))),
    (TypeError, "hemv needs a complex type", lambda: onepass.hemv(A[:3], X)),
    (TypeError, "alpha = 1j: must be real", lambda: onepass.gemv(A, X, alpha=1j)),
    (TypeError, "A is a list: must be an array", lambda: onepass.gemv([[1.0]], X)),
    (TypeError, "y is a list: must be an array", lambda: onepass.gemv(A, X, [1.0] * 4, beta=1)),
    (TypeError, "A is a masked array: the mask would be lost", lambda: onepass.gemv(numpy.ma.masked_equal(A, 0), X)),
    (TypeError, "x is a masked array", lambda: onepass.gemv(A, numpy.ma.masked_equal(X, 0))),
    (TypeError, "y is a masked array", lambda: onepass.gemv(A, X, numpy.ma.ones(4), beta=1)),
    (TypeError, "out is a masked array", lambda: onepass.gemv(A, X, out=numpy.ma.ones(4))),
    (TypeError, "alpha = '2': must be a number", lambda: onepass.gemv(A, X, alpha="2")),
    (TypeError, "beta = .*: must be a number, or an array of one element",
     lambda: onepass.gemv(A, X, numpy.ones(4), beta=numpy.ones(2))),
])
def test_a_wrong_argument_is_named(error, text, call):
    with pytest.raises(error, match=text):
        call()


def test_an_error_of_the_library_has_its_status():
    class Odd:
        """An array that does not lie on a multiple of its elements."""
        def __init__(self):
            self.owner = numpy.zeros(100, "u1")
            self.__array_interface__ = {"data": (self.owner.ctypes.data + 1, False), "shape": (3,), "typestr": "<f8",
                                        "version": 3}

    with pytest.raises(onepass.Error, match="x must be a multiple of 8 bytes, and is 1 past one") as caught:
        onepass.gemv(A, numpy.asarray(Odd()))
    assert caught.value.status == "ONEPASS_STATUS_INVALID_ALIGNMENT"


@pytest.mark.parametrize("option, reason", [("--cublas", "built without CUDA"), ("--lapack", "built where no BLAS was found"),
                                            ("--cusolver", "built without CUDA or where no BLAS was found")])
def test_a_library_that_the_package_lacks(option, reason):
    """Nothing is printed that a shell would preload."""
    done = subprocess.run([sys.executable, "-m", "onepass", option], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        assert pathlib.Path(done.stdout.strip()).exists()
    else:
        assert done.stdout == "" and reason in done.stderr
