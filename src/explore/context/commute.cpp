#include "explore/context/commute.h"

#include <algorithm>
#include <cstdint>

#include "explore/context/single_access.h"
#include "trace/comparison.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// The bytes that two operations touch, from the lower end on.
class Bytes {
 public:
  Bytes(ObjectId begin, ObjectId end) : begin_(begin), size_(end - begin) {}

  void set(const Label& at, std::uint64_t value) {
    for (std::uint32_t i = 0; i < at.size; ++i)
      bytes_[at.object - begin_ + i] = static_cast<std::uint8_t>(value >> (i * 8));
  }
  std::uint64_t get(const Label& at) const {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < at.size; ++i)
      value |= std::uint64_t{bytes_[at.object - begin_ + i]} << (i * 8);
    return value;
  }
  friend bool operator==(const Bytes& a, const Bytes& b) {
    return std::equal(a.bytes_, a.bytes_ + a.size_, b.bytes_);
  }

 private:
  ObjectId begin_;
  std::size_t size_;
  std::uint8_t bytes_[16] = {};
};

std::uint64_t low(std::uint64_t value, std::uint32_t size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << (size * 8)) - 1);
}

// What was there before the operation.
std::uint64_t found(const Label& l) { return reads_memory(l) ? l.read : l.before; }

// Runs the operation on the bytes; false if its thread would see something else than it did, or if
// the label does not tell what it would do.
bool run_again(const Label& l, Bytes& bytes) {
  if (is_observed_assertion(l)) return holds(l, bytes.get(l)) == l.success;
  if (reads_memory(l) && bytes.get(l) != low(l.read, l.size)) return false;
  if (writes_memory(l)) bytes.set(l, l.written);
  return true;
}

}  // namespace

bool same_either_way(const Event& first, const Event& second) {
  const Label& e = first.label;
  const Label& f = second.label;
  if (!is_single_access(e) || !is_single_access(f)) return false;
  const ObjectId begin = std::min(e.object, f.object);
  const ObjectId end = std::max(e.object + e.size, f.object + f.size);
  if (end - begin >= e.size + f.size) return false;  // they do not meet
  Bytes before(begin, end);
  before.set(f, found(f));
  before.set(e, found(e));
  Bytes after = before;
  if (!run_again(e, after) || !run_again(f, after)) return false;
  Bytes swapped = before;
  return run_again(f, swapped) && run_again(e, swapped) && swapped == after;
}

}  // namespace mazur
