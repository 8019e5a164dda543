#!/bin/bash
# bash go.sh [orders...]     e.g. bash go.sh 10007 10016     Builds four executables at a time and runs them one behind
# the other. Needs nothing but this folder (headers/: the library's, with the patch) and nvcc; on a machine with a GPU:
# copy the folder into the working tree (untracked), then  run "bash oddsymv/go.sh".
# FEW=1: the library's kernel and wide steps alone. ONLY="s d": these types.
here=$(cd "$(dirname "$0")" && pwd)
src=${SRC:-$here/../../src}
out=${OUT:-/tmp/oddsymv}
mkdir -p "$out"
types=${ONLY:-s d c z}
for t in $types; do
  nvcc -O3 -arch=sm_90a -std=c++20 --expt-relaxed-constexpr -I "$src" -I "$here" -Xptxas -v ${FEW:+-DFEW} \
    -DELEMENTS=Elements$(echo $t | tr sdcz SDCZ) -DTYPE="'$t'" "$here/probe.cu" -o "$out/probe_$t" > "$out/build_$t.txt" 2>&1 &
done
wait
grep -h -E "error" "$out"/build_?.txt | head
for t in $types; do
  timeout 60 "$out/probe_$t" "$@" 2>&1 | tee "$out/result_$t.txt"
done
