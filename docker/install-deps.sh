#!/usr/bin/env bash
# Installs what Tengen needs on Debian 12 (or a relative of it), as root or with sudo: Debian packages,
# and under ${TENGEN_DEPS:-~/.cache/tengen} a Python environment with LibTorch 2.11.0 and the packages
# of the tests. The one place that names packages. Can be run again: quick when all is there, and what
# an interrupted run left is put right. Removes nothing.
#
#   docker/install-deps.sh            all
#   docker/install-deps.sh --core     Debian packages only, no Python environment: enough for
#                                     `cmake --preset core` and `cmake --preset engine`
#   docker/install-deps.sh --interop  besides, an OpenCL for the CPU, which the tests' KataGo needs
#   docker/install-deps.sh --check    installs nothing; exits 1 if something is missing
set -euo pipefail

deps=${TENGEN_DEPS:-$HOME/.cache/tengen}
venv=$deps/venv

build_packages=(g++ python3 cmake ninja-build ccache mold pkg-config git ca-certificates
  libhdf5-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev libfmt-dev libboost-dev zlib1g-dev
  libonnx-dev libprotobuf-dev libeigen3-dev
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev libtcmalloc-minimal4)
torch_packages=(python3-venv)
test_packages=(gnugo)
interop_packages=(pocl-opencl-icd ocl-icd-libopencl1)

torch=torch==2.11.0
# Beside the wheel where a CUDA 13 toolkit with cuDNN and NCCL is installed.
torch_toolkit_extras=(typing-extensions nvidia-cusparselt-cu13==0.8.0 nvidia-nvshmem-cu13==3.4.5
  nvidia-cufile==1.15.1.6)
# A toolkit for CMake to find where none is installed.
nvcc_wheels=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-cccl==13.0.85 nvidia-nvvm==13.0.88
  nvidia-cuda-crt==13.0.88)
# onnx and onnxruntime check and run the ONNX files that Tengen writes; pinned, since what they accept changes.
python_test_packages=(numpy h5py safetensors tensorboard sgfmill onnx==1.23.2 onnxruntime==1.32.0)

say() { printf '[install-deps] %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

want_python=yes
want_interop=no
check_only=no
for argument in "$@"; do
  case $argument in
    --core) want_python=no ;;
    --interop) want_interop=yes ;;
    --check) check_only=yes ;;
    *) echo "usage: docker/install-deps.sh [--core] [--interop] [--check]" >&2; exit 2 ;;
  esac
done

# ---- Debian packages ---------------------------------------------------------------------------

missing_packages() {
  local installed
  # dpkg-query fails when it has never heard of one of them.
  installed=$({ dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null || true; } |
    awk '$2 == "ii" {print $1}')
  local package
  for package in "$@"; do
    grep -qxF "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

install_debian_packages() {
  local packages=("${build_packages[@]}") missing sudo=()
  [[ $want_python == yes ]] && packages+=("${torch_packages[@]}" "${test_packages[@]}")
  [[ $want_interop == yes ]] && packages+=("${interop_packages[@]}")
  mapfile -t missing < <(missing_packages "${packages[@]}")
  if ((${#missing[@]} == 0)); then
    say "Debian packages: all ${#packages[@]} are installed"
    return
  fi
  [[ $check_only == yes ]] && die "missing Debian packages: ${missing[*]}"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing packages, and neither root nor sudo: ${missing[*]}"
    sudo=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages, about a minute: ${missing[*]}"
  "${sudo[@]}" apt-get -qq update
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
    "${missing[@]}" >"$log" 2>&1 || { tail -20 "$log" >&2; die "apt-get failed; the whole log: $log"; }
}

# ---- LibTorch and Python -----------------------------------------------------------------------

# A LibTorch that the user already has, by Torch_DIR or CMAKE_PREFIX_PATH, as docker/torch.cmake
# looks for it.
own_libtorch() {
  local prefix
  if [[ -f ${Torch_DIR:-}/TorchConfig.cmake ]]; then printf '%s\n' "$Torch_DIR"; return; fi
  for prefix in $(tr ':;' '  ' <<<"${CMAKE_PREFIX_PATH:-}"); do
    local below
    for below in share/cmake/Torch lib/cmake/Torch Torch; do
      if [[ -f $prefix/$below/TorchConfig.cmake ]]; then printf '%s\n' "$prefix/$below"; return; fi
    done
  done
}

# Whether /usr/local/cuda is a CUDA 13 toolkit that has every library the wheel links to.
has_cuda_toolkit() {
  local cuda=/usr/local/cuda library
  [[ -x $cuda/bin/nvcc ]] || return 1
  "$cuda/bin/nvcc" --version | grep -q 'release 13\.' || return 1
  for library in cudart.so.13 cublas.so.13 cublasLt.so.13 cudnn.so.9 cufft.so.12 cupti.so.13 \
    curand.so.10 cusolver.so.12 cusparse.so.12 nccl.so.2 nvrtc.so.13 nvJitLink.so.13; do
    [[ -e $cuda/lib64/lib$library || -e $cuda/extras/CUPTI/lib64/lib$library ]] || return 1
  done
}

# What is to be in the environment: kept in the stamp, the last file written.
recipe() {
  case $kind in
    own) echo "own LibTorch" ;;
    toolkit) echo "$torch ${torch_toolkit_extras[*]}" ;;
    full) echo "$torch ${nvcc_wheels[*]}" ;;
  esac
  echo "${python_test_packages[*]}"
}

site_packages() { echo "$venv"/lib/python3.*/site-packages; }

# Whether the environment works: what is imported here has been unpacked to the end.
works() {
  [[ -x $venv/bin/python ]] || return 1
  local site modules="numpy, h5py, safetensors.numpy, sgfmill, onnx, onnxruntime, tensorboard.backend.event_processing.event_accumulator"
  site=$(site_packages)
  if [[ $kind != own ]]; then
    modules="torch, $modules"
    [[ -f $site/torch/share/cmake/Torch/TorchConfig.cmake ]] || return 1
    [[ -f $site/torch/include/torch/csrc/api/include/torch/torch.h ]] || return 1
  fi
  if [[ $kind == full ]]; then
    [[ -x $site/nvidia/cu13/bin/nvcc && -e $site/nvidia/cu13/lib64/libcudart.so ]] || return 1
  fi
  "$venv/bin/python" -c "import $modules" >>"$log" 2>&1
}

pip_install() {
  "$venv/bin/python" -m pip --disable-pip-version-check --no-input install --progress-bar off "$@" \
    >>"$log" 2>&1 || { tail -20 "$log" >&2; die "pip failed; the whole log: $log"; }
}

# CMake looks for libcudart.so, where the wheels hold libcudart.so.13 alone; nvcc looks in lib64.
link_cuda_libraries() {
  local cuda library
  cuda=$(site_packages)/nvidia/cu13
  for library in "$cuda"/lib/lib*.so.*; do
    ln -sf "$(basename "$library")" "${library%%.so.*}.so"
  done
  ln -sfn lib "$cuda/lib64"
}

install_python_packages() {
  case $kind in
    own) say "LibTorch: yours, in $own; no wheel" ;;
    toolkit)
      say "LibTorch: the wheel $torch for the CUDA toolkit in /usr/local/cuda, 1.5 GB, about a minute"
      pip_install --no-deps "$torch" "${torch_toolkit_extras[@]}" ;;
    full)
      say "LibTorch: the wheel $torch with its CUDA libraries, 5 GB, about three minutes"
      pip_install "$torch" "${nvcc_wheels[@]}"
      link_cuda_libraries ;;
  esac
  say "Python packages of the tests: ${python_test_packages[*]}"
  pip_install "${python_test_packages[@]}"
}

make_environment() {
  local python=/usr/bin/python3 stamp=$venv/tengen-recipe.txt
  if [[ -f $stamp && $(<"$stamp") == "$(recipe)" ]]; then
    say "Python environment: complete in $venv"
    return
  fi
  [[ $check_only == yes ]] && die "the Python environment in $venv is not complete"
  mkdir -p "$deps" || die "$deps cannot be created"
  exec 9>"$deps/install.lock"
  flock -n 9 || { say "waiting for another install-deps.sh"; flock 9; }

  # With an old stamp the environment is whole and only lacks what is new; without one it may be what
  # an interrupted run left, and is used only if it works.
  if [[ ! -f $stamp ]] && works; then
    say "Python environment: found in $venv, and it works"
  else
    if [[ ! -f $stamp ]]; then
      say "making a Python environment in $venv"
      [[ -x $python ]] || python=$(command -v python3)
      "$python" -m venv --clear "$venv"
    fi
    rm -f "$stamp"
    install_python_packages
    works || { tail -5 "$log" >&2; die "the environment in $venv does not work; the whole log: $log"; }
  fi
  recipe >"$stamp.part"
  mv "$stamp.part" "$stamp"
}

warn_of_two_libtorchs() {
  [[ $kind == own || -n $(missing_packages libtorch-dev) ]] && return
  say "WARNING: Debian's libtorch-dev (1.13) is installed too. docker/torch.cmake takes care to link the"
  say "WARNING: wheel alone; a program of yours that finds libraries its own way may mix the two versions."
}

# ------------------------------------------------------------------------------------------------

main() {
  [[ -n ${HOME:-}${TENGEN_DEPS:-} ]] || die "neither HOME nor TENGEN_DEPS is set"
  command -v dpkg-query >/dev/null ||
    die "this is not a Debian system; install by hand: ${build_packages[*]} ${torch_packages[*]}, then pip: $torch ${python_test_packages[*]}"
  log=$(mktemp -t tengen-install.XXXXXX)
  trap '[[ -s $log ]] || rm -f "$log"' EXIT  # a log of a failure stays
  SECONDS=0
  install_debian_packages
  if [[ $want_python == yes ]]; then
    own=$(own_libtorch)
    if [[ -n $own ]]; then kind=own; elif has_cuda_toolkit; then kind=toolkit; else kind=full; fi
    make_environment
    warn_of_two_libtorchs
  fi
  rm -f "$log"
  say "done after $SECONDS s"
}

main
