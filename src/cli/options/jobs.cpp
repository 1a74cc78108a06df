#include "cli/options/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <thread>

#include "cli/options/options.h"

namespace mazur {

std::vector<std::string> with_long_jobs(const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  bool ours = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    ours = ours && word != "--";
    if (!ours || !word.starts_with("-j")) {
      words.push_back(word);
    } else if (word.size() > 2) {
      words.push_back("--jobs=" + word.substr(2));
    } else if (i + 1 < arguments.size()) {
      words.push_back("--jobs=" + arguments[++i]);
    } else {
      throw UsageError("-j needs a number after it: -j 2, or -j 0 for all cores.");
    }
  }
  return words;
}

unsigned parse_jobs(const std::string& value) {
  constexpr std::uint64_t kMostJobs = 256;
  const std::uint64_t jobs = parse_count("jobs", value);
  if (jobs > kMostJobs) throw UsageError(fmt::format("-j takes at most {} processes.", kMostJobs));
  return jobs != 0 ? static_cast<unsigned>(jobs)
                   : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace mazur
