#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build into a temporary folder and lets the examples find it there, as strangers would:
#   consumer.sh BUILD EXAMPLES cmake|pkg-config shared|static FLAGS [cmake argument...]
set -eu
build=$1 examples=$2 finder=$3 form=$4 flags=$5
shift 5
[ "$form" = static ] && static=ON || static=OFF

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/installed" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
# Moved, so that a path of the build or of the installation in what was installed shows itself.
mv "$work/installed" "$work/prefix"
cp -R "$examples" "$work/source"

if [ "$finder" = cmake ]; then
  cmake -G Ninja -S "$work/source" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DEXAMPLES_STATIC="$static" \
    -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror $flags" -DCMAKE_Fortran_FLAGS="$flags" "$@"
  cmake --build "$work/build"
  ctest --test-dir "$work/build" --output-on-failure --no-tests=error
else
  libraries=$(dirname "$(find "$work/prefix" -name libonepass.a)")
  PKG_CONFIG_PATH=$libraries/pkgconfig
  LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
  ask=
  if [ "$static" = ON ]; then
    ask=--static
    rm "$libraries"/libonepass.so*
  fi
  for name in gemv plan symv; do
    # Unquoted: lists of words.
    # shellcheck disable=SC2046,SC2086
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror $flags "$work/source/$name.c" -o "$work/$name" \
      $(pkg-config $ask --cflags --libs onepass)
    "$work/$name"
  done
fi
