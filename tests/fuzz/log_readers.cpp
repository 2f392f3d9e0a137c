#include "fuzz/log_readers.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>

#include "audit/check.hpp"
#include "log/damage.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "metrics/summary.hpp"
#include "session/replay.hpp"
#include "session/simulation.hpp"

namespace somnus::fuzz {

void let_all_read(const Log& log) {
  static_cast<void>(to_text(check_log(log)));
  static_cast<void>(replay_log(log));
  static_cast<void>(replay_log(log, {}, ReplayBy::log));
  const Summary one = summarise(log, "fuzz");
  static_cast<void>(to_text({&one, 1}, Rows::all));
  static_cast<void>(resources_to_text({&one, 1}));
}

void let_all_read(const std::filesystem::path& file) {
  if (const auto log = read_log(file)) let_all_read(*log);
  static_cast<void>(recover_log(file));
}

ScratchFile::ScratchFile() {
  const std::filesystem::path memory = "/dev/shm";
  const auto folder =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  path_ = folder / fmt::format("somnus-fuzz-{}.h5", getpid());
}

ScratchFile::~ScratchFile() {
  for (const char* beside : {"", ".journal"}) {
    std::error_code ignored;
    std::filesystem::remove(path_.string() + beside, ignored);
  }
}

std::string log_file_of(const World& world) {
  const ScratchFile file;
  Settings settings = world.settings;
  settings.log.file = file.path().string();
  static_cast<void>(simulate_one(settings, world.workload, {}));
  testing::repack(file.path());
  std::ifstream made(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(made), {}};
}

const std::string& small_log_file() {
  static const std::string bytes = log_file_of(worlds().front());
  return bytes;
}

}  // namespace somnus::fuzz
