// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A bad argument, told as BLAS tells it: to xerbla_ or cblas_xerbla of the program, or else of another BLAS.
#pragma once

#include "problem/problem.hpp"

namespace onepass::blas {

// `name`: six characters, such as "DGEMV ". Int: the integer of the interface, 32 or 64 bits.
template <class Int>
void fortran_error(const char* name, int position);

// `name`: such as "cblas_dgemv"; `position`: in the C interface, where the layout is the first argument.
template <class Int>
void c_error(const char* name, int position, Layout layout);

}  // namespace onepass::blas
