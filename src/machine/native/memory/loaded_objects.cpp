#include "machine/native/memory/loaded_objects.h"

#include <algorithm>
#include <cstring>

namespace mazur::native {

bool LoadedObject::is_named(const char* part) const {
  return std::strstr(info_.dlpi_name, part) != nullptr;
}

LoadedRange LoadedObject::extent() const {
  LoadedRange all{~std::uintptr_t{0}, 0};
  for_each_segment([&all](const Segment& segment) {
    all.begin = std::min(all.begin, segment.begin);
    all.end = std::max(all.end, segment.end);
  });
  return all;
}

LoadedRange LoadedObject::code() const {
  LoadedRange code;
  for_each_segment([&code](const Segment& segment) {
    if (segment.is_code()) code = segment;
  });
  return code;
}

LoadedRange LoadedObject::thread_locals() const {
  if (info_.dlpi_tls_data == nullptr) return {};
  const LoadedRange image = range_of(PT_TLS);
  const auto begin = reinterpret_cast<std::uintptr_t>(info_.dlpi_tls_data);
  return {begin, begin + (image.end - image.begin)};
}

LoadedRange LoadedObject::range_of(ElfW(Word) type) const {
  LoadedRange range;
  for (int i = 0; i < info_.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info_.dlpi_phdr[i];
    if (header.p_type != type) continue;
    range.begin = info_.dlpi_addr + header.p_vaddr;
    range.end = range.begin + header.p_memsz;
  }
  return range;
}

void visit_loaded_objects(FunctionRef<bool(const LoadedObject&)> visit) {
  struct Walk {
    FunctionRef<bool(const LoadedObject&)> visit;
    bool first;
  } walk{visit, true};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& now = *static_cast<Walk*>(data);
        const LoadedObject object(*info, now.first);
        now.first = false;
        return now.visit(object) ? 1 : 0;
      },
      &walk);
}

}  // namespace mazur::native
