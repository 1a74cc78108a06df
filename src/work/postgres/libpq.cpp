#include "work/postgres/libpq.h"

#include <dlfcn.h>

#include <string>

#include "work/store.h"

namespace mazur {
namespace {

// The name that all its versions since 2004 have.
constexpr const char* kFile = "libpq.so.5";

[[noreturn]] void missing() {
  const char* why = dlerror();
  throw LedgerError(
      std::string("a ledger on PostgreSQL needs ") + kFile +
      " (Debian's package libpq5): " + (why == nullptr ? "it cannot be loaded" : why) + ".");
}

class Library {
 public:
  Library() : handle_(dlopen(kFile, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) missing();
  }
  template <typename F>
  void find(F*& function, const char* name) const {
    function = reinterpret_cast<F*>(dlsym(handle_, name));
    if (function == nullptr) missing();
  }

 private:
  void* handle_;  // never closed: connections may live as long as the process
};

Libpq load() {
  const Library library;
  Libpq pq;
  library.find(pq.PQclear, "PQclear");
  library.find(pq.PQcmdStatus, "PQcmdStatus");
  library.find(pq.PQcmdTuples, "PQcmdTuples");
  library.find(pq.PQconnectdbParams, "PQconnectdbParams");
  library.find(pq.PQconninfoFree, "PQconninfoFree");
  library.find(pq.PQconninfoParse, "PQconninfoParse");
  library.find(pq.PQconsumeInput, "PQconsumeInput");
  library.find(pq.PQerrorMessage, "PQerrorMessage");
  library.find(pq.PQfformat, "PQfformat");
  library.find(pq.PQfinish, "PQfinish");
  library.find(pq.PQflush, "PQflush");
  library.find(pq.PQfreemem, "PQfreemem");
  library.find(pq.PQftype, "PQftype");
  library.find(pq.PQgetResult, "PQgetResult");
  library.find(pq.PQgetisnull, "PQgetisnull");
  library.find(pq.PQgetlength, "PQgetlength");
  library.find(pq.PQgetvalue, "PQgetvalue");
  library.find(pq.PQisBusy, "PQisBusy");
  library.find(pq.PQnfields, "PQnfields");
  library.find(pq.PQntuples, "PQntuples");
  library.find(pq.PQresultErrorField, "PQresultErrorField");
  library.find(pq.PQresultStatus, "PQresultStatus");
  library.find(pq.PQsendQuery, "PQsendQuery");
  library.find(pq.PQsendQueryParams, "PQsendQueryParams");
  library.find(pq.PQserverVersion, "PQserverVersion");
  library.find(pq.PQsetNoticeProcessor, "PQsetNoticeProcessor");
  library.find(pq.PQsocket, "PQsocket");
  library.find(pq.PQstatus, "PQstatus");
  return pq;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq loaded = load();
  return loaded;
}

}  // namespace mazur
