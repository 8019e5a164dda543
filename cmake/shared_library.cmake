# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# onepass_shared_library(<target> <map>): what a shared library of the project has: a version, the symbols of its map, and
# no end before that of the process. Idle threads of OpenMP wait in the code of its runtime, which dlclose would unload
# with the last library that needs it; graphs, threads and fork() call code of the library itself later on, too.
function(onepass_shared_library target map)
  target_link_options(${target} PRIVATE LINKER:--version-script=${map} LINKER:-z,nodelete)
  set_target_properties(${target} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${map})
endfunction()
