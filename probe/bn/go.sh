#!/bin/bash
# go.sh [quick]: builds two probes side by side (gemv_n_wide, gemv_t_tall) from the headers beside it (src, a copy of the patched tree) and
# runs them one behind the other. SRC=<checkout> takes the headers of a checkout.
cd "$(dirname "$0")" && HERE=$PWD && cd - > /dev/null
SRC=${SRC:-$HERE/../..}
OUT=$(mktemp -d)
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
FLAGS="-O3 -arch=sm_90a -std=c++20 --expt-relaxed-constexpr -I$SRC/src -I$SRC/include -I$HERE/include -I$HERE"
$NVCC $FLAGS -DWITH_WIDE -o $OUT/wide $HERE/probe.cu & A=$!
$NVCC $FLAGS -DWITH_TALL -o $OUT/tall $HERE/probe.cu & B=$!
wait $A && timeout 60 $OUT/wide $1
wait $B && timeout 60 $OUT/tall $1
