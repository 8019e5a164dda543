// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/blas/errors.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

// Weak, and never defined here: the program's own definition comes first, that of another BLAS next, and null says
// that there is neither.
extern "C" {
void xerbla_(const char* name, const std::int32_t* position, std::size_t length) __attribute__((weak));
void xerbla_64_(const char* name, const std::int64_t* position, std::size_t length) __attribute__((weak));
void cblas_xerbla(std::int32_t position, const char* name, const char* form, ...) __attribute__((weak));
void cblas_xerbla_64(std::int64_t position, const char* name, const char* form, ...) __attribute__((weak));
// Netlib's CBLAS keeps the layout of the call here, for its cblas_xerbla to read.
extern int RowMajorStrg __attribute__((weak));
}

namespace onepass::blas {

template <class Int>
void fortran_error(const char* name, int position) {
  const std::size_t length = std::strlen(name);
  const auto narrow = static_cast<std::int32_t>(position);
  const auto wide = static_cast<std::int64_t>(position);
  if (sizeof(Int) == sizeof(wide) && xerbla_64_ != nullptr) return xerbla_64_(name, &wide, length);
  if (xerbla_ != nullptr) return xerbla_(name, &narrow, length);
  std::fprintf(stderr, " ** On entry to %s parameter number %2d had an illegal value\n", name, position);
}

// cblas_xerbla is told the position in the call of Fortran, one to the right. For a row-major GEMV, Netlib's makes that
// call with M and N swapped, and its cblas_xerbla swaps the positions back where RowMajorStrg is set.
template <class Int>
void c_error(const char* name, int position, Layout layout) {
  const bool swaps = &RowMajorStrg != nullptr && layout == Layout::row;
  if (&RowMajorStrg != nullptr) RowMajorStrg = swaps ? 1 : 0;
  const bool is_gemv = std::string_view(name).ends_with("gemv");
  const int told = swaps && is_gemv && (position == 3 || position == 4) ? 7 - position : position;
  if (sizeof(Int) == sizeof(std::int64_t) && cblas_xerbla_64 != nullptr) {
    cblas_xerbla_64(told, name, "");
  } else if (cblas_xerbla != nullptr) {
    cblas_xerbla(told, name, "");
  } else {
    std::fprintf(stderr, "Parameter %d to routine %s was incorrect\n", position, name);
  }
  if (&RowMajorStrg != nullptr) RowMajorStrg = 0;
}

template void fortran_error<std::int32_t>(const char*, int);
template void fortran_error<std::int64_t>(const char*, int);
template void c_error<std::int32_t>(const char*, int, Layout);
template void c_error<std::int64_t>(const char*, int, Layout);

}  // namespace onepass::blas
