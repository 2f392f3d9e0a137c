// Resource vectors. Amounts are fixed-point (millionths), so that taking and giving back a million
// times ends where it began.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace somnus {

class Resources {
 public:
  static constexpr std::size_t most_kinds = 6;  // cpu, memory, disk in/out, network in/out
  static constexpr double most = 1e12;          // of one kind, in the user's unit

  constexpr Resources() = default;

  /// In the user's unit (cores, GB, ...), kept to a millionth.
  void set(std::size_t kind, double amount) {
    amounts_[kind] = static_cast<std::int64_t>(std::llround(amount * scale));
  }
  [[nodiscard]] double amount(std::size_t kind) const {
    return static_cast<double>(amounts_[kind]) / scale;
  }

  /// Of all kinds.
  [[nodiscard]] constexpr const std::array<std::int64_t, most_kinds>& millionths() const {
    return amounts_;
  }

  [[nodiscard]] constexpr bool fits_in(const Resources& room) const {
    for (std::size_t kind = 0; kind < most_kinds; ++kind) {
      if (amounts_[kind] > room.amounts_[kind]) return false;
    }
    return true;
  }
  [[nodiscard]] constexpr bool zero() const { return *this == Resources(); }

  constexpr Resources& operator+=(const Resources& other) {
    for (std::size_t kind = 0; kind < most_kinds; ++kind) amounts_[kind] += other.amounts_[kind];
    return *this;
  }
  constexpr Resources& operator-=(const Resources& other) {
    for (std::size_t kind = 0; kind < most_kinds; ++kind) amounts_[kind] -= other.amounts_[kind];
    return *this;
  }
  friend constexpr bool operator==(const Resources&, const Resources&) = default;

 private:
  static constexpr double scale = 1e6;
  std::array<std::int64_t, most_kinds> amounts_{};
};

}  // namespace somnus
