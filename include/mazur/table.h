// A table that processes share, like Erlang's ETS: entries by key, each operation atomic.
//
//   mazur::table<std::string, int> accounts("accounts");
//   accounts.insert("alice", 100);                   // replaces what was there
//   if (accounts.insert_new("bob", 0)) { ... }       // only if there is no entry yet
//   std::optional<int> balance = accounts.lookup("alice");
//   accounts.erase("bob");
//   std::optional<int> last = accounts.take("alice");   // looks up and erases
//
// Without Mazur it is a std::map with a mutex. Under Mazur each operation is one event, and only
// operations on the same key depend on each other. An operation happens after the one that wrote
// the entry it found, and after nothing else.
//
// Keys need < and std::hash, values a copy constructor. Comparing and hashing keys must have no
// effects. A table must outlive its users.
#ifndef MAZUR_TABLE_H
#define MAZUR_TABLE_H

#if __cplusplus < 202002L
#error "mazur/table.h needs C++20: -std=c++20"
#endif

#include <mazur/message_hooks.h>

#include <concepts>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace mazur {

template <typename Key, typename Value>
class table {
 public:
  explicit table(std::string name = "table") : name_(std::move(name)) {}
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table() {
    for (auto& [key, here] : entries_) delete here;
    while (retired_ != nullptr) delete std::exchange(retired_, retired_->next);
  }

  void insert(const Key& key, Value value) {
    auto fresh = std::make_unique<entry>(std::move(value));
    operation on(*this, key, MAZUR_TABLE_INSERT);
    on.replace(std::move(fresh));
  }

  // Whether there was no entry.
  bool insert_new(const Key& key, Value value) {
    auto fresh = std::make_unique<entry>(std::move(value));
    operation on(*this, key, MAZUR_TABLE_INSERT_NEW);
    if (on.found() != nullptr) return false;
    on.replace(std::move(fresh));
    return true;
  }

  std::optional<Value> lookup(const Key& key) const {
    operation on(const_cast<table&>(*this), key, MAZUR_TABLE_LOOKUP);
    return on.copy();
  }

  void erase(const Key& key) {
    operation on(*this, key, MAZUR_TABLE_INSERT);
    on.replace(nullptr);
  }

  std::optional<Value> take(const Key& key) {
    operation on(*this, key, MAZUR_TABLE_TAKE);
    return on.take();
  }

 private:
  struct entry {
    explicit entry(Value v) : value(std::move(v)) {}
    Value value;
    unsigned long long number = 0;  // what the runtime knows it by
    entry* next = nullptr;          // retired under Mazur: somebody may still copy it
  };

  static bool under_mazur() { return mazur_runtime_table_begin != nullptr; }

  // From its construction to its end nobody else is in the table.
  class operation {
   public:
    operation(table& t, const Key& key, mazur_table_operation kind) : table_(t), key_(key) {
      if (under_mazur())
        unique_ = mazur_runtime_table_begin(&t, &key, std::hash<Key>()(key), kind, show);
      else
        holds_ = std::unique_lock(t.mutex_);
      at_ = t.entries_.find(key);
      before_ = after_ = found() == nullptr ? 0 : found()->number;
    }
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    ~operation() { end(); }

    entry* found() const { return at_ == table_.entries_.end() ? nullptr : at_->second; }

    // Under Mazur an entry lives on and never changes. So it is copied after the operation, because
    // copying a Value may have events of its own.
    std::optional<Value> copy() {
      const entry* here = found();
      if (here == nullptr) return std::nullopt;
      end();
      return here->value;
    }

    std::optional<Value> take() {
      entry* here = found();
      if (here == nullptr) return std::nullopt;
      if (!under_mazur()) {
        std::optional<Value> value(std::move(here->value));
        replace(nullptr);
        return value;
      }
      replace(nullptr);
      end();
      return here->value;
    }

    void replace(std::unique_ptr<entry> fresh) {
      if (at_ != table_.entries_.end()) {
        retire(at_->second);
        if (fresh == nullptr) table_.entries_.erase(at_);
      }
      after_ = 0;
      if (fresh == nullptr) return;
      after_ = fresh->number = number_of(fresh->value);
      table_.entries_[key_] = fresh.release();
    }

   private:
    void retire(entry* old) {
      if (!under_mazur()) {
        delete old;
        return;
      }
      old->next = table_.retired_;
      table_.retired_ = old;
    }
    // Exact for small numbers, so that equal entries are known to be equal.
    unsigned long long number_of(const Value& value) const {
      if constexpr (std::is_integral_v<Value>) {
        using bits =
            std::make_unsigned_t<std::conditional_t<std::is_same_v<Value, bool>, char, Value>>;
        const unsigned long long number = static_cast<bits>(value);
        if (number >> 63 == 0) return number << 1 | 1;
      }
      return unique_;
    }
    void end() {
      if (under_mazur() && !std::exchange(ended_, true)) mazur_runtime_table_end(before_, after_);
    }

    table& table_;
    const Key& key_;
    std::unique_lock<std::mutex> holds_;
    typename std::map<Key, entry*>::iterator at_;
    unsigned long long unique_ = 0, before_ = 0, after_ = 0;
    bool ended_ = false;
  };

  static void show(const void* where, const void* key, char* out, unsigned size) {
    const char* name = static_cast<const table*>(where)->name_.c_str();
    const Key& k = *static_cast<const Key*>(key);
    if constexpr (std::integral<Key>)
      std::snprintf(out, size, "%s[%lld]", name, static_cast<long long>(k));
    else if constexpr (std::convertible_to<const Key&, std::string_view>)
      std::snprintf(out, size, "%s[%s]", name, std::string(std::string_view(k)).c_str());
    else
      std::snprintf(out, size, "%s[...]", name);
  }

  const std::string name_;
  std::mutex mutex_;
  std::map<Key, entry*> entries_;
  entry* retired_ = nullptr;
};

}  // namespace mazur

#endif  // MAZUR_TABLE_H
