// Processes that share nothing and send each other messages, as in Erlang, for C++20.
//
// Without Mazur these are real threads with real queues. Under Mazur a send is one event and a
// receive is one event, and every order of them that makes a difference is explored
// (docs/messages.md).
//
//   #include <mazur/mailbox.h>
//   namespace mz = mazur;
//
// ---- Ping-pong: a process with a mailbox of one type, and main with a mailbox of its own.
//
//   struct ping { mz::address<int> answer_to; int number; };
//
//   int main() {
//     mz::mailbox<int> inbox("main");
//     auto pong = mz::spawn<ping>("pong", [](mz::mailbox<ping>& self) {
//       for (int i = 0; i < 3; ++i) {
//         ping p = self.receive();                      // waits for the oldest message
//         p.answer_to.send(p.number + 1);
//       }
//     });
//     for (int n = 0; n < 3; ++n) {
//       pong.send({inbox.self(), n});
//       assert(inbox.receive() == n + 1);
//     }
//     pong.join();
//   }
//
// ---- A lock server: a mailbox of a std::variant, and receives that select.
//
//   struct granted {};
//   struct acquire { mz::address<granted> who; };
//   struct release {};
//   using request = std::variant<acquire, release>;
//
//   void lock_server(mz::mailbox<request>& self) {
//     for (;;) {
//       acquire a = self.receive<acquire>();            // the oldest acquire; others stay
//       a.who.send({});
//       self.receive<release>();
//     }
//   }
//
//   void client(mz::address<request> lock, std::string& log) {
//     mz::mailbox<granted> inbox;
//     lock.send(acquire{inbox.self()});
//     inbox.receive();
//     log += "x";                                       // no data race: ordered by messages
//     lock.send(release{});
//   }
//
// ---- A worker pool with a time limit, where a crash is a message like any other.
//
//   struct job { int number; };
//   struct result { int number, value; };
//   using news = std::variant<result, mz::down>;
//
//   int main() {
//     mz::mailbox<news> inbox("main");
//     std::vector<mz::process<job>> workers;
//     for (int w = 0; w < 2; ++w)
//       workers.push_back(mz::spawn<job>("worker", [out = inbox.self()](mz::mailbox<job>& self) {
//         job j = self.receive();
//         if (j.number < 0) throw std::runtime_error("bad job");
//         out.send(result{j.number, j.number * j.number});
//       }, mz::watched_by(inbox.self())));
//     for (int w = 0; w < 2; ++w) workers[w].send({w});
//     for (int left = 2; left > 0;)
//       left -= inbox.match([](result) { return 0; }, [](mz::down d) { return 1; });
//     assert(!inbox.receive<result>(mz::after(std::chrono::seconds(1))));
//   }
//
// A mailbox has one owner: only one thread receives from it. Everybody may send. Messages are moved
// to the receiver; a message that holds a pointer shares what it points to, and you have to take
// care of that.
#ifndef MAZUR_MAILBOX_H
#define MAZUR_MAILBOX_H

#if __cplusplus < 202002L
#error "mazur/mailbox.h needs C++20: -std=c++20"
#endif

#include <mazur/channel.h>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace mazur {

// In which order messages arrive. `per_mailbox`: as they were sent. `per_sender`: only those of one
// sender keep their order, as over a network; each sender has a courier process for each such
// mailbox, which may take any time.
enum class order { per_mailbox, per_sender };

// How long a receive waits. after(0ms) only looks. Under Mazur a receive gives up in every
// execution in which the message can come too late, however long the time is.
struct after {
  template <typename Rep, typename Period>
  explicit after(std::chrono::duration<Rep, Period> how_long)
      : time(std::chrono::duration_cast<std::chrono::nanoseconds>(how_long)) {}
  std::chrono::nanoseconds time;
};

namespace detail {

template <typename M>
void send_by_courier(channel<M>& to, std::unique_ptr<message<M>> m);

template <typename... Handlers>
struct handlers_of : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
handlers_of(Handlers...) -> handlers_of<Handlers...>;

// What the handler of the first alternative that has one returns.
template <typename H, typename M>
struct first_result;
template <typename H, typename A, typename... As>
struct first_result<H, std::variant<A, As...>> : first_result<H, std::variant<As...>> {};
template <typename H, typename A, typename... As>
requires std::invocable<H&, A>
struct first_result<H, std::variant<A, As...>> {
  using type = std::invoke_result_t<H&, A>;
};

}  // namespace detail

template <typename M>
class mailbox;

// Where to send messages of type M to: a value, as cheap as a pointer. The default one is nowhere.
template <typename M>
class address {
 public:
  address() = default;
  address(const address& other) : channel_(other.channel_) { retain(); }
  address(address&& other) noexcept : channel_(std::exchange(other.channel_, nullptr)) {}
  address& operator=(address other) noexcept {
    std::swap(channel_, other.channel_);
    return *this;
  }
  ~address() {
    if (channel_ != nullptr) channel_->release();
  }

  // Never waits. A message to a process that has ended goes nowhere.
  void send(M content) const {
    auto m = std::make_unique<detail::message<M>>(std::move(content));
    if (channel_->order() == order::per_sender)
      detail::send_by_courier(*channel_, std::move(m));
    else
      channel_->send(std::move(m));
  }

  const std::string& name() const { return channel_->name(); }
  explicit operator bool() const { return channel_ != nullptr; }
  friend bool operator==(const address& a, const address& b) { return a.channel_ == b.channel_; }

 private:
  friend class mailbox<M>;
  template <typename T>
  friend void detail::send_by_courier(detail::channel<T>&, std::unique_ptr<detail::message<T>>);
  explicit address(detail::channel<M>* channel) : channel_(channel) { retain(); }
  void retain() {
    if (channel_ != nullptr) channel_->retain();
  }
  detail::channel<M>* channel_ = nullptr;
};

// The owner's end. A receive takes the oldest message that it accepts and leaves the others.
//
//   receive()                            the oldest message
//   receive(accepts)                     ... that satisfies the predicate
//   receive<A>()                         ... of this alternative of the variant
//   receive<A>(accepts)                  ... that satisfies the predicate
//   receive...(..., after(time))         the same as an optional: empty if none came in time
//   match(handlers...)                   the oldest that a handler takes, and calls it
//   discard(n), discard<A>(n)            counts n messages, whatever they are
//
// A predicate looks at the message and at what belongs to the receiver, nothing else, and has no
// effects: it is asked when a message arrives, and maybe not by the receiver's own thread. It must
// not throw.
template <typename M>
class mailbox {
 public:
  explicit mailbox(std::string name = "", mazur::order order = order::per_mailbox)
      : channel_(new detail::channel<M>(std::move(name), order)) {
    channel_->retain();
  }
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;
  ~mailbox() {
    channel_->close();
    channel_->release();
  }

  address<M> self() const { return address<M>(channel_); }
  const std::string& name() const { return channel_->name(); }

  M receive() { return content(take(detail::anything, any(), nullptr)); }
  std::optional<M> receive(after time) { return maybe(take(detail::anything, any(), &time)); }
  template <std::predicate<const M&> P>
  M receive(P accepts) {
    return content(take(detail::anything, accepts, nullptr));
  }
  template <std::predicate<const M&> P>
  std::optional<M> receive(P accepts, after time) {
    return maybe(take(detail::anything, accepts, &time));
  }

  template <typename A>
  A receive() {
    return std::get<A>(content(take(detail::only<A, M>, any(), nullptr)));
  }
  template <typename A>
  std::optional<A> receive(after time) {
    return maybe<A>(take(detail::only<A, M>, any(), &time));
  }
  template <typename A, std::predicate<const A&> P>
  A receive(P accepts) {
    auto of_a = [&](const M& m) { return static_cast<bool>(accepts(std::get<A>(m))); };
    return std::get<A>(content(take(detail::only<A, M>, of_a, nullptr)));
  }
  template <typename A, std::predicate<const A&> P>
  std::optional<A> receive(P accepts, after time) {
    auto of_a = [&](const M& m) { return static_cast<bool>(accepts(std::get<A>(m))); };
    return maybe<A>(take(detail::only<A, M>, of_a, &time));
  }

  // What a handler returns is the result; alternatives that none of them takes stay.
  template <typename... Handlers>
  auto match(Handlers... handlers) {
    detail::handlers_of all{std::move(handlers)...};
    constexpr unsigned long long taken = handled<decltype(all)>();
    static_assert(taken != 0, "no handler takes any alternative of this mailbox");
    return call(all, content(take(taken, any(), nullptr)));
  }

  // Under Mazur a message that is only counted is not destroyed: which one it was has no effect.
  void discard(std::size_t count = 1) {
    for (; count > 0; --count) take(detail::anything, any(), nullptr, count);
  }
  template <typename A>
  void discard(std::size_t count = 1) {
    for (; count > 0; --count) take(detail::only<A, M>, any(), nullptr, count);
  }

 private:
  using message = detail::message<M>;
  struct any {};

  template <typename P>
  static bool ask(void* accepts, const mazur_message* m) noexcept {
    return static_cast<bool>(
        (*static_cast<P*>(accepts))(std::as_const(static_cast<const message*>(m)->content)));
  }
  template <typename P>
  std::unique_ptr<message> take(unsigned long long alternatives, P&& accepts, const after* limit,
                                std::size_t counted = 0) {
    using predicate = std::remove_reference_t<P>;
    mazur_receive wanted{alternatives, nullptr, nullptr, -1, static_cast<unsigned>(counted)};
    if constexpr (!std::is_same_v<predicate, any>) {
      wanted.accepts = &ask<predicate>;
      wanted.context = &accepts;
    }
    if (limit != nullptr) wanted.after = limit->time.count() > 0 ? limit->time.count() : 0;
    return channel_->receive(wanted);
  }
  static M content(std::unique_ptr<message> m) { return std::move(m->content); }
  template <typename A = M>
  static std::optional<A> maybe(std::unique_ptr<message> m) {
    if (m == nullptr) return std::nullopt;
    if constexpr (std::is_same_v<A, M>)
      return std::move(m->content);
    else
      return std::get<A>(std::move(m->content));
  }

  template <typename H>
  static constexpr unsigned long long handled() {
    if constexpr (detail::alternatives<M>::count == 1 && std::is_invocable_v<H&, M>)
      return detail::anything;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return ((std::is_invocable_v<H&, std::variant_alternative_t<I, M>> ? 1ull << I : 0ull) |
                ... | 0ull);
      }
    (std::make_index_sequence<detail::alternatives<M>::count>());
  }
  template <typename H>
  static auto call(H& handlers, M m) {
    if constexpr (std::is_invocable_v<H&, M>) {
      return handlers(std::move(m));
    } else {
      using result = typename detail::first_result<H, M>::type;
      return std::visit(
          [&](auto&& content) -> result {
            using A = std::remove_reference_t<decltype(content)>;
            if constexpr (std::is_invocable_v<H&, A>)
              return static_cast<result>(handlers(std::move(content)));
            else
              __builtin_unreachable();  // such a message is not received
          },
          std::move(m));
    }
  }
  detail::channel<M>* channel_;
};

}  // namespace mazur

#include <mazur/process.h>

#endif  // MAZUR_MAILBOX_H
