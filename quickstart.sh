#!/usr/bin/env bash
# Installs, builds, trains a net to play 5x5 Go from random weights, and examines it. On two cores the
# first time takes about five minutes of building and five to fifteen of training, besides the download
# of LibTorch; can be run again, and goes on where it stood.
#
#   ./quickstart.sh [DIRECTORY]     the run directory, runs/quick-5x5 unless given
set -euo pipefail
cd "$(dirname "$0")"
run=${1:-runs/quick-5x5}

echo "1. Installing what is missing (the first time minutes, most of them for LibTorch: up to 5 GB)"
docker/install-deps.sh

echo
echo "2. Building build/release/tengen (about five minutes on two cores the first time)"
start=$SECONDS
mkdir -p build

# Shows how far ninja is, on a terminal.
show_steps() {
  if [[ -t 1 ]]; then grep --line-buffered -oE '^\[[0-9]+/[0-9]+\]' | while read -r at; do printf '\r   %s' "$at"; done && printf '\r'
  else cat >/dev/null; fi
}
if ! { cmake --preset release && ninja -C build/release tengen; } 2>&1 | tee build/quickstart.log | show_steps; then
  tail -40 build/quickstart.log
  echo "The build failed; the whole log: build/quickstart.log"
  exit 1
fi
echo "   built after $((SECONDS - start)) s: $(build/release/tengen version | head -1)"

echo
echo "3. Training on 5x5 from random weights into $run (five to fifteen minutes; stop with Ctrl-C, go on"
echo "   with the same command). The program plays itself, learns from the games, and plays itself again."
start=$SECONDS
stopped=no
trap 'stopped=yes' INT TERM
build/release/tengen run --config configs/quick-5x5.toml --dir "$run"
trap - INT TERM
if [[ $stopped == yes || -e $run/STOP ]]; then
  echo "Stopped before the exam. ./quickstart.sh${1:+ $1} goes on from here."
  [[ -e $run/STOP ]] && echo "First remove $run/STOP."
  exit 130
fi
echo "   after $(((SECONDS - start) / 60)) min $(((SECONDS - start) % 60)) s"

echo
echo "4. The exam. 5x5 is solved: the first move belongs in the centre, and it wins the whole board, 25"
echo "   points. Nobody told the program."
if build/release/tengen exam --dir "$run"; then
  cat <<END

The net passed. From nothing but the rules it found out where the first move belongs, that Black then
takes the whole board (it is sure of a win at komi 24 and of a loss at 25.5), and how to beat a player
without a net. What now?

  the run on one screen:
    build/release/tengen status --dir $run
  play against it, in any GTP program (Sabaki, GoGui):
    build/release/tengen gtp --net $run
  its curves:
    ${TENGEN_DEPS:-~/.cache/tengen}/venv/bin/tensorboard --logdir $run
  9x9, two hours on two cores:
    build/release/tengen run --config configs/cpu-9x9.toml --dir runs/nine
  every key that a config can set:
    build/release/tengen config
END
else
  code=$?
  cat <<END

The net fell short of the exam; the lines above say in what. What can help: more games,

  build/release/tengen run --config configs/quick-5x5.toml --dir $run --set run.evaluations=24_000_000

which goes on from here; and build/release/tengen status --dir $run, which says whether it is still learning.
END
  exit $((code == 0 ? 1 : code))
fi
