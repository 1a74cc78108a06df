// A witness as SV-COMP's validators read it: GraphML, version 1.0, the format that knows threads.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

struct Witness {
  const Finding* violation = nullptr;  // null: the property holds
  std::string specification;           // the CHECK(...) of the property
  std::string program;                 // its file
  std::string program_hash;            // SHA-256, in hexadecimal digits
  std::string creation_time;           // 2026-01-31T12:00:00Z
};

// A violation witness is a path with an edge per event, which names its thread, its line, the
// thread that it creates, and the input that was chosen. A correctness witness has nothing but its
// entry.
std::string witness_graphml(const Witness& witness);

}  // namespace mazur
