#include "emulator/export/outlet.hpp"

#include <fmt/format.h>

#include <cerrno>
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

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)), fresh_(beside(path_, ".new")) {
  std::error_code error;
  fs::remove_all(fresh_, error);  // of somebody who was killed
  if (!error) fs::create_directories(fresh_, error);
  if (error) fail_to_write(path_, error);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(fresh_, ignored);
}

void OutputFolder::commit() {
  const fs::path old = beside(path_, ".old");
  std::error_code error;
  const bool replaces = fs::exists(path_);
  if (replaces) fs::rename(beside(path_, ""), old, error);
  if (!error) fs::rename(fresh_, beside(path_, ""), error);
  if (error) fail_to_write(path_, error);
  committed_ = true;
  if (replaces) fs::remove_all(old, error);
}

}  // namespace somnus
