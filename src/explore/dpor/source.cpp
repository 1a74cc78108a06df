#include "explore/dpor/source.h"

#include "explore/dpor/source_races.h"

namespace mazur {
namespace {

class Source final : public BacktrackSearch {
 public:
  Source(const ExplorerOptions& options, SourceRaces::Sets sets)
      : BacktrackSearch(options, /*sleep_sets=*/true), races_(*this, sets) {}
  Needs needs() const override { return {.looks = true}; }
  Standing standing() const override {
    return {.doubt = races_.complete() ? nullptr : kSomeOrders};
  }

 private:
  void analyse(const Trace& trace, const Frontier& frontier, std::size_t keep) override {
    races_.analyse(trace, frontier, keep, /*cut=*/false, [](EventIndex, EventIndex) {});
  }

  SourceRaces races_;
};

}  // namespace

std::unique_ptr<Explorer> make_source(const ExplorerOptions& options) {
  return std::make_unique<Source>(options, SourceRaces::Sets::kSource);
}

std::unique_ptr<Explorer> make_persistent(const ExplorerOptions& options) {
  return std::make_unique<Source>(options, SourceRaces::Sets::kPersistent);
}

}  // namespace mazur
