# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Parts of the tests, for a build that has no time for all of them: what the others alone need is not compiled.
set(ONEPASS_PARTS products reductions host program)
set(ONEPASS_FOLDERS_products gemv symv ger symv_device sim canonical accuracy api verify)
set(ONEPASS_FOLDERS_reductions lapack_device)
set(ONEPASS_FOLDERS_host lapack backends/cpu interop/blas)
set(ONEPASS_FOLDERS_program cli tune plan problem device install interop/cublas interop/cusolver backends/cuda
  python report docs faults)
# onepass_part_of_folder(<folder of tests/> <variable>)
function(onepass_part_of_folder folder variable)
  foreach(part IN LISTS ONEPASS_PARTS)
    if(folder IN_LIST ONEPASS_FOLDERS_${part})
      set(${variable} ${part} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "cmake/parts.cmake: tests/${folder} is in no part")
endfunction()

set(ONEPASS_TEST_PARTS all CACHE STRING "Parts of the tests that are built, such as products;program, or all: ${ONEPASS_PARTS}")
set(_parts ${ONEPASS_TEST_PARTS})
if(_parts STREQUAL "all")
  return()
endif()

set(_unknown ${_parts})
list(REMOVE_ITEM _unknown ${ONEPASS_PARTS})
if(_unknown OR NOT _parts)
  message(FATAL_ERROR "ONEPASS_TEST_PARTS=${ONEPASS_TEST_PARTS}: must be all, or of ${ONEPASS_PARTS}")
endif()
if(NOT "program" IN_LIST _parts)
  set(ONEPASS_TOOLS OFF)
endif()
if(_parts STREQUAL "products")
  set(ONEPASS_LAPACK OFF)
endif()
# The ladder of the program runs in these.
if(NOT "products" IN_LIST _parts)
  set(ONEPASS_KERNEL_TYPES s d)
endif()
if(_parts STREQUAL "reductions")
  set(ONEPASS_CPU_SELDOM ON)  # the kernels of the cpu backend
endif()
