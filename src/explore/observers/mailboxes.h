// What is known of the mailboxes of a program: how much their owners can tell of the order in which
// messages arrived (observability.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "trace/label.h"

namespace mazur {

enum class MailOrder : std::uint8_t {
  // The owner only counts messages: all receives are blind, untimed and accept everything. No two
  // sends are ordered, nor is a receive after the send of the message it happened to take. A
  // receive can run once enough messages have been sent, whichever they are.
  kCounted,
  // Sends are ordered by the receives that tell them apart: one that took m, and would have taken
  // m' had it been there before m, orders the send of m before that of m'.
  kLooked,
  // Sends are ordered as in Trace.
  kOrdered,
};

class Mailboxes {
 public:
  // `least`: what every mailbox is taken for at least.
  explicit Mailboxes(MailOrder least) : least_(least) {}

  // Takes note of an operation that a thread runs or waits for. Returns whether that changed
  // anything about executions before this one.
  //
  // Only counted mailboxes allow a thread to go on without what came before it in an execution.
  // Blocked operations whose races are more than the last event on their object (disabling_races)
  // and waiting loops are not prepared for that. Atomic blocks are not either: it would change
  // their outcome. So a program with any of these has no counted mailboxes. With waiting loops, all
  // messages are ordered.
  bool note(const Operation& op);

  // What is noted from now on is of another execution.
  void next_execution() { ++execution_; }

  // From now on this mailbox is not only counted.
  void look_at(ObjectId mailbox) { raise(find(mailbox).order, MailOrder::kLooked); }
  // From now on all messages are ordered.
  void order_all() { least_ = MailOrder::kOrdered; }
  // Whether there were messages that may have had no order.
  bool unordered() const { return seen_ && least_ != MailOrder::kOrdered; }

  MailOrder order(ObjectId mailbox) const {
    if (least_ == MailOrder::kOrdered) return least_;
    const auto found = known_.find(mailbox);
    return found == known_.end() || found->second.order < least_ ? least_ : found->second.order;
  }
  // Whether some mailbox is only counted.
  bool any_counted() const {
    return std::any_of(known_.begin(), known_.end(), [this](const auto& mailbox) {
      return order(mailbox.first) == MailOrder::kCounted;
    });
  }
  // Whether some mailbox that is received from can be one that is only counted.
  bool counting() const { return least_ == MailOrder::kCounted && !known_.empty(); }

 private:
  struct Mailbox {
    MailOrder order = MailOrder::kCounted;
    std::uint64_t since;  // the execution that it was first seen in
  };
  Mailbox& find(ObjectId mailbox) {
    return known_.try_emplace(mailbox, Mailbox{.since = execution_}).first->second;
  }
  bool raise(MailOrder& order, MailOrder to) {
    if (order >= to) return false;
    order = to;
    return true;
  }

  MailOrder least_;
  bool seen_ = false;  // a send
  std::uint64_t execution_ = 0;
  std::unordered_map<ObjectId, Mailbox> known_;
};

}  // namespace mazur
