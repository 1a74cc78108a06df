#include "model_as_c.h"

#include <sstream>

namespace mazur::model {
namespace {

std::string value(const Value& v) {
  return v.reg == kNoRegister ? std::to_string(v.constant)
                              : "r[" + std::to_string(v.reg) + "] + " + std::to_string(v.constant);
}

std::string statement(const Program& program, const Instruction& in) {
  const auto place = [&](const char* array) {
    const std::size_t count = program.of(form(in.code).of_place).size();
    const std::string index =
        in.place.index == kNoRegister ? "0" : "r[" + std::to_string(in.place.index) + "]";
    return std::string(array) + "[at(" + std::to_string(in.place.base) + ", " + index + ", " +
           std::to_string(count) + ")]";
  };
  constexpr const char* kOperators[] = {" == ", " != ", " < ", " >= "};
  const std::string reg = "r[" + std::to_string(in.reg) + "]";
  const std::string to = reg + " = ";
  const std::string order = ", " + std::to_string(in.order) + ");";
  const std::string test =
      reg + kOperators[static_cast<std::size_t>(in.comparison)] + std::to_string(in.value.constant);
  const std::string target = " goto at" + std::to_string(in.target) + ";";
  switch (in.code) {
    case Code::kLoad:
      return to + "__atomic_load_n(&" + place("x") + order;
    case Code::kStore:
      return "__atomic_store_n(&" + place("x") + ", " + value(in.value) + order;
    case Code::kFetchAdd:
      return to + "__atomic_fetch_add(&" + place("x") + ", " + value(in.value) + order;
    case Code::kCas: {
      const int failure = in.order == __ATOMIC_RELEASE   ? __ATOMIC_RELAXED
                          : in.order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
                                                         : in.order;
      return "{ int expected = " + value(in.value) + "; " + to + "__atomic_compare_exchange_n(&" +
             place("x") + ", &expected, " + value(in.value2) + ", 0, " + std::to_string(in.order) +
             ", " + std::to_string(failure) + "); }";
    }
    case Code::kFence:
      return "__atomic_thread_fence(" + std::to_string(in.order) + ");";
    case Code::kLock:
      return "pthread_mutex_lock(&" + place("m") + ");";
    case Code::kTryLock:
      return to + "pthread_mutex_trylock(&" + place("m") + ") == 0;";
    case Code::kUnlock:
      return "pthread_mutex_unlock(&" + place("m") + ");";
    case Code::kRdLock:
      return "pthread_rwlock_rdlock(&" + place("w") + ");";
    case Code::kWrLock:
      return "pthread_rwlock_wrlock(&" + place("w") + ");";
    case Code::kRwUnlock:
      return "pthread_rwlock_unlock(&" + place("w") + ");";
    case Code::kSemWait:
      return "sem_wait(&" + place("s") + ");";
    case Code::kSemTryWait:
      return to + "sem_trywait(&" + place("s") + ") == 0;";
    case Code::kSemPost:
      return "sem_post(&" + place("s") + ");";
    case Code::kChoose:
      return to + "mazur_choose(" + std::to_string(in.ways) + ");";
    case Code::kYield:
      return "sched_yield();";
    case Code::kSet:
      return to + value(in.value) + ";";
    case Code::kAdd:
      return reg + " += " + value(in.value) + ";";
    case Code::kAtomicBegin:
      return "mazur_atomic_begin();";
    case Code::kAtomicEnd:
      return "mazur_atomic_end();";
    case Code::kIf:
      return "if (" + test + ")" + target;
    case Code::kLoop:
      return "if (++" + test.substr(0, reg.size()) + " < " + std::to_string(in.value.constant) +
             ")" + target;
    default:
      return "mazur_assume(" + test + ");";
  }
}

}  // namespace

bool is_easy(const Program& program) {
  for (const Thread& thread : program.threads) {
    if (thread.spawned) return false;
    for (std::size_t i = 0; i < thread.code.size(); ++i) {
      const Instruction& in = thread.code[i];
      switch (in.code) {
        case Code::kLoad:
        case Code::kStore:
        case Code::kFetchAdd:
        case Code::kCas:
        case Code::kFence:
        case Code::kLock:
        case Code::kTryLock:
        case Code::kUnlock:
        case Code::kRdLock:
        case Code::kWrLock:
        case Code::kRwUnlock:
        case Code::kSemWait:
        case Code::kSemTryWait:
        case Code::kSemPost:
        case Code::kChoose:
        case Code::kYield:
        case Code::kSet:
        case Code::kAdd:
        case Code::kLoop:
        case Code::kAssume:
        case Code::kAtomicBegin:
        case Code::kAtomicEnd:
          break;
        case Code::kIf:
          if (in.target <= i) return false;
          break;
        default:
          return false;
      }
    }
  }
  return true;
}

std::string as_c(const std::vector<Program>& programs) {
  std::ostringstream out;
  out << R"(#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <mazur/mazur.h>
static int x[16];
static pthread_mutex_t m[16];
static pthread_rwlock_t w[16];
static sem_t s[16];
static int all[8][8];
static int at(long base, long index, long count) {
  const long i = (base + index) % count;
  return i < 0 ? i + count : i;
}
)";
  for (std::size_t n = 0; n < programs.size(); ++n) {
    const Program& p = programs[n];
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
      out << "static void* code" << n << "_" << t << "(void* of) { int* r = of; (void)r;\n";
      const auto& code = p.threads[t].code;
      for (std::size_t i = 0; i < code.size(); ++i)
        out << "  at" << i << ": " << statement(p, code[i]) << "\n";
      out << "  at" << code.size() << ": return 0;\n}\n";
    }
    out << "static void program" << n << "() {\n";
    const auto initially = [&](ObjectClass c, const char* before, const char* after) {
      for (std::size_t i = 0; i < p.of(c).size(); ++i)
        out << "  " << before << "[" << i << "]" << after << p.of(c)[i] << ");\n";
    };
    initially(ObjectClass::kVariable, "(x", " = ");
    initially(ObjectClass::kSemaphore, "sem_init(&s", ", 0, ");
    initially(ObjectClass::kMutex, "pthread_mutex_init(&m", ", (void*)");
    initially(ObjectClass::kRwLock, "pthread_rwlock_init(&w", ", (void*)");
    out << "  pthread_t thread[8];\n";
    for (std::size_t t = 0; t < p.threads.size(); ++t)
      out << "  pthread_create(&thread[" << t << "], 0, code" << n << "_" << t << ", all[" << t
          << "]);\n";
    for (std::size_t t = 0; t < p.threads.size(); ++t)
      out << "  pthread_join(thread[" << t << "], 0);\n";
    out << "  printf(\"@\");\n  for (int i = 0; i < " << p.of(ObjectClass::kVariable).size()
        << "; ++i) printf(\" %d\", x[i]);\n  for (int t = 0; t < " << p.threads.size()
        << "; ++t) for (int i = 0; i < 8; ++i) printf(\" %d\", all[t][i]);\n"
        << "  printf(\"\\n\");\n}\n";
  }
  out << "int main(int argc, char** argv) {\n  switch (atoi(argv[1])) {\n";
  for (std::size_t n = 0; n < programs.size(); ++n)
    out << "    case " << n << ": program" << n << "(); break;\n";
  out << "  }\n  (void)argc;\n  return 0;\n}\n";
  return out.str();
}

}  // namespace mazur::model
