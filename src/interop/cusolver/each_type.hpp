// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A row of the table of symbols: a routine of cuSOLVER in its four types, by its names for real and complex ones.
#pragma once

// ROUTINE(name, type of elements, real type of the same precision, Onepass's type) defines a function and its
// ..._bufferSize.
#define ONEPASS_EACH_TYPE(ROUTINE, REAL, COMPLEX)                 \
  ROUTINE(cusolverDnS##REAL, float, float, ONEPASS_TYPE_S)        \
  ROUTINE(cusolverDnD##REAL, double, double, ONEPASS_TYPE_D)      \
  ROUTINE(cusolverDnC##COMPLEX, cuComplex, float, ONEPASS_TYPE_C) \
  ROUTINE(cusolverDnZ##COMPLEX, cuDoubleComplex, double, ONEPASS_TYPE_Z)
