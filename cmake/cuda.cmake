# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Decides whether the cuda backend is built, and for which architecture; how its files are compiled.

# Kernels take half an hour to compile, and cannot run where there is no GPU: continuous integration compiles those of some
# types by turns. Those of products are left out for the others, those of reductions empty.
set(ONEPASS_CUDA_KERNELS all CACHE STRING "Element types whose CUDA kernels are compiled, such as s;z, or all")

# onepass_cuda_sources(<target> <type> <together> <source>...): kernels of a type, one by one, or included by the file
# <together> where files are compiled together. Each nvcc takes 2 s before it comes to a kernel. CMake 3.25 does not do
# this for CUDA.
function(onepass_cuda_sources target type together)
  if(ONEPASS_UNITY)
    list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"")
    list(JOIN ARGN "\n" _includes)
    file(CONFIGURE OUTPUT ${together} CONTENT "${_includes}\n")
    set(ARGN ${together})
  endif()
  target_sources(${target} PRIVATE ${ARGN})
  if(NOT ONEPASS_CUDA_KERNELS STREQUAL "all" AND NOT type IN_LIST ONEPASS_CUDA_KERNELS)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_DEFINITIONS ONEPASS_EMPTY_KERNELS)
  endif()
endfunction()

set(ONEPASS_HAS_CUDA OFF)
if(ONEPASS_CUDA STREQUAL "OFF")
  set(ONEPASS_CUDA_REASON "switched off by ONEPASS_CUDA=OFF")
  return()
endif()

# The toolkit installs to /usr/local/cuda and leaves the PATH to its user, who may have forgotten.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(ONEPASS_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(ONEPASS_NVCC)
    set(CMAKE_CUDA_COMPILER "${ONEPASS_NVCC}")
  endif()
endif()

# sm_90 unless the machine has a GPU of its own or the caller says otherwise.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(_arch 90)
  find_program(ONEPASS_NVIDIA_SMI nvidia-smi)
  if(ONEPASS_NVIDIA_SMI)
    execute_process(COMMAND ${ONEPASS_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE _capability ERROR_QUIET RESULT_VARIABLE _failed)
    if(NOT _failed AND _capability MATCHES "^([0-9]+)\\.([0-9]+)")
      set(_arch "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
    endif()
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${_arch}" CACHE STRING "CUDA architectures")
endif()

include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER)
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.4)
    find_package(CUDAToolkit REQUIRED)
    set(ONEPASS_HAS_CUDA ON)
    # CMake before 3.26 does not know that nvcc speaks C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
  else()
    set(ONEPASS_CUDA_REASON "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is older than 12.4")
  endif()
else()
  set(ONEPASS_CUDA_REASON "no nvcc found")
endif()
if(ONEPASS_CUDA STREQUAL "ON" AND NOT ONEPASS_HAS_CUDA)
  message(FATAL_ERROR "ONEPASS_CUDA=ON, but ${ONEPASS_CUDA_REASON}")
endif()
