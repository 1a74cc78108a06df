#include "trace/atomic_block/block.h"

#include <algorithm>

#include "base/hash.h"

namespace mazur {

BlockTable block_table;

namespace {

class Hash {
 public:
  void mix(std::uint64_t v) { h_ = mixed(h_, v); }
  // So large that replay takes it for an address, and does not compare it across processes.
  std::uint64_t get() const { return h_ | std::uint64_t{1} << 63; }

 private:
  std::uint64_t h_ = kHashSeed;
};

bool same(const Access& a, const Access& b) {
  return a.space == b.space && a.mode == b.mode && a.size == b.size && a.object == b.object;
}

std::uint8_t byte_of(std::uint64_t value, ObjectId object, ObjectId address) {
  const ObjectId offset = address - object;
  return static_cast<std::uint8_t>(offset < 8 ? value >> (offset * 8) & 0xff : 0);
}

bool in_range(ObjectId address, ObjectId object, std::uint32_t size) {
  return object <= address && address < object + size;
}

}  // namespace

void BlockTable::intern(std::span<const BlockAccess> accesses, Label& label) {
  Hash shape, found, left;
  for (const BlockAccess& a : accesses) {
    shape.mix(a.access.object);
    shape.mix(std::uint64_t{a.access.size} << 32 |
              static_cast<std::uint64_t>(a.access.space) << 16 | std::uint64_t{a.access.mode} << 8 |
              std::uint64_t{a.reads});
    if (a.reads) found.mix(a.before);
    left.mix(a.after);
  }
  label.kind = OpKind::kAtomicBlock;
  label.size = static_cast<std::uint32_t>(accesses.size());
  label.object = shape.get();
  label.read = found.get();
  label.written = left.get();
  label.value = shape_of(accesses, label.object) + 1;
  Hash values;
  for (const BlockAccess& a : accesses) {
    values.mix(a.before);
    values.mix(a.after);
  }
  label.before = values_of(accesses, values.get());
}

std::uint64_t BlockTable::shape_of(std::span<const BlockAccess> accesses, std::uint64_t hash) {
  const auto [first, last] = shape_by_hash_.equal_range(hash);
  for (auto i = first; i != last; ++i) {
    const Shape& s = shapes_[i->second];
    bool equal = s.size == accesses.size();
    for (std::uint32_t k = 0; equal && k < s.size; ++k)
      equal = same(s.list[k], accesses[k].access) && s.reads[k] == accesses[k].reads;
    if (equal) return i->second;
  }
  Shape& s = shapes_.emplace_back();
  s.size = static_cast<std::uint32_t>(accesses.size());
  s.list = std::make_unique<Access[]>(s.size);
  s.reads = std::make_unique<bool[]>(s.size);
  for (std::uint32_t k = 0; k < s.size; ++k) {
    s.list[k] = accesses[k].access;
    s.reads[k] = accesses[k].reads;
  }
  const std::uint64_t id = shapes_.size() - 1;
  shape_by_hash_.emplace(hash, id);
  return id;
}

std::uint64_t BlockTable::values_of(std::span<const BlockAccess> accesses, std::uint64_t hash) {
  const auto [first, last] = values_by_hash_.equal_range(hash);
  for (auto i = first; i != last; ++i) {
    const std::vector<BlockValue>& list = values_[i->second].list;
    bool equal = list.size() == accesses.size();
    for (std::size_t k = 0; equal && k < list.size(); ++k)
      equal = list[k] == BlockValue{accesses[k].before, accesses[k].after};
    if (equal) return i->second;
  }
  std::uint64_t id = values_.size();
  if (free_.empty()) {
    values_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Values& v = values_[id];
  v.hash = hash;
  v.used = true;
  v.list.clear();
  for (const BlockAccess& a : accesses) v.list.push_back({a.before, a.after});
  values_by_hash_.emplace(hash, id);
  return id;
}

std::vector<BlockAccess> BlockTable::contents(const Label& label) const {
  const auto list = accesses(label);
  std::vector<BlockAccess> all(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    all[i] = {list[i], reads(label)[i], values(label)[i].before, values(label)[i].after};
  return all;
}

void BlockTable::keep_values(std::span<const Event> events) {
  for (Values& v : values_) v.used = false;
  for (const Event& e : events)
    if (e.label.kind == OpKind::kAtomicBlock && !is_unknown_block(e.label))
      values_[e.label.before].used = true;
  free_.clear();
  values_by_hash_.clear();
  for (std::uint64_t id = 0; id < values_.size(); ++id) {
    if (values_[id].used) {
      values_by_hash_.emplace(values_[id].hash, id);
      continue;
    }
    values_[id].list = {};
    free_.push_back(id);
  }
}

ByteWrite byte_write(const Label& l, ObjectId address) {
  if (l.kind == OpKind::kFree) return {};
  if (l.kind != OpKind::kAtomicBlock) {
    if (!in_range(address, l.object, l.size)) return {};
    return {true, byte_of(l.before, l.object, address), byte_of(l.written, l.object, address)};
  }
  const auto list = block_table.accesses(l);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Access& a = list[i];
    if (a.space != Space::kMemory || !in_range(address, a.object, a.size)) continue;
    if (a.mode != mode::kWrite) return {};
    const BlockValue& v = block_table.values(l)[i];
    return {true, byte_of(v.before, a.object, address), byte_of(v.after, a.object, address)};
  }
  return {};
}

bool writes_all(const Label& label, ObjectId object, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i)
    if (!byte_write(label, object + i).written) return false;
  return true;
}

bool releases_mutex(const Label& block, ObjectId mutex) {
  const auto list = block_table.accesses(block);
  return std::any_of(list.begin(), list.end(), [&](const Access& a) {
    return a.space == Space::kMutex && a.mode == mode::kRelease && a.object == mutex;
  });
}

bool reads_from(const Label& f, const Label& e) {
  const auto list = block_table.accesses(f);
  for (const Access& x : accesses(e)) {
    if (x.space == Space::kMemory && x.mode != mode::kWrite) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Access& y = list[i];
      if (x.space != y.space || !overlapping(x, y)) continue;
      // What a block does with a mutex depends on whether it is free, unless its thread holds it.
      if (y.space == Space::kMutex ? y.mode != mode::kRelease : block_table.reads(f)[i])
        return true;
    }
  }
  return false;
}

}  // namespace mazur
