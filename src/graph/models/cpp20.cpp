// C++20 without load buffering: coherence with happens-before, and the axiom for seq_cst.
//
//   hb;eco is irreflexive                                        (coherence)
//   psc = psc_base | psc_F has no cycle, where                   (seq_cst)
//     psc_base = ([E] | [F];hb?) ; scb ; ([E] | hb?;[F])
//     psc_F    = [F] ; (hb | hb;eco;hb) ; [F]
//     scb      = po | po;hb;po | hb-loc | co | fr
//   E: seq_cst accesses, F: seq_cst fences. hb-loc: hb between accesses to one location.
//
// An update counts as two events here, a load and a store: what comes after its load by po comes
// after the update. docs/memory-models.md says how that compares with RC11 and the standard.
#include <algorithm>
#include <cstdint>

#include "graph/effect.h"
#include "graph/models/consistency.h"
#include "graph/models/seq_cst_search.h"

namespace mazur {
namespace {

// Whether the store, or something else that reads it, happens before e.
bool is_known(const ExecutionGraph& graph, NodeId store, NodeId e) {
  const auto before = [&](NodeId d) { return d != e && graph.in(d, graph.happened(e)); };
  return before(store) || std::ranges::any_of(graph.loads(graph[e].location), [&](NodeId load) {
           return graph[load].source == store && before(load);
         });
}

// Whether no store behind the one that e reads, or behind e, is known to e already.
bool is_coherent(const ExecutionGraph& graph, NodeId e) {
  const Node& n = graph[e];
  if (n.role == Role::kNone) return true;
  const std::uint32_t from = reads(n.role) ? graph.rank_after(n.location, n.source) : n.rank;
  return std::ranges::none_of(graph.stores(n.location).subspan(from),
                              [&](NodeId s) { return s != e && is_known(graph, s, e); });
}

bool has_seq_cst_fences(const ExecutionGraph& graph) {
  for (NodeId e = 0; e < graph.size(); ++e)
    if (is_fence(graph[e]) && orders_of(graph[e]).seq_cst) return true;
  return false;
}

class Relation {
 public:
  explicit Relation(std::size_t n) : n_(n), words_((n + 63) / 64), bits_(n * words_, 0) {}
  void add(NodeId a, NodeId b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }
  bool has(NodeId a, NodeId b) const { return bits_[a * words_ + b / 64] >> (b % 64) & 1; }
  bool is_acyclic() const {
    Relation closure = *this;
    for (NodeId k = 0; k < n_; ++k)
      for (NodeId a = 0; a < n_; ++a)
        if (closure.has(a, k))
          for (std::size_t w = 0; w < words_; ++w)
            closure.bits_[a * words_ + w] |= closure.bits_[k * words_ + w];
    for (NodeId a = 0; a < n_; ++a)
      if (closure.has(a, a)) return false;
    return true;
  }

 private:
  std::size_t n_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// An update counts as a load and a store behind it, so events have halves: 2e and, of an update,
// 2e + 1.
class SeqCst {
 public:
  explicit SeqCst(const ExecutionGraph& graph) : graph_(graph), next_(graph.size(), kNoNode) {
    for (NodeId e = 0; e < graph.size(); ++e) {
      halves_.push_back(2 * e);
      if (graph[e].role == Role::kUpdate) halves_.push_back(2 * e + 1);
      if (const NodeId p = graph[e].before; p != kNoNode && graph[p].thread == graph[e].thread)
        next_[p] = e;
    }
    for (Half h : halves_)
      if (orders_of(node(h)).seq_cst) members_.push_back(h);
  }

  // Within one thread the axiom follows from coherence.
  bool needs_a_look() const {
    return std::ranges::any_of(
        members_, [&](Half h) { return node(h).thread != node(members_.front()).thread; });
  }

  bool is_acyclic() const {
    Relation psc(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (std::size_t j = 0; j < members_.size(); ++j)
        if (i != j && before(members_[i], members_[j]))
          psc.add(static_cast<NodeId>(i), static_cast<NodeId>(j));
    return psc.is_acyclic();
  }

 private:
  using Half = std::uint32_t;

  const Node& node(Half h) const { return graph_[h / 2]; }
  bool loads(Half h) const { return h % 2 == 0 && reads(node(h).role); }
  bool stores(Half h) const { return h % 2 == 1 || node(h).role == Role::kStore; }
  bool hb(Half a, Half b) const {
    return a / 2 == b / 2 ? a < b : graph_.in(a / 2, graph_.happened(b / 2));
  }
  bool hb_or_same(Half a, Half b) const { return a == b || hb(a, b); }
  bool po(Half a, Half b) const {
    if (a / 2 == b / 2) return a < b;
    return node(a).thread == node(b).thread && node(a).place < node(b).place;
  }
  // The next half in program order and the one before, or kNoNode.
  Half next(Half h) const {
    if (h % 2 == 0 && node(h).role == Role::kUpdate) return h + 1;
    return next_[h / 2] == kNoNode ? kNoNode : 2 * next_[h / 2];
  }
  Half previous(Half h) const {
    if (h % 2 == 1) return h - 1;
    const NodeId p = node(h).before;
    if (p == kNoNode || graph_[p].thread != node(h).thread) return kNoNode;
    return 2 * p + (graph_[p].role == Role::kUpdate ? 1 : 0);
  }
  bool same_location(Half a, Half b) const {
    return node(a).location == node(b).location && is_cell(node(a).label);
  }
  // How many stores of its location come up to what a half reads, or before the one that it is.
  std::uint32_t rank(Half h) const {
    return loads(h) ? graph_.rank_after(node(h).location, node(h).source) : node(h).rank;
  }
  // co or fr.
  bool overwritten(Half a, Half b) const {
    if (a == b || !same_location(a, b) || !stores(b)) return false;
    return stores(a) ? rank(a) < rank(b) : rank(a) <= rank(b);
  }
  bool eco(Half a, Half b) const {
    if (overwritten(a, b)) return true;
    return a != b && same_location(a, b) && loads(b) && rank(a) < rank(b);
  }
  bool around(Half a, Half b) const {  // po;hb;po
    const Half from = next(a), to = previous(b);
    return from != kNoNode && to != kNoNode && from != to && hb(from, to);
  }
  bool scb(Half a, Half b) const {
    return po(a, b) || (same_location(a, b) && hb(a, b)) || overwritten(a, b) || around(a, b);
  }
  bool before(Half m, Half k) const;

  const ExecutionGraph& graph_;
  std::vector<NodeId> next_;  // in program order
  std::vector<Half> halves_;
  std::vector<Half> members_;  // E and F
};

bool SeqCst::before(Half m, Half k) const {
  const bool from_fence = is_fence(node(m)), to_fence = is_fence(node(k));
  if (scb(m, k)) return true;
  if (!from_fence && !to_fence) return false;
  if (from_fence && to_fence && hb(m, k)) return true;
  for (Half a : halves_) {
    if (from_fence ? !hb_or_same(m, a) : a != m) continue;
    for (Half b : halves_) {
      if (to_fence ? !hb_or_same(b, k) : b != k) continue;
      if (a != b && scb(a, b)) return true;
      if (from_fence && to_fence && a != m && b != k && eco(a, b)) return true;
    }
  }
  return false;
}

}  // namespace

bool consistent_cpp20(const ExecutionGraph& graph, std::span<const NodeId> changed) {
  for (NodeId e : changed)
    if (!is_coherent(graph, e)) return false;
  if (!has_seq_cst_fences(graph)) return seq_cst_without_fences(graph, changed);
  const SeqCst seq_cst(graph);
  return !seq_cst.needs_a_look() || seq_cst.is_acyclic();
}

}  // namespace mazur
