#include "report/findings/finding.h"

#include <tuple>

#include "report/findings/names.h"

namespace mazur {

std::vector<Frame> Places::stack(const std::vector<std::uint64_t>& pcs, bool all) const {
  std::vector<Frame> every, user;
  for (const std::uint64_t pc : pcs) {
    const auto found = code.find(pc);
    if (found == code.end()) continue;
    for (const Frame& frame : found->second) {
      every.push_back(frame);
      if (frame.user) user.push_back(frame);
    }
  }
  return all || user.empty() ? every : user;
}

Frame Places::where(const std::vector<std::uint64_t>& pcs) const {
  Frame best;
  for (const Frame& frame : stack(pcs, true)) {
    if (frame.user && frame.line != 0) return frame;
    if (best.line == 0 && (frame.line != 0 || best.function.empty())) best = frame;
  }
  return best;
}

Frame Places::where(const Record& record, std::size_t event) const {
  if (event < record.event_stacks.size() && !record.event_stacks[event].empty())
    return where(record.event_stacks[event]);
  return where(std::vector<std::uint64_t>{record.events[event].label.pc});
}

std::string named_message(const Record& record, const Places& places) {
  const Message& message = record.message;
  std::string text;
  std::size_t copied = 0;
  for (const Mention& mention : message.mentions) {
    const auto found = places.objects.find(mention.object);
    if (found == places.objects.end()) continue;
    text.append(message.text, copied, mention.begin - copied);
    text += found->second;
    copied = mention.end;
  }
  return text.append(message.text, copied);
}

std::string thread_name(const Record& record, ThreadId thread) {
  for (const auto& [named, name] : record.thread_names)
    if (named == thread) return thread_name(thread) + " (" + name + ")";
  return thread_name(thread);
}

bool is_standstill(const Record& record) {
  if (record.kind != FailureKind::kDeadlock) return false;
  for (const ThreadState& thread : record.threads)
    if (thread.thread == record.thread) return !thread.ended;
  return true;
}

std::vector<Finding> merge_same(std::vector<Finding> findings) {
  // Where it happened; for a deadlock, where every thread waits.
  using Key = std::tuple<FailureKind, std::string, std::vector<std::pair<std::string, unsigned>>>;
  std::map<Key, std::size_t> seen;
  std::vector<Finding> merged;
  for (Finding& finding : findings) {
    const Record& record = finding.record;
    Key key{record.kind, {}, {}};
    auto& places = std::get<2>(key);
    const auto add = [&](const std::vector<std::uint64_t>& stack) {
      const Frame frame = finding.places.where(stack);
      places.emplace_back(frame.file, frame.line);
      // Without lines, the addresses have to do.
      if (frame.line == 0 && !stack.empty())
        places.emplace_back("", static_cast<unsigned>(stack[0]));
    };
    if (is_standstill(record)) {
      for (const ThreadState& thread : record.threads)
        if (!thread.ended) add(thread.stack);
    } else {
      add(record.stack);
      if (record.other.thread != kNoThread) add(record.other.stack);
    }
    if (places.empty() || record.stack.empty()) std::get<1>(key) = record.message.text;
    const auto [at, fresh] = seen.emplace(std::move(key), merged.size());
    if (fresh) {
      merged.push_back(std::move(finding));
    } else {
      merged[at->second].record.count += record.count;
    }
  }
  return merged;
}

}  // namespace mazur
