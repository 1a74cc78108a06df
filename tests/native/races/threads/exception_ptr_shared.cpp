// Two threads look at one exception; the last one to let go of it destroys it. Its count of
// references is kept inside libstdc++, which is not instrumented.
#include <exception>
#include <string>
#include <thread>

struct Problem {
  std::string text;
  int number;
  ~Problem() { number = 0; }
};

static int look(std::exception_ptr shared) {
  try {
    std::rethrow_exception(shared);
  } catch (const Problem& problem) {
    return problem.number + static_cast<int>(problem.text.size());
  }
}

int main() {
  std::exception_ptr shared;
  try {
    throw Problem{std::string(50, 'x'), 3};
  } catch (...) {
    shared = std::current_exception();
  }
  std::thread t([copy = shared] { look(copy); });
  const int seen = look(std::move(shared));
  t.join();
  return seen == 53 ? 0 : 1;
}
