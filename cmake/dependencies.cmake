# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# What the library links to in this build, read from its targets: ONEPASS_DEPENDENCIES.
get_target_property(_links onepass_objects LINK_LIBRARIES)
# "::@(directory)" brackets names that another directory added; flags of the build itself stay out.
list(FILTER _links EXCLUDE REGEX "^::@|^onepass_warnings$")
string(REPLACE "$<LINK_ONLY:" "" _links "${_links}")
string(REPLACE ">" "" ONEPASS_DEPENDENCIES "${_links}")
list(REMOVE_DUPLICATES ONEPASS_DEPENDENCIES)

get_target_property(_definitions onepass_objects COMPILE_DEFINITIONS)
foreach(_backend CUDA SIM)
  if("ONEPASS_WITH_${_backend}" IN_LIST _definitions OR "ONEPASS_WITH_${_backend}=1" IN_LIST _definitions)
    set(ONEPASS_WITH_${_backend} ON)
  else()
    set(ONEPASS_WITH_${_backend} OFF)
  endif()
endforeach()
