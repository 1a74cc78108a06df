#!/usr/bin/env bash
# The launcher on its own: a tree that is up to date is not built, a changed one is built again,
# two at once build once. cmake is replaced by a script that counts.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/src" "$work/tree/cmake" "$work/tree/include" "$work/path"
cp "$source/mazur" "$work/tree/mazur"
echo "project" >"$work/tree/CMakeLists.txt"
cat >"$work/path/cmake" <<'FAKE'
#!/usr/bin/env bash
echo "$*" >>"$COUNTS"
case "$1" in
  -S) mkdir -p "$4"; touch "$4/build.ninja" ;;
  --build)
    sleep 0.3
    if [ -e "$2/../../break" ]; then echo "the reason"; exit 1; fi
    mkdir -p "$2/bin"
    printf '#!/bin/sh\necho ran "$@"\nexit 7\n' >"$2/bin/mazur"
    chmod +x "$2/bin/mazur" ;;
esac
FAKE
# Nothing is missing on this machine.
printf '#!/bin/sh\necho installed\n' >"$work/path/dpkg-query"
chmod +x "$work/path/"*
export COUNTS=$work/counts PATH=$work/path:$PATH
unset MAZUR_BUILD_DIR
cd "$work"

expect() { [ "$1" = "$2" ] || { echo "expected '$2', got '$1' ($3)"; exit 1; }; }
builds() { grep -c -e --build "$COUNTS" || true; }

code=0; out=$(tree/mazur check 'a b' 2>/dev/null) || code=$?
expect "$out" "ran check a b" "first run"
expect "$code" 7 "the program's exit code"
expect "$(builds)" 1 "first run builds"

calls=$(wc -l <"$COUNTS")
out=$(tree/mazur check x) || true
expect "$(wc -l <"$COUNTS")" "$calls" "second run starts without cmake"

sleep 0.01
touch tree/src/new.cpp
tree/mazur check x >/dev/null 2>&1 || true
expect "$(builds)" 2 "a new source builds again"
sleep 0.01
rm tree/src/new.cpp
tree/mazur check x >/dev/null 2>&1 & tree/mazur check x >/dev/null 2>&1 || true
wait || true
expect "$(builds)" 3 "two at once build once"

touch tree/break tree/src
code=0; err=$(tree/mazur check x 2>&1 >/dev/null) || code=$?
expect "$code" 2 "a failing build"
case "$err" in *"the reason"*"building failed"*) ;; *) echo "no reason shown: $err"; exit 1 ;; esac
rm tree/break
code=0; tree/mazur check x >/dev/null 2>&1 || code=$?
expect "$code" 7 "and built after it is mended"
echo ok
