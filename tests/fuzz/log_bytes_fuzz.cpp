// Any bytes as the file of a log. Most of what they reach is libhdf5, which was not written for
// files that mean harm: what crashes inside of it is not ours (README.md lists what is known).
#include <fstream>

#include "fuzz/log_readers.hpp"
#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"

/// What it forgets of a damaged file is not ours.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace somnus::fuzz {

void read(std::string_view bytes) {
  const ScratchFile file;
  std::ofstream(file.path(), std::ios::binary) << bytes;
  let_all_read(file.path());
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const World& world : worlds().first(2)) {
    all.push_back({world.name + ".h5", log_file_of(world)});
  }
  return all;
}

}  // namespace somnus::fuzz
