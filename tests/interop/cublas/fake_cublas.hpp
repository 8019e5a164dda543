// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A cuBLAS that computes nothing: what its handle holds, and how often it was called.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

struct FakeCublas {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  int calls = 0;            // that were passed on
  int questions_of_lt = 0;  // to descriptors
  int devices_asked = 0;    // cudaGetDevice
  int facts_asked = 0;      // cudaDeviceGetAttribute
};
extern "C" FakeCublas fake_cublas;

// What a call returns that was passed on.
inline constexpr cublasStatus_t passed_on = CUBLAS_STATUS_LICENSE_ERROR;
