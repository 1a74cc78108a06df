// How much of the search lies where, for estimates: weights.
//
// The whole search weighs 1. What an execution weighs is shared by it and the alternatives that were
// noted in it; a revisit's goes to its variants. So the weight of all that is done and of all that is
// left is 1, whoever explores what, and it depends on nothing but the place in the search.
//
// Knuth (1975) gives equal parts, which is right if little differs between alternatives. But one that
// keeps fewer events leaves more to do. If every event multiplied the number of graphs by the same
// number b, an alternative that keeps d events more than the execution had at its beginning would have
// a part of b^-d, and the execution itself, with R events more, b^-R. These add up to 1 for one b. On the
// programs of tests/oracle/literature_programs.h the first rule mostly tells too few executions and the
// second one sometimes far too many, so each decides about one half.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "explore/graph/search.h"

namespace mazur {
namespace {

// How many events more are kept than `base`; revisits may keep fewer.
float depth(NodeId kept, NodeId base) { return kept > base ? static_cast<float>(kept - base) : 1; }

}  // namespace

void GraphSearch::share_weight() {
  const std::span<Alternative> noted = std::span(frame().todo).subspan(noted_);
  noted_ = frame().todo.size();
  if (noted.empty()) return;
  const float all = depth(graph().size(), base_);
  const auto number = static_cast<float>(noted.size() + 1);
  float depths = all;
  for (const Alternative& a : noted) depths += depth(a.kept, base_);
  // -log b. Were all depths alike, this would be it; it never is less. Two steps of Newton's method are
  // near enough.
  float slope = -std::log2(number) * number / depths;
  for (int step = 0; step < 2; ++step) {
    float sum = std::exp2(slope * all), derivative = all * sum;
    for (const Alternative& a : noted) {
      const float d = depth(a.kept, base_), part = std::exp2(slope * d);
      sum += part;
      derivative += d * part;
    }
    slope -= (sum - 1) / (derivative * std::numbers::ln2_v<float>);
  }
  float sum = std::exp2(slope * all);
  for (const Alternative& a : noted) sum += std::exp2(slope * depth(a.kept, base_));
  double left = weight_;
  for (Alternative& a : noted) {
    const float part = std::exp2(slope * depth(a.kept, base_)) / sum;
    left -= a.weight = weight_ * (1 / number + part) / 2;
  }
  weight_ = std::max(left, 0.0);
}

void GraphSearch::begin_graph(const Alternative& a, std::size_t noted) {
  weight_ = a.weight / static_cast<double>(frame().todo.size() - noted + 1);
  for (; noted < frame().todo.size(); ++noted) frame().todo[noted].weight = weight_;
  noted_ = noted;
  base_ = a.size;
}

}  // namespace mazur
