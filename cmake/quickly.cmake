# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# What a build from nothing compiles with (ONEPASS_UNITY): files together, and compilers that have memory.

# GCC looks for garbage when its heap has grown by a third: of a test program it takes a sixth of the time to compile.
if(ONEPASS_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=600000>")
endif()

# Of the instruction sets of the cpu backend those that no test on this machine would choose; each takes a quarter of the
# longest file. An installed library has all.
set(ONEPASS_UNWANTED_TARGETS "")
set(ONEPASS_HOST_PRODUCTS "")  # by which products LAPACK's level 3 goes here, where that is known
if(ONEPASS_UNITY AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo _flags REGEX "^flags" LIMIT_COUNT 1)
  if(_flags MATCHES " avx512f ")
    set(ONEPASS_UNWANTED_TARGETS "HWY_SSE4|HWY_AVX2")
    if(_flags MATCHES " avx512dq " AND _flags MATCHES " avx512cd " AND _flags MATCHES " avx512bw " AND _flags MATCHES " avx512vl ")
      set(ONEPASS_HOST_PRODUCTS own)
    endif()
  elseif(_flags MATCHES " avx2 ")
    set(ONEPASS_UNWANTED_TARGETS "HWY_SSE4|HWY_AVX3")
    set(ONEPASS_HOST_PRODUCTS blas)
  endif()
endif()
