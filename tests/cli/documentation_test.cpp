// docs/use.md tells the truth: every option, every feature and its test program.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cli/options/check_options.h"
#include "spawn.h"

namespace mazur {
namespace {

// What stands between `open` and `close` in the text, wherever both do.
std::vector<std::string> between(const std::string& text, std::string_view open, char close) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) break;
    found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

std::string use_page() { return contents_of(SOURCE_DIR "/docs/use.md"); }

TEST(Documentation, NamesEveryOption) {
  const std::string page = use_page();
  for (const auto& option : check_option_table())
    EXPECT_NE(page.find("`--" + std::string(option.name)), std::string::npos) << option.name;
}

TEST(Documentation, TheTableOfFeaturesIsTheFolderOfTests) {
  const std::string page = use_page();
  const std::string table = page.substr(page.find("## What is supported"));
  std::set<std::string> listed, present;
  for (const std::string& name : between(table, "`", '`'))
    if (name.ends_with(".c") || name.ends_with(".cpp")) listed.insert(name);
  for (const auto& file :
       std::filesystem::directory_iterator(SOURCE_DIR "/tests/native/features")) {
    const std::string extension = file.path().extension().string();
    if (extension == ".c" || extension == ".cpp") present.insert(file.path().filename().string());
  }
  for (const std::string& name : listed) EXPECT_TRUE(present.contains(name)) << name;
  for (const std::string& name : present) EXPECT_TRUE(listed.contains(name)) << name;
}

TEST(Documentation, LinksLeadToFiles) {
  for (const char* page : {"README.md", "docs/use.md", "docs/trace-format.md", "docs/security.md",
                           "CONTRIBUTING.md"}) {
    const auto path = std::filesystem::path(SOURCE_DIR) / page;
    const std::string text = contents_of(path.string());
    EXPECT_FALSE(text.empty()) << page;
    for (std::string link : between(text, "](", ')')) {
      link = link.substr(0, link.find('#'));
      if (link.empty() || link.find("://") != std::string::npos) continue;
      EXPECT_TRUE(std::filesystem::exists(path.parent_path() / link)) << page << ": " << link;
    }
  }
}

}  // namespace
}  // namespace mazur
