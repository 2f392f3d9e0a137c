#include "base/random.hpp"

#include "base/hash.hpp"

namespace somnus {

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t index)
    : engine_(hash64(name, seed), index) {}

}  // namespace somnus
