#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Times sums with more digits beside plain ones on a GPU: the records of docs/accuracy.md and README.md, which `make figures`
# then brings up to date.
#   record_accumulate.sh PROGRAM FOLDER [NAME]     build/default/tools/onepass records h200
set -u
if [ $# -lt 2 ]; then
  echo "usage: $0 PROGRAM FOLDER [NAME]; PROGRAM is build/default/tools/onepass" >&2
  exit 2
fi
program=$1 folder=$2/accumulate name=${3:-h200}
mkdir -p "$folder"

failed=0
# bench ROUTINE TYPES SETTINGS ARGUMENTS...: a record NAME-ROUTINE-TYPES.json
bench() {
  local routine=$1 types=$2 settings=$3
  shift 3
  "$program" bench "$routine" --backend cuda --type "$types" --accumulate "$settings" \
    --cache cold --no-peers --time 0.04 --points --json "$folder/$name-$routine-${types//,/}.json" "$@" || failed=1
}

for routine in gemv symv; do
  case $routine in
    gemv) selected=(--op N,T --shape 1024,2048,4096,8192) ;;
    symv) selected=(--uplo L --shape 1024,2048,4096,8192,16384) ;;
  esac
  bench $routine s,c default,wider "${selected[@]}"
  bench $routine d,z default,twice "${selected[@]}"
  bench $routine w default "${selected[@]}"
done
exit $failed
