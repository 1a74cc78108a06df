// A disk that is full in the middle of a run: one sentence, and nothing is lost.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "ledger_file.h"
#include "work/ledger.h"

namespace mazur::test {
namespace {

// This process alone sees what it mounts from now on. As a user that needs a namespace of users, in which
// everybody is who they are.
bool may_mount() {
  const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << user + " " + user + " 1";
    std::ofstream("/proc/self/gid_map") << group + " " + group + " 1";
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// A disk of its own for a folder.
class SmallDisk {
 public:
  explicit SmallDisk(const fs::path& folder) : folder_(folder) {
    fs::create_directories(folder);
    is_there_ = may_mount() && mount("mazur-test", folder.c_str(), "tmpfs", 0, "size=32m") == 0;
    if (!is_there_) why_ = std::strerror(errno);
  }
  ~SmallDisk() {
    if (is_there_) umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool is_there() const { return is_there_; }
  const std::string& why() const { return why_; }
  // Writes until nothing fits any more.
  void fill() const {
    const std::string much(4096, 'x');
    const int file = open(ballast().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    for (std::size_t size = much.size(); size > 0; size /= 2)
      while (write(file, much.data(), size) > 0) continue;
    close(file);
  }
  void make_room() const { fs::remove(ballast()); }

 private:
  fs::path ballast() const { return folder_ / "ballast"; }
  const fs::path folder_;
  bool is_there_ = false;
  std::string why_;
};

class FullDisk : public LedgerFile {
 protected:
  // What mazur says when there is no space: one sentence.
  static void expect_no_space(const std::string& said) {
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find("space"), std::string::npos) << said;
    EXPECT_EQ(said.find("unexpected"), std::string::npos) << said;
  }
  // Waits until mazur has finished some pieces. Returns how many.
  static std::uint64_t wait_for_pieces(pid_t mazur, const std::string& ledger) {
    std::uint64_t pieces = 0;
    while (pieces < 10 && waitpid(mazur, nullptr, WNOHANG) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      try {
        pieces = totals_in(ledger).pieces;
      } catch (const LedgerError&) {  // not there yet
      }
    }
    return pieces;
  }
  static Ledger::Totals totals_in(const std::string& ledger) {
    return Ledger(open_store(ledger, Opening::kLook)).overview().totals;
  }
};

TEST_F(FullDisk, InTheMiddleOfARun) {
  const fs::path place = folder() / "disk";
  const SmallDisk disk(place);
  if (!disk.is_there()) {
    std::printf("no disk can be mounted here (%s): see NoFileMayGrow for the rest\n",
                disk.why().c_str());
    return;
  }
  slices(20);
  const std::string ledger = (place / "run.db").string();
  const Words check = command(long_, {"--ledger=" + ledger, "-j2", "--quiet", "--", "5"});
  const pid_t child = start(check);
  const std::uint64_t before = wait_for_pieces(child, ledger);
  disk.fill();
  EXPECT_EQ(wait_for(child), 2);
  expect_no_space(contents_of((folder() / "err").string()));

  // Full again: what has ended may have left some room.
  disk.fill();
  const Finished again = spawn({MAZUR_PROGRAM, "check", long_.string(), "--ledger=" + ledger,
                                "--quiet", "--no-trace", "--", "5"},
                               folder().string());
  EXPECT_EQ(again.code, 2) << again.out;
  expect_no_space(again.err);

  disk.make_room();
  const Ledger::Totals left = totals_in(ledger);
  EXPECT_GE(left.pieces, before);
  EXPECT_LT(left.tally.complete, static_cast<std::uint64_t>(kFive));
  EXPECT_GT(left.open + left.claimed, 0u);
  slices(1000);
  const MazurRun whole = mazur(check);
  ASSERT_EQ(whole.exit_code, 0) << whole.text;
  expect_all(whole, kFive);
}

// The same where nothing can be mounted: all that mazur writes is too large from now on.
TEST_F(FullDisk, NoFileMayGrow) {
  slices(20);
  const std::string ledger = (folder() / "run.db").string();
  const Words check = command(long_, {"--ledger=" + ledger, "-j2", "--quiet", "--", "5"});
  const auto kill_for_size = signal(SIGXFSZ, SIG_IGN);
  const pid_t child = start(check);
  signal(SIGXFSZ, kill_for_size);
  const std::uint64_t before = wait_for_pieces(child, ledger);
  const rlimit limit{4096, RLIM_INFINITY};  // what it says is shorter
  ASSERT_EQ(prlimit(child, RLIMIT_FSIZE, &limit, nullptr), 0);
  EXPECT_EQ(wait_for(child), 2);
  expect_no_space(contents_of((folder() / "err").string()));
  EXPECT_GE(totals_in(ledger).pieces, before);
  slices(1000);
  expect_all(mazur(check), kFive);
}

TEST_F(FullDisk, NobodyCanBeTold) {
  const std::string command = std::string(MAZUR_PROGRAM) + " status nothing.db 2>/dev/full";
  EXPECT_EQ(spawn({"sh", "-c", command}, folder().string()).code, 2);
}

}  // namespace
}  // namespace mazur::test
