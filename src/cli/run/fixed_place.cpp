#include "cli/run/fixed_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/usage.h"
#include "protocol/channel.h"

namespace mazur {
namespace {

// Descriptors of the new process.
constexpr int kChannel = 100, kProgram = 101, kLibraries = 102, kOthers = 110;

// Where the loader looks for libraries.
std::string library_path() { return fmt::format("/proc/self/fd/{}", kLibraries); }

std::vector<char*> terminated(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace

FixedPlace::FixedPlace(const std::filesystem::path& program, std::string name,
                       const std::vector<std::filesystem::path>& libraries,
                       const Installation& installation)
    : name_(std::move(name)) {
  program_ = opened(program);
  const auto add = [this](const std::filesystem::path& library) {
    const std::string file = library.filename().string();
    if (opened_.contains(file)) return;
    opened_[file] = opened(library);
    paths_[file] = library.string();
  };
  add(installation.runtime / kRuntimeName);
  for (const std::filesystem::path& library : libraries) add(library);
  for (const auto& [file, descriptor] : opened_) {
    // Through this process: it stays the file that was opened.
    const std::string target = fmt::format("/proc/{}/fd/{}", getpid(), descriptor);
    if (symlink(target.c_str(), (folder_.path() / file).c_str()) != 0)
      throw UsageError(
          fmt::format("no link to the library {} could be made: {}.", file, std::strerror(errno)));
  }
  folder_descriptor_ = opened(folder_.path());
}

FixedPlace::~FixedPlace() {
  close(program_);
  close(folder_descriptor_);
  for (const auto& [file, descriptor] : opened_) close(descriptor);
}

int FixedPlace::opened(const std::filesystem::path& path) const {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw UsageError(
        fmt::format("the file '{}' cannot be read: {}.", path.string(), std::strerror(errno)));
  return descriptor;
}

void FixedPlace::become_program(const std::vector<std::string>& arguments, int channel) const {
  std::vector<std::string> words{name_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> environment{"LD_LIBRARY_PATH=" + library_path(), "LD_BIND_NOW=1",
                                             fmt::format("{}={}", kChannelVariable, kChannel)};
  // One of them may have a number that another one is to get.
  const int program = fcntl(program_, F_DUPFD_CLOEXEC, kOthers);
  const int libraries = fcntl(folder_descriptor_, F_DUPFD_CLOEXEC, kOthers);
  const int block = fcntl(channel, F_DUPFD_CLOEXEC, kOthers);
  if (dup2(block, kChannel) < 0 || dup3(program, kProgram, O_CLOEXEC) < 0 ||
      dup2(libraries, kLibraries) < 0)
    return;
  fcntl(channel, F_SETFD, channel == kChannel || channel == kLibraries ? 0 : FD_CLOEXEC);
  syscall(SYS_execveat, kProgram, "", terminated(words).data(), terminated(environment).data(),
          AT_EMPTY_PATH);
}

std::string FixedPlace::path_of(const std::string& listed) const {
  const std::string folder = library_path() + "/";
  if (!listed.starts_with(folder)) return listed;
  const auto known = paths_.find(listed.substr(folder.size()));
  return known == paths_.end() ? listed : known->second;
}

std::string FixedPlace::listed(const std::string& path) const {
  for (const auto& [file, known] : paths_)
    if (known == path) return library_path() + "/" + file;
  return path;
}

}  // namespace mazur
