// Runs the real mazur on a program of the tests, and reads its JSON.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mazur::test {

struct MazurRun {
  int exit_code = -1;
  nlohmann::json result;  // null when there was none
  std::string text;       // everything that was printed, for the messages of failing tests

  std::string verdict() const { return result.value("verdict", "none"); }
  // All was explored that the algorithm would ever explore, without an error: a proof, or as much
  // as an algorithm gives that rests on tests alone.
  bool finished() const {
    return verdict() == "verified" ||
           (verdict() == "incomplete" &&
            result.value("reason", "") == "this algorithm is not proven to reach every outcome");
  }
  long complete() const { return result["executions"].value("complete", -1L); }
  long blocked() const { return result["executions"].value("blocked", -1L); }
  long assume_blocked() const { return result["executions"].value("assume_blocked", -1L); }
  long bounded() const { return result["executions"].value("bounded", -1L); }
};

// `mazur check SOURCE FLAGS...` in a folder of its own, without trace files; with the executable that the
// build has made of the source with these flags, if it has.
MazurRun check(const std::filesystem::path& source, const std::vector<std::string>& flags,
               bool quiet = true);

// `mazur WORDS...` in the given folder. With JSON if a word asks for it (--json=result.json); a result that
// docs/schemas/result.schema.json does not allow is a failure of the test.
// `mazur`: another one than that of this build.
MazurRun run_mazur(const std::vector<std::string>& words, const std::filesystem::path& folder,
                   const std::string& mazur = MAZUR_PROGRAM);

// Compiles once, for tests that check the same executable in several ways. Nothing is left to do where
// the build has compiled it.
std::filesystem::path build(const std::filesystem::path& source,
                            const std::vector<std::string>& flags,
                            const std::filesystem::path& folder);

// The programs in a folder of the tests and in the folders below it, sorted: *.c and *.cpp, with
// their paths from that folder.
std::vector<std::string> programs_in(const std::filesystem::path& folder);

// The name of a test about a program: that of its file, without what a name may not have.
std::string test_name(const std::string& program);

// What manifest.json beside the source, or one folder above it, says about it, or null.
nlohmann::json manifest_entry(const std::filesystem::path& source);

// The compiler flags a source needs: from the manifest, else the language standard.
std::vector<std::string> flags_of(const std::filesystem::path& source);

}  // namespace mazur::test
