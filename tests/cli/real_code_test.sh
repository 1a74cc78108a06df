#!/usr/bin/env bash
# The scripts of examples/real without a network: what they ask apt for, and what they say when it
# cannot be had. apt is replaced by scripts.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/path" "$work/etc/parts"
export WORK=$work PATH=$work/path:$PATH MAZUR=/bin/false

cat >"$work/path/apt-config" <<'FAKE'
#!/usr/bin/env bash
echo "Main='$WORK/etc/sources.list'"
echo "Parts='$WORK/etc/parts/'"
FAKE
cat >"$work/path/apt-get" <<'FAKE'
#!/usr/bin/env bash
for word in "$@"; do
  case $word in
    Dir::Etc::sourceparts=*) cat "${word#*=}"/* >"$WORK/asked" ;;
    source) echo "Reading package lists..."; echo "E: Unable to locate source package" >&2; exit 100 ;;
  esac
done
FAKE
for each in dpkg-source make; do printf '#!/bin/sh\nexit 0\n' >"$work/path/$each"; done
chmod +x "$work/path/"*
printf 'deb [trusted=yes] file:/one stable main\ndeb-src file:/one stable main\n# deb file:/off x main\n' \
  >"$work/etc/sources.list"
printf 'Types: deb\nURIs: file:/two\nSuites: stable\nComponents: main\n' >"$work/etc/parts/two.sources"
cp -r "$work/etc" "$work/before"

expect() {  # expect WHAT WANTED GOT
  [ "$2" = "$3" ] || { printf '%s:\n--- wanted\n%s\n--- got\n%s\n' "$1" "$2" "$3"; exit 1; }
}

status=0
"$source/examples/real/mafft.sh" "$work/folder" >"$work/out" 2>"$work/err" || status=$?
expect "exit code" 2 "$status"
expect "output" "" "$(cat "$work/out")"
expect "one sentence" "mafft.sh: cannot fetch the source package mafft: \
apt-get source says 'E: Unable to locate source package'." "$(cat "$work/err")"
expect "package sources" "deb-src [trusted=yes] file:/one stable main
Types: deb-src
URIs: file:/two
Suites: stable
Components: main" "$(cat "$work/asked")"
diff -r "$work/before" "$work/etc"

touch "$work/file"
status=0
"$source/examples/real/mafft.sh" "$work/file/folder" 2>"$work/err" || status=$?
expect "exit code without a folder" 2 "$status"
grep -q "mafft.sh: cannot make the folder" "$work/err"
