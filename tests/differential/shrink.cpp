#include "shrink.h"

#include <optional>

namespace differential {
namespace {

bool handles_threads(const Statement& s) {
  return s.kind == Kind::kCreate || s.kind == Kind::kJoin;
}

// Changes the statement that is reached when `at` has counted down to zero. False: there are not so
// many changes. A statement can go away, or leave its body in its place.
bool change(Code& code, int& at) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (handles_threads(code[i])) continue;
    const auto here = code.begin() + static_cast<std::ptrdiff_t>(i);
    if (at-- == 0) {
      code.erase(here);
      return true;
    }
    for (Code Statement::*part : {&Statement::body, &Statement::otherwise}) {
      if ((code[i].*part).empty()) continue;
      // A plain variable must not be left without its mutex.
      if (code[i].kind == Kind::kIf && at-- == 0) {
        const Code inner = std::move(code[i].*part);
        code.insert(code.erase(here), inner.begin(), inner.end());
        return true;
      }
      if (change(code[i].*part, at)) return true;
    }
  }
  return false;
}

void remove_thread(Program& program, std::size_t thread) {
  program.threads.erase(program.threads.begin() + static_cast<std::ptrdiff_t>(thread));
  const int gone = static_cast<int>(thread);
  std::erase_if(program.threads[0],
                [&](const Statement& s) { return handles_threads(s) && s.object == gone; });
  for (Statement& s : program.threads[0])
    if (handles_threads(s) && s.object > gone) --s.object;
}

std::optional<Program> candidate(Program program, int at) {
  for (std::size_t t = 1; t < program.threads.size(); ++t) {
    if (at-- != 0) continue;
    remove_thread(program, t);
    return program;
  }
  for (Code& code : program.threads)
    if (change(code, at)) return program;
  return std::nullopt;
}

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& still) {
  for (bool again = true; again;) {
    again = false;
    for (int at = 0;;) {
      std::optional<Program> smaller = candidate(program, at);
      if (!smaller) break;
      if (still(*smaller)) {
        program = std::move(*smaller);
        again = true;
      } else {
        ++at;
      }
    }
  }
  return program;
}

}  // namespace differential
