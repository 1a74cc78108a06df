// Bytes that a program writes in pieces of different sizes: 8 bytes at once, and 4 of them alone.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/fields.h"
#include "trace/label.h"
#include "trace/wait_set.h"

namespace mazur {

class MixedSizes {
 public:
  // Takes note of what the operation writes. Calls found(begin, end) for each range that is new
  // and overlaps a known one without being equal to it, with all bytes of both.
  template <typename Found>
  void note(const Label& label, Found&& found) {
    if (touches_one_range(label)) {
      if (label.kind != OpKind::kLoad && !is_recent(label.object, label.size))
        note_range(label.object, label.size);
    } else {
      note_all(label);
    }
    for (const Range& r : found_) found(r.begin, r.end);
    found_.clear();
  }

 private:
  struct Range {
    ObjectId begin = 0, end = 0;
  };
  static constexpr int kGranuleShift = 4;

  static bool touches_one_range(const Label& l) { return is_memory(l.kind) && waits_for(l) == 0; }
  Range& recent(ObjectId object) { return recent_[(object >> 2) % recent_.size()]; }
  bool is_recent(ObjectId object, std::uint32_t size) {
    const Range& r = recent(object);
    return r.begin == object && r.end == object + size;
  }
  void note_all(const Label& label);
  void note_range(ObjectId object, std::uint32_t size);

  std::array<Range, 256> recent_;  // known ones, by their first byte
  std::unordered_map<ObjectId, std::vector<Range>> known_;
  std::vector<Range> found_;
};

}  // namespace mazur
