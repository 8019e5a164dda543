#!/bin/bash
# Builds and runs both probes: ./go.sh [folder of the changed sources]. Needs src/ and include/ of the branch; a copy lies beside this file.
cd "$(dirname "$0")"
tree=${1:-../..}
flags="-O3 -arch=sm_90a -std=c++20 --expt-relaxed-constexpr -I $tree/src -I $tree/include -I ."
nvcc $flags -o probe probe.cu & first=$!
[ -f probe_wider.cu ] && { nvcc $flags -o probe_wider probe_wider.cu & second=$!; }
wait $first && timeout 60 ./probe
timeout 40 ./probe bulk  # with bulk copies: by itself, since a copy that never came would be waited for
[ -n "$second" ] && wait $second && timeout 30 ./probe_wider
