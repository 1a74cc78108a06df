// Programs with stronger memory orders than they need. tests/native/weaken_test.cpp says which
// suffice: the lines have names.
#include <atomic>
#include <cassert>
#include <string_view>
#include <thread>

namespace {

template <typename... F>
void together(F... functions) {
  std::thread threads[] = {std::thread(functions)...};
  for (std::thread& each : threads) each.join();
}

std::atomic<int> data, flag, x, y, locked, count;
int plain;

void message() {
  together(
      [] {
        data.store(1);  // message: writes
        flag.store(1);  // message: publishes
      },
      [] {
        if (flag.load() == 1)        // message: looks
          assert(data.load() == 1);  // message: reads
      });
}

// Nothing but data races tells what is needed here. The functions of std::atomic<bool> are not
// always inlined, so that one call may serve several lines.
void guarded() {
  static std::atomic<bool> ready, other;
  together(
      [] {
        plain = 1;
        other = true;  // guarded: idle
        ready = true;  // guarded: publishes
      },
      [] {
        if (ready) ++plain;  // guarded: looks
      });
}

void dekker() {
  together(
      [] {
        x.store(1);                  // dekker: first store
        if (y.load() == 0) ++plain;  // dekker: first load
      },
      [] {
        y.store(1);                  // dekker: second store
        if (x.load() == 0) ++plain;  // dekker: second load
      });
}

void exchange() {
  const auto try_enter = [] {
    if (locked.exchange(1) != 0) return;  // exchange: takes
    ++plain;
    locked.store(0);  // exchange: gives back
  };
  together(try_enter, try_enter);
}

void compare() {
  const auto enter = [] {
    int free = 0;
    while (!locked.compare_exchange_strong(free, 1)) free = 0;  // compare: takes
    ++plain;
    locked.store(0, std::memory_order_release);  // compare: gives back
  };
  together(enter, enter);
}

void fences() {
  together(
      [] {
        data.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);  // fences: before
        flag.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);  // fences: idle
      },
      [] {
        if (flag.load(std::memory_order_relaxed) == 0) return;
        std::atomic_thread_fence(std::memory_order_acq_rel);  // fences: after
        assert(data.load(std::memory_order_relaxed) == 1);
      });
}

// One call with several orders.
void add(std::memory_order order) { count.fetch_add(1, order); }  // orders: adds
void orders() {
  together([] { add(std::memory_order_seq_cst); }, [] { add(std::memory_order_release); });
  assert(count.load(std::memory_order_relaxed) == 2);
}

// Only with weaker orders the last line is reached.
void reached() {
  together(
      [] {
        x.store(1);  // reached: first store
        y.store(1);  // reached: second store
      },
      [] {
        if (y.load() == 1 && x.load() == 0)  // reached: loads
          count.store(1);                    // reached: new
      });
}

void wrong() {
  together([] { plain = 1; }, [] { plain = 2; });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "message") message();
  if (name == "guarded") guarded();
  if (name == "dekker") dekker();
  if (name == "exchange") exchange();
  if (name == "compare") compare();
  if (name == "fences") fences();
  if (name == "orders") orders();
  if (name == "reached") reached();
  if (name == "wrong") wrong();
}
