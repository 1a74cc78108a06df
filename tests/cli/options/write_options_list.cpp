// Writes the list of options in docs/use.md anew: cmake --build build/release --target options_list
#include <cstdio>
#include <fstream>
#include <iterator>

#include "options_page.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_options_list docs/use.md\n", stderr);
    return 2;
  }
  std::ifstream in(argv[1]);
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string now = mazur::with_options_list(page);
  if (page.empty() || now.find("<!-- options: begin") == std::string::npos) {
    std::fprintf(stderr, "%s has no markers for the list of options.\n", argv[1]);
    return 2;
  }
  if (now == page) return 0;
  std::ofstream out(argv[1]);
  out << now;
  out.close();
  return out ? 0 : 2;
}
