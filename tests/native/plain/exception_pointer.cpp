// Two threads look at one exception; the last of them frees it.
#include <cassert>
#include <exception>
#include <thread>

struct Problem {
  int number;
};

int main() {
  std::exception_ptr pointer;
  try {
    throw Problem{3};
  } catch (...) {
    pointer = std::current_exception();
  }
  const auto look = [](std::exception_ptr own) {
    try {
      std::rethrow_exception(own);
    } catch (const Problem& problem) {
      assert(problem.number == 3);
    }
  };
  std::thread a(look, pointer), b(look, pointer);
  pointer = nullptr;
  a.join();
  b.join();
}
