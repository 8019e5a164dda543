#!/bin/bash
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# On a machine with a GPU: builds, tests, runs compute-sanitizer and measures. A stage that fails does not stop the
# others; the exit code is then not 0. From the environment:
#   STAGES   "build test sanitize bench", or some of them
#   OUT      folder of the logs, one per stage (build/gpu-logs)
#   RECORD   file that the benchmark writes (records/<gpu>.json); of several runs each has its own, named after its
#            selection: records/<gpu>-mesh.json
#   TESTS    regular expression of the tests to run (all)
#   FILTER   tests of test_gemv and test_symv under each tool of compute-sanitizer
#   CHECKS   random problems under each tool of compute-sanitizer (40)
#   REDUCTIONS  what each tool sees of the reductions and of many small problems: a routine of `onepass bench`, a type, a
#            shape, and matrices of a batch, with semicolons between them (one of each family of kernels); "" for none
#   BENCH    arguments of `onepass bench` (gemv --type s,d --op N,T); several runs have a semicolon between them:
#            "gemv --mesh --resume; gemv --sweep 1:5000:1 --no-peers; gemv --inference"
#   LIMIT    seconds that each stage may take (600; 180 for each tool of compute-sanitizer); each run of BENCH is a
#            stage, and each of REDUCTIONS under each tool
#   PRESET   of CMakePresets.json (default)
#   JOBS     compilers at a time (all cores)
set -u
cd "$(dirname "$0")/.." || exit

stages=${STAGES:-build test sanitize bench}
preset=${PRESET:-default}
jobs=${JOBS:-$(nproc)}
out=${OUT:-build/gpu-logs}
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)
record=${RECORD:-records/$(echo "${gpu:-no-gpu}" | tr 'A-Z ' 'a-z-').json}
onepass=build/$preset/tools/onepass
mkdir -p "$out" "$(dirname "$record")"

failed=0
ran=
report=
# stage NAME SECONDS COMMAND...: runs it with a log of its own, and notes how it went.
stage() {
  local name=$1 limit=$2 log=$out/$1.log start=$SECONDS verdict=passed code
  shift 2
  echo "== $name ($log)"
  ran+=" $name"
  timeout -k 10 "$limit" "$@" >"$log" 2>&1
  code=$?
  if [ $code -ne 0 ]; then
    verdict="FAILED ($code)"
    [ $code -ne 124 ] || verdict="TIMEOUT"
    failed=1
    tail -n 25 "$log"
  fi
  report+=$(printf '%-32s %5d s  %s' "$name" $((SECONDS - start)) "$verdict")$'\n'
}

build() {
  cmake --preset "$preset" -DONEPASS_CUDA=ON && cmake --build --preset "$preset" -j "$jobs"
}
run_tests() {
  ctest --preset "$preset" -j 4 -R "${TESTS:-.}" && "$onepass" check --backend cuda --count 300
}
# A selection: kernels run many times slower here.
sanitize() {
  for family in gemv symv; do
    compute-sanitizer --tool "$1" --error-exitcode 9 "build/$preset/tests/$family/test_$family" --gtest_brief=1 \
      --gtest_filter="${FILTER:-*IsExactOnIntegers/cuda*}" || return
  done
  compute-sanitizer --tool "$1" --error-exitcode 9 "$onepass" check --backend cuda --count "${CHECKS:-40}" --max-size 200
}
# sanitize_reduction TOOL ROUTINE TYPE SHAPE [MATRICES]
sanitize_reduction() {
  compute-sanitizer --tool "$1" --error-exitcode 9 "$onepass" bench "$2" --backend cuda --no-peers --type "$3" --shape "$4" ${5:+--batch "$5"}
}
# bench RECORD ARGUMENTS
bench() {
  # Unquoted: a list of words.
  # shellcheck disable=SC2086
  "$onepass" bench $2 --backend cuda --json "$1"
}
export -f build run_tests sanitize sanitize_reduction bench
export preset jobs onepass

# Small ones: six runs of each, many times slower than without the tool. On chip, in panels, in parts by clusters; in
# shared memory and packed.
reductions='sytrd d 17; gebrd d 17; gebrd z 5300x24; gehrd d 17; geqrf d 100x40; syevd-batched s 17 9; syevd-batched z 257 1; gesvd-batched c 20 3'
sanitize_stages() {
  local list reduction tool
  IFS=';' read -r -a list <<<"${REDUCTIONS-$reductions}"
  for tool in memcheck racecheck synccheck; do
    stage "$tool" "${LIMIT:-180}" bash -c "sanitize $tool"
    for reduction in "${list[@]}"; do
      # Unquoted: a list of words.
      # shellcheck disable=SC2086
      stage "$tool$(printf -- '-%s' $reduction)" "${LIMIT:-180}" bash -c 'sanitize_reduction "$@"' - "$tool" $reduction
    done
  done
}

# Runs each part of BENCH as a stage of its own. The first run of a selection takes its name, others a number.
bench_stages() {
  local runs run name number=0
  IFS=';' read -r -a runs <<<"${BENCH:-gemv --type s,d --op N,T}"
  for run in "${runs[@]}"; do
    number=$((number + 1))
    name=bench
    if [ ${#runs[@]} -gt 1 ]; then
      name=bench-$(grep -oE -- '(symv|hemv)|--(quick|mesh|sweep|inference|batched)' <<<"$run" | tr -d - | paste -sd -)
      [[ $name != bench- && " $ran " != *" $name "* ]] || name=bench-$number
    fi
    stage "$name" "${LIMIT:-600}" bash -c 'bench "$1" "$2"' - "${record%.json}${name#bench}.json" "$run"
  done
}

echo "${gpu:-no GPU found}; logs in $out"
for name in $stages; do
  case $name in
    build) stage build "${LIMIT:-600}" bash -c build ;;
    test) stage test "${LIMIT:-600}" bash -c run_tests ;;
    sanitize) sanitize_stages ;;
    bench) bench_stages ;;
    *)
      echo "no such stage: $name" >&2
      failed=1
      ;;
  esac
done

echo
for name in $ran; do
  case $name in
    test) echo "== test" && sed -n '/% tests passed/,$p' "$out/test.log" ;;
    *check*) echo "== $name" && tail -n 1 "$out/$name.log" ;;
  esac
done
echo "== stages"
printf '%s' "$report"
for name in $ran; do
  [[ $name != bench* ]] || { echo "== ${record%.json}${name#bench}.json" && cat "$out/$name.log"; }
done
exit $failed
