// Binary relations over a few nodes, as memory models are written down with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mazur::model {

// Sets of nodes as bits, relations as one set for each node; at most 64 nodes.
using Set = std::uint64_t;
constexpr Set bit(int i) { return Set{1} << i; }
class Rel {
 public:
  Rel() = default;
  explicit Rel(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }
  Set& operator[](std::size_t i) { return rows_[i]; }
  Set operator[](std::size_t i) const { return rows_[i]; }

 private:
  std::size_t size_ = 0;
  std::array<Set, 64> rows_{};
};

inline Rel operator|(const Rel& a, const Rel& b) {
  Rel r = a;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] |= b[i];
  return r;
}
inline Rel then(const Rel& a, const Rel& b) {
  Rel r(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (a[i] & bit(static_cast<int>(j))) r[i] |= b[j];
  return r;
}
inline Rel closure(Rel r) {
  for (std::size_t k = 0; k < r.size(); ++k)
    for (std::size_t i = 0; i < r.size(); ++i)
      if (r[i] & bit(static_cast<int>(k))) r[i] |= r[k];
  return r;
}
inline Rel only(const Rel& a, Set from, Set to) {
  Rel r = a;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = from & bit(static_cast<int>(i)) ? r[i] & to : 0;
  return r;
}
inline Rel identity(std::size_t n, Set of) {
  Rel r(n);
  for (std::size_t i = 0; i < n; ++i) r[i] = of & bit(static_cast<int>(i));
  return r;
}
inline bool irreflexive(const Rel& r) {
  for (std::size_t i = 0; i < r.size(); ++i)
    if (r[i] & bit(static_cast<int>(i))) return false;
  return true;
}
inline bool acyclic(const Rel& r) { return irreflexive(closure(r)); }

}  // namespace mazur::model
