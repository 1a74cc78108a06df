// Compiled by symbols_test in many ways. Prints where it was loaded and an address of its code.
#include <dlfcn.h>
#include <link.h>

#include <cstdio>

#ifdef FIXTURE_USER  // only a main, so that the library's symbols are used
extern "C" void print_from_library();
int main() { print_from_library(); }
#else

namespace ledger {

int balances[4] = {1, 2, 3, 4};

__attribute__((noinline)) void* return_address() { return __builtin_return_address(0); }

inline __attribute__((always_inline)) void* inlined(int& count) {
  void* pc = return_address();  // line: inlined
  ++count;
  return pc;
}

__attribute__((noinline)) void* outer(int& count) {
  void* pc = inlined(count);  // line: outer
  ++count;
  return pc;
}

}  // namespace ledger

extern "C" __attribute__((visibility("default"))) void print_addresses() {
  int count = 0;
  void* pc = ledger::outer(count);
  Dl_info info;
  link_map* map = nullptr;
  if (dladdr1(pc, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return;
  std::printf("%lx %lx %lx %d\n", static_cast<unsigned long>(map->l_addr),
              reinterpret_cast<unsigned long>(pc),
              reinterpret_cast<unsigned long>(&ledger::balances[2]), count);
}

#ifdef FIXTURE_MAIN
int main() { print_addresses(); }
#else
extern "C" __attribute__((visibility("default"))) void print_from_library() { print_addresses(); }
#endif

#endif
