#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Some 15 minutes from nothing on two cores, a
# few when all is built. Ends with "All tests passed", or with the log of what failed and exit code 1.
#
#   ./test.sh              the release build with all tests; the engine; the core without LibTorch
#                          and HDF5; the sanitizers
#   ./test.sh --readme     besides, the commands of README.md in full length
#   ./test.sh --interop    besides, other programs: slow games and readers that need more packages
set -euo pipefail
cd "$(dirname "$0")"

readme=no
interop=no
for argument in "$@"; do
  case $argument in
    --readme) readme=yes ;;
    --interop) interop=yes ;;
    *) echo "usage: ./test.sh [--readme] [--interop]" >&2; exit 2 ;;
  esac
done

logs=build/test-logs
mkdir -p "$logs"
jobs=$(nproc)

# step NAME TEXT COMMAND...: runs the command, its output in a log; the time it took, or the log's end.
step() {
  local text=$2 start=$SECONDS log=$logs/$1.log
  shift 2
  printf '%-64s' "$text ..."
  if "$@" >"$log" 2>&1; then
    printf '%4d s' $((SECONDS - start))
    local tests
    tests=$(grep -oE 'tests passed, .* out of [0-9]+' "$log" | tail -1 | grep -oE '[0-9]+$' || true)
    [[ -n $tests ]] && printf '  %4d tests' "$tests"
    printf '\n'
    grep -hE '^\s+[0-9]+ - .*\(Skipped\)' "$log" | sed 's/^\s*[0-9]* - /    skipped: /' || true
  else
    printf ' FAILED after %d s\n\n' $((SECONDS - start))
    tail -80 "$log"
    printf '\nFAILED: %s. The whole log: %s\n' "$text" "$log"
    exit 1
  fi
}

build() { # PRESET [ninja's targets]
  local preset=$1
  shift
  cmake --preset "$preset"
  ninja -C "build/$preset" "$@"
}

run_tests() { # PRESET [ctest's options]
  local preset=$1
  shift
  ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error "$@"
}

# The core with no LibTorch and no HDF5 to be found, and nothing of them in its programs.
build_core() {
  env -u Torch_DIR -u CMAKE_PREFIX_PATH cmake --preset core \
    -DCMAKE_DISABLE_FIND_PACKAGE_Torch=ON -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON
  ninja -C build/core
  local program
  for program in build/core/tengen build/core/*_test; do
    if ldd "$program" | grep -E 'torch|hdf5'; then
      echo "$program links what the core must do without"
      return 1
    fi
  done
}

# The engine, of which nothing may be missing on another machine.
build_engine() {
  build engine
  if ldd build/engine/tengen; then
    echo "build/engine/tengen needs shared libraries"
    return 1
  fi
}
test_engine() {
  TENGEN=build/engine/tengen TENGEN_WRITE_NETS=build/release/write_nets python3 tests/system/engine_test.py
}

echo "Testing Tengen: logs in $logs, $jobs cores"
if [[ $interop == yes ]]; then docker/install-deps.sh --interop; else docker/install-deps.sh; fi
step build "building the release preset: build/release/tengen and all tests" build release
step build-engine "building the engine" build_engine
step test "running all tests" run_tests release
step test-engine "the engine plays" test_engine
step build-core "building the core without LibTorch and HDF5" build_core
step test-core "its tests" run_tests core
step build-asan "building with address and undefined-behaviour sanitizers" build asan
step test-asan "all tests that need no LibTorch, under them" run_tests asan
step build-tsan "building with the thread sanitizer" build tsan games_test rules_test
step test-tsan "self-play and batches of games on several threads, under it" \
  run_tests tsan -R '^(games\.(GamePool|SelfplaySession)|rules\.GameBatch)\.'
if [[ $readme == yes ]]; then
  step readme "the commands of README.md in full length" python3 tests/interop/readme_commands.py --full
fi
if [[ $interop == yes ]]; then
  step interop "other programs" env TENGEN_INTEROP=full ctest --test-dir build/release --output-on-failure -R '^Interop\.'
fi
printf 'All tests passed, in %d:%02d minutes\n' $((SECONDS / 60)) $((SECONDS % 60))
