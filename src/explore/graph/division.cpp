// What is left of a search, in pieces.
//
// Frames share nothing, so each could be a piece. Within a frame, an alternative needs the events
// below its `size` as they were when it was found, and they are like that whenever all alternatives
// behind it are still to come, under way, or done: those change or remove later events only. So the
// alternatives of different events can go different ways, each with a copy of the graph. Those of
// one event stay together, because one may go on from what another has made of that event.
#include <algorithm>

#include "explore/graph/frame_bytes.h"
#include "explore/graph/search.h"

namespace mazur {
namespace {

using Kind = Alternative::Kind;

// Whether an alternative and the one before it can go different ways. What begins a frame anew sets
// all that it needs. Otherwise, `size` is one more than the event, or that event if it is an update
// that was found in the place of another.
bool begins_part(const std::vector<Alternative>& todo, std::size_t i) {
  if (i == 0 || i == todo.size()) return true;
  return todo[i - 1].kind == Kind::kVariant || todo[i].size >= todo[i - 1].size + 2;
}

// The frame with some of its alternatives, and no more of its graph than they need.
GraphFrame part_of(const GraphFrame& frame, std::size_t begin, std::size_t end) {
  GraphFrame part = frame;
  part.todo.assign(frame.todo.begin() + static_cast<std::ptrdiff_t>(begin),
                   frame.todo.begin() + static_cast<std::ptrdiff_t>(end));
  NodeId size = 0;
  std::size_t updates = 0;
  for (const Alternative& a : part.todo) {
    size = std::max(size, a.size);
    if (a.kind == Kind::kHypothetical) updates = std::max(updates, a.store + std::size_t{1});
  }
  part.graph.cut(size);
  part.updates.resize(updates);
  return part;
}

}  // namespace

std::vector<std::string> GraphSearch::divide(std::size_t parts) {
  frame().todo.push_back({.kind = Kind::kGoOn, .size = frame().graph.size()});
  // The further down, the more is left: those are given away.
  std::vector<std::string> pieces;
  std::size_t at = 0;     // the frames below this are given away
  std::size_t first = 0;  // and of this one the alternatives below that
  for (; at < frames_.size(); ++at, first = 0) {
    const std::vector<Alternative>& todo = frames_[at].todo;
    while (first < todo.size() && pieces.size() + 1 < parts) {
      std::size_t end = first + 1;
      while (!begins_part(todo, end)) ++end;
      const bool last = end == todo.size() && at + 1 == frames_.size();
      if (last && pieces.empty() && first == 0) break;  // there is nothing to divide
      const GraphFrame part = part_of(frames_[at], first, end);
      const GraphFrame* const alone[] = {&part};
      pieces.push_back(encode_frames(alone));
      first = end;
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
  return pieces;
}

bool GraphSearch::take(std::span<const char> piece) {
  auto frames = decode_frames(piece, [this] { return ExecutionGraph(locations_, model_); });
  if (!frames || frames->empty()) return false;
  frames_ = *std::move(frames);
  return true;
}

}  // namespace mazur
