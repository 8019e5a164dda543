# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Flags that every target of the project shares, and how tools and tests are compiled for sanitizers.
add_library(onepass_warnings INTERFACE)
target_compile_options(onepass_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra --expt-relaxed-constexpr>)
# GCC 12 and 13 see an overlap in std::string's operator+ that is not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  target_compile_options(onepass_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(ONEPASS_SANITIZE)
  target_compile_options(onepass_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${ONEPASS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  # Of tools and tests a fifth of the time to compile: what would be done with a null pointer AddressSanitizer sees, too.
  set(_type_checks "-fno-sanitize=null,alignment,object-size,vptr")
  target_compile_options(onepass_warnings INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:$<TARGET_PROPERTY:ONEPASS_COMPILED_QUICKLY>>>:${_type_checks}>)
  target_link_options(onepass_warnings INTERFACE -fsanitize=${ONEPASS_SANITIZE})
endif()
# Checks of addresses by calls instead of in line: of optimised code a quarter less time to compile.
set(ONEPASS_CHECKS_BY_CALLS "")
if(ONEPASS_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(ONEPASS_CHECKS_BY_CALLS --param=asan-instrumentation-with-call-threshold=0)
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
