#include "base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace somnus {

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

struct Hash64::State {
  XXH3_state_t of;
};

Hash64::Hash64(std::uint64_t seed) : state_(std::make_unique<State>()) { begin_anew(seed); }
Hash64::~Hash64() = default;
Hash64::Hash64(Hash64&&) noexcept = default;
Hash64& Hash64::operator=(Hash64&&) noexcept = default;

void Hash64::begin_anew(std::uint64_t seed) { XXH3_64bits_reset_withSeed(&state_->of, seed); }

void Hash64::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(&state_->of, bytes.data(), bytes.size());
}

std::uint64_t Hash64::value() const { return XXH3_64bits_digest(&state_->of); }

}  // namespace somnus
