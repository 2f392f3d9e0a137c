// Stable 64-bit hashes (XXH3), for random stream names, digests of inputs and seals of logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace somnus {

/// The same on every machine and in every version.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

/// The same of bytes that come piece by piece.
class Hash64 {
 public:
  explicit Hash64(std::uint64_t seed = 0);
  ~Hash64();
  Hash64(Hash64&&) noexcept;
  Hash64& operator=(Hash64&&) noexcept;

  void begin_anew(std::uint64_t seed);
  void add(std::span<const std::byte> bytes);
  /// Of all bytes so far; more may follow.
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace somnus
