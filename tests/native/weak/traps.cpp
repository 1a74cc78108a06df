// What a machine has to keep in mind under a weak memory model: one function each.
// tests/native/weak_test.cpp says what must come out.
#include <atomic>
#include <cassert>
#include <cstring>
#include <new>
#include <string_view>
#include <thread>

namespace {

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;

std::atomic<int> x, y;
int data;

template <typename... F>
void together(F... functions) {
  std::thread threads[] = {std::thread(functions)...};
  for (std::thread& each : threads) each.join();
}

// A load acquires from the store that it reads, although a newer one has been run.
void acquires_from_an_old_store() {
  together(
      [] {
        data = 1;
        x.store(1, release);
      },
      [] { x.store(2, relaxed); },
      [] {
        if (x.load(acquire) == 1) assert(data == 1);
      });
}

// It acquires nothing from a newer one that it does not read.
void does_not_acquire_from_a_newer_store() {
  together(
      [] {
        x.store(1, relaxed);
        data = 1;
        x.store(2, release);
      },
      [] {
        if (x.load(acquire) == 1) assert(data < 2);
      });
}

// An update passes on what the store released that it reads.
void passes_on_a_release() {
  together(
      [] {
        data = 1;
        x.store(1, release);
      },
      [] { x.fetch_add(1, relaxed); },
      [] {
        if (x.load(acquire) == 2) assert(data == 1);
      });
}

// A constructor begins a new location: nobody reads stores from before.
void is_constructed_again() {
  together([] { x.store(1, relaxed); }, [] { x.store(2, relaxed); });
  new (&x) std::atomic<int>(7);
  together([] { assert(x.load(relaxed) == 7 || x.load(relaxed) == 8); },
           [] { x.store(8, relaxed); });
}

// The same place on the stack holds atomics of different sizes, one after the other.
template <typename T>
[[gnu::noinline]] void on_the_stack(T initial) {
  std::atomic<T> here[2] = {initial, initial};
  std::thread other([&] { here[1].store(3, relaxed); });
  here[0].store(2, relaxed);
  const T found = here[1].load(relaxed);
  assert(found == 3 || found == initial);
  other.join();
  assert(here[1].load(relaxed) == 3);
}
void reuses_the_stack() {
  on_the_stack<int>(0);
  on_the_stack<long>(0);
  on_the_stack<short>(0);
}

void mixes_sizes() {
  static std::atomic<int> whole;
  together([] { whole.store(1, relaxed); },
           [] { reinterpret_cast<std::atomic<short>&>(whole).store(2, relaxed); });
}

// Plain code finds the newest store, whichever was run last. The third thread has seen which one
// that is.
void plain_code_finds_the_newest() {
  static int first, second;
  together([] { x.store(1, relaxed); }, [] { x.store(2, relaxed); },
           [] {
             first = x.load(relaxed);
             second = x.load(relaxed);
           });
  int plain = 0;
  std::memcpy(&plain, &x, sizeof plain);
  if (first != 0 && first != second) assert(plain == second);
}

// A compare-exchange that fails has its failure order.
template <int kFailure>
void fails_with_its_order() {
  together(
      [] {
        y.store(1, relaxed);
        x.store(1, release);
      },
      [] {
        int expected = 5;
        if (!x.compare_exchange_strong(expected, 9, acq_rel,
                                       static_cast<std::memory_order>(kFailure)) &&
            expected == 1)
          assert(y.load(relaxed) == 1);
      });
}

// Store buffering with atomics that fit no register.
template <typename T>
void buffers_wide_stores() {
  static std::atomic<T> a, b;
  static bool first, second;
  together(
      [] {
        a.store(T{1}, relaxed);
        first = b.load(relaxed) == T{};
      },
      [] {
        b.store(T{1}, relaxed);
        second = a.load(relaxed) == T{};
      });
  assert(!first || !second);
}
struct Three {
  long a, b, c;
  bool operator==(const Three&) const = default;
};

// A wild pointer is the program's error.
void follows_a_wild_pointer() {
  reinterpret_cast<std::atomic<int>*>(0x510000000000)->store(1, relaxed);
}

// A loop that waits needs no bound, also with a fence in it.
void waits_in_a_loop() {
  together(
      [] {
        data = 1;
        x.store(1, release);
      },
      [] {
        while (x.load(relaxed) == 0) std::atomic_thread_fence(acquire);
        std::atomic_thread_fence(acquire);
        assert(data == 1);
      });
}

// The values differ in their last bytes only.
template <typename T>
void compares_wide_values(T first, T second) {
  static std::atomic<T> a;
  static T one, two;
  static std::atomic<int> changes;
  one = first;
  two = second;
  const auto change = [](T from, T to) {
    if (a.compare_exchange_strong(from, to, acq_rel, relaxed)) changes.fetch_add(1, relaxed);
  };
  together([=] { change(T{}, one); }, [=] { change(T{}, two); }, [=] { change(one, two); });
  assert(changes == 1 || changes == 2);
}

// A stack whose top has a count, both changed at once. It is tried again until nobody was faster.
template <std::memory_order kPush>
void counts_its_changes() {
  struct Node {
    Node* next = nullptr;
    int value = 0;
  };
  struct alignas(16) Top {
    Node* node;
    std::size_t changes;
  };
  static std::atomic<Top> top;
  static Node nodes[2];
  const auto push = [](int i) {
    nodes[i].value = i + 1;
    Top seen = top.load(relaxed);
    do nodes[i].next = seen.node;
    while (!top.compare_exchange_weak(seen, {&nodes[i], seen.changes + 1}, kPush, relaxed));
  };
  together([=] { push(0); }, [=] { push(1); },
           [] {
             Top seen = top.load(acquire);
             while (seen.node != nullptr &&
                    !top.compare_exchange_weak(seen, {seen.node->next, seen.changes + 1}, acquire,
                                               acquire)) {
             }
             if (seen.node != nullptr) assert(seen.node->value > 0);
           });
}

// Nobody ever writes what it waits for.
void waits_for_ever() {
  together([] { x.store(1, relaxed); },
           [] {
             while (x.load(relaxed) != 2) {
             }
           });
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view name = arguments[1];
  if (name == "old") acquires_from_an_old_store();
  if (name == "newer") does_not_acquire_from_a_newer_store();
  if (name == "passes-on") passes_on_a_release();
  if (name == "constructed") is_constructed_again();
  if (name == "stack") reuses_the_stack();
  if (name == "mixed") mixes_sizes();
  if (name == "plain") plain_code_finds_the_newest();
  if (name == "fails-relaxed") fails_with_its_order<__ATOMIC_RELAXED>();
  if (name == "fails-acquire") fails_with_its_order<__ATOMIC_ACQUIRE>();
  if (name == "wide-8") buffers_wide_stores<long>();
  if (name == "wide-16") buffers_wide_stores<__int128>();
  if (name == "wide-24") buffers_wide_stores<Three>();
  if (name == "exchange-8") compares_wide_values<long>(1, 2);
  if (name == "exchange-16") compares_wide_values<__int128>(__int128{1} << 64, __int128{2} << 64);
  if (name == "exchange-24") compares_wide_values<Three>({0, 0, 1}, {0, 0, 2});
  if (name == "counted-stack") counts_its_changes<release>();
  if (name == "counted-stack-relaxed") counts_its_changes<relaxed>();
  if (name == "wild") follows_a_wild_pointer();
  if (name == "loop") waits_in_a_loop();
  if (name == "for-ever") waits_for_ever();
}
