#include "machine/native/library/library_call.h"

#include <cstring>
#include <vector>

#include "machine/native/engine/atomic_block.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {

// What the function writes to memory that threads share.
struct LibraryCall::Deferred {
  struct Write {
    char* address;
    std::size_t size;  // 0: not written
    std::vector<char> before, after;
  };
  std::vector<Write> writes;
};

namespace {

// A caller that allows more than this to be written does not mean it.
constexpr std::size_t kMostKept = 1 << 20;

// Whether any of many bytes is shared, without a look at each granule.
bool any_shared(const void* address, std::size_t size) {
  if (size == 0) return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (!shared_granules.on || size <= 256) return is_shared(begin, size);
  return shared_part(begin, size + 7).size != 0;
}

}  // namespace

bool LibraryCall::may_be_event() const {
  return runtime.explore_plain && !runtime.in_block && runtime.begun;
}

bool LibraryCall::settled() {
  looking_ = false;
  if (shared_reads_ + shared_writes_ == 0 && !atomic_) return true;
  note_change();  // nobody can tell whether a loop around this waits
  const bool one_write = shared_reads_ == 0 && shared_writes_ == 1 && at_once_ && !atomic_;
  if (shared_reads_ > 1 || atomic_) {
    begin_library_block(pc_);
    opened_ = true;
  } else if (shared_reads_ == 1 || one_write) {
    if (!announced_.covers(shared_)) {
      announced_ = shared_;
      plain(reinterpret_cast<const void*>(announced_.begin), announced_.size, announced_.writes,
            pc_);
      return false;
    }
  }
  defers_ = shared_writes_ != 0 && !one_write;
  note_change();
  return true;
}

void LibraryCall::access(const void* address, std::size_t size, bool writes) {
  if (!told_ || size == 0 || address == nullptr) return;
  if (__builtin_expect(!runtime.explore_plain, 1))
    return tell_inside(function_, address, size, writes, pc_);
  const Range range{reinterpret_cast<std::uintptr_t>(address), size, writes};
  if (looking_) {
    if (!any_shared(address, size)) return;
    ++(writes ? shared_writes_ : shared_reads_);
    if (!writes || shared_reads_ == 0) shared_ = range;
  } else if (defers_ && writes && any_shared(address, size)) {
    defer(const_cast<void*>(address), size, true);
  } else if (opened_ || !announced_.covers(range)) {
    tell(address, size, writes);
  }
}

void LibraryCall::tell(const void* address, std::size_t size, bool writes) {
  // Others run before an event: it is not named.
  if (may_be_event()) return plain(address, size, writes, pc_);
  tell_inside(function_, address, size, writes, pc_);
}

void LibraryCall::defer(void* address, std::size_t size, bool known) {
  const PrivateHeapScope scope;
  if (deferred_ == nullptr) deferred_ = new Deferred;
  char* const begin = static_cast<char*>(address);
  deferred_->writes.push_back({begin, known ? size : 0, {begin, begin + size}, {}});
}

void LibraryCall::updates(void* address, std::size_t size) {
  if (!told_) return;
  if (looking_) {
    atomic_ |= any_shared(address, size);
    return;
  }
  // A race is told once.
  if (runtime.explore_plain) tell(address, size, false);
  tell(address, size, true);
}

void LibraryCall::may_write(void* address, std::size_t most, bool keep) {
  if (!told_ || most == 0 || address == nullptr) return;
  if (looking_) {
    if (!any_shared(address, most)) return;
    ++shared_writes_;
    at_once_ = false;
  } else if ((defers_ || runtime.in_block) && keep && most <= kMostKept) {
    defer(address, most, false);
  }
}

void LibraryCall::wrote(void* address, std::size_t size) {
  if (!told_ || size == 0 || address == nullptr) return;
  if (deferred_ != nullptr)
    for (Deferred::Write& write : deferred_->writes)
      if (write.address == address && write.before.size() >= size) {
        write.size = size;
        return;
      }
  tell(address, size, true);
}

void LibraryCall::finish() {
  Deferred* const all = deferred_;
  if (all != nullptr) {
    const PrivateHeapScope scope;
    for (Deferred::Write& write : all->writes)
      write.after.assign(write.address, write.address + write.size);
    for (const Deferred::Write& write : all->writes)
      std::memcpy(write.address, write.before.data(), write.size);
  }
  if (opened_) end_library_block();
  if (all == nullptr) return;
  for (const Deferred::Write& write : all->writes) {
    if (write.size == 0) continue;
    tell(write.address, write.size, true);
    std::memcpy(write.address, write.after.data(), write.size);
    note_change();
  }
  const PrivateHeapScope scope;
  delete all;
}

std::size_t string_size(const char* text) { return text == nullptr ? 0 : std::strlen(text) + 1; }

std::size_t string_size(const char* text, std::size_t most) {
  if (text == nullptr) return 0;
  const std::size_t length = strnlen(text, most);
  return length < most ? length + 1 : most;
}

}  // namespace mazur::native
