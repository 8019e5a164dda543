# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Compiles through ccache where it is installed, unless the caller chose a launcher. Paths below the checkout are hashed
# relative to the build, so that a second clone and a second preset find what the first has compiled.
option(ONEPASS_CCACHE "Compile through ccache, if it is found" ON)
if(NOT ONEPASS_CCACHE OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
find_program(ONEPASS_CCACHE_PROGRAM ccache)
mark_as_advanced(ONEPASS_CCACHE_PROGRAM)
if(ONEPASS_CCACHE_PROGRAM)
  foreach(_language C CXX CUDA)
    if(NOT DEFINED CMAKE_${_language}_COMPILER_LAUNCHER AND NOT DEFINED ENV{CMAKE_${_language}_COMPILER_LAUNCHER})
      set(CMAKE_${_language}_COMPILER_LAUNCHER
          ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ONEPASS_CCACHE_PROGRAM})
    endif()
  endforeach()
endif()
