#include "cli/ledger/sha256.h"

#include <nettle/sha2.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mazur {
namespace {

std::string digest_of(sha256_ctx& context) {
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string sha256(std::span<const char> bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return digest_of(context);
}

std::optional<std::string> sha256_of_file(int descriptor) {
  sha256_ctx context;
  sha256_init(&context);
  std::vector<std::uint8_t> buffer(1 << 16);
  for (off_t at = 0;;) {
    const ssize_t got = pread(descriptor, buffer.data(), buffer.size(), at);
    if (got < 0) return std::nullopt;
    if (got == 0) return digest_of(context);
    sha256_update(&context, static_cast<std::size_t>(got), buffer.data());
    at += got;
  }
}

bool is_sha256(std::string_view text) {
  return text.size() == 2 * SHA256_DIGEST_SIZE &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace mazur
