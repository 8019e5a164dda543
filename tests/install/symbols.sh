#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# A library exports exactly what its headers declare, and stays loaded: symbols.sh LIBRARY HEADER...
# $OTHERS: a pattern of symbols that it exports besides, for somebody else's headers.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
library=$1
shift
readelf -d "$library" | grep -q NODELETE || { echo "dlclose would unload $library under threads of OpenMP"; exit 1; }
nm -D --defined-only "$library" | awk '{ print $NF }' | grep -vE "${OTHERS:-^$}" | sort >"$work/exported"
cat "$@" | tr '\n' ' ' | grep -oE 'ONEPASS_API [^;(]*\(' | grep -oE 'onepass[A-Za-z0-9]+\($' | tr -d '(' | sort >"$work/declared"
[ -s "$work/declared" ] || { echo "found no declaration in $*"; exit 1; }
echo "$(wc -l <"$work/declared") functions declared; < declared and not exported, > exported and not declared:"
diff "$work/declared" "$work/exported"
