# Shared by the scripts of this folder: how a source package is fetched, and how a program is explored.
#
# Each script takes a folder for sources and results (default: a temporary one, removed at the end).
# MAZUR names the command to use (default: the launcher of this repository).
set -u -o pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mazur=${MAZUR:-$root/mazur}
script=$(basename "$0")

fail() { echo "$script: $*" >&2; exit 2; }

need() {  # need COMMAND PACKAGE
  command -v "$1" >/dev/null || fail "there is no $1; please install the package $2."
}

enter_folder() {  # enter_folder [FOLDER]
  if [ $# -gt 0 ]; then
    mkdir -p "$1" 2>/dev/null || fail "cannot make the folder '$1'."
    folder=$(cd "$1" && pwd)
  else
    folder=$(mktemp -d) || fail "cannot make a temporary folder."
    trap 'rm -rf "$folder"' EXIT
  fi
  cd "$folder" || fail "cannot enter the folder '$folder'."
}

# The machine's own package sources, asked for sources instead of binaries. The machine's lists stay as
# they are: apt works on a configuration, lists and a cache in our folder.
private_apt() {
  local Main=/dev/null Parts=/dev/null file
  eval "$(apt-config shell Main Dir::Etc::sourcelist/f Parts Dir::Etc::sourceparts/d)"
  mkdir -p apt/sources apt/lists/partial apt/cache/archives/partial
  for file in "$Main" "$Parts"/*.list; do
    [ -f "$file" ] && sed -nE 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file"
  done >apt/sources/lines.list
  for file in "$Parts"/*.sources; do
    [ -f "$file" ] && sed -E 's/^Types:.*/Types: deb-src/' "$file" >"apt/sources/$(basename "$file")"
  done
  apt=(apt-get -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources"
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache"
    -o APT::Sandbox::User=root)
}

fetch_source() {  # fetch_source PACKAGE: unpacks it; $source is its folder
  local package=$1 why
  need apt-get apt
  need dpkg-source dpkg-dev
  private_apt
  # An update can fail for one of several package sources; whether it matters shows below.
  "${apt[@]}" update >apt/log 2>&1
  if ! "${apt[@]}" source "$package" >>apt/log 2>&1; then
    why=$(grep '^E: ' apt/log | head -n 1)
    fail "cannot fetch the source package $package: apt-get source says '${why:-nothing}'."
  fi
  source=$(find . -maxdepth 1 -type d -name "$package-*" | head -n 1)
  [ -n "$source" ] || fail "the source package $package has no folder of that name."
  echo "$package $(dpkg-parsechangelog -l "$source/debian/changelog" -S Version), unchanged"
}

build() {  # build COMMAND...
  if ! "$@" >build.log 2>&1; then
    tail -n 20 build.log >&2
    fail "the program does not build; the output above says why."
  fi
}

# explore PROGRAM OPTION... -- ARGUMENT...: the same exploration with five algorithms, a line for each.
explore() {
  local program=$1 algorithm options=() status verdicts=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
  echo
  echo "mazur check $(basename "$program")${options[*]:+ ${options[*]}} $*"
  for algorithm in optimal source "quasi --k=1" "quasi --k=2" "quasi --k=0"; do
    # shellcheck disable=SC2086 # an algorithm and its option
    "$mazur" check "$program" --algorithm=$algorithm "${options[@]}" --no-trace --output=none "$@" \
      >result 2>&1 </dev/null
    status=$?
    if [ $status -ne 0 ] && [ $status -ne 3 ]; then
      cat result
      exit $status
    fi
    printf '  %-12s %s\n' "$algorithm" "$(sed -n 's/, algorithm .*//p' result)"
    verdicts+=("$(grep -E '^(verified|incomplete): ' result)")
  done
  printf '%s\n' "${verdicts[@]}" | sort -u | sed 's/^/  /'
}
