// All that reads a log, as the commands do.
#pragma once

#include <filesystem>
#include <string>

#include "fuzz/worlds.hpp"
#include "log/log.hpp"

namespace somnus::fuzz {

void let_all_read(const Log& log);

/// check, replay and summary if it can be read, and recover, which writes.
void let_all_read(const std::filesystem::path& file);

/// A name in memory for the one file that the process has open; it goes away with it.
class ScratchFile {
 public:
  ScratchFile();
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The bytes of the log that a simulation of the world writes. No other ScratchFile may be there.
[[nodiscard]] std::string log_file_of(const World& world);
/// Of the first world; made once.
[[nodiscard]] const std::string& small_log_file();

}  // namespace somnus::fuzz
