#include "spawn.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mazur {

void redirect(int descriptor, const std::string& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
  close(opened);
}

Finished spawn(const std::vector<std::string>& command, const std::string& directory,
               const std::vector<std::string>& variables) {
  const Scratch scratch;
  const std::string out = scratch / "out", err = scratch / "err";
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (!directory.empty() && chdir(directory.c_str()) != 0) _exit(126);
    for (const std::string& variable : variables) putenv(const_cast<char*>(variable.c_str()));
    redirect(STDOUT_FILENO, out);
    redirect(STDERR_FILENO, err);
    execvp(words[0], words.data());
    _exit(126);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), contents_of(out),
          contents_of(err)};
}

Scratch::Scratch() {
  std::string name = (std::filesystem::temp_directory_path() / "mazur_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) std::abort();
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

std::string Scratch::write(const std::string& name, const std::string& contents) const {
  std::ofstream(path_ + "/" + name) << contents;
  return path_ + "/" + name;
}

std::string contents_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace mazur
