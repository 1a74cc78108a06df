#include "cli/run/loaded_modules.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "cli/run/program_run.h"

namespace mazur {

LoadedModules::LoadedModules(const ChannelBlock& channel, const ProgramRun& run)
    : channel_(channel), run_(run) {}

CheckedModule LoadedModules::examine(std::uint32_t n) const {
  static const FactCache cache = FactCache::of_user();
  const LoadedModule& listed = channel_->module[n];
  CheckedModule module{.base = listed.base, .begin = listed.begin, .end = listed.end};
  module.path = std::string(listed.path, strnlen(listed.path, LoadedModule::kPath));
  module.path = n == 0 ? run_.program.string() : real_path(run_, module.path);
  module.facts = facts_of(std::filesystem::path(module.path), cache);
  module.name = !module.facts.soname.empty()
                    ? module.facts.soname
                    : std::filesystem::path(module.path).filename().string();
  module.trusted = std::ranges::any_of(run_.trust, [&module](const std::string& given) {
    return is_named(given, module.path, module.facts.soname);
  });
  return module;
}

bool LoadedModules::answer() {
  if (answered_ || channel_->request.list_modules == 0) return true;
  Channel& channel = *channel_;
  if (channel.modules.load() == Modules::kNotListed) {
    const timespec moment{0, 10'000'000};
    syscall(SYS_futex, &channel.modules, FUTEX_WAIT, Modules::kNotListed, &moment);
    if (channel.modules.load() == Modules::kNotListed) return false;
  }
  std::uint32_t places = 0;
  // Copied first: the program can change it at any time.
  const std::uint32_t listed = std::atomic_ref(channel.module_count).load();
  const std::uint32_t count = std::min(listed, Channel::kMaxModules);
  for (std::uint32_t n = 0; n < count; ++n) {
    CheckedModule module = examine(n);
    LoadedModule& entry = channel.module[n];
    entry.watch = Watch::kNone;
    if (module.has_unseen_code() && !module.trusted) {
      entry.watch = module.is_mixed() ? Watch::kPlaces : Watch::kWhole;
      entry.first_place = places;
      entry.places = 0;
      if (module.is_mixed())
        for (const std::uint64_t place : module.facts.instructions.places) {
          if (places == Channel::kMaxPlaces) break;
          channel.place[places++] = place;
          ++entry.places;
        }
    }
    modules_.push_back(std::move(module));
  }
  if (listed > count) {
    CheckedModule rest;
    rest.name = fmt::format("{} more modules", listed - count);
    rest.called = true;
    modules_.push_back(std::move(rest));
  }
  answered_ = true;
  channel.modules.store(Modules::kAnswered);
  syscall(SYS_futex, &channel.modules, FUTEX_WAKE, 1);
  return true;
}

std::vector<CheckedModule> LoadedModules::result() const {
  std::vector<CheckedModule> modules = modules_;
  for (std::size_t n = 0; n < std::min<std::size_t>(modules.size(), Channel::kMaxModules); ++n) {
    const LoadedModule& listed = channel_->module[n];
    if (listed.called == 0) continue;
    modules[n].called = true;
    const std::size_t callers = std::min<std::size_t>(listed.callers, LoadedModule::kCallers);
    modules[n].callers.assign(listed.caller, listed.caller + callers);
  }
  return modules;
}

void note_called(std::vector<CheckedModule>& modules, const std::vector<CalledModule>& called,
                 const std::string& program) {
  for (const CalledModule& more : called) {
    const std::string& path = more.module.path.empty() ? program : more.module.path;
    auto module = std::ranges::find(modules, path, &CheckedModule::path);
    if (module == modules.end()) {
      CheckedModule other{
          .base = more.module.base, .begin = more.module.begin, .end = more.module.end};
      other.path = path;
      other.name = std::filesystem::path(path).filename().string();
      module = modules.insert(module, std::move(other));
    }
    if (module->called && !module->callers.empty()) continue;
    module->called = true;
    module->callers = more.callers;
  }
}

}  // namespace mazur
