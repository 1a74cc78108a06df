#include "cli/ledger/run_terms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/archive.h"
#include "cli/usage.h"
#include "explore/registry.h"
#include "report/findings/files.h"

namespace mazur {
namespace {

constexpr auto one_text = [](auto& archive, auto& text) { archive.text(text); };

constexpr auto part_fields = [](auto& archive, auto& part) {
  archive.number_up_to(part.kind, Part::Kind::kAddress);
  archive.text(part.name);
  archive.text(part.value);
};

constexpr auto terms_fields = [](auto& archive, auto& terms) {
  archive.text(terms.program);
  archive.list(terms.arguments, one_text);
  archive.list(terms.options, one_text);
  archive.number(terms.suppresses);
  archive.text(terms.suppressions);
  archive.list(terms.parts, part_fields);
};

// The options that change what is explored, each with its words for some options: none if it was not
// given, or makes no difference.
struct Counting {
  std::string_view name;
  std::vector<std::string> (*values)(const CheckOptions&);
};

std::vector<std::string> given(bool is) {
  return is ? std::vector<std::string>{""} : std::vector<std::string>{};
}
std::vector<std::string> unless(std::string_view value, bool usual) {
  return usual ? std::vector<std::string>{} : std::vector<std::string>{std::string(value)};
}
template <typename T>
std::vector<std::string> unless_usual(const T& value, const T& usual) {
  return unless(fmt::format("{}", value), value == usual);
}

const Request kUsual;
constexpr std::string_view kUsualAlgorithm = "graph";

constexpr Counting kCounting[] = {
    {"algorithm",
     [](const CheckOptions& o) {
       const std::string_view name = o.request.algorithm;
       return unless(name, name == kUsualAlgorithm);
     }},
    {"memory",
     [](const CheckOptions& o) {
       const MemoryModel memory = o.request.explorer.memory;
       return unless(memory_name(memory), memory == MemoryModel::kSc);
     }},
    {"keep-going", [](const CheckOptions& o) { return given(o.request.bounds.keep_going); }},
    {"first", [](const CheckOptions& o) { return given(o.first); }},
    {"max-steps",
     [](const CheckOptions& o) {
       return unless_usual(o.request.bounds.max_steps, kUsual.bounds.max_steps);
     }},
    {"max-executions",
     [](const CheckOptions& o) {
       return unless_usual(o.request.bounds.max_executions, kUsual.bounds.max_executions);
     }},
    {"step-limit",
     [](const CheckOptions& o) { return unless_usual(o.request.step_limit, kUsual.step_limit); }},
    {"call-limit",
     [](const CheckOptions& o) { return unless_usual(o.request.call_limit, kUsual.call_limit); }},
    {"nondet",
     [](const CheckOptions& o) {
       return unless(fmt::format("{}..{}", o.request.nondet_lowest, o.request.nondet_highest),
                     o.request.nondet_given == 0);
     }},
    {"races",
     [](const CheckOptions& o) { return unless("ignore", o.request.races != Races::kIgnore); }},
    {"loops", [](const CheckOptions& o) { return unless("run", o.request.watch_loops != 0); }},
    {"timeouts",
     [](const CheckOptions& o) {
       return unless(o.request.timeouts == Timeouts::kFirst ? "first" : "never",
                     o.request.timeouts == Timeouts::kAny);
     }},
    {"spurious-wakeups",
     [](const CheckOptions& o) { return unless_usual(o.request.spurious_wakeups, 0u); }},
    {"spurious-failures",
     [](const CheckOptions& o) { return unless_usual(o.request.spurious_failures, 0u); }},
    {"trust",
     [](const CheckOptions& o) {
       std::vector<std::string> names = o.trust;
       std::ranges::sort(names);
       names.erase(std::unique(names.begin(), names.end()), names.end());
       return names;
     }},
    {"leaks", [](const CheckOptions& o) { return given(o.request.leaks != 0); }},
    {"seed",
     [](const CheckOptions& o) {
       return unless_usual(o.request.explorer.seed, kUsual.explorer.seed);
     }},
    {"pct-depth",
     [](const CheckOptions& o) {
       return unless_usual(o.request.explorer.pct_depth, kUsual.explorer.pct_depth);
     }},
    {"pick",
     [](const CheckOptions& o) {
       constexpr std::string_view kPicks[] = {"continue", "lowest", "highest", "round-robin",
                                              "random"};
       const PickOrder pick = o.request.explorer.pick;
       return unless(kPicks[static_cast<std::size_t>(pick)], pick == PickOrder::kContinue);
     }},
    {"isolation",
     [](const CheckOptions& o) {
       return unless("fork", o.request.isolation == Isolation::kSnapshot);
     }},
    {"check-determinism", [](const CheckOptions& o) { return given(o.request.bounds.repeat); }},
};

std::vector<std::string> words_of(const CheckOptions& options) {
  std::vector<std::string> words;
  for (const Counting& option : kCounting)
    for (const std::string& value : option.values(options))
      words.push_back(fmt::format("--{}{}{}", option.name, value.empty() ? "" : "=", value));
  return words;
}

// The option of `--name=value`, without dashes.
std::string_view name_of(std::string_view word) {
  return word.substr(2, word.find('=') == std::string_view::npos ? word.npos : word.find('=') - 2);
}

bool is_counting(std::string_view word) {
  return word.starts_with("--") &&
         std::ranges::find(kCounting, name_of(word), &Counting::name) != std::end(kCounting);
}

// What one of two lists of options has and the other has not.
std::string other_option(const RunTerms& ledger, const RunTerms& mine) {
  for (const std::string& word : ledger.options)
    if (std::ranges::find(mine.options, word) == mine.options.end())
      return fmt::format("was begun with {}", word);
  for (const std::string& word : mine.options)
    if (std::ranges::find(ledger.options, word) == ledger.options.end())
      return fmt::format("was begun without {}", word);
  return "";
}

std::string what(const Part& part) {
  switch (part.kind) {
    case Part::Kind::kMazur:
      return fmt::format("was begun by Mazur {}", part.value);
    case Part::Kind::kProgram:
      return "was begun with another program, or this one was built anew since then";
    case Part::Kind::kLibrary:
      return fmt::format("was begun with another {}", part.name);
    case Part::Kind::kAddress:
      return fmt::format(
          "was begun where {} lies at another address (the kernel or the C library "
          "is another one)",
          part.name);
  }
  return "";
}

}  // namespace

RunTerms terms_of(const CheckOptions& options, const std::filesystem::path& program) {
  RunTerms terms;
  terms.program = program.filename().string();
  terms.arguments = options.arguments;
  terms.options = words_of(options);
  if (options.request.suppressions[0] != '\0') {
    auto lines = read_file(options.request.suppressions);
    if (!lines)
      throw UsageError(fmt::format("the file of suppressions '{}' cannot be read.",
                                   options.request.suppressions));
    terms.suppresses = true;
    terms.suppressions = *std::move(lines);
  }
  return terms;
}

CheckOptions options_of(const RunTerms& terms) {
  CheckOptions options;
  const auto refuse = [](std::string_view why) {
    throw UsageError(fmt::format("what the ledger says about its run makes no sense: {}.", why));
  };
  const auto is_plain = [](const std::string& word) {
    return word.find('\0') == std::string::npos;
  };
  if (terms.program.empty() || terms.program.find('/') != std::string::npos ||
      !is_plain(terms.program))
    refuse("the program's name is none");
  if (!std::ranges::all_of(terms.arguments, is_plain)) refuse("an argument has a zero in it");
  for (const std::string& word : terms.options)
    if (!is_plain(word) || !is_counting(word)) refuse("an option of it is none that may be there");
  try {
    if (!parse_options("mazur worker", check_option_table(), terms.options, options).words.empty())
      refuse("an option of it is none");
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  if (!options.algorithm_given) set_algorithm(options.request, kUsualAlgorithm);
  const ExplorerEntry& explorer = *find_explorer(options.request.algorithm);
  if (!is_divisible(explorer.name)) refuse("its algorithm is none that can be shared");
  if (options.request.bounds.max_executions != 0 && explorer.covers != Covers::kSamples)
    refuse("its algorithm does not count executions");
  // Nothing but what terms_of() makes: no value that means something else here.
  if (words_of(options) != terms.options) refuse("its options are not in order");
  options.arguments = terms.arguments;
  return options;
}

std::string encode(const RunTerms& terms) {
  Writer writer;
  terms_fields(writer, terms);
  return writer.take();
}

std::optional<RunTerms> decode_terms(std::span<const char> bytes) {
  Reader reader(bytes);
  RunTerms terms;
  terms_fields(reader, terms);
  if (!reader.done()) return std::nullopt;
  return terms;
}

std::string misfit(const RunTerms& ledger, const RunTerms& mine) {
  for (const Part& part : ledger.parts) {
    const auto same = std::ranges::find_if(
        mine.parts, [&](const Part& p) { return p.kind == part.kind && p.name == part.name; });
    if (part.kind == Part::Kind::kLibrary && same == mine.parts.end())
      return fmt::format("was begun with the library {}, which this program does not load",
                         part.name);
    if (same == mine.parts.end() || same->value != part.value) return what(part);
  }
  for (const Part& part : mine.parts)
    if (std::ranges::none_of(ledger.parts, [&](const Part& p) {
          return p.kind == part.kind && p.name == part.name;
        }))
      return fmt::format("was begun without the library {}", part.name);
  if (ledger.program != mine.program)
    return fmt::format("was begun with a program called {}", ledger.program);
  if (ledger.arguments != mine.arguments) return "was begun with other arguments of the program";
  if (std::string option = other_option(ledger, mine); !option.empty()) return option;
  if (ledger.suppresses != mine.suppresses || ledger.suppressions != mine.suppressions)
    return "was begun with other --suppressions";
  return "";
}

}  // namespace mazur
