// Binary relations over a few nodes, as memory models are written down with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mazur::model {

// Sets of nodes as bits, relations as one set for each node.
using Set = std::uint64_t;
using Rel = std::vector<Set>;
constexpr Set bit(int i) { return Set{1} << i; }

inline Rel operator|(const Rel& a, const Rel& b) {
  Rel r = a;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] |= b[i];
  return r;
}
inline Rel then(const Rel& a, const Rel& b) {
  Rel r(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (a[i] & bit(static_cast<int>(j))) r[i] |= b[j];
  return r;
}
inline Rel closure(Rel r) {
  for (std::size_t k = 0; k < r.size(); ++k)
    for (Set& row : r)
      if (row & bit(static_cast<int>(k))) row |= r[k];
  return r;
}
inline Rel only(const Rel& a, Set from, Set to) {
  Rel r = a;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = from & bit(static_cast<int>(i)) ? r[i] & to : 0;
  return r;
}
inline Rel identity(std::size_t n, Set of) {
  Rel r(n, 0);
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
