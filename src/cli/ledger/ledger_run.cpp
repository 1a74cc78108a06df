#include "cli/ledger/ledger_run.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/archive.h"
#include "cli/crew/crew.h"
#include "cli/crew/shortening.h"
#include "cli/ledger/shipping.h"
#include "cli/run/interrupts.h"
#include "cli/run/start_program.h"
#include "cli/usage.h"
#include "report/findings/files.h"
#include "work/open_store.h"

namespace mazur {
namespace {

// In the ledger: the errors with schedules that were made shorter, once for all.
constexpr char kReport[] = "report";

constexpr auto report_fields = [](auto& archive, auto& records) {
  archive.list(records, [](auto& a, auto& text) { a.text(text); });
};

void put_report(Ledger& ledger, const std::vector<Record>& records, const ProgramRun& run) {
  std::vector<std::string> texts;
  for (Record record : records) {
    forget_paths(record, run);
    texts.push_back(encode(record));
  }
  Writer writer;
  report_fields(writer, texts);
  ledger.put(kReport, writer.take());
}

// Nothing: there is none, or not of these errors.
std::optional<std::vector<Record>> get_report(Ledger& ledger, std::size_t errors,
                                              const ProgramRun& run) {
  const auto bytes = ledger.get(kReport);
  if (!bytes) return std::nullopt;
  Reader reader(*bytes);
  std::vector<std::string> texts;
  report_fields(reader, texts);
  if (!reader.done() || texts.size() != errors) return std::nullopt;
  std::vector<Record> records;
  for (const std::string& text : texts) {
    auto record = decode_record(text);
    if (!record) return std::nullopt;
    name_modules(*record, run);
    records.push_back(*std::move(record));
  }
  return records;
}

StoreOptions store_options() {
  return {.gives_up = [] { return interrupts() > 0; }};
}

RunTerms terms_in(const Ledger& ledger) {
  auto terms = decode_terms(ledger.facts().terms);
  if (!terms)
    throw UsageError(
        fmt::format("what the ledger '{}' says about its run makes no sense; another version of "
                    "Mazur wrote it, "
                    "perhaps.",
                    ledger.name()));
  return *std::move(terms);
}

}  // namespace

OpenLedger begin_or_resume(const std::string& place, const RunTerms& terms,
                           const CheckOptions& options) {
  const RunFacts facts{.terms = encode(terms),
                       .keep_going = options.request.bounds.keep_going,
                       .first = options.first};
  OpenLedger open{
      std::make_unique<Ledger>(open_store(place, Opening::kCreate, store_options()), facts), {}};
  open.terms = terms_in(*open.ledger);
  return open;
}

OpenLedger open_ledger(const std::string& place, bool reads) {
  OpenLedger open{std::make_unique<Ledger>(
                      open_store(place, reads ? Opening::kLook : Opening::kJoin, store_options())),
                  {}};
  open.terms = terms_in(*open.ledger);
  return open;
}

void require_fit(const OpenLedger& ledger, const RunTerms& mine) {
  const std::string why = misfit(ledger.terms, mine);
  if (!why.empty())
    throw UsageError(fmt::format("the run in the ledger '{}' {}; it was left as it is.",
                                 ledger.ledger->name(), why));
}

Suppressions::Suppressions(const RunTerms& terms, Request& request) {
  request.suppressions[0] = '\0';
  if (!terms.suppresses) return;
  folder_ = std::make_unique<TemporaryFolder>();
  const std::string file = (folder_->path() / "suppressions").string();
  if (file.size() >= sizeof request.suppressions || !write_file(file, terms.suppressions))
    throw UsageError(fmt::format("the file '{}' cannot be written.", file));
  std::memcpy(request.suppressions, file.c_str(), file.size() + 1);
}

LedgerEnd run_with_ledger(ProgramRun& run, const CheckOptions& options,
                          const Installation& installation) {
  require_runtime(installation);
  const InterruptGuard guard;
  RunTerms terms = terms_of(options, run.program);
  const Suppressions suppressions(terms, run.request);
  SettledProgram settled = settle(run, terms.program, installation);
  terms.parts = std::move(settled.parts);
  OpenLedger open = begin_or_resume(options.ledger, terms, options);
  require_fit(open, terms);
  Ledger& ledger = *open.ledger;
  if (options.ship) ship(ledger, terms, run);
  Crew crew(run, installation, ledger);
  crew.expect(std::move(settled.modules));
  const bool over = ledger.is_over() || crew.run(options.jobs);
  LedgerEnd result{crew.end(), over};
  if (!result.over) {
    shorten(result.end.records, run, installation);
    return result;
  }
  if (auto report = get_report(ledger, result.end.records.size(), run)) {
    result.end.records = *std::move(report);
    return result;
  }
  shorten(result.end.records, run, installation);
  if (run.request.minimise > 0 && interrupts() == 0) put_report(ledger, result.end.records, run);
  return result;
}

}  // namespace mazur
