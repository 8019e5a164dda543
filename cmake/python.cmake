# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# What a wheel holds beside the modules of python/onepass. Plain names without versions: a wheel has no symbolic links.
foreach(_library onepass onepass_blas onepass_cublas onepass_cusolver onepass_lapack)
  if(TARGET ${_library})
    set_property(TARGET ${_library} PROPERTY VERSION)
    set_property(TARGET ${_library} PROPERTY SOVERSION)
    install(TARGETS ${_library} LIBRARY DESTINATION onepass COMPONENT python)
  endif()
endforeach()
