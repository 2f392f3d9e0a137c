// libFuzzer's two questions, for every target.
//
//   fuzz_NAME --seeds=FOLDER    writes the seeds, each a file, and ends
#include "fuzz/target.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace somnus::fuzz {
namespace {

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const Seed& seed : seeds()) {
    std::ofstream file(folder / seed.name, std::ios::binary);
    file << seed.bytes;
  }
}

}  // namespace
}  // namespace somnus::fuzz

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  constexpr std::string_view seeds = "--seeds=";
  for (int at = 1; at < *count; ++at) {
    const std::string_view word = (*words)[at];
    if (!word.starts_with(seeds)) continue;
    somnus::fuzz::write_seeds(word.substr(seeds.size()));
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    somnus::fuzz::read({reinterpret_cast<const char*>(data), size});
  } catch (const somnus::UserError&) {
  } catch (const somnus::WorldError&) {
  } catch (const std::exception& error) {
    fmt::print(stderr, "FOUND: {}\n", error.what());
    std::abort();
  }
  return 0;
}
