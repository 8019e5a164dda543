#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Times the reductions, QR, their Q, eigenproblems and singular values on a GPU, cuSOLVER beside them: the records of
# docs/reductions.md, docs/solvers.md, docs/batched-eigenproblems.md and README.md, which `make figures` then brings up to date.
#   record_reductions.sh PROGRAM FOLDER [NAME]     build/default/tools/onepass records h200
set -u
if [ $# -lt 2 ]; then
  echo "usage: $0 PROGRAM FOLDER [NAME]; PROGRAM is build/default/tools/onepass" >&2
  exit 2
fi
program=$1 folder=$2 name=${3:-h200}

failed=0
# bench ROUTINE TYPES SHAPES: a record ROUTINE/NAME-TYPES.json
bench() {
  mkdir -p "$folder/$1"
  "$program" bench "$1" --backend cuda --type "$2" --shape "$3" --json "$folder/$1/$name-${2//,/}.json" || failed=1
}

for routine in sytrd gebrd gehrd syevd syevd-values; do
  bench "$routine" d 64,256,512,1024,2048,4096,8192
  bench "$routine" s,c,z 256,1024,2048,4096
done
for routine in orgtr ormtr orgbr; do
  bench "$routine" d 256,512,1024,2048,4096,8192
  bench "$routine" z 256,1024,4096
done
bench geqrf d 256,512,1024,2048,4096,8192,100000x256
bench geqrf s,c,z 256,1024,4096
for routine in syevd-batched syevd-batched-values; do
  bench "$routine" s,d,c,z 8,16,32,64,128,256,512
  "$program" bench "$routine" --backend cuda --type s,d,c,z --shape 33,65,100,129,200,257 --no-peers --json "$folder/$routine/$name-between.json" || failed=1
done
for routine in gesvd-batched gesvd-batched-values; do
  bench "$routine" s,d,c,z 8,16,32,64,128,256
done
bench gesvd-batched-jacobi s,d,c,z 8,16,32
# cuSOLVER's Xgesvd takes minutes of the largest.
for routine in gesvd gesvd-values; do
  bench "$routine" d 64,256,512,1024,2048,4096,8192x1024,65536x256
  bench "$routine" s,c,z 256,1024,2048
done
bench gesvd-polar d 64,256,512,1024,2048,4096,8192,8192x1024,1024x8192,65536x256
bench gesvd-polar s,c,z 256,1024,2048,4096
exit $failed
