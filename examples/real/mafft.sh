#!/usr/bin/env bash
# mafft, multiple alignment of sequences (C, pthreads), from its Debian source package: two of its
# programs, fetched, built with Mazur as the compiler, explored. docs/real-code.md says what comes out.
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"

enter_folder "$@"
need make make
fetch_source mafft
build make -C "$source/core" CC="$mazur cc" pairlocalalign disttbfast

printf '>a\nACDEFGHIKL\n>b\nACDFGHIKLM\n>c\nCDEFGHIKLW\n' >three
printf '>a\nACDEFGHIKL\n>b\nACDFGHIKLM\n>c\nCDEFGHIKLW\n>d\nACEFGHIKLW\n' >four
explore "$source/core/pairlocalalign" -- -L -C 2 -i three
explore "$source/core/pairlocalalign" -- -L -C 2 -i four
explore "$source/core/pairlocalalign" -- -L -C 3 -i three
explore "$source/core/disttbfast" -- -C 2 -i three
