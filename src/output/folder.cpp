#include "output/folder.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "output/destination.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, const std::error_code& error) {
  throw WorldError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
}

fs::path without_slash(fs::path path) {
  return path.filename().empty() ? path.parent_path() : path;  // "folder/"
}

/// Whoever might enter the old one may enter the new one.
void copy_permissions_of_folder(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  const fs::file_status status = fs::status(from, ignored);
  if (fs::is_directory(status)) fs::permissions(to, status.permissions(), ignored);
}

}  // namespace

OutputFolder::OutputFolder(fs::path path)
    : path_(std::move(path)), place_(resolved_path(without_slash(path_))) {
  std::error_code error;
  if (place_.has_parent_path()) fs::create_directories(place_.parent_path(), error);
  std::string name =
      place_.parent_path() / fmt::format(".{}.new-XXXXXX", place_.filename().string());
  if (!error && ::mkdtemp(name.data()) == nullptr) error = {errno, std::generic_category()};
  if (!error) {
    beside_ = name;
    fs::create_directory(fresh(), error);
    std::error_code ignored;
    if (error) fs::remove(beside_, ignored);
  }
  if (error) fail_to_write(path_, error);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!beside_.empty()) fs::remove_all(beside_, ignored);
}

void OutputFolder::commit() {
  const fs::path old = beside_ / "old";
  std::error_code error;
  const bool replaces = fs::exists(place_);
  if (replaces) {
    copy_permissions_of_folder(place_, fresh());
    fs::rename(place_, old, error);
  }
  if (error) fail_to_write(path_, error);
  fs::rename(fresh(), place_, error);
  if (!error) return;
  std::error_code stuck;
  if (replaces) fs::rename(old, place_, stuck);
  if (stuck) beside_.clear();  // it has the only ones there are
  fail_to_write(path_, error);
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  std::string name = parent / ".somnus-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    fail_to_write(parent, {errno, std::generic_category()});
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace somnus
