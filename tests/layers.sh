#!/usr/bin/env bash
# layers.sh ROOT: says which includes in ROOT/src go against the order of the layers (src/CMakeLists.txt), one sentence
# each, and fails if there is one. The build refuses most of them, too, but only says that a file was not found.
set -eu
cd "$1/src"

# The layers that a layer may include besides itself.
allowed() {
  case $1 in
    base) ;;
    modules) echo base ;;
    trace) echo base ;;
    graph) echo base trace ;;
    explore) echo base trace graph ;;
    protocol) echo base trace explore/options.h ;;
    machine) echo base trace protocol ;;
    check) echo base trace graph explore machine protocol ;;
    runtime) echo base trace explore machine protocol check ;;
    report) echo base trace graph protocol modules ;;
    work) echo base trace protocol ;;
    cli) echo base trace explore machine protocol check work modules report ;;
    *) echo "src/$1 is no layer: src/CMakeLists.txt and tests/layers.sh say what there is." >&2; return 1 ;;
  esac
}

wrong=0
for folder in */; do
  layer=${folder%/}
  may=" $layer $(allowed "$layer") "
  while IFS=: read -r file line include; do
    [ -n "$file" ] || continue
    header=${include#*\"}
    header=${header%%\"*}
    below=${header%%/*}
    [ -d "$below" ] || continue
    case $may in *" $below "* | *" $header "*) continue ;; esac
    echo "src/$file:$line includes $header, but $layer may not know $below." >&2
    wrong=1
  done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*/' --include='*.h' --include='*.cpp' "$layer")
done
exit $wrong
