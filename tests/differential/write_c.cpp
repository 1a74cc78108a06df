#include "write_c.h"

namespace differential {
namespace {

constexpr const char* kAtomicNames[kAtomics] = {"x", "y", "z"};
constexpr const char* kMutexNames[kMutexes] = {"m", "n"};
constexpr const char* kPlainNames[kPlain] = {"p", "q"};

constexpr const char* kHead = R"(#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
#include <mazur/mazur.h>

static atomic_int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int p, q;  /* p is protected by m, q by n */

#define REGISTERS int r0 = 0, r1 = 0, r2 = 0
#define PACKED ((void*)(long)(r0 << 16 | r1 << 8 | r2))
#define load(v, order) atomic_load_explicit(&v, memory_order_##order)
#define store(v, a, order) atomic_store_explicit(&v, a, memory_order_##order)
/* clang makes a load of adding what it knows to be zero. */
#define add(v, a, order)                                            \
  ({                                                                \
    int operand = a;                                                \
    __asm__("" : "+r"(operand));                                    \
    atomic_fetch_add_explicit(&v, operand, memory_order_##order);   \
  })
#define exchange(v, a, order) atomic_exchange_explicit(&v, a, memory_order_##order)
#define swaps(v, a, b, order, otherwise)                                           \
  ({                                                                               \
    int expected = a;                                                              \
    atomic_compare_exchange_strong_explicit(&v, &expected, b, memory_order_##order, \
                                            memory_order_##otherwise);             \
  })
#define swaps_old(v, a, b, order, otherwise)                                       \
  ({                                                                               \
    int expected = a;                                                              \
    atomic_compare_exchange_strong_explicit(&v, &expected, b, memory_order_##order, \
                                            memory_order_##otherwise);             \
    expected;                                                                      \
  })
#define lock(v) pthread_mutex_lock(&v)
#define try_lock(v) (pthread_mutex_trylock(&v) == 0)
#define unlock(v) pthread_mutex_unlock(&v)

/* Not instrumented: no event, no data race, and nobody observes the final variables. */
#define UNSEEN __attribute__((no_sanitize("thread"), noinline)) static
static pthread_t threads[5];
static void* results[5];
static int talks;
UNSEEN void create(long thread, void* (*code)(void*)) {
  pthread_create(&threads[thread], 0, code, (void*)thread);
}
UNSEEN void join(int thread) { pthread_join(threads[thread], &results[thread]); }
UNSEEN char* digits(char* to, unsigned long value, int count) {
  while (count-- > 0) *to++ = "0123456789abcdef"[value >> 4 * count & 15];
  return to;
}
UNSEEN void say(const char* line, long size) {
  if (talks && write(1, line, size) != size) _exit(9);
}
UNSEEN void start(unsigned number) {
  char line[12] = "@start ";
  digits(line + 7, number, 4)[0] = '\n';
  say(line, sizeof line);
}
UNSEEN void* end(unsigned number, void* registers) {
  char line[64] = "@end ";
  char* to = digits(line + 5, number, 4);
  *to++ = ' ';
  results[0] = registers;
  for (int i = 0; i < 5; ++i) to = digits(to, (unsigned long)results[i], 6);
  atomic_int* atomics[] = {&x, &y, &z};
  for (int i = 0; i < 3; ++i) to = digits(to, *(volatile int*)atomics[i], 2);
  to = digits(digits(to, p, 2), q, 2);
  *to++ = '\n';
  say(line, to - line);
  return 0;
}
)";

class Writer {
 public:
  std::string text;

  void program(std::size_t number, const Program& program) {
    name_ = "program" + std::to_string(number);
    text +=
        "\nstatic void* " + name_ + "(void* thread) {\n  REGISTERS;\n  switch ((long)thread) {\n";
    for (std::size_t t = 1; t < program.threads.size(); ++t) {
      text += "    case " + std::to_string(t) + ":\n";
      code(program.threads[t], 3);
      text += "      return PACKED;\n";
    }
    text += "    default:\n";
    code(program.threads[0], 3);
    text += "      return end(" + std::to_string(number) + ", PACKED);\n  }\n}\n";
  }

 private:
  static std::string reg(int number) { return "r" + std::to_string(number); }

  static std::string value(const Value& v) {
    if (v.reg < 0) return std::to_string(v.constant);
    return reg(v.reg) + (v.constant == 0 ? "" : " + " + std::to_string(v.constant));
  }

  static const char* order(Order o) {
    switch (o) {
      case Order::kRelaxed:
        return "relaxed";
      case Order::kAcquire:
        return "acquire";
      case Order::kRelease:
        return "release";
      case Order::kBoth:
        return "acq_rel";
      default:
        return "seq_cst";
    }
  }

  void line(int depth, const std::string& words) {
    text.append(2 * static_cast<std::size_t>(depth), ' ').append(words).push_back('\n');
  }

  void code(const Code& code, int depth) {
    for (const Statement& s : code) statement(s, depth);
  }

  void statement(const Statement& s, int depth) {
    const std::string to = reg(s.reg) + " = ";
    const std::string a = value(s.a), o = std::string(", ") + order(s.order) + ");";
    switch (s.kind) {
      case Kind::kIf: {
        const char* relation = s.relation == Relation::kEqual      ? " == "
                               : s.relation == Relation::kNotEqual ? " != "
                                                                   : " < ";
        line(depth, "if (" + reg(s.reg) + relation + a + ") {");
        code(s.body, depth + 1);
        if (!s.otherwise.empty()) line(depth, "} else {");
        code(s.otherwise, depth + 1);
        line(depth, "}");
        return;
      }
      case Kind::kSection:
      case Kind::kTry: {
        const std::string mutex = kMutexNames[s.object];
        if (s.kind == Kind::kTry) {
          line(depth, to + "try_lock(" + mutex + ");");
          line(depth, "if (" + reg(s.reg) + ") {");
        } else {
          line(depth, "lock(" + mutex + ");");
        }
        code(s.body, depth + 1);
        line(s.kind == Kind::kTry ? depth + 1 : depth, "unlock(" + mutex + ");");
        if (s.kind == Kind::kTry) line(depth, "}");
        return;
      }
      case Kind::kPlainRead:
        line(depth, to + kPlainNames[s.object] + ";");
        return;
      case Kind::kPlainWrite:
        line(depth, std::string(kPlainNames[s.object]) + " = " + a + ";");
        return;
      case Kind::kCreate:
        line(depth, "create(" + std::to_string(s.object) + ", " + name_ + ");");
        return;
      case Kind::kJoin:
        line(depth, "join(" + std::to_string(s.object) + ");");
        return;
      default:
        operation(s, to, std::string(kAtomicNames[s.object]), a, o, depth);
    }
  }

  void operation(const Statement& s, const std::string& to, const std::string& v,
                 const std::string& a, const std::string& order_end, int depth) {
    const std::string both =
        v + ", " + a + ", " + value(s.b) + ", " + order(s.order) + ", " + order(s.failure) + ");";
    switch (s.kind) {
      case Kind::kLoad:
        return line(depth, to + "load(" + v + order_end);
      case Kind::kStore:
        return line(depth, "store(" + v + ", " + a + order_end);
      case Kind::kAdd:
        return line(depth, to + "add(" + v + ", " + a + order_end);
      case Kind::kExchange:
        return line(depth, to + "exchange(" + v + ", " + a + order_end);
      case Kind::kCompareSwap:
        return line(depth, to + "swaps(" + both);
      default:
        return line(depth, to + "swaps_old(" + both);
    }
  }

  std::string name_;
};

}  // namespace

std::string write_c(std::span<const Program> programs) {
  Writer writer;
  writer.text = kHead;
  for (std::size_t i = 0; i < programs.size(); ++i) writer.program(i, programs[i]);
  writer.text += "\nstatic void* (*const programs[])(void*) = {\n";
  for (std::size_t i = 0; i < programs.size(); ++i)
    writer.text += "    program" + std::to_string(i) + ",\n";
  writer.text += R"(};
int main(int argc, char** argv) {
  if (argc < 3) return 9;
  talks = argc > 3;
  const unsigned first = atoi(argv[1]), last = atoi(argv[2]);
  const unsigned chosen = first + mazur_choose(last - first);
  start(chosen);
  programs[chosen](0);
  return 0;
}
)";
  return writer.text;
}

}  // namespace differential
