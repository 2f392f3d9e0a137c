#include "emulator/export/outlet.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

fs::path beside(fs::path path, const char* suffix) {
  if (path.filename().empty()) path = path.parent_path();  // "folder/"
  path += suffix;
  return path;
}

[[noreturn]] void fail_to_write(const fs::path& path, const std::error_code& error) {
  throw WorldError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), fresh_(beside(path_, ".new")) {
  errno = 0;
  out_.open(fresh_, std::ios::binary | std::ios::trunc);
  if (!out_) fail();
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(fresh_, ignored);
}

void OutputFile::fail() const {
  fail_to_write(path_, std::error_code(errno, std::generic_category()));
}

void OutputFile::write(std::string_view text) {
  errno = 0;
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!out_) fail();
}

void OutputFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) fail();
  std::error_code error;
  fs::rename(fresh_, path_, error);
  if (error) fail_to_write(path_, error);
  committed_ = true;
}

OutputFolder::OutputFolder(fs::path path) : path_(beside(std::move(path), "")) {
  std::error_code error;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
  std::string name = beside(path_, ".new-XXXXXX").string();
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
  fs::remove_all(beside_, ignored);
}

void OutputFolder::commit() {
  const fs::path old = beside_ / "old";
  std::error_code error;
  const bool replaces = fs::exists(path_);
  if (replaces) fs::rename(path_, old, error);
  if (error) fail_to_write(path_, error);
  fs::rename(fresh(), path_, error);
  if (!error) return;
  std::error_code stuck;
  if (replaces) fs::rename(old, path_, stuck);
  if (stuck) beside_.clear();  // it has the only ones there are
  fail_to_write(path_, error);
}

}  // namespace somnus
