// The documentation tells the truth: every option, every feature and its test program, and links
// that lead somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "cli/options/check_options.h"
#include "cli/options/option_tasks.h"
#include "explore/registry.h"
#include "options/options_page.h"
#include "spawn.h"

namespace mazur {
namespace {

namespace fs = std::filesystem;

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

// All pages of the project itself.
std::vector<fs::path> pages() {
  const fs::path source = SOURCE_DIR;
  std::vector<fs::path> found = {source / "README.md", source / "CONTRIBUTING.md"};
  for (const auto& file : fs::recursive_directory_iterator(source / "docs"))
    if (file.path().extension() == ".md") found.push_back(file.path());
  std::sort(found.begin(), found.end());
  return found;
}

struct Line {
  std::size_t number;
  std::string text;
};

// The lines of a page that are prose, a heading or a table, not code.
std::vector<Line> lines_of(const fs::path& page) {
  std::vector<Line> lines;
  std::istringstream text(contents_of(page.string()));
  std::string line;
  bool fenced = false;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    if (line.starts_with("```"))
      fenced = !fenced;
    else if (!fenced && !line.starts_with("    "))
      lines.push_back({number, line});
  }
  return lines;
}

std::string without_code_spans(const std::string& line) {
  std::string result;
  bool code = false;
  for (const char c : line) {
    if (c == '`')
      code = !code;
    else if (!code)
      result += c;
  }
  return result;
}

// The anchors of a page's headings, as GitHub names them.
std::set<std::string> anchors_of(const fs::path& page) {
  std::set<std::string> anchors;
  std::map<std::string, int> seen;
  for (const Line& line : lines_of(page)) {
    if (!line.text.starts_with('#')) continue;
    std::string anchor;
    for (const char c : line.text.substr(line.text.find_first_not_of("# "))) {
      if (c == ' ')
        anchor += '-';
      else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(c));
    }
    const int before = seen[anchor]++;
    anchors.insert(before == 0 ? anchor : anchor + "-" + std::to_string(before));
  }
  return anchors;
}

TEST(Documentation, TheListOfOptionsIsTheTableOfOptions) {
  const std::string page = use_page();
  ASSERT_NE(page.find("<!-- options: begin"), std::string::npos);
  EXPECT_TRUE(page == with_options_list(page))
      << "The list of options in docs/use.md is not what the option table says; write it anew "
         "with: cmake --build build/release --target options_list";
}

TEST(Documentation, EveryAlgorithmNamesOptionsAndAPageThatExist) {
  std::set<std::string_view> options{""};
  for (const auto& option : check_option_table()) options.insert(option.name);
  for (const ExplorerEntry& explorer : explorer_registry()) {
    for (const std::string_view option : explorer.options)
      EXPECT_TRUE(options.contains(option)) << explorer.name << ": --" << option;
    const std::string page(explorer.page.substr(0, explorer.page.find('#')));
    EXPECT_TRUE(fs::exists(fs::path(SOURCE_DIR "/docs/algorithms") / page)) << page;
  }
}

TEST(Documentation, EveryOptionStandsUnderOneTask) {
  std::map<std::string_view, int> listed;
  for (const OptionTask& task : check_option_tasks())
    for (const OptionNote& note : task.options) ++listed[note.name];
  for (const auto& option : check_option_table()) {
    EXPECT_EQ(listed[option.name], 1)
        << "--" << option.name << " must stand under one task of src/cli/options/option_tasks.cpp";
    listed.erase(option.name);
  }
  for (const auto& [name, times] : listed)
    ADD_FAILURE() << "src/cli/options/option_tasks.cpp has --" << name << ", which is no option";
}

TEST(Documentation, HelpFitsIntoAHundredColumns) {
  const std::string help = check_help();
  for (const OptionTask& task : check_option_tasks())
    EXPECT_NE(help.find("\n" + std::string(task.title) + "\n"), std::string::npos) << task.title;
  std::istringstream text(help);
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Documentation, TheTableOfFeaturesIsTheFolderOfTests) {
  const std::string page = use_page();
  const std::string table = page.substr(page.find("## What is supported"));
  std::set<std::string> listed, present;
  for (const std::string& name : between(table, "`", '`'))
    if (name.ends_with(".c") || name.ends_with(".cpp")) listed.insert(name);
  for (const auto& file : fs::recursive_directory_iterator(SOURCE_DIR "/tests/native/features")) {
    const std::string extension = file.path().extension().string();
    if (extension == ".c" || extension == ".cpp") present.insert(file.path().filename().string());
  }
  for (const std::string& name : listed) EXPECT_TRUE(present.contains(name)) << name;
  for (const std::string& name : present) EXPECT_TRUE(listed.contains(name)) << name;
}

TEST(Documentation, LinksLeadToFilesAndHeadings) {
  for (const fs::path& page : pages()) {
    std::string text;
    for (const Line& line : lines_of(page)) text += without_code_spans(line.text) + "\n";
    EXPECT_FALSE(text.empty()) << page;
    for (const std::string& link : between(text, "](", ')')) {
      if (link.find("://") != std::string::npos) continue;
      const std::string file = link.substr(0, link.find('#'));
      const fs::path target = file.empty() ? page : page.parent_path() / file;
      EXPECT_TRUE(fs::exists(target)) << page << ": " << link;
      if (link.size() == file.size() || !fs::exists(target)) continue;
      EXPECT_TRUE(anchors_of(target).contains(link.substr(file.size() + 1)))
          << page << ": there is no heading for " << link;
    }
  }
}

// Where a page says that a file is, or nothing if the name is no path. Paths of sources may begin
// below src/.
fs::path named_file(const std::string& name) {
  const fs::path source = SOURCE_DIR;
  if (name.find_first_of(" <*$,()") != std::string::npos) return {};
  for (const char* folder : {"src/", "tests/", "docs/", "examples/", "include/"})
    if (name.starts_with(folder)) return source / name;
  if (!name.ends_with(".h") && !name.ends_with(".cpp")) return {};
  const std::string folder = name.substr(0, name.find('/'));
  return folder != name && fs::is_directory(source / "src" / folder) ? source / "src" / name
                                                                     : fs::path();
}

// Pages speak of the folders as they are.
TEST(Documentation, FilesThatAreNamedExist) {
  for (const fs::path& page : pages()) {
    for (const Line& line : lines_of(page)) {
      for (const std::string& name : between(line.text, "`", '`')) {
        const fs::path file = named_file(name);
        EXPECT_TRUE(file.empty() || fs::exists(file)) << page << ":" << line.number << ": " << name;
      }
    }
  }
}

TEST(Documentation, EveryFolderOfTheSourcesHasASentence) {
  const fs::path source = SOURCE_DIR;
  const std::string page = contents_of((source / "CONTRIBUTING.md").string());
  for (const auto& entry : fs::recursive_directory_iterator(source / "src")) {
    if (!entry.is_directory()) continue;
    const std::string name = fs::relative(entry.path(), source).string();
    EXPECT_NE(page.find("- `" + name + "/`: "), std::string::npos)
        << "CONTRIBUTING.md must say in one sentence what is in " << name;
  }
}

TEST(Documentation, ProseHasShortLines) {
  for (const fs::path& page : pages()) {
    for (const Line& line : lines_of(page)) {
      if (line.text.starts_with('|')) continue;  // a row of a table cannot be broken
      const auto characters = std::count_if(line.text.begin(), line.text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      });
      EXPECT_LE(characters, 120) << page << ":" << line.number;
    }
  }
}

}  // namespace
}  // namespace mazur
