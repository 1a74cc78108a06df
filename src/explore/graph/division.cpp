// What is left of a search, in pieces.
//
// Frames share nothing, so each could be a piece. Within a frame, an alternative needs the events
// below its `size` as they were when it was found, and sets anew what it changes: a source, a place
// or an outcome, of which no event has two kinds to choose from. All that comes behind it in `todo`
// is about later events, or a revisit from the event as it is now. So each alternative can go its
// own way, with a copy of the graph as it is.
#include <algorithm>
#include <utility>

#include "explore/graph/frame_bytes.h"
#include "explore/graph/search.h"

namespace mazur {
namespace {

using Kind = Alternative::Kind;

// The frame with some of its alternatives, and no more of its graph than they need.
GraphFrame part_of(const GraphFrame& frame, std::size_t begin, std::size_t end) {
  GraphFrame part = frame;
  part.todo.assign(frame.todo.begin() + static_cast<std::ptrdiff_t>(begin),
                   frame.todo.begin() + static_cast<std::ptrdiff_t>(end));
  NodeId size = 0;
  // Updates that no alternative is about any more may know events that are gone.
  std::vector<NodeId> number(frame.updates.size(), kNoNode);
  part.updates.clear();
  for (Alternative& a : part.todo) {
    size = std::max(size, a.size);
    if (a.kind != Kind::kHypothetical) continue;
    if (number[a.store] == kNoNode) {
      number[a.store] = static_cast<NodeId>(part.updates.size());
      part.updates.push_back(frame.updates[a.store]);
    }
    a.store = number[a.store];
  }
  part.graph.cut(size);
  return part;
}

}  // namespace

std::vector<std::string> GraphSearch::divide(std::size_t parts) {
  frame().todo.push_back(
      {.kind = Kind::kGoOn, .size = frame().graph.size(), .weight = std::exchange(weight_, 0)});
  // The further down, the more is left: those are given away.
  std::vector<std::string> pieces;
  std::size_t at = 0;     // the frames below this are given away
  std::size_t first = 0;  // and of this one the alternatives below that
  for (; at < frames_.size(); ++at, first = 0) {
    const std::vector<Alternative>& todo = frames_[at].todo;
    for (; first < todo.size() && pieces.size() + 1 < parts; ++first) {
      const GraphFrame part = part_of(frames_[at], first, first + 1);
      const GraphFrame* const alone[] = {&part};
      pieces.push_back(encode_frames(alone));
    }
    if (first < todo.size()) break;
  }
  std::vector<GraphFrame> rest;
  for (std::size_t f = at; f < frames_.size(); ++f) {
    const std::size_t begin = f == at ? first : 0;
    if (begin < frames_[f].todo.size())
      rest.push_back(part_of(frames_[f], begin, frames_[f].todo.size()));
  }
  if (!rest.empty()) {
    std::vector<const GraphFrame*> stack;
    for (const GraphFrame& frame : rest) stack.push_back(&frame);
    pieces.push_back(encode_frames(stack));
  }
  std::ranges::reverse(pieces);
  frames_.clear();
  frames_.push_back({.graph = ExecutionGraph(locations_, model_)});
  noted_ = 0;
  return pieces;
}

std::uint32_t GraphSearch::lessons() const {
  return (has_blocks_ || locations_.has_blocks() ? kHasBlocks : 0) |
         (locations_.arrivals_commute() ? 0 : kArrivalsHaveAnOrder);
}

void GraphSearch::learn(std::uint32_t lessons) {
  has_blocks_ = (lessons & kHasBlocks) != 0;
  locations_.let_arrivals_commute((lessons & kArrivalsHaveAnOrder) == 0);
}

bool GraphSearch::take(std::span<const char> piece) {
  auto frames = decode_frames(piece, [this] { return ExecutionGraph(locations_, model_); });
  if (!frames || frames->empty()) return false;
  frames_ = *std::move(frames);
  weight_ = explored_ = 0;
  noted_ = frame().todo.size();
  return true;
}

}  // namespace mazur
