// Known algorithms, each with the memory orders that it needs and with weaker ones.
// tests/native/weak_test.cpp says which must fail under c++20: those whose name ends with "-weak".
#include <atomic>
#include <cassert>
#include <string_view>
#include <thread>

namespace {

using Order = std::memory_order;
constexpr auto relaxed = Order::relaxed;
constexpr auto acquire = Order::acquire;
constexpr auto release = Order::release;
constexpr auto seq_cst = Order::seq_cst;

template <typename... F>
void together(F... functions) {
  std::thread threads[] = {std::thread(functions)...};
  for (std::thread& each : threads) each.join();
}

int shared;  // what a lock protects

// Dekker: both may not be inside.
template <Order kStore, Order kLoad>
void dekker() {
  static std::atomic<int> wants[2];
  const auto enter = [](int me) {
    wants[me].store(1, kStore);
    if (wants[1 - me].load(kLoad) == 0) ++shared;
  };
  together([=] { enter(0); }, [=] { enter(1); });
}

template <Order kStore, Order kLoad>
void peterson() {
  static std::atomic<int> wants[2], turn;
  const auto enter = [](int me) {
    wants[me].store(1, kStore);
    turn.store(1 - me, kStore);
    while (wants[1 - me].load(kLoad) != 0 && turn.load(kLoad) == 1 - me) {
    }
    ++shared;
    wants[me].store(0, release);
  };
  together([=] { enter(0); }, [=] { enter(1); });
}

// A pointer to something that was just made.
struct Node {
  int value;
  Node* next;
};
template <Order kPublish, Order kRead>
void publication() {
  static Node node;
  static std::atomic<Node*> head;
  together(
      [] {
        node.value = 42;
        head.store(&node, kPublish);
      },
      [] {
        if (const Node* seen = head.load(kRead)) assert(seen->value == 42);
      });
}

// Double-checked initialisation; the slow way is a spinlock.
template <Order kPublish, Order kRead>
void double_checked() {
  static std::atomic<Node*> instance;
  static std::atomic<bool> locked;
  static Node node;
  const auto get = [] {
    Node* seen = instance.load(kRead);
    if (seen == nullptr) {
      bool free = false;
      while (!locked.compare_exchange_strong(free, true, acquire, relaxed)) free = false;
      seen = instance.load(relaxed);
      if (seen == nullptr) {
        node.value = 42;
        instance.store(&node, kPublish);
        seen = &node;
      }
      locked.store(false, release);
    }
    assert(seen->value == 42);
  };
  together(get, get);
}

// A failed attempt writes what is there already.
template <Order kUnlock, Order kTry>
void test_and_set_lock() {
  static std::atomic_flag taken;
  const auto work = [] {
    while (taken.test_and_set(kTry)) {
    }
    ++shared;
    taken.clear(kUnlock);
  };
  together(work, work, work);
  assert(shared == 3);
}

// The same, with an exchange and another write in the round.
template <Order kUnlock, Order kTry>
void announced_lock() {
  static std::atomic<int> taken, tried;
  const auto work = [] {
    while (taken.exchange(1, kTry) == 1) tried.exchange(1, relaxed);
    ++shared;
    taken.store(0, kUnlock);
  };
  together(work, work);
  assert(shared == 2);
}

template <Order kUnlock, Order kLook>
void ticket_lock() {
  static std::atomic<unsigned> next, serving;
  const auto work = [] {
    const unsigned mine = next.fetch_add(1, relaxed);
    while (serving.load(kLook) != mine) {
    }
    ++shared;
    serving.store(mine + 1, kUnlock);
  };
  together(work, work);
  assert(shared == 2);
}

template <Order kUnlock, Order kLook>
void mcs_lock() {
  struct Waiter {
    std::atomic<Waiter*> next{nullptr};
    std::atomic<bool> waits{true};
  };
  static std::atomic<Waiter*> tail;
  static Waiter waiters[2];
  const auto work = [](int me) {
    Waiter& own = waiters[me];
    if (Waiter* before = tail.exchange(&own, std::memory_order_acq_rel)) {
      before->next.store(&own, release);
      while (own.waits.load(kLook)) {
      }
    }
    ++shared;
    Waiter* expected = &own;
    if (tail.compare_exchange_strong(expected, nullptr, release, relaxed)) return;
    Waiter* after = nullptr;
    while ((after = own.next.load(acquire)) == nullptr) {
    }
    after->waits.store(false, kUnlock);
  };
  together([=] { work(0); }, [=] { work(1); });
  assert(shared == 2);
}

// A sequence lock: readers look whether the writer was there meanwhile.
template <bool kFences>
void seqlock() {
  static std::atomic<unsigned> sequence;
  static std::atomic<int> a, b;
  together(
      [] {
        sequence.store(1, relaxed);
        if (kFences) std::atomic_thread_fence(release);
        a.store(1, relaxed);
        b.store(1, relaxed);
        sequence.store(2, release);
      },
      [] {
        const unsigned before = sequence.load(acquire);
        if (before % 2 != 0) return;
        const int first = a.load(relaxed), second = b.load(relaxed);
        if (kFences) std::atomic_thread_fence(acquire);
        if (sequence.load(relaxed) == before) assert(first == second);
      });
}

// A bounded queue whose cells have sequence numbers (Vyukov): one producer, one consumer.
template <Order kDone, Order kLook>
void ring() {
  struct Cell {
    std::atomic<unsigned> sequence{0};
    int data = 0;
  };
  static constinit Cell cell;
  together(
      [] {
        if (cell.sequence.load(acquire) != 0) return;
        cell.data = 7;
        cell.sequence.store(1, kDone);
      },
      [] {
        if (cell.sequence.load(kLook) != 1) return;
        assert(cell.data == 7);
      });
}

// The end of a Chase-Lev deque: owner and thief meet at the last element.
template <bool kFence>
void chase_lev() {
  static std::atomic<int> top, bottom;
  static std::atomic<int> taken;
  bottom.store(1, relaxed);
  together(
      [] {  // take
        const int b = bottom.load(relaxed) - 1;
        bottom.store(b, relaxed);
        if (kFence) std::atomic_thread_fence(seq_cst);
        int t = top.load(relaxed);
        if (t < b) {
          taken.fetch_add(1, relaxed);
        } else {
          if (t == b && top.compare_exchange_strong(t, t + 1, seq_cst, relaxed))
            taken.fetch_add(1, relaxed);
          bottom.store(b + 1, relaxed);
        }
      },
      [] {  // steal twice
        for (int i = 0; i < 2; ++i) {
          int t = top.load(acquire);
          if (kFence) std::atomic_thread_fence(seq_cst);
          if (t >= bottom.load(acquire)) continue;
          if (top.compare_exchange_strong(t, t + 1, seq_cst, relaxed)) taken.fetch_add(1, relaxed);
        }
      });
  assert(taken.load(relaxed) <= 1);
}
// The same with two elements, where the owner need not compare.
template <bool kFence>
void chase_lev_two() {
  static std::atomic<int> top, bottom;
  static std::atomic<int> taken[2];
  bottom.store(2, relaxed);
  together(
      [] {
        const int b = bottom.load(relaxed) - 1;
        bottom.store(b, relaxed);
        if (kFence) std::atomic_thread_fence(seq_cst);
        int t = top.load(relaxed);
        if (t < b) {
          taken[b].fetch_add(1, relaxed);
        } else if (t == b) {
          if (top.compare_exchange_strong(t, t + 1, seq_cst, relaxed))
            taken[b].fetch_add(1, relaxed);
          bottom.store(b + 1, relaxed);
        }
      },
      [] {
        for (int i = 0; i < 2; ++i) {
          int t = top.load(acquire);
          if (kFence) std::atomic_thread_fence(seq_cst);
          if (t >= bottom.load(acquire)) continue;
          if (top.compare_exchange_strong(t, t + 1, seq_cst, relaxed))
            taken[t].fetch_add(1, relaxed);
        }
      });
  assert(taken[0].load(relaxed) <= 1 && taken[1].load(relaxed) <= 1);
}

// A stack of nodes that are never freed.
template <Order kPush, Order kPop>
void treiber() {
  static std::atomic<Node*> head;
  static Node nodes[2];
  const auto push = [](int i) {
    nodes[i].value = i + 1;
    Node* seen = head.load(relaxed);
    do nodes[i].next = seen;
    while (!head.compare_exchange_strong(seen, &nodes[i], kPush, relaxed));
  };
  together(
      [=] { push(0); }, [=] { push(1); },
      [] {
        Node* seen = head.load(kPop);
        while (seen != nullptr && !head.compare_exchange_strong(seen, seen->next, kPop, kPop)) {
        }
        if (seen != nullptr) assert(seen->value != 0);
      });
}

// Michael and Scott's queue: one enqueues, one dequeues.
template <Order kLink, Order kFollow>
void michael_scott() {
  struct Item {
    int value = 0;
    std::atomic<Item*> next{nullptr};
  };
  static Item items[3];
  static std::atomic<Item*> head{&items[0]}, tail{&items[0]};
  const auto enqueue = [](int i) {
    items[i].value = i;
    for (;;) {
      Item* last = tail.load(acquire);
      Item* next = last->next.load(acquire);
      if (next != nullptr) {
        tail.compare_exchange_strong(last, next, release, relaxed);
        continue;
      }
      if (!last->next.compare_exchange_strong(next, &items[i], kLink, relaxed)) continue;
      tail.compare_exchange_strong(last, &items[i], release, relaxed);
      return;
    }
  };
  together([=] { enqueue(1); }, [=] { enqueue(2); },
           [] {
             Item* first = head.load(acquire);
             Item* next = first->next.load(kFollow);
             if (next != nullptr) assert(next->value != 0);
           });
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view name = arguments[1];
  if (name == "dekker") dekker<seq_cst, seq_cst>();
  if (name == "dekker-weak") dekker<release, acquire>();
  if (name == "peterson") peterson<seq_cst, seq_cst>();
  if (name == "peterson-weak") peterson<release, acquire>();
  if (name == "publication") publication<release, acquire>();
  if (name == "publication-weak") publication<relaxed, acquire>();
  if (name == "double-checked") double_checked<release, acquire>();
  if (name == "double-checked-weak") double_checked<release, relaxed>();
  if (name == "test-and-set") test_and_set_lock<release, acquire>();
  if (name == "test-and-set-weak") test_and_set_lock<relaxed, acquire>();
  if (name == "announced-lock") announced_lock<release, acquire>();
  if (name == "announced-lock-weak") announced_lock<release, relaxed>();
  if (name == "ticket-lock") ticket_lock<release, acquire>();
  if (name == "ticket-lock-weak") ticket_lock<relaxed, acquire>();
  if (name == "mcs-lock") mcs_lock<release, acquire>();
  if (name == "mcs-lock-weak") mcs_lock<relaxed, acquire>();
  if (name == "seqlock") seqlock<true>();
  if (name == "seqlock-weak") seqlock<false>();
  if (name == "ring") ring<release, acquire>();
  if (name == "ring-weak") ring<relaxed, acquire>();
  if (name == "chase-lev") chase_lev<true>();
  if (name == "chase-lev-two") chase_lev_two<true>();
  if (name == "chase-lev-two-weak") chase_lev_two<false>();
  if (name == "treiber") treiber<release, acquire>();
  if (name == "treiber-weak") treiber<relaxed, acquire>();
  if (name == "michael-scott") michael_scott<release, acquire>();
  if (name == "michael-scott-weak") michael_scott<relaxed, acquire>();
}
