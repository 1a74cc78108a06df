// What a user vouches for by standing where they stand: the files below the current folder, as a
// build there would trust them too.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace mazur {

class OwnGround {
 public:
  // The current folder.
  OwnGround();

  // Whether the path, all symbolic links followed, is the current folder or lies below it, and
  // belongs to the user, to root, or to whom the folder belongs (others may write into /tmp). A
  // path that does not exist has no owner.
  bool holds(const std::filesystem::path& path) const;

  // The same, or it belongs to the system: below /usr and root's.
  bool holds_or_system(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
  uid_t owner_ = 0;
};

}  // namespace mazur
