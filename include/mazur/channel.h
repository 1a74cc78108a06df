// What the two ends of a mailbox share: the queue, and the types of messages that it tells apart.
// Included by mailbox.h; programs do not use this directly.
#ifndef MAZUR_CHANNEL_H
#define MAZUR_CHANNEL_H

#include <mazur/message_hooks.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace mazur {

enum class order;

namespace detail {

inline bool under_mazur() { return mazur_runtime_send != nullptr; }

template <typename M>
struct alternatives {
  static constexpr std::size_t count = 1;
  static unsigned of(const M&) { return 0; }
};
template <typename... As>
struct alternatives<std::variant<As...>> {
  static constexpr std::size_t count = sizeof...(As);
  static_assert(count <= 64, "a mailbox can tell 64 types of messages apart");
  static unsigned of(const std::variant<As...>& m) { return static_cast<unsigned>(m.index()); }
};

// The place of A among the alternatives of M.
template <typename A, typename M>
struct place;
template <typename A, typename... As>
struct place<A, std::variant<As...>> {
  static_assert((std::is_same_v<A, As> + ... + 0) == 1, "not an alternative of this mailbox");
  static constexpr unsigned value = [] {
    unsigned i = 0;
    (void)((std::is_same_v<A, As> || (++i, false)) || ...);
    return i;
  }();
};

inline constexpr unsigned long long anything = ~0ull;
template <typename A, typename M>
inline constexpr unsigned long long only = 1ull << place<A, M>::value;

template <typename M>
struct message : mazur_message {
  template <typename T>
  explicit message(T&& what) : mazur_message{nullptr, 0, 0}, content(std::forward<T>(what)) {
    alternative = detail::alternatives<M>::of(content);
  }
  M content;
};

// The names of a variant's alternatives, taken from what the compiler calls a function. A mailbox
// of one type has none.
template <typename A>
void show_type(char* out, unsigned size) {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t begin = text.find("A = ") + 4;
  std::string_view name = text.substr(begin, text.find_first_of(";]", begin) - begin);
  if (const std::size_t scope = name.rfind("::"); scope != name.npos) name.remove_prefix(scope + 2);
  out[name.copy(out, size - 1)] = 0;
}
template <typename M>
struct shown_alternatives {
  static constexpr unsigned count = 0;
  static void show(unsigned, char*, unsigned) {}
};
template <typename... As>
struct shown_alternatives<std::variant<As...>> {
  static constexpr unsigned count = sizeof...(As);
  static void show(unsigned alternative, char* out, unsigned size) {
    void (*const all[])(char*, unsigned) = {show_type<As>...};
    all[alternative](out, size);
  }
};

// All mailboxes under Mazur. They live to the end, so that no execution depends on when one is
// destroyed.
inline mazur_mailbox* every_mailbox = nullptr;

// Owned by the mailbox and the addresses together.
template <typename M>
class channel : public mazur_mailbox {
 public:
  channel(std::string name, mazur::order order)
      : mazur_mailbox{nullptr, nullptr, nullptr, nullptr, 0},
        order_(order),
        name_(std::move(name)) {
    if (under_mazur())
      mazur_runtime_mailbox(this, &every_mailbox, name_.c_str(), shown_alternatives<M>::count,
                            shown_alternatives<M>::show);
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  const std::string& name() const { return name_; }
  mazur::order order() const { return order_; }

  void send(std::unique_ptr<message<M>> m) {
    if (under_mazur()) {
      mazur_runtime_send(this, m.release());
      return;
    }
    {
      const std::lock_guard holds(mutex_);
      if (closed_) return;
      message<M>* sent = m.release();
      (first == nullptr ? first : last->next) = sent;
      last = sent;
    }
    arrived_.notify_one();
  }

  // Null: it timed out, or the message was only counted.
  std::unique_ptr<message<M>> receive(const mazur_receive& wanted) {
    if (under_mazur())
      return std::unique_ptr<message<M>>(
          static_cast<message<M>*>(mazur_runtime_receive(this, &wanted)));
    std::unique_lock holds(mutex_);
    mazur_message* before = nullptr;
    mazur_message* found = nullptr;
    // What has been looked at once is not looked at again.
    const auto matches = [&] {
      for (;;) {
        mazur_message* m = before == nullptr ? first : before->next;
        if (m == nullptr) return false;
        if ((wanted.alternatives >> m->alternative & 1) != 0 &&
            (wanted.accepts == nullptr || wanted.accepts(wanted.context, m))) {
          found = m;
          return true;
        }
        before = m;
      }
    };
    if (wanted.after < 0)
      arrived_.wait(holds, matches);
    else if (!arrived_.wait_for(holds, std::chrono::nanoseconds(wanted.after), matches))
      return nullptr;
    (before == nullptr ? first : before->next) = found->next;
    if (last == found) last = before;
    return std::unique_ptr<message<M>>(static_cast<message<M>*>(found));
  }

  // The owner is gone: what is left and what is still to come goes nowhere.
  void close() {
    if (under_mazur()) return;
    mazur_message* left = nullptr;
    {
      const std::lock_guard holds(mutex_);
      closed_ = true;
      left = std::exchange(first, nullptr);
      last = nullptr;
    }
    while (left != nullptr) delete static_cast<message<M>*>(std::exchange(left, left->next));
  }

  // Counting is an atomic access, which would be an event: under Mazur channels stay.
  void retain() {
    if (!under_mazur()) users_.fetch_add(1, std::memory_order_relaxed);
  }
  void release() {
    if (!under_mazur() && users_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  ~channel() { close(); }

  const mazur::order order_;
  const std::string name_;
  std::atomic<long> users_ = 0;
  std::mutex mutex_;
  std::condition_variable arrived_;
  bool closed_ = false;
};

}  // namespace detail

}  // namespace mazur

#endif  // MAZUR_CHANNEL_H
