#include "postgres_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <vector>

#include "work/postgres/connection.h"

namespace mazur::test {
namespace {

namespace fs = std::filesystem;

// Where Debian has the server's programs: the newest version's.
fs::path server_programs() {
  fs::path newest;
  int version = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const int number = std::atoi(entry.path().filename().c_str());
    if (number > version && fs::exists(entry.path() / "bin/postgres")) {
      version = number;
      newest = entry.path() / "bin";
    }
  }
  if (version < 15)
    throw std::runtime_error("PostgreSQL 15 or later is not installed: apt-get install postgresql");
  return newest;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void reap(pid_t process, int& status) {
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
}

}  // namespace

PostgresServer::PostgresServer(bool fsync) : programs_(server_programs()), fsync_(fsync) {
  std::string folder = (fs::temp_directory_path() / "mazur-postgres-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = folder;
  user_ = getuid();
  group_ = getgid();
  if (user_ == 0) {  // the server does not run as root
    const passwd* other = getpwnam("postgres");
    if (other == nullptr) throw std::runtime_error("there is no user postgres");
    user_ = other->pw_uid;
    group_ = other->pw_gid;
    if (chown(folder_.c_str(), user_, group_) != 0) throw std::runtime_error("no chown");
  }
  int status = 0;
  reap(spawn({programs_ / "initdb", "-D", folder_ / "data", "-U", "mazur", "--auth=trust",
              "--no-sync", "--no-locale", "--encoding=UTF8", "--no-instructions"}),
       status);
  if (status != 0) throw std::runtime_error("initdb failed: " + contents(folder_ / "log"));
  start();
}

PostgresServer::~PostgresServer() {
  if (process_ > 0) kill();
  std::error_code error;
  fs::remove_all(folder_, error);
}

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

pid_t PostgresServer::spawn(const std::vector<std::string>& words) const {
  const pid_t child = fork();
  if (child != 0) return child;
  const int log = open((folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const bool is_user = setgid(group_) == 0 && setuid(user_) == 0 && chdir(folder_.c_str()) == 0;
  prctl(PR_SET_PDEATHSIG, SIGQUIT);  // at once, with all that it has begun
  if (log >= 0) {
    dup2(log, 1);
    dup2(log, 2);
  }
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (is_user) execv(arguments[0], arguments.data());
  _exit(127);
}

// One that was killed leaves children that go on for a moment, and as long as there are some no server
// begins there.
void PostgresServer::start() {
  for (int tries = 0; tries < 500; ++tries) {
    if (begin()) return;
    usleep(20'000);
  }
  throw std::runtime_error("the server has ended: " + contents(folder_ / "log"));
}

bool PostgresServer::begin() {
  process_ = spawn({programs_ / "postgres", "-D", folder_ / "data", "-c", "listen_addresses=", "-c",
                    "unix_socket_directories=" + folder_.string(), "-c",
                    fsync_ ? "fsync=on" : "fsync=off", "-c", "shared_buffers=32MB", "-c",
                    "max_connections=30", "-c", "autovacuum=off", "-c", "deadlock_timeout=100ms"});
  for (;;) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      process_ = -1;
      return false;
    }
    const std::string url = this->url();
    if (PQping(url.c_str()) == PQPING_OK) return true;
    usleep(20'000);
  }
}

// A postmaster that is killed leaves its children, which end as soon as they notice.
void PostgresServer::kill() {
  ::kill(process_, SIGKILL);
  int status = 0;
  reap(process_, status);
  process_ = -1;
}

std::string PostgresServer::url(const std::string& user) const {
  return "postgresql://" + user + "@/postgres?host=" + folder_.string();
}

void PostgresServer::execute(const std::string& sql) const {
  const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(url().c_str()), PQfinish);
  const std::unique_ptr<PGresult, void (*)(PGresult*)> result(PQexec(connection.get(), sql.c_str()),
                                                              PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
    throw std::runtime_error(sql + ": " + PQerrorMessage(connection.get()));
}

void PostgresServer::cut_connections() const {
  execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
      "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
}

}  // namespace mazur::test
