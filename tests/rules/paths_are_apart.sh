#!/bin/sh
# paths_are_apart.sh NM OBJECT...: fails if an object compiled for one instruction set defines a function that the
# linker may share with the rest of the program: a weak one outside its own namespace.
set -eu
nm=$1
shift
for object in "$@"; do
  shared=$("$nm" -C --defined-only "$object" | grep ' W ' | grep -v 'tengen::\(portable\|avx2\|avx512\|fp16\|amx\)::' || true)
  if [ -n "$shared" ]; then
    echo "$object shares"
    echo "$shared"
    exit 1
  fi
done
