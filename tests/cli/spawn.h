// Runs a command for a test and collects what it says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazur {

struct Finished {
  int code = -1;  // the exit code, or 128 + signal
  std::string out, err;
};

// `directory`: where to run; `variables`: NAME=VALUE, added to the environment.
Finished spawn(const std::vector<std::string>& command, const std::string& directory = "",
               const std::vector<std::string>& variables = {});

// In a child process: makes the descriptor write to the file. (Not freopen: it would write out what
// the parent has in its buffers.)
void redirect(int descriptor, const std::string& file);

// A folder that is removed at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  // Writes a file in it and returns its path.
  std::string write(const std::string& name, const std::string& contents) const;

 private:
  std::string path_;
};

std::string contents_of(const std::string& path);

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace mazur
