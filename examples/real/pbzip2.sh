#!/usr/bin/env bash
# pbzip2, a parallel bzip2 (C++, pthreads, 5,300 lines), from its Debian source package:
# fetched, built with Mazur as the compiler, explored. docs/real-code.md says what comes out.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

enter_folder "$@"
need make make
[ -e /usr/include/bzlib.h ] || fail "there is no bzlib.h; please install the package libbz2-dev."
fetch_source pbzip2
build make -C "$source" CXX="$mazur c++"

# Its writer waits for blocks with a timeout, in a loop. Each timeout is another trace, without end:
# the loops are bounded.
explore "$source/pbzip2" --unroll=1 -- -p1 -c
explore "$source/pbzip2" --unroll=1 -- -p2 -c

# Two blocks: 100,000 bytes is the smallest size of a block.
head -c 100001 /dev/zero >zeros
explore "$source/pbzip2" --unroll=4 --max-executions=500 -- -p2 -b1 -1 -k -c zeros

# With one processor it uses no threads for the work; those for signals and the end are still there.
explore "$source/pbzip2" -- -p1 -b1 -1 -k -c zeros

# Could an error be found that way? Without the two wake-ups for consumers at the end there is one.
rm -rf broken
cp -r "$source" broken
sed -i '/safe_cond_broadcast([fF]ifo\(Queue\)\?->notEmpty); \/\/ \(just in case\|important\)/d' broken/pbzip2.cpp
build make -B -C broken CXX="$mazur c++"
echo
echo "mazur check broken/pbzip2 --unroll=1 -- -p1 -c"
"$mazur" check broken/pbzip2 --unroll=1 --no-trace --output=none -- -p1 -c >result 2>&1 </dev/null
[ $? -eq 1 ] || { cat result; fail "the error that was put in was not found."; }
sed -n '/^$/q; s/^/  /p' result
