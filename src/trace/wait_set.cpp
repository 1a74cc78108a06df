#include "trace/wait_set.h"

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace mazur {
namespace {

struct Entry {
  ObjectId name;
  std::size_t count;
  std::array<Location, kMaxWaitSet> locations;
};
constexpr std::size_t kEntries = 1 << 13;

constinit Entry own_table[kEntries] = {};  // zeros, and no page of it is touched at the start
Entry* table = own_table;

// Such names stand in trace files: they stay as they are.
ObjectId hash(std::span<const Location> locations) {
  std::uint64_t h = spread(1);
  for (const Location& l : locations) {
    h = (h ^ l.object) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 29 ^ l.size) * 0x94d049bb133111eb;
  }
  return (h ^ h >> 32) | 2;  // neither 0 nor kOwnLocation
}

}  // namespace

ObjectId name_wait_set(std::span<const Location> others) {
  if (others.empty()) return kOwnLocation;
  if (others.size() > kMaxWaitSet) return 0;
  const ObjectId name = hash(others);
  for (std::size_t tries = 0, i = name % kEntries; tries < kEntries / 2; ++tries) {
    Entry& entry = table[i];
    if (entry.name == 0) {
      std::copy(others.begin(), others.end(), entry.locations.begin());
      entry.count = others.size();
      entry.name = name;
      return name;
    }
    // If two sets would have the same name, the later one gets none.
    if (entry.name == name)
      return std::equal(others.begin(), others.end(), entry.locations.begin(),
                        entry.locations.begin() + static_cast<std::ptrdiff_t>(entry.count))
                 ? name
                 : 0;
    i = (i + 1) % kEntries;
  }
  return 0;
}

std::span<const Location> wait_set(ObjectId name) {
  for (std::size_t tries = 0, i = name % kEntries; tries < kEntries / 2; ++tries) {
    if (table[i].name == name) return {table[i].locations.data(), table[i].count};
    i = (i + 1) % kEntries;
  }
  return {};
}

std::size_t wait_sets_size() { return sizeof own_table; }

void keep_wait_sets_in(void* zeroed_memory) { table = static_cast<Entry*>(zeroed_memory); }

}  // namespace mazur
