// Runs a fuzzing target on every file of the folders named, without libFuzzer: what once went wrong
// stays mended, and the targets themselves keep working.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** folders) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i]))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t accepted = 0;
  for (const std::filesystem::path& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    accepted += LLVMFuzzerTestOneInput(data, bytes.size()) > 0 ? 1 : 0;
  }
  std::printf("%zu inputs, %zu of them accepted\n", files.size(), accepted);
  // A corpus of which everything is refused at once tests nothing.
  return accepted > 0 ? 0 : 1;
}
