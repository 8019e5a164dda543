# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Flags that every target of the project shares.
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
  target_link_options(onepass_warnings INTERFACE -fsanitize=${ONEPASS_SANITIZE})
endif()
