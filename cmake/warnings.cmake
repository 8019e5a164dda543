# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Flags that every target of the project shares, and how tools and tests are compiled for sanitizers.
add_library(onepass_warnings INTERFACE)
target_compile_options(onepass_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra --expt-relaxed-constexpr>)
# GCC 10 changed how some arguments are passed on arm64, and later ones say so in page after page of notes.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(onepass_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-psabi>)
endif()
# GCC 12 and 13 see an overlap in std::string's operator+ that is not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(onepass_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(ONEPASS_SANITIZE)
  # Of a null pointer, a small object and a wrong type AddressSanitizer sees what is done with them, and how misaligned a
  # pointer is matters to the library alone: a fifth of the time to compile.
  target_compile_options(onepass_warnings INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${ONEPASS_SANITIZE}
    -fno-sanitize=null,object-size,vptr -fno-omit-frame-pointer -fno-sanitize-recover=all>
    $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:$<TARGET_PROPERTY:ONEPASS_COMPILED_QUICKLY>>>:-fno-sanitize=alignment>)
  target_link_options(onepass_warnings INTERFACE -fsanitize=${ONEPASS_SANITIZE})
endif()
# Checks of addresses by calls instead of in line: a quarter less time to compile. Targets with the property
# ONEPASS_RUNS_LONG have them in line.
define_property(TARGET PROPERTY ONEPASS_RUNS_LONG)
set(ONEPASS_CHECKS_IN_LINE "")
if(ONEPASS_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(_by_calls $<NOT:$<BOOL:$<TARGET_PROPERTY:ONEPASS_RUNS_LONG>>>)
  target_compile_options(onepass_warnings INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,${_by_calls}>:--param=asan-instrumentation-with-call-threshold=0>)
  set(ONEPASS_CHECKS_IN_LINE --param=asan-instrumentation-with-call-threshold=7000)  # of single files; GCC's default
endif()

# Files compiled together where that is asked for: those of each test, and groups of tools/CMakeLists.txt. Others are
# compiled by themselves, which finds a missing include. For sanitizers tools and tests take longer to compile than to
# run, and are not optimised.
define_property(TARGET PROPERTY ONEPASS_COMPILED_QUICKLY INITIALIZE_FROM_VARIABLE ONEPASS_COMPILED_QUICKLY)
macro(onepass_compile_quickly)
  set(ONEPASS_COMPILED_QUICKLY ON)
  if(ONEPASS_UNITY)
    set(CMAKE_UNITY_BUILD ON)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 0)
  endif()
  if(ONEPASS_SANITIZE)
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-O0>)
  endif()
endmacro()
