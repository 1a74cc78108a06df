// docs/use.md tells the truth: every option, every feature and its test program.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "cli/check_options.h"
#include "spawn.h"

namespace mazur {
namespace {

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
  const std::regex name("`([a-z0-9_]+\\.c(pp)?)`");
  for (std::sregex_iterator i(table.begin(), table.end(), name), end; i != end; ++i)
    listed.insert((*i)[1]);
  for (const auto& file :
       std::filesystem::directory_iterator(SOURCE_DIR "/tests/native/features")) {
    const std::string extension = file.path().extension().string();
    if (extension == ".c" || extension == ".cpp") present.insert(file.path().filename().string());
  }
  EXPECT_EQ(listed, present);
}

TEST(Documentation, LinksLeadToFiles) {
  const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  for (const char* page : {"README.md", "docs/use.md", "docs/trace-format.md", "CONTRIBUTING.md"}) {
    const auto path = std::filesystem::path(SOURCE_DIR) / page;
    const std::string text = contents_of(path.string());
    EXPECT_FALSE(text.empty()) << page;
    for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i)
      EXPECT_TRUE(std::filesystem::exists(path.parent_path() / (*i)[1].str())) << page << i->str();
  }
}

}  // namespace
}  // namespace mazur
