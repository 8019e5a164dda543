# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# What a wheel holds beside the modules of python/onepass. Copies under plain names: a wheel has no symbolic links.
foreach(_library onepass onepass_blas)
  install(FILES $<TARGET_FILE:${_library}> DESTINATION onepass RENAME lib${_library}.so COMPONENT python)
endforeach()
