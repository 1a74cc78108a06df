#include "trace/blocking/read_past.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "trace/access.h"

namespace mazur {
namespace {

// What each event knows directly, while they are gone through in their order.
class DirectPasts {
 public:
  void add(const Event& event) {
    const auto self = static_cast<EventIndex>(known_.size());
    known_.emplace_back();
    const Label& l = event.label;
    know(last_of(event.thread));
    if (l.kind == OpKind::kJoin) know(last_of(child_of(l)));
    if (l.kind == OpKind::kCreate) last_of(child_of(l)) = self;
    last_of(event.thread) = self;
    if (is_memory(l.kind))
      add_memory(l, self);
    else
      add_objects(l, self);
  }
  const std::vector<EventIndex>& of(EventIndex e) const { return known_[e]; }

 private:
  struct Object {
    EventIndex changed = kNoEvent;
    std::vector<EventIndex> tried;  // since then
  };

  void know(EventIndex e) {
    if (e != kNoEvent) known_.back().push_back(e);
  }
  EventIndex& last_of(ThreadId thread) {
    if (thread >= last_.size()) last_.resize(thread + std::size_t{1}, kNoEvent);
    return last_[thread];
  }

  void add_memory(const Label& l, EventIndex self) {
    EventIndex& newest = newest_.try_emplace({l.object, l.size, l.epoch}, kNoEvent).first->second;
    const bool reads = l.kind != OpKind::kStore;
    if (reads && l.ref != kNoStore) know(l.ref == kNewest ? newest : EventIndex{l.ref});
    const bool writes = l.kind == OpKind::kStore || (l.kind != OpKind::kLoad && l.success);
    if (writes && l.ref == kNewest) newest = self;
  }

  void add_objects(const Label& l, EventIndex self) {
    for (const Access& access : accesses(l)) {
      if (has_ranges(access.space)) continue;
      Object& object = objects_[{access.space, access.object}];
      know(object.changed);
      if (only_looks(access)) {
        object.tried.push_back(self);
        continue;
      }
      for (EventIndex e : object.tried) know(e);
      object = {self, {}};
    }
  }

  static bool only_looks(const Access& access) {
    switch (access.space) {
      case Space::kMutex:
        return access.mode == mode::kProbe;
      case Space::kRwLock:
        return access.mode == mode::kProbeShared || access.mode == mode::kProbeExclusive;
      case Space::kSemaphore:
        return access.mode == mode::kLook;
      default:
        return false;
    }
  }

  std::vector<std::vector<EventIndex>> known_;
  std::vector<EventIndex> last_;  // by thread: its last event, or its creation
  std::map<std::tuple<ObjectId, std::uint32_t, std::uint16_t>, EventIndex> newest_;  // stores
  std::map<std::pair<Space, ObjectId>, Object> objects_;
};

}  // namespace

std::vector<EventIndex> read_past(const Trace& trace, EventIndex e) {
  DirectPasts pasts;
  for (EventIndex i = 0; i <= e; ++i) pasts.add(trace[i]);
  std::vector<bool> known(e + std::size_t{1}, false);
  known[e] = true;
  std::vector<EventIndex> all;
  for (EventIndex i = e + 1; i-- > 0;) {
    if (!known[i]) continue;
    all.push_back(i);
    for (EventIndex before : pasts.of(i)) known[before] = true;
  }
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace mazur
