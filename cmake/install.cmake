# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Installs the libraries, headers, program, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)

# A static libonepass.a brings its own dependencies along: as CMake packages and targets, and as
# linker flags for pkg-config. Those of this build, from cmake/dependencies.cmake:
set(ONEPASS_STATIC_PACKAGES "")
set(_targets "")
set(_flags -lstdc++ -lm)
foreach(_dependency IN LISTS ONEPASS_DEPENDENCIES)
  if(_dependency STREQUAL "OpenMP::OpenMP_CXX")
    list(APPEND ONEPASS_STATIC_PACKAGES OpenMP)
    list(APPEND _flags -fopenmp)
  elseif(_dependency STREQUAL "hwy::hwy")
    list(APPEND ONEPASS_STATIC_PACKAGES hwy)
    list(APPEND _flags -lhwy)
  elseif(_dependency STREQUAL "Boost::context")
    list(APPEND ONEPASS_STATIC_PACKAGES Boost)
    list(APPEND _flags -lboost_context)
  elseif(_dependency STREQUAL "Threads::Threads")
    list(APPEND ONEPASS_STATIC_PACKAGES Threads)
    list(APPEND _flags -pthread)
  elseif(_dependency STREQUAL "CUDA::cudart_static")
    list(APPEND ONEPASS_STATIC_PACKAGES CUDAToolkit)
    list(APPEND _flags -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -pthread)
  else()
    message(FATAL_ERROR "cmake/install.cmake does not know how an installed libonepass.a finds ${_dependency}")
  endif()
  list(APPEND _targets $<LINK_ONLY:${_dependency}>)
endforeach()
target_link_libraries(onepass_static INTERFACE $<INSTALL_INTERFACE:${_targets}>)
list(JOIN _flags " " ONEPASS_STATIC_FLAGS)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/onepass)
set_target_properties(onepass_static PROPERTIES EXPORT_NAME static)
foreach(_form shared static)
  set(_library onepass)
  if(_form STREQUAL "static")
    set(_library onepass_static)
  endif()
  install(TARGETS ${_library} EXPORT onepass_${_form})
  install(EXPORT onepass_${_form} FILE onepass-${_form}.cmake NAMESPACE onepass:: DESTINATION ${_package_dir})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/onepass ${PROJECT_BINARY_DIR}/include/onepass
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/onepassConfig.cmake.in onepassConfig.cmake
  INSTALL_DESTINATION ${_package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(onepassConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/onepassConfig.cmake ${PROJECT_BINARY_DIR}/onepassConfigVersion.cmake
        DESTINATION ${_package_dir})

# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH ONEPASS_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/onepass.pc.in onepass.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/onepass.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
