// A PostgreSQL server of the tests' own: its data in a temporary folder, reached by a socket there.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace mazur::test {

class PostgresServer {
 public:
  // Starts it. Throws std::runtime_error with a sentence: PostgreSQL is not installed, ...
  // `fsync`: whether a transaction waits for the disk.
  explicit PostgresServer(bool fsync = false);
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The one that all tests of this process use. It ends with the process.
  static PostgresServer& shared();

  // postgresql://..., without the name of a run.
  std::string url(const std::string& user = "mazur") const;
  // A statement by the server's administrator.
  void execute(const std::string& sql) const;

  void kill();   // -9, with all that it has begun
  void start();  // again
  // Ends all connections of ledgers.
  void cut_connections() const;

 private:
  pid_t spawn(const std::vector<std::string>& words) const;
  bool begin();

  std::filesystem::path folder_, programs_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  pid_t process_ = -1;
  const bool fsync_;
};

}  // namespace mazur::test
