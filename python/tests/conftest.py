# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: operands of small whole numbers, whose sums are exact in every type."""
import numpy
import pytest

TYPES = ["float32", "float64", "complex64", "complex128", "float16"]


def numbers(shape, dtype, seed):
    """Whole numbers from -3 to 3, with imaginary parts where the type has them."""
    random = numpy.random.default_rng(seed)
    values = random.integers(-3, 4, shape).astype(dtype)
    return values + 1j * random.integers(-3, 4, shape).astype(dtype) if numpy.dtype(dtype).kind == "c" else values


@pytest.fixture(params=TYPES)
def dtype(request):
    return request.param
