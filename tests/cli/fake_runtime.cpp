// A runtime that explores nothing: it does what the program's first argument says, so that the
// tests of the command line see every way in which a run can end.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "protocol/channel.h"
#include "protocol/record.h"

namespace {

void wait_for(const char* file) {
  while (access(file, F_OK) != 0) usleep(1000);
}

using namespace mazur;

void append(Channel& channel, const Record& record) {
  const std::string bytes = encode(record);
  const std::uint64_t size = bytes.size();
  char* log = reinterpret_cast<char*>(&channel) + kChannelHeader + channel.log_size;
  std::memcpy(log, &size, sizeof size);
  std::memcpy(log + sizeof size, bytes.data(), bytes.size());
  channel.log_size = channel.log_size + sizeof size + size;
}

[[noreturn]] void done(Channel& channel, Verdict verdict, const std::string& reason) {
  std::snprintf(channel.reason, sizeof channel.reason, "%s", reason.c_str());
  channel.verdict = verdict;
  channel.phase = Phase::kDone;
  _exit(0);
}

// An error at the first line of the program's function `failing`.
Record error(const char* message) {
  Record record;
  record.kind = FailureKind::kAssertion;
  record.thread = 1;
  record.message = message;
  record.execution = 3;
  record.output = "printed before\n";
  const auto pc = reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, "failing")) + 1;
  const auto object = reinterpret_cast<std::uint64_t>(dlsym(RTLD_DEFAULT, "shared_counter"));
  record.stack = {pc};
  Event event;
  event.thread = 1;
  event.label.kind = OpKind::kRmw;
  event.label.object = object;
  event.label.read = 41;
  event.label.written = 42;
  event.label.pc = pc;
  record.events = {event};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        static_cast<Record*>(data)->modules.push_back(
            {info->dlpi_addr, info->dlpi_addr, info->dlpi_addr + (1u << 20), ""});
        return 1;
      },
      &record);
  return record;
}

std::string described(const Channel& channel) {
  const Request& r = channel.request;
  char text[1024];
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "-";
  };
  std::snprintf(text, sizeof text,
                "algorithm=%s seed=%lu depth=%u sleep=%u pick=%u isolation=%u races=%u going=%u "
                "output=%u repeat=%u steps=%lu executions=%lu time=%g bind=%s fixed=%d stdin=%zd",
                r.algorithm, r.explorer.seed, r.explorer.pct_depth, r.explorer.sleep_sets,
                static_cast<unsigned>(r.explorer.pick), static_cast<unsigned>(r.isolation),
                static_cast<unsigned>(r.races), r.bounds.keep_going, r.show_output, r.bounds.repeat,
                r.bounds.max_steps, r.bounds.max_executions, r.bounds.time_limit,
                variable("LD_BIND_NOW"), (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0,
                read(0, text, sizeof text));
  return text;
}

// Writes random bytes wherever mazur will read, and more than once.
[[noreturn]] void scribble(Channel& channel, unsigned long seed) {
  std::mt19937_64 random(seed);
  char* const begin = reinterpret_cast<char*>(&channel.phase);
  char* const end = reinterpret_cast<char*>(&channel) + sizeof channel;
  char* const log = reinterpret_cast<char*>(&channel) + kChannelHeader;
  append(channel, error("counter == 41"));
  for (int i = 0; i < 3; ++i) {
    for (char* at = begin; at < end - 8; at += 1 + random() % 4000) {
      const std::uint64_t bits = random() % 3 == 0 ? ~std::uint64_t{0} : random();
      std::memcpy(at, &bits, 1 + bits % 8);
    }
    for (int n = 0; n < 100; ++n) log[random() % 4096] = static_cast<char>(random());
  }
  if (random() % 2 == 0) channel.phase = Phase::kDone;
  if (random() % 2 == 0) channel.log_size = random() % 8192;
  _exit(static_cast<int>(random() % 3));
}

void act(Channel& channel, const std::string& what) {
  channel.phase = Phase::kExploring;
  channel.complete = 2;
  channel.blocked = 1;
  channel.events = 30;
  channel.seconds = 0.5;
  if (channel.request.replay != 0) {
    const char* bytes = reinterpret_cast<const char*>(&channel) + channel.request.replay_offset;
    const auto record = decode_record({bytes, channel.request.replay_size});
    if (!record) done(channel, Verdict::kUnsupported, "no record");
    if (std::getenv("FAKE_DIVERGE") != nullptr)
      done(channel, Verdict::kUnsupported, "the trace does not fit the program: step 0");
    if (std::getenv("FAKE_NO_ERROR") != nullptr) done(channel, Verdict::kVerified, "");
    append(channel, error(record->message.text.c_str()));
    done(channel, Verdict::kBug, record->message.text);
  }
  if (what == "verified") done(channel, Verdict::kVerified, "");
  if (what == "incomplete") done(channel, Verdict::kIncomplete, "--max-executions was reached");
  if (what == "request") done(channel, Verdict::kIncomplete, described(channel));
  if (what == "crash" || what == "exit") {
    channel.schedule[0] = Step{0, 0};
    channel.schedule[1] = Step{1, 2};
    channel.schedule_size = 2;
    if (what == "exit") _exit(5);
    raise(SIGSEGV);
  }
  if (what == "wait") {
    std::fputs("waiting\n", stderr);
    while (channel.stop == 0) usleep(1000);
    done(channel, Verdict::kIncomplete, "it was interrupted");
  }
  if (what == "slow") {  // a quarter of the way, until a file says that somebody has seen it
    channel.complete = 12345;
    channel.depth = 31;
    channel.explored = 0.25;
    channel.explored_most = 0.5;
    wait_for("seen");
    channel.minimising = 1;
    wait_for("seen-minimising");
    done(channel, Verdict::kVerified, "");
  }
  if (what == "unseen") {  // longer than it takes to the first line about progress
    channel.complete = 12345;
    channel.explored = 0.25;
    channel.explored_most = 0.5;
    usleep(3'400'000);
    done(channel, Verdict::kVerified, "");
  }
  if (what == "dies minimising") {
    append(channel, error("counter == 41"));
    channel.minimising = 1;
    raise(SIGSEGV);
  }
  if (what == "hang") {
    std::fputs("waiting\n", stderr);
    for (;;) pause();
  }
  if (what.starts_with("scribble ")) scribble(channel, std::stoul(what.substr(9)));
  if (what == "shrink") {
    const int block = std::atoi(std::getenv(kChannelVariable));
    if (ftruncate(block, 0) == 0) _exit(0);
    done(channel, Verdict::kIncomplete, "the block cannot be made smaller");
  }
  if (what == "escapes") {
    Record record = error("an \033[2Jempty screen");
    record.thread_names = {{1, "\033]0;title\007"}};
    record.output =
        "\033[31mred\033[0m \033[1A\r\xc2\x9b"
        "2K\n";
    append(channel, record);
    done(channel, Verdict::kBug, "\033c");
  }
  if (what == "garbage") {
    channel.log_size = 1u << 20;
    std::memset(reinterpret_cast<char*>(&channel) + kChannelHeader, 0xff, 1u << 20);
    done(channel, Verdict::kBug, "");
  }
  append(channel, error("counter == 41"));
  if (what == "bugs") {
    append(channel, error("counter == 41"));
    Record other = error("gone");
    other.kind = FailureKind::kUseAfterFree;
    append(channel, other);
    channel.counts[2] = 7;
  }
  channel.failures = 1;
  done(channel, Verdict::kBug, "counter == 41");
}

__attribute__((constructor)) void start(int count, char** arguments, char**) {
  const char* variable = std::getenv(kChannelVariable);
  if (variable == nullptr) return;
  void* memory =
      mmap(nullptr, kChannelBytes, PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(variable), 0);
  if (memory == MAP_FAILED) _exit(96);
  const std::string what = count > 1 ? arguments[1] : "";
  if (what == "silent") _exit(0);
  if (what == "gave-up") _exit(97);
  act(*static_cast<Channel*>(memory), what);
}

}  // namespace

// What the compilers call in the fixture.
#define HOOK(name) \
  extern "C" __attribute__((visibility("default"))) void name(void*) {}
HOOK(__tsan_init)
HOOK(__tsan_func_entry)
HOOK(__tsan_func_exit)
HOOK(__tsan_read4)
HOOK(__tsan_write4)
HOOK(__tsan_read8)
HOOK(__tsan_write8)
