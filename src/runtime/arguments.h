// argv and the first environment, which lie on the process's own stack and so outside of the
// snapshot. Programs write to both: parsers of options move argv's pointers, setenv exchanges
// pointers in place.
#pragma once

namespace mazur::native {

// From now on every execution finds them as they were when the snapshot was taken. To be called
// once, with what the process was started with.
void keep_arguments(char** arguments, char** environment);

}  // namespace mazur::native
