#include "machine/native/watch/module_watch.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/loaded_objects.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "protocol/channel.h"

namespace mazur::native {

bool arms_again = false;

namespace {

constexpr unsigned char kFaults = 0xf4;  // hlt: privileged, one byte

struct Range {
  std::uintptr_t begin, end;  // whole pages
  int protection;
};

struct Place {
  unsigned char* at;
  unsigned char original;
};

struct Watched {
  LoadedModule* module;
  std::vector<Range> code;
  std::vector<Place> places;  // empty: all of the code
  bool again = false;         // it has run while there was one thread
  bool armed = false;
};

std::vector<Watched> watched;
bool several_threads = false;

bool protect(const Range& range, int protection) {
  return raw_syscall(SYS_mprotect, static_cast<long>(range.begin),
                     static_cast<long>(range.end - range.begin), protection) == 0;
}

// False if the system does not allow it.
bool set_armed(Watched& code, bool armed) {
  code.armed = armed;
  if (code.places.empty())
    return std::all_of(code.code.begin(), code.code.end(), [armed](const Range& range) {
      return protect(range, armed ? PROT_READ : range.protection);
    });
  bool good = true;
  for (const Range& range : code.code) good &= protect(range, PROT_READ | PROT_WRITE);
  if (good)
    for (const Place& place : code.places) *place.at = armed ? kFaults : place.original;
  for (const Range& range : code.code) good &= protect(range, range.protection);
  return good;
}

void note_called(LoadedModule& module, const std::vector<std::uint64_t>& stack) {
  module.callers =
      static_cast<std::uint32_t>(std::min<std::size_t>(stack.size(), LoadedModule::kCallers));
  std::copy_n(stack.begin(), module.callers, module.caller);
  module.called = 1;
}

void forget(const LoadedModule& module) {
  std::erase_if(watched, [&](const Watched& code) { return code.module == &module; });
  arms_again =
      std::any_of(watched.begin(), watched.end(), [](const Watched& code) { return code.again; });
}

// Code that cannot be armed may run unnoticed.
void arm_or_note(Watched& code) {
  if (!set_armed(code, true)) note_called(*code.module, {});
}

std::vector<Range> code_of(const LoadedModule& module) {
  std::vector<Range> found;
  visit_loaded_objects([&](const LoadedObject& object) {
    object.for_each_segment([&](const Segment& segment) {
      if (!segment.is_code() || segment.begin < module.begin || segment.begin >= module.end) return;
      const int protection = PROT_EXEC | ((segment.flags & PF_R) != 0 ? PROT_READ : 0) |
                             (segment.is_writable() ? PROT_WRITE : 0);
      found.push_back({page_down(segment.begin), page_up(segment.end), protection});
    });
    return false;
  });
  return found;
}

void add_places(Watched& code, const Channel& channel) {
  const LoadedModule& module = *code.module;
  for (std::uint32_t i = 0; i < module.places && module.first_place + i < Channel::kMaxPlaces;
       ++i) {
    const std::uintptr_t at = module.base + channel.place[module.first_place + i];
    if (std::none_of(code.code.begin(), code.code.end(),
                     [at](const Range& range) { return range.begin <= at && at < range.end; }))
      continue;
    auto* byte = reinterpret_cast<unsigned char*>(at);
    code.places.push_back({byte, *byte});
  }
}

void wait_for_answer(Channel& channel) {
  channel.modules.store(Modules::kListed);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.modules), FUTEX_WAKE, 1);
  while (channel.modules.load() == Modules::kListed) {
    const timespec patience{1, 0};
    raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.modules), FUTEX_WAIT,
                static_cast<long>(Modules::kListed), reinterpret_cast<long>(&patience));
  }
}

}  // namespace

std::vector<Module> loaded_modules() {
  std::vector<Module> modules;
  visit_loaded_objects([&modules](const LoadedObject& object) {
    const LoadedRange extent = object.extent();
    modules.push_back({.base = object.base(),
                       .begin = extent.begin,
                       .end = extent.end,
                       .path = object.is_program() ? "" : object.name()});
    return false;
  });
  return modules;
}

void watch_modules() {
  Channel& channel = *runtime.channel;
  if (channel.request.list_modules == 0) return;
  const std::vector<Module> modules = loaded_modules();
  channel.module_count = static_cast<std::uint32_t>(modules.size());
  const std::size_t listed = std::min<std::size_t>(modules.size(), Channel::kMaxModules);
  for (std::size_t i = 0; i < listed; ++i) {
    LoadedModule& module = channel.module[i];
    module.base = modules[i].base;
    module.begin = modules[i].begin;
    module.end = modules[i].end;
    std::strncpy(module.path, modules[i].path.c_str(), LoadedModule::kPath - 1);
  }
  wait_for_answer(channel);
  if (channel.request.only_modules != 0) {
    raw_syscall(SYS_exit_group, 0);
    __builtin_unreachable();
  }
  const bool pages_hold = (raw_syscall(SYS_personality, 0xffffffff) & READ_IMPLIES_EXEC) == 0;
  for (std::size_t i = 0; i < listed; ++i) {
    LoadedModule& module = channel.module[i];
    if (module.watch == Watch::kNone) continue;
    Watched code{.module = &module, .code = code_of(module), .places = {}};
    if (module.watch == Watch::kPlaces) add_places(code, channel);
    if (module.watch == Watch::kPlaces ? code.places.empty() : code.code.empty()) continue;
    if (module.watch == Watch::kWhole && !pages_hold) {
      note_called(module, {});
      continue;
    }
    watched.push_back(std::move(code));
  }
  for (Watched& code : watched) arm_or_note(code);
}

bool runs_armed_code(int number, const siginfo_t& info, void* context) {
  if (watched.empty() || number != SIGSEGV) return false;
  constexpr greg_t kFetch = 0x10;  // of a page fault's error code: an instruction was fetched
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uintptr_t>(registers[REG_RIP]);
  const bool fetch = info.si_code == SEGV_ACCERR && (registers[REG_ERR] & kFetch) != 0;
  const auto is_at = [&](const Watched& code) {
    if (!code.armed) return false;
    if (!code.places.empty())
      return info.si_code == SI_KERNEL &&
             std::any_of(code.places.begin(), code.places.end(), [pc](const Place& place) {
               return place.at == reinterpret_cast<unsigned char*>(pc);
             });
    return fetch && std::any_of(code.code.begin(), code.code.end(), [pc](const Range& range) {
             return range.begin <= pc && pc < range.end;
           });
  };
  const auto at = std::find_if(watched.begin(), watched.end(), is_at);
  if (at == watched.end()) return false;
  const PrivateHeapScope scope;
  if (!set_armed(*at, false)) die("%s cannot be made executable again", at->module->path);
  if (machine->live_threads() > 1) {
    note_called(*at->module, call_stack_at(context));
    forget(*at->module);
  } else {
    at->again = arms_again = true;
    several_threads = false;
  }
  return true;
}

void arm_for(std::size_t threads) {
  const bool several = threads > 1;
  if (several == several_threads) return;
  several_threads = several;
  for (Watched& code : watched) {
    if (!code.again) continue;
    if (several)
      arm_or_note(code);
    else if (!set_armed(code, false))
      die("%s cannot be made executable again", code.module->path);
  }
}

}  // namespace mazur::native
