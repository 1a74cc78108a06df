#!/usr/bin/env bash
# The check of layers finds a wrong include, and lets right ones be.
set -eu
check=$(dirname "$0")/layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/src/trace" "$tree/src/explore/dpor" "$tree/src/protocol"
expect() { [ "$1" = "$2" ] || { printf 'expected: %s\nbut got: %s\n' "$2" "$1"; exit 1; }; }

printf '#include <vector>\n#include "trace/label.h"\n' >"$tree/src/explore/dpor/optimal.cpp"
printf '#include "explore/options.h"\n' >"$tree/src/protocol/channel.h"
expect "$(bash "$check" "$tree" 2>&1)" ""

printf '\n#include "explore/explorer.h"\n' >"$tree/src/trace/label.h"
printf '#include "explore/explorer.h"\n' >>"$tree/src/protocol/channel.h"
expect "$(bash "$check" "$tree" 2>&1)" "src/protocol/channel.h:2 includes explore/explorer.h, but protocol may not know explore.
src/trace/label.h:2 includes explore/explorer.h, but trace may not know explore."
! bash "$check" "$tree" 2>/dev/null

mkdir "$tree/src/extra"
case $(bash "$check" "$tree" 2>&1 || true) in *"src/extra is no layer"*) ;; *) echo "an unknown folder"; exit 1 ;; esac
echo ok
