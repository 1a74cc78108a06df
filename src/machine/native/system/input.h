// Reading from outside. The rules are in input.cpp.
#pragma once

#include <stdio.h>

namespace mazur::native {

// Whether a read from the descriptor may wait for another process or a person: pipes, terminals,
// sockets and the like.
bool may_block(int descriptor);

// Ends with `unsupported` if opening the file, or reading from it through a stream, is not under
// our control.
void refuse_blocking_file(int directory, const char* path, const void* pc);

// Before libc reads from a stream on its own.
void prepare_stream(FILE* stream, const void* pc);

}  // namespace mazur::native
