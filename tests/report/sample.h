// An error to report on.
#pragma once

#include "report/findings/trace_file.h"

namespace mazur {

// Two threads that take two mutexes in opposite order, with source lines and names.
Finding deadlock_sample();

// The trace file of it.
TraceFile trace_sample();

}  // namespace mazur
