// spawn: processes with a mailbox. Included by mailbox.h, which says how to use it.
#ifndef MAZUR_PROCESS_H
#define MAZUR_PROCESS_H

#include <cxxabi.h>
#include <mazur/mailbox.h>
#include <mazur/mazur.h>

#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace mazur {

// The end of a process, as a message to those who watch it.
struct down {
  std::string name;    // of the process
  std::string reason;  // what() of the exception that left it; empty: it returned
  bool crashed = false;
};

// An option of spawn: this mailbox, whose messages can be made from `down`, is told when the
// process ends. An exception that leaves a watched process ends that process only; without a
// watcher it ends the program, as it does in a std::thread.
template <typename M>
requires std::constructible_from<M, down>
struct watched_by {
  explicit watched_by(address<M> who) : watcher(std::move(who)) {}
  address<M> watcher;
};

namespace detail {

struct spawn_options {
  mazur::order order = mazur::order::per_mailbox;
  std::vector<std::function<void(const down&)>> watchers;

  void add(mazur::order o) { order = o; }
  template <typename M>
  void add(watched_by<M> w) {
    watchers.push_back([to = std::move(w.watcher)](const down& d) { to.send(M(d)); });
  }
};

template <typename F>
void run_process(const std::string& name, spawn_options& options, F body) {
  if (!name.empty()) mazur_name_thread(name.c_str());
  down end{name, "", false};
  if (options.watchers.empty()) {
    body();
  } else {
    try {
      body();
    } catch (const abi::__forced_unwind&) {
      throw;  // pthread_exit
    } catch (const std::exception& e) {
      end.crashed = true;
      end.reason = e.what();
    } catch (...) {
      end.crashed = true;
      end.reason = "an exception";
    }
  }
  for (const auto& tell : options.watchers) tell(end);
}

}  // namespace detail

namespace detail {

// A thread that goes on by itself when its handle goes away.
class thread_handle {
 public:
  thread_handle() = default;
  explicit thread_handle(std::thread thread) : thread_(std::move(thread)) {}
  thread_handle(thread_handle&&) = default;
  thread_handle& operator=(thread_handle&& other) {
    detach();
    thread_ = std::move(other.thread_);
    return *this;
  }
  ~thread_handle() { detach(); }
  void join() { thread_.join(); }

 private:
  void detach() {
    if (thread_.joinable()) thread_.detach();
  }
  std::thread thread_;
};

}  // namespace detail

// A process: the address of its mailbox, and its thread. The process lives until its function
// returns, whether or not somebody has a handle; the program ends with main. join() waits for its
// end.
template <typename M>
class process {
 public:
  process() = default;
  process(std::thread thread, mazur::address<M> address)
      : thread_(std::move(thread)), address_(std::move(address)) {}

  void send(M content) const { address_.send(std::move(content)); }
  const mazur::address<M>& address() const { return address_; }
  operator const mazur::address<M>&() const { return address_; }
  const std::string& name() const { return address_.name(); }
  void join() { thread_.join(); }

 private:
  detail::thread_handle thread_;
  mazur::address<M> address_;
};

// A process without a mailbox.
template <>
class process<void> {
 public:
  process() = default;
  explicit process(std::thread thread) : thread_(std::move(thread)) {}

  void join() { thread_.join(); }

 private:
  detail::thread_handle thread_;
};

// Starts a process. Its name is for reports. Options: an order, and any number of watched_by.
//   spawn<M>("name", [](mailbox<M>& self) { ... }, options...)
//   spawn("name", [] { ... }, options...)
template <typename M = void, typename F, typename... Options>
process<M> spawn(std::string name, F body, Options... options) {
  auto given = std::make_unique<detail::spawn_options>();
  (given->add(std::move(options)), ...);
  if constexpr (std::is_void_v<M>) {
    return process<void>(std::thread(
        [name = std::move(name), given = std::move(given), body = std::move(body)]() mutable {
          detail::run_process(name, *given, [&] { body(); });
        }));
  } else {
    auto self = std::make_unique<mailbox<M>>(name, given->order);
    address<M> to = self->self();
    return process<M>(std::thread([name = std::move(name), given = std::move(given),
                                   self = std::move(self), body = std::move(body)]() mutable {
                        detail::run_process(name, *given, [&] { body(*self); });
                      }),
                      std::move(to));
  }
}

namespace detail {

// A message and where it goes to.
struct parcel {
  virtual ~parcel() = default;
  virtual void deliver() = 0;
};
template <typename M>
struct parcel_to : parcel {
  parcel_to(address<M> whom, channel<M>& where, std::unique_ptr<message<M>> what)
      : keep(std::move(whom)), to(where), content(std::move(what)) {}
  void deliver() override { to.send(std::move(content)); }
  address<M> keep;
  channel<M>& to;
  std::unique_ptr<message<M>> content;
};
using bag = std::unique_ptr<parcel>;  // an empty one: no more will come

// The couriers of one thread: a process for each mailbox, which takes what the thread sends there
// and sends it on. They end after the thread, with its last message.
class couriers {
 public:
  couriers() = default;
  ~couriers() {
    for (const leg& l : legs_) l.courier.send(nullptr);
  }
  couriers(const couriers&) = delete;
  couriers& operator=(const couriers&) = delete;

  void send(const mazur_mailbox* to, const std::string& name, bag content) {
    for (const leg& l : legs_)
      if (l.to == to) return l.courier.send(std::move(content));
    const auto carry_on = [](mailbox<bag>& self) {
      while (bag next = self.receive()) next->deliver();
    };
    legs_.push_back({to, spawn<bag>("courier to " + name, carry_on).address()});
    legs_.back().courier.send(std::move(content));
  }

 private:
  struct leg {
    const mazur_mailbox* to;
    address<bag> courier;
  };
  std::vector<leg> legs_;
};
inline thread_local couriers my_couriers;

template <typename M>
void send_by_courier(channel<M>& to, std::unique_ptr<message<M>> m) {
  my_couriers.send(&to, to.name(),
                   std::make_unique<parcel_to<M>>(address<M>(&to), to, std::move(m)));
}

}  // namespace detail
}  // namespace mazur

#endif  // MAZUR_PROCESS_H
