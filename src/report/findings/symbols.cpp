#include "report/findings/symbols.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/findings/files.h"
#include "trace/dependence.h"

#ifdef MAZUR_WRAPS_DL_ITERATE_PHDR
// libbacktrace takes the file it is asked about for the running program, and reads the debug
// information of everything that is loaded into this process along with it: our C library's, say, and
// all of that again for every file. Nobody asks for these. The linker (CMakeLists.txt) has it call this
// instead of dl_iterate_phdr, which tells of the program alone.
extern "C" {
using Visit = int(dl_phdr_info*, std::size_t, void*);
int __real_dl_iterate_phdr(Visit* visit, void* data);
int __wrap_dl_iterate_phdr(Visit* visit, void* data) {
  struct First {
    Visit* visit;
    void* data;
    int result;
  } first{visit, data, 0};
  __real_dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t size, void* of) {
        auto& it = *static_cast<First*>(of);
        it.result = it.visit(program, size, it.data);
        return 1;  // the others are not wanted
      },
      &first);
  return first.result;
}
}
#endif

namespace mazur {
namespace {

void ignore_error(void*, const char*, int) {}

std::string demangled(const char* name) {
  if (name == nullptr) return {};
  if (std::strncmp(name, "_Z", 2) != 0) return name;  // "x" would be taken for a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

// libbacktrace takes the file it is given for the running program: it loads the symbols of a
// position-independent file at the address where this very process was loaded.
std::uint64_t own_load_address() {
  std::uint64_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      &address);
  return address;
}

bool is_position_independent(const std::string& path) {
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  return file && header.e_type == ET_DYN;
}

bool is_system_library(const std::string& path) {
  return path.starts_with("/lib/") || path.starts_with("/lib64/") ||
         path.starts_with("/usr/lib/") || path.starts_with("/usr/lib64/") ||
         path.find('/') == std::string::npos ||  // the kernel's vdso
         path.find("libtsan.so") != std::string::npos;
}

// The standard library's headers, the compiler's own, and Mazur's.
bool is_system_source(const std::string& file) {
  for (const char* ours : {"mailbox.h", "channel.h", "process.h", "table.h"})
    if (file.ends_with(std::string("include/mazur/") + ours)) return true;
  return file.starts_with("/usr/include/c++/") ||
         file.starts_with("/usr/include/x86_64-linux-gnu/") || file.starts_with("/usr/lib/") ||
         file.starts_with("./nptl/") || file.starts_with("../sysdeps/");
}

// A test framework's own code, and what it calls tests through: a reader wants the line of the test. Without debug information there is
// only the name of the function.
bool is_framework(const Frame& frame) {
  if (!frame.file.empty()) {
    for (const char* folder :
         {"/gtest/", "/googletest/src/", "/gmock/", "/googlemock/src/", "/catch2/", "/Catch2/src/",
          "/doctest/", "/boost/test/", "/boost/function/"})
      if (frame.file.find(folder) != std::string::npos) return true;
    return frame.file.ends_with("/catch.hpp") || frame.file.ends_with("/doctest.h");
  }
  const std::string_view name =
      std::string_view(frame.function).substr(0, frame.function.find('('));
  for (const std::string_view space :
       {"testing::", "Catch::", "doctest::", "boost::unit_test::", "boost::test_tools::"})
    if (const std::size_t at = name.find(space);
        at == 0 || (at != name.npos && name[at - 1] == ' '))
      return true;
  return false;
}

}  // namespace

Symbols::Symbols(std::span<const Module> modules) : modules_(modules.begin(), modules.end()) {
  std::error_code error;
  directory_ = std::filesystem::current_path(error).string() + "/";
}

const Module* Symbols::module_of(std::uint64_t address) const {
  for (const Module& module : modules_)
    if (address >= module.begin && address < module.end) return &module;
  return nullptr;
}

Symbols::File& Symbols::file_of(const Module& module) {
  const auto [at, fresh] = files_.try_emplace(module.path);
  File& file = at->second;
  if (fresh) {
    file.user = !is_system_library(module.path);
    // The state keeps the pointer to the name: a map's key stays where it is.
    std::error_code error;
    if (std::filesystem::is_regular_file(module.path, error))
      file.state = backtrace_create_state(at->first.c_str(), 0, ignore_error, nullptr);
    file.bias = is_position_independent(module.path) ? own_load_address() : 0;
  }
  return file;
}

std::vector<Frame> Symbols::frames(std::uint64_t pc) {
  const Module* module = module_of(pc);
  if (module == nullptr) return {Frame{.function = fmt::format("{:#x}", pc)}};
  File& file = file_of(*module);
  std::vector<Frame> frames;
  if (file.state != nullptr) {
    const std::uint64_t asked = pc - 1 - module->base + file.bias;
    const auto add = [](void* data, std::uintptr_t, const char* source, int line,
                        const char* function) {
      if (source != nullptr || function != nullptr)
        static_cast<std::vector<Frame>*>(data)->push_back(
            {.function = demangled(function),
             .file = source != nullptr ? source : "",
             .line = line > 0 ? static_cast<std::uint32_t>(line) : 0});
      return 0;
    };
    backtrace_pcinfo(file.state, asked, add, ignore_error, &frames);
    if (frames.empty() || frames.back().function.empty()) {
      std::string name;
      const auto take = [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t,
                           std::uintptr_t) {
        *static_cast<std::string*>(data) = demangled(symbol);
      };
      backtrace_syminfo(file.state, asked, take, ignore_error, &name);
      if (frames.empty()) frames.emplace_back();
      frames.back().function = name;
    }
  }
  if (frames.empty()) frames.emplace_back();
  for (Frame& frame : frames) {
    // libbacktrace puts the compiler's folder in front of clang's absolute names, too.
    if (const std::size_t absolute = frame.file.rfind("//"); absolute != std::string::npos)
      frame.file.erase(0, absolute + 1);
    if (!frame.file.empty())
      frame.file = std::filesystem::path(frame.file).lexically_normal().string();
    frame.user = file.user && !is_system_source(frame.file) && !is_framework(frame);
    if (frame.user) frame.text = source_text(frame.file, frame.line);
    if (frame.file.starts_with(directory_)) frame.file.erase(0, directory_.size());
    if (frame.function.empty())
      frame.function = fmt::format(
          "{}+{:#x}", std::filesystem::path(module->path).filename().string(), pc - module->base);
  }
  return frames;
}

std::string Symbols::object(std::uint64_t address) {
  const Module* module = module_of(address);
  if (module == nullptr) return {};
  File& file = file_of(*module);
  if (file.state == nullptr) return {};
  struct Found {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t asked;
  } found{.asked = address - module->base + file.bias};
  const auto take = [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t begin,
                       std::uintptr_t size) {
    auto& result = *static_cast<Found*>(data);
    if (symbol == nullptr || result.asked >= begin + size) return;
    result.name = demangled(symbol);
    result.offset = result.asked - begin;
  };
  backtrace_syminfo(file.state, found.asked, take, ignore_error, &found);
  if (found.name.empty() || found.offset == 0) return found.name;
  return fmt::format("{}+{}", found.name, found.offset);
}

std::string Symbols::source_text(const std::string& file, std::uint32_t line) {
  if (file.empty() || line == 0) return {};
  const auto [at, fresh] = sources_.try_emplace(file);
  if (fresh) {
    std::istringstream in(read_regular_file(file).value_or(""));
    for (std::string text; std::getline(in, text);) at->second.push_back(text);
  }
  if (line > at->second.size()) return {};
  const std::string& text = at->second[line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

Places locate(const Record& record, Symbols& symbols) {
  Places places;
  const auto code = [&](std::uint64_t pc) {
    if (pc != 0 && !places.code.contains(pc)) places.code[pc] = symbols.frames(pc);
  };
  const auto object = [&](std::uint64_t address) {
    if (address == 0 || places.objects.contains(address)) return;
    if (const std::string name = symbols.object(address); !name.empty())
      places.objects[address] = name;
  };
  const auto operation = [&](const Operation& op) {
    if (op.kind == OpKind::kCreate || op.kind == OpKind::kJoin) return;  // those name threads
    object(op.object);
    if (op.kind != OpKind::kSend && op.kind != OpKind::kReceive) object(op.object2);
  };
  for (const auto& [address, name] : record.object_names) places.objects[address] = name;
  for (const std::uint64_t pc : record.stack) code(pc);
  for (const std::uint64_t pc : record.other.stack) code(pc);
  for (const ObjectId lock : record.locks) object(lock);
  for (const ObjectId lock : record.other.locks) object(lock);
  for (const Mention& mention : record.message.mentions) object(mention.object);
  // A value may be the address of a global.
  const auto value = [&](const Label& label, std::uint64_t v) {
    constexpr std::uint64_t kLowestAddress = 0x10000;
    if (label.kind == OpKind::kAtomicBlock) return;  // its values are fingerprints
    if (v >= kLowestAddress && (reads_memory(label) || writes_memory(label))) object(v);
  };
  for (const Event& event : record.events) {
    code(event.label.pc);
    operation(event.label);
    value(event.label, event.label.read);
    value(event.label, event.label.written);
  }
  for (const auto& stack : record.event_stacks)
    for (const std::uint64_t pc : stack) code(pc);
  for (const ThreadState& thread : record.threads) {
    operation(thread.op);
    for (const std::uint64_t pc : thread.stack) code(pc);
  }
  return places;
}

}  // namespace mazur
