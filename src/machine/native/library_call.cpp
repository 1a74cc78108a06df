#include "machine/native/library_call.h"

#include <cstring>
#include <vector>

#include "machine/native/atomic_block.h"
#include "machine/native/private_heap.h"
#include "machine/native/race_report.h"
#include "machine/native/shared_granules.h"

namespace mazur::native {
namespace {

// What lay in the place of a may_write() before. There is one call at a time that needs it: nothing
// switches inside of a block.
struct Kept {
  char* address;
  std::vector<char> bytes;
};
std::vector<Kept>& kept() {
  static auto& all = *new std::vector<Kept>;
  return all;
}

// Who says that more than this may be written does not mean it.
constexpr std::size_t kMostKept = 1 << 20;

// Any of many bytes, without a look at each granule.
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
  if (shared_ == 0) return true;
  if (shared_ > 1) {
    begin_library_block(pc_);
    opened_ = true;
    // Nobody can tell whether a loop around this waits.
    note_change();
    {
      const PrivateHeapScope scope;
      kept().clear();
    }
    return true;
  }
  if (announced_.covers(first_shared_)) return true;
  announced_ = first_shared_;
  plain(reinterpret_cast<const void*>(announced_.begin), announced_.size, announced_.writes, pc_);
  note_change();
  return false;
}

void LibraryCall::access(const void* address, std::size_t size, bool writes) {
  if (!told_ || size == 0 || address == nullptr) return;
  const Range range{reinterpret_cast<std::uintptr_t>(address), size, writes};
  if (looking_) {
    if (!any_shared(address, size)) return;
    ++shared_;
    first_shared_ = range;
  } else if (opened_ || !announced_.covers(range)) {
    tell(address, size, writes);
  }
}

void LibraryCall::tell(const void* address, std::size_t size, bool writes) {
  synchronised();  // what the step was before is not this function's
  inside_function = function_;
  plain(address, size, writes, pc_);
  inside_function = nullptr;
}

void LibraryCall::may_write(void* address, std::size_t most, bool keep) {
  if (!told_ || most == 0 || address == nullptr) return;
  if (looking_) {
    if (any_shared(address, most)) shared_ += 2;  // never a single event: it may turn out shorter
  } else if (runtime.in_block && keep && most <= kMostKept) {
    const PrivateHeapScope scope;
    char* const begin = static_cast<char*>(address);
    kept().push_back({begin, {begin, begin + most}});
  }
}

void LibraryCall::wrote(void* address, std::size_t size) {
  if (!told_ || size == 0 || address == nullptr) return;
  char* const begin = static_cast<char*>(address);
  // A block wants to see what was there before.
  const Kept* old = nullptr;
  if (runtime.in_block)
    for (const Kept& k : kept())
      if (k.address == begin && k.bytes.size() >= size) old = &k;
  if (old == nullptr) return tell(address, size, true);
  const PrivateHeapScope scope;
  const std::vector<char> now(begin, begin + size);
  std::memcpy(begin, old->bytes.data(), size);
  tell(address, size, true);
  std::memcpy(begin, now.data(), size);
}

void LibraryCall::close() { end_library_block(); }

std::size_t string_size(const char* text) { return text == nullptr ? 0 : std::strlen(text) + 1; }

std::size_t string_size(const char* text, std::size_t most) {
  if (text == nullptr) return 0;
  const std::size_t length = strnlen(text, most);
  return length < most ? length + 1 : most;
}

}  // namespace mazur::native
